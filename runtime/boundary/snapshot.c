/* See snapshot.h. Cost: a look is a call of clock_gettime, which does not enter the kernel. */
#include "runtime/boundary/snapshot.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "runtime/boundary/process.h"
#include "runtime/core/options.h"

#define LOOK_NS UINT64_C(100000000)

static _Atomic uint64_t due_ns; /* the thread that changes it writes the snapshot. 0: not known yet */

uint64_t hcct_snapshot_look_ns(void)
{
    uint64_t quarter = hcct_options.snapshot_ns / 4;
    return quarter < LOOK_NS ? quarter : LOOK_NS;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void hcct_snapshot_look(void)
{
    if (!hcct_options.snapshot_ns)
        return;
    uint64_t now = now_ns(), due = atomic_load(&due_ns);
    if (due > now || !atomic_compare_exchange_strong(&due_ns, &due, now + hcct_options.snapshot_ns))
        return;
    if (due && !hcct_process_snapshot())
        atomic_store(&due_ns, due);
}

void hcct_snapshot_after_fork(void)
{
    atomic_store(&due_ns, hcct_options.snapshot_ns ? now_ns() + hcct_options.snapshot_ns : 0);
}
