/* snapshot=60s: rolling profiles (snapshots), for a collector that reads the output file while the program
 * runs.
 *
 * A thread of the program writes them, in the handler of its ticks (meter/ticks/timer.h). So the runtime
 * needs no thread, and no system call is interrupted. While no thread runs, nothing is counted, and nothing
 * is written.
 *
 * Requests (dump=1). hcct-top --dump makes a file OUTPUT.dump. The same looks find it: the thread writes the
 * profile, and removes the request, which is the answer. With metric=heap each call of the allocator looks,
 * too. No signal is sent, and nothing of the program is interrupted.
 *
 * Invariants
 *   1. the output path always names a whole profile, or none yet: each one replaces the last by rename;
 *   2. two snapshots are at least the interval apart. The next one comes at most 100 ms of a thread's CPU
 *      time later; or at the next look, if a thread unloads code or another profile is being written;
 *   3. no snapshot begins after the program has begun to end. */
#ifndef HCCT_RUNTIME_BOUNDARY_SNAPSHOT_H
#define HCCT_RUNTIME_BOUNDARY_SNAPSHOT_H

#include <stdint.h>

/* The CPU time between two looks. */
uint64_t hcct_snapshot_look_ns(void);
/* Writes a snapshot if it is due, or asked for. The thread may be busy, but holds no lock.
 * Async-signal-safe. */
void hcct_snapshot_look(void);
/* At start, and in a forked child: the interval begins now. */
void hcct_snapshot_after_fork(void);

#endif
