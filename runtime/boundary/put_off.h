/* Signals that come while their thread is inside the profiler wait until it leaves. Async-signal-safe. */
#ifndef HCCT_RUNTIME_BOUNDARY_PUT_OFF_H
#define HCCT_RUNTIME_BOUNDARY_PUT_OFF_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* Whether the interrupted instruction caused the signal, and would fault again. SIGSEGV with SI_KERNEL: the
 * kernel had no room on the stack for the frame of another signal, so the instruction did not cause it. */
bool hcct_put_off_is_fault(int signal, const siginfo_t *info);
/* If the thread is inside the profiler: remembers the signal, and keeps it blocked until it is sent again.
 * False if the handler is to run now. */
bool hcct_put_off(int signal, const siginfo_t *info, ucontext_t *context);
/* Sends the thread a signal of this process. */
bool hcct_put_off_queue(int thread, const siginfo_t *info);
/* The thread has left the profiler: what waits is sent again (`redeliver` in core/hooks.h). */
void hcct_put_off_redeliver(void);

#endif
