/* See snapshot.h. Cost: a look is a call of clock_gettime, which enters the kernel in static programs only,
 * and with dump=1 a system call each 100 ms. With dump=1 there is a look each 5 ms of CPU time. */
#include "runtime/boundary/snapshot.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/boundary/write.h"
#include "runtime/output/paths.h"
#include "runtime/start/settings.h"

#define LOOK_NS UINT64_C(100000000)
/* With dump=1: a server that is nearly idle answers within the seconds that hcct-top waits. */
#define REQUEST_LOOK_NS UINT64_C(5000000)

static _Atomic uint64_t due_ns;         /* the thread that changes it writes the snapshot. 0: not known yet */
static char request[PATH_MAX];          /* the file that asks for a profile; empty: none can */
static _Atomic uint64_t request_due_ns; /* the thread that changes it looks for the request */

uint64_t hcct_snapshot_look_ns(void)
{
    uint64_t quarter = hcct_start_settings.snapshot_ns / 4;
    uint64_t most = hcct_start_settings.dump ? REQUEST_LOOK_NS : LOOK_NS;
    return quarter && quarter < most ? quarter : most;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void look_for_request(uint64_t now)
{
    uint64_t due = atomic_load(&request_due_ns);
    int saved = errno;
    if (due > now || hcct_confined || !atomic_compare_exchange_strong(&request_due_ns, &due, now + LOOK_NS))
        return;
    if (access(request, F_OK) == 0) {
        if (hcct_write_snapshot(true))
            unlink(request);
        else
            atomic_store(&request_due_ns, due);
    }
    errno = saved;
}

void hcct_snapshot_look(void)
{
    uint64_t now = now_ns(), due = atomic_load(&due_ns);
    if (*request)
        look_for_request(now);
    if (!hcct_start_settings.snapshot_ns || due > now ||
        !atomic_compare_exchange_strong(&due_ns, &due, now + hcct_start_settings.snapshot_ns))
        return;
    if (due && !hcct_write_snapshot(false))
        atomic_store(&due_ns, due);
    else /* from the end of the write on, so that the program runs in between, however long that took */
        atomic_store(&due_ns, now_ns() + hcct_start_settings.snapshot_ns);
}

/* The output's path with .dump behind it. With dump it has no %m (start/rules.c), so no build is
 * needed. */
static void name_request(void)
{
    enum { ROOM = PATH_MAX - sizeof ".dump" };
    if (hcct_start_settings.dump && hcct_paths_output(request, ROOM, "", hcct_write_is_child()))
        strcat(request, ".dump");
    else
        *request = 0;
}

void hcct_snapshot_after_fork(void)
{
    name_request();
    atomic_store(&due_ns, hcct_start_settings.snapshot_ns ? now_ns() + hcct_start_settings.snapshot_ns : 0);
}
