/* The life of the process: start, fork, exit. */
#ifndef HCCT_RUNTIME_BOUNDARY_PROCESS_H
#define HCCT_RUNTIME_BOUNDARY_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/core/notice.h"

/* Reads the options, makes the tables, numbers the program. Once; before instrumented code where possible. */
void hcct_process_start(char **environment);
/* Writes the profile if there is anything new to write; for every way the program ends. Not for a vfork
 * child, which counts into its parent: nothing is written there. */
void hcct_process_write(void);
/* Writes the profile if there is anything new to write and the program has not begun to end. False: not now,
 * as another thread writes or unloads. */
bool hcct_process_snapshot(void);
/* ends.c */
void hcct_ends_start(void);
/* The process ends, and nothing is written. */
__attribute__((noreturn)) void hcct_process_leave(int status);
/* Whether this process was forked by a profiled one. */
int hcct_process_is_child(void);
/* What refers to one of these brings its file, with the functions that are found by name: of api/, ends.c,
 * limits.c. */
extern const char hcct_api_present, hcct_context_present, hcct_ends_present, hcct_limits_present;

#endif
