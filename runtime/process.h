/* The life of the process: start, fork, exit. */
#ifndef HCCT_RUNTIME_PROCESS_H
#define HCCT_RUNTIME_PROCESS_H

#include <stdint.h>

/* Reads the options, makes the tables, numbers the program. Once; before instrumented code where possible. */
void hcct_process_start(char **environment);
/* Writes the profile if there is anything new to write; for every way the program ends. Not for a vfork child, which
 * counts into its parent: nothing is written there. */
void hcct_process_write(void);
/* Whether this process was forked by a profiled one. */
int hcct_process_is_child(void);
/* A word that is 0 in a child that was forked and does not know it yet. Slots are wiped there too, so that the first call
 * misses, and asks: fork handlers are not called by _Fork, clone and raw system calls. */
extern const volatile uint32_t *hcct_process_mark;
void hcct_process_after_fork(void);

static inline void hcct_process_notice_fork(void)
{
    if (__builtin_expect(!*hcct_process_mark, 0))
        hcct_process_after_fork();
}

/* Defined beside the API (api.c). */
extern const char hcct_api_present;

#endif
