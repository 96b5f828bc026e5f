/* A stack of the runtime's own, for what needs more of one than there may be: to write a profile takes more
 * than a handler's alternate stack of the usual 8 KB has, or a thread's stack of 16 KB.
 *
 * There is one, and one thread at a time is on it. Meanwhile that thread gets no signals, because a handler
 * with SA_ONSTACK would begin at the start of the alternate stack, where the frames of the thread's own
 * handler are. Faults come all the same: they cannot wait. */
#ifndef HCCT_RUNTIME_CORE_OWN_STACK_H
#define HCCT_RUNTIME_CORE_OWN_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Reserves it. Once, at start. */
void hcct_own_stack_start(void);
/* In a forked child. */
void hcct_own_stack_after_fork(void);
/* Calls function(value), and returns its result. On the runtime's own stack if hcct_busy_stack_is_alternate,
 * or if the program's stack has too little room; else where it is called. While another thread is on the
 * runtime's stack, waits up to `limit_ms`, and then calls it here; with 0 it returns false at once.
 * Async-signal-safe. */
bool hcct_own_stack_run(int limit_ms, bool (*function)(int value), int value);
/* The stack pointer with which the calling thread left the program's stack, and below which the program has
 * nothing; 0: the thread is on the program's stack. */
uintptr_t hcct_own_stack_left(void);

#endif
