/* Notices the start of the process, and that the process is a forked child.
 *
 * Fork handlers of the C library usually do the work in a child. But _Fork, clone and raw system calls do
 * not run them. So every entry of the runtime calls hcct_notice first.
 * seam: made by boundary/process.c and ends.c. */
#ifndef HCCT_RUNTIME_CORE_NOTICE_H
#define HCCT_RUNTIME_CORE_NOTICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A word that is 0 before the start, and in a forked child until hcct_process_begin has run there: the
 * kernel wipes its page. As long as it is 0, every call misses: before the start no thread has slots, and in
 * a child the kernel has wiped them. */
extern const volatile uint32_t *hcct_process_mark;
void hcct_process_begin(void);

/* Call this before any use of the tables. Keeps errno. */
static inline void hcct_notice(void)
{
    if (__builtin_expect(!*hcct_process_mark, 0))
        hcct_process_begin();
}

/* The process id. Usually this is a stored number, as a sandbox may forbid the system call. It is a system
 * call while a child may run in this memory (hcct_process_shares_memory). */
pid_t hcct_process_id(void);
/* False in a child that runs in the memory of its parent. */
bool hcct_process_is_own(void);
/* vfork or clone was called, so that a child may run in this memory. */
extern volatile bool hcct_process_shares_memory;
/* A sandbox does not allow the system call. While a child may run in this memory, nobody knows whose process
 * this is, and nothing is written. */
extern bool hcct_process_id_is_forbidden;

#endif
