/* Notices the start of the process, and that the process is a forked child; and whose process this is.
 *
 * Fork handlers of the C library usually do the work in a child. But _Fork, clone and raw system calls do
 * not run them. So every entry of the runtime calls hcct_notice first. */
#ifndef HCCT_RUNTIME_CORE_NOTICE_H
#define HCCT_RUNTIME_CORE_NOTICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/core/hooks.h"

/* A word that is 0 before the start, and in a forked child until hcct_guest_hooks.begin has run there: the
 * kernel wipes its page. As long as it is 0, every call misses: before the start no thread has slots, and in
 * a child the kernel has wiped them. */
extern __attribute__((visibility("hidden"))) const volatile uint32_t *hcct_process_mark;

/* Call this before any use of the tables. Keeps errno. */
static inline void hcct_notice(void)
{
    if (__builtin_expect(!*hcct_process_mark, 0))
        hcct_guest_hooks.begin();
}

/* The process starts: from now on its forked children are noticed. */
void hcct_notice_start(void);
/* Whether this process is a forked child that is not ready yet. */
bool hcct_notice_is_new_child(void);
/* Such a child takes its own id, before anything asks for that. */
void hcct_notice_take_id(void);
/* It is ready now. */
void hcct_notice_end_child(void);
/* Call this in a child of fork() first. If the kernel said that it wipes the mark, and did not, it is as if
 * it had said no. */
void hcct_notice_check_mark(void);

/* The process id. Usually this is a stored number, as a sandbox may forbid the system call. It is a system
 * call while a child may run in this memory (hcct_process_shares_memory). */
pid_t hcct_process_id(void);
/* Whether this is the process that the tables belong to, which may write its profile. False in a child that
 * runs in the memory of its parent, in a sandbox (base/confined.h), and if nobody can tell. */
bool hcct_process_is_own(void);
/* vfork or clone was called, so that a child may run in this memory. */
extern __attribute__((visibility("hidden"))) volatile bool hcct_process_shares_memory;
/* A sandbox does not allow the system call. While a child may run in this memory, nobody knows whose process
 * this is, and nothing is written. */
extern __attribute__((visibility("hidden"))) bool hcct_process_id_is_forbidden;

#endif
