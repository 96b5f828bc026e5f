/* The life of the process: start, fork, exit. */
#ifndef HCCT_RUNTIME_CORE_PROCESS_H
#define HCCT_RUNTIME_CORE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads the options, makes the tables, numbers the program. Once; before instrumented code where possible. */
void hcct_process_start(char **environment);
/* Writes the profile if there is anything new to write; for every way the program ends. Not for a vfork
 * child, which counts into its parent: nothing is written there. */
void hcct_process_write(void);
/* Writes the profile if there is anything new to write and the program has not begun to end. False: not now,
 * as another thread writes or unloads. */
bool hcct_process_snapshot(void);
/* The process id. Without a system call, which a sandbox may forbid, unless a child may run in this
 * memory. */
pid_t hcct_process_id(void);
/* ends.c: vfork or clone was called, so that one may. */
extern volatile bool hcct_process_shares_memory;
void hcct_ends_start(void);
/* Whether this is none such. */
bool hcct_process_is_own(void);
/* The process ends, and nothing is written. */
__attribute__((noreturn)) void hcct_process_leave(int status);
/* Whether this process was forked by a profiled one. */
int hcct_process_is_child(void);
/* A word that is 0 until the start, and in a child that was forked and does not know it yet. Every call
 * misses then: before the start there are no slots, and in a child they are wiped, as fork handlers are not
 * called by _Fork, clone and raw system calls. */
extern const volatile uint32_t *hcct_process_mark;
void hcct_process_begin(void);

/* To be called before the tables are touched. Keeps errno. */
static inline void hcct_process_notice(void)
{
    if (__builtin_expect(!*hcct_process_mark, 0))
        hcct_process_begin();
}

/* Defined beside the API (api.c). */
extern const char hcct_api_present, hcct_context_present, hcct_ends_present, hcct_limits_present,
    hcct_weight_present;

#endif
