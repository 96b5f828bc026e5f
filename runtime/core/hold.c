/* See hold.h. */
#define _GNU_SOURCE
#include "runtime/core/hold.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/notice.h"

/* The holding thread, as the address of its own `depth`. */
static _Thread_local int depth;
static _Atomic(int *) holder; /* the exchange in hcct_hold_within pairs with the store in hcct_hold_release */

bool hcct_hold_within(int limit_ms)
{
    int *self = &depth, *nobody = NULL;
    while (atomic_load(&holder) != self && !atomic_compare_exchange_strong(&holder, &nobody, self)) {
        nobody = NULL;
        if (limit_ms-- == 0)
            return false;
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL); /* no cancellation point */
    }
    depth++;
    return true;
}

void hcct_hold(void)
{
    hcct_notice();
    hcct_hold_within(-1);
}

void hcct_hold_release(void)
{
    if (--depth == 0)
        atomic_store(&holder, NULL);
}

bool hcct_hold_is_own(void)
{
    return depth != 0;
}

void hcct_hold_after_fork(void)
{
    atomic_store(&holder, depth ? &depth : NULL);
}
