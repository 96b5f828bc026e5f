/* The context of another thread that waits in a system call, as wall.h says. The thread's memory is read by a
 * system call, which fails if the memory is gone, and each link of a chain is checked as usual. What is found
 * is right if the thread did not run meanwhile. */
#ifndef HCCT_RUNTIME_METER_WALL_WAITING_H
#define HCCT_RUNTIME_METER_WALL_WAITING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hcct/abi.h"
#include "runtime/base/node.h"

/* Call this before hcct_waiting_find, with the id of the thread that will call it; and again if another
 * thread is to. False if memory is short, or if the system does not let us read memory. */
bool hcct_waiting_start(pid_t self);
/* The node of the newest frame that is live at `sp`, with a reference for the caller, and its prefix. 0:
 * it is not known, or the thread is in the profiler. Under the table lock. */
hcct_node hcct_waiting_find(const struct hcct_thread *thread, uintptr_t sp, uint64_t *prefix);

#endif
