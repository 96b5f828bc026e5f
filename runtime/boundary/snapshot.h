/* snapshot=60s: rolling profiles, for a collector that reads the output file while the program runs.
 *
 * Written by a thread of the program, in the signal of its timer (timer.h), when the time has come: no thread
 * of our own, and no system call of the program is interrupted. While nothing of the program runs nothing is
 * written, as nothing is counted.
 *
 * Invariants
 *   1. at any time the output path names a whole profile, or none yet: each replaces the last by rename;
 *   2. two that follow each other are at least the interval apart, and at most LOOK of the CPU time of a
 *      thread more; but not while a thread unloads code or another profile is being written: then it is the
 *      next look's;
 *   3. none is begun when the program has begun to end. */
#ifndef HCCT_RUNTIME_BOUNDARY_SNAPSHOT_H
#define HCCT_RUNTIME_BOUNDARY_SNAPSHOT_H

#include <stdint.h>

/* How often to look, in CPU time. */
uint64_t hcct_snapshot_look_ns(void);
/* Writes a profile if it is time for one. Not while the thread is busy. Async-signal-safe. */
void hcct_snapshot_look(void);
/* In a forked child, whose own begins now. */
void hcct_snapshot_after_fork(void);

#endif
