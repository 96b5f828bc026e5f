/* Limited resources of a process: the program gets as much as it would without the profiler.
 *
 * Address space: reserved parts are given back when the program sets a limit. Keys of thread-local data: we
 * give up ours when the program needs it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "runtime/base/interpose.h"
#include "runtime/boundary/process.h"
#include "runtime/core/block.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/stack.h"

const char hcct_limits_present = 1;

/* Does nothing in a vfork child: the limit is not its parent's. */
static void leave_room(void)
{
    int saved = errno;
    if (hcct_busy.depth || !hcct_process_is_own())
        return;
    hcct_busy_enter();
    hcct_tables_lock();
    hcct_prefix_shrink();
    hcct_stack_shrink();
    hcct_tables_unlock();
    hcct_busy_leave();
    errno = saved;
}

/* --- keys ------------------------------------------------------------------------------------------ */

extern int __pthread_key_create(pthread_key_t *, void (*)(void *));
/* a sanitizer's */
extern __typeof__(pthread_key_create) __interceptor_pthread_key_create __attribute__((weak));

/* One of the 1,024 keys is ours, until the program asks for the last one. */
HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) int pthread_key_create(pthread_key_t *key,
                                                                         void (*destructor)(void *))
{
    __typeof__(pthread_key_create) *real =
        __interceptor_pthread_key_create ? __interceptor_pthread_key_create : __pthread_key_create;
    int error = real(key, destructor);
    return error == EAGAIN && hcct_block_give_up_key() ? real(key, destructor) : error;
}

HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) int tss_create(tss_t *key, tss_dtor_t destructor)
{
    int error = pthread_key_create(key, destructor);
    return !error ? thrd_success : error == ENOMEM ? thrd_nomem : thrd_error;
}

/* --- address space --------------------------------------------------------------------------------- */

/* Does what the C library's functions do. */
HCCT_UNSANITIZED static int set_limit(pid_t process, int resource, const struct rlimit *limit,
                                      struct rlimit *old)
{
    int result = (int)syscall(SYS_prlimit64, process, resource, limit, old);
    bool own = process == 0 || process == hcct_process_id();
    bool is_of_memory = resource == RLIMIT_AS || resource == RLIMIT_DATA;
    if (result == 0 && limit && limit->rlim_cur != RLIM_INFINITY && is_of_memory && own)
        leave_room();
    return result;
}

HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) int setrlimit(__rlimit_resource_t resource,
                                                                const struct rlimit *limit)
{
    return set_limit(0, (int)resource, limit, NULL);
}

HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) int prlimit(pid_t process, enum __rlimit_resource resource,
                                                              const struct rlimit *limit, struct rlimit *old)
{
    return set_limit(process, (int)resource, limit, old);
}

INTERPOSED __attribute__((weak, alias("setrlimit"))) int setrlimit64(__rlimit_resource_t resource,
                                                                     const struct rlimit64 *limit);
INTERPOSED __attribute__((weak, alias("prlimit"))) int
prlimit64(pid_t process, enum __rlimit_resource resource, const struct rlimit64 *limit, struct rlimit64 *old);
