/* metric=wall: where threads wait. CPU time is sampled as with metric=time. In addition, an observer (a
 * thread of the runtime) looks at all threads at random moments. The time of a thread that waits in a system
 * call goes to a leaf [waiting] of its context. The time that threads had no processor is [run queue]; that
 * the kernel counts (schedstat). A look could not tell: the observer itself takes a processor from a thread.
 *
 * Why a thread: a timer's signal would end the wait that it interrupts (poll, nanosleep and others return
 * EINTR even with SA_RESTART). CPU timers do not run during a wait. Only a thread's CPU clock shows for
 * certain that it waits, and only its own process may read that.
 *
 * Why the result is right: the observer reads a thread's CPU clock, then what the kernel says of it
 * (/proc/self/task/TID/syscall), its context stack, and the clock again. If the clock is the same, the thread
 * ran no instruction in between. It had left its processor before, so all its stores are visible. If the
 * clock differs, all that was read is thrown away. Each call that leaves instrumented code to where a thread
 * may wait pushes (HCCT_LIBRARY_CALLS_PUSH; pass/select/library.c, assembly.c). So the newest frame that is
 * live at the thread's stack pointer is that of the call that it waits in. A thread that waits elsewhere, for
 * a processor or a page, may be anywhere above its newest push: its context is not known. A thread's memory
 * is read by a system call, which fails if the memory is gone, and each link of a chain is checked as usual.
 *
 * How much a thread has waited at all is known: the time that passed, less what its CPU clock ran and what it
 * had no processor for. Looks only tell where. Looks alone would find too much: an observer that shares a
 * processor with the thread gets it when the thread gives it up, which is where a wait begins. So each thread
 * has an account of what it has waited and what its samples had, and samples are corrected by it.
 *
 * Invariants
 *   1. a wait of time t is found t / interval times on average, if the observer has a processor. A sample has
 *      the time since the last look, and a part of what the account says. Looks come at random moments, so
 *      that they cannot keep in step with the program;
 *   2. from a thread's second look on, its samples never have more than it waited and 8 intervals
 *      (MOST_TOO_MUCH). So its waiting, run queue and CPU time never add up to much more than it lived;
 *   3. the observer blocks all signals, takes no lock but the table lock, and has thread-local data of its
 *      own. */
#ifndef HCCT_RUNTIME_METER_WALL_WALL_H
#define HCCT_RUNTIME_METER_WALL_WALL_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_wall;

#endif
