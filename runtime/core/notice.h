/* Which process this is, and whether it has noticed.
 * seam: made by boundary/process.c and ends.c. */
#ifndef HCCT_RUNTIME_CORE_NOTICE_H
#define HCCT_RUNTIME_CORE_NOTICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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

/* The process id. Without a system call, which a sandbox may forbid, unless a child may run in this
 * memory. */
pid_t hcct_process_id(void);
/* Whether this is none such. */
bool hcct_process_is_own(void);
/* vfork or clone was called, so that one may. */
extern volatile bool hcct_process_shares_memory;

#endif
