/* What the kernel says of a thread of this process: /proc/self/task/TID. Called by the observer, which has a
 * table of files of its own. So a file of each thread stays open there, as far as there is room. Called once
 * at start, too, to see whether the kernel tells. Takes no locks. Changes errno. */
#ifndef HCCT_RUNTIME_METER_WALL_TASK_H
#define HCCT_RUNTIME_METER_WALL_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a thread does that uses no CPU time. Stopped threads count as waiting for a page. */
enum hcct_task_does {
    HCCT_TASK_UNKNOWN,
    HCCT_TASK_IS_RUNNABLE, /* it has no processor */
    HCCT_TASK_WAITS_FOR_PAGE,
    HCCT_TASK_WAITS_IN_CALL,
};

/* All zero: no thread was seen yet. */
struct hcct_task {
    pid_t thread;
    bool is_open;
    int file;        /* while it is open: "syscall"; or -1 */
    uint64_t queued; /* for how long it had no processor so far, in ns, as hcct_task_queued has told */
};

/* Before others are called. `is_new`: a thread that was not seen yet began since the last look. */
void hcct_task_open(struct hcct_task *task, pid_t thread, bool is_new);
void hcct_task_close(struct hcct_task *task);
/* After a look: closes the file if there would be too many. */
void hcct_task_put_aside(struct hcct_task *task);
/* What the thread does now. *sp: its stack pointer, if it waits. */
enum hcct_task_does hcct_task_ask(const struct hcct_task *task, uintptr_t *sp);
/* For how many ns the thread could have run, but had no processor, since it was asked for last. 0 where the
 * kernel does not count that (schedstat). */
uint64_t hcct_task_queued(struct hcct_task *task);

#endif
