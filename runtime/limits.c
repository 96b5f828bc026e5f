/* Limits that the program sets for itself: what the profiler has reserved of its address space is to leave it what it would have without. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/interpose.h"
#include "runtime/prefix.h"
#include "runtime/process.h"
#include "runtime/thread.h"

const char hcct_limits_present = 1;

/* Not for a vfork child, in whose parent the limit is not. */
static void leave_room(void)
{
    int saved = errno;
    if (hcct_busy || getpid() != hcct_process_id())
        return;
    hcct_busy_enter();
    hcct_table_lock();
    hcct_prefix_shrink();
    hcct_worker_shrink_stack();
    hcct_table_unlock();
    hcct_busy_leave();
    errno = saved;
}

/* As the C library's. */
static int set_limit(pid_t process, int resource, const struct rlimit *limit, struct rlimit *old)
{
    int result = (int)syscall(SYS_prlimit64, process, resource, limit, old);
    bool own = process == 0 || process == hcct_process_id();
    if (result == 0 && limit && limit->rlim_cur != RLIM_INFINITY && resource == RLIMIT_AS && own)
        leave_room();
    return result;
}

INTERPOSED __attribute__((weak)) int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    return set_limit(0, (int)resource, limit, NULL);
}

INTERPOSED __attribute__((weak)) int prlimit(pid_t process, enum __rlimit_resource resource, const struct rlimit *limit, struct rlimit *old)
{
    return set_limit(process, (int)resource, limit, old);
}

INTERPOSED __attribute__((weak, alias("setrlimit"))) int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit);
INTERPOSED __attribute__((weak, alias("prlimit"))) int prlimit64(pid_t process, enum __rlimit_resource resource, const struct rlimit64 *limit, struct rlimit64 *old);
