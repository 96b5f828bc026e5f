/* The life of the process: start, fork, end. */
#ifndef HCCT_RUNTIME_BOUNDARY_PROCESS_H
#define HCCT_RUNTIME_BOUNDARY_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/core/notice.h"

/* Reads the options, makes the tables, numbers the program. Works once. Is called before instrumented code
 * runs, if possible. */
void hcct_process_start(char **environment);
/* Writes the profile if it has changed. Call this in every way that the program ends. Does nothing in a vfork
 * child, whose calls are counted in its parent. Async-signal-safe. */
void hcct_process_write(void);
/* Writes the profile, changed or not. False if it cannot be written. Async-signal-safe. */
bool hcct_process_write_again(void);
/* Writes a snapshot, unless the program has begun to end. If the profile has not changed since the last one,
 * it is written only if `is_asked_for`. False if another thread is writing, or unloading code: try again
 * later. Async-signal-safe. */
bool hcct_process_snapshot(bool is_asked_for);
/* The profile of this process is in another file: it writes no more. Not inherited by forked children. */
void hcct_process_hand_over(void);
/* This runtime does nothing, as the program has another one, whose exit is called in place of ours; NULL: it
 * has none. In place of hcct_process_start. */
void hcct_process_stay_idle(void (*exit_of_other)(int status));
/* Whether this process was forked by a profiled one. */
int hcct_process_is_child(void);
/* Writes the profile, and ends the process, as the interposed _exit does. */
__attribute__((noreturn)) void hcct_process_exit(int status);
/* A reference to one of these links its file in, with the functions that are found by name: of api/, ends.c,
 * limits.c. */
extern const char hcct_api_present, hcct_context_present, hcct_ranks_present, hcct_ends_present,
    hcct_limits_present;

#endif
