/* metric=wall: where threads wait. CPU time is sampled as with metric=time; beside that an observer, one
 * thread of our own, looks at all threads at moments of its own, and what it finds waiting goes to a leaf
 * [waiting] of its context.
 *
 * Why a thread: a timer's signal would end a wait that it comes into (poll, nanosleep and others return EINTR
 * whatever SA_RESTART says), CPU timers stand still in one, and CPU clocks, by which alone a waiting thread
 * is known for sure, are told within a process only. Nothing is sent to the threads that are looked at; they
 * run no code for it.
 *
 * Why what is read is right: the observer reads a thread's CPU clock, its word and its context stack, then
 * the clock again. If that stood still, the thread ran no instruction in between, and had left its processor
 * before, which makes all its stores visible: it is read as a signal handler would read it that came at that
 * instruction (pass/emit/current.c says why that is the context). What was read while the thread ran is
 * thrown away, its memory is read by a system call that fails where there is none any more, and each hop of
 * the chain is checked as ever.
 *
 * Invariants
 *   1. a wait of t is found t / interval times on average; the time since the last look is the sample's, so
 *      that a thread that waits through both has exactly what passed. Looks are at random moments, so that no
 *      period of the program's agrees;
 *   2. the observer blocks all signals, holds no lock but the table's, and has thread-local data of its own,
 *      never a thread's. */
#ifndef HCCT_RUNTIME_METER_WALL_H
#define HCCT_RUNTIME_METER_WALL_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_wall;

#endif
