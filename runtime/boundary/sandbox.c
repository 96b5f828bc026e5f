/* See sandbox.h.
 *
 * A filter applies to a thread and the threads that it makes, or to all threads. Here it is assumed to apply
 * to all. Two kinds of filters are not seen: those that the program installs by its own system call
 * instructions, and those of the process that started the program. */
#define _GNU_SOURCE
#include "runtime/boundary/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/interpose.h"
#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/boundary/filter.h"
#include "runtime/boundary/signals.h"
#include "runtime/boundary/write.h"
#include "runtime/core/busy.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/output/place.h"
#include "runtime/start/meters.h"
#include "runtime/start/settings.h"
#include "runtime/trace/trace.h"

const char hcct_sandbox_present = 1;

/* --- what the runtime needs ------------------------------------------------------------------------ */

/* The runtime's system calls: the number, then the parameters. Pointers are 0, as a filter cannot follow
 * them. FILE_NUMBER is a file descriptor that the program does not have. */
enum { FILE_NUMBER = 1000, SOME_BYTES = 4096, CALL_WORDS = 7 };

/* Without these there is no profile. */
static const long needed[][CALL_WORDS] = {
    { SYS_mmap, 0, SOME_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 },
    { SYS_openat, AT_FDCWD, 0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600 },
    { SYS_write, FILE_NUMBER, 0, SOME_BYTES },
    { SYS_pwrite64, FILE_NUMBER, 0, SOME_BYTES, 0 },
#ifdef SYS_rename
    { SYS_rename },
#else
    { SYS_renameat, AT_FDCWD, 0, AT_FDCWD, 0 },
#endif
};

/* These may fail. */
static const long useful[][CALL_WORDS] = {
    { SYS_openat, AT_FDCWD, 0, O_RDONLY | O_CLOEXEC },
    { SYS_openat, AT_FDCWD, 0, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC },
    { SYS_openat, AT_FDCWD, 0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC },
    { SYS_openat, AT_FDCWD, 0, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC },
    { SYS_read, FILE_NUMBER, 0, SOME_BYTES },
    { SYS_writev, STDERR_FILENO, 0, 4 },
    { SYS_close, FILE_NUMBER },
    { SYS_fcntl, FILE_NUMBER, F_DUPFD_CLOEXEC, FILE_NUMBER },
    { SYS_fstat, FILE_NUMBER },
    { SYS_newfstatat, FILE_NUMBER, 0, 0, AT_EMPTY_PATH },
    { SYS_newfstatat, AT_FDCWD, 0, 0, AT_SYMLINK_NOFOLLOW },
#ifdef SYS_unlink
    { SYS_unlink },
    { SYS_readlink, 0, 0, SOME_BYTES },
#else
    { SYS_unlinkat, AT_FDCWD, 0, 0 },
#endif
    { SYS_readlinkat, AT_FDCWD, 0, 0, SOME_BYTES },
    { SYS_fallocate, FILE_NUMBER, 0, SOME_BYTES, SOME_BYTES },
    { SYS_mmap, 0, SOME_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, FILE_NUMBER, 0 },
    { SYS_mmap, 0, SOME_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0 },
    { SYS_mmap, 0, SOME_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0 },
    { SYS_munmap, 0, SOME_BYTES },
    { SYS_mremap, 0, SOME_BYTES, SOME_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, 0 },
    { SYS_madvise, 0, SOME_BYTES, MADV_DONTNEED },
    { SYS_madvise, 0, SOME_BYTES, MADV_WIPEONFORK },
    { SYS_madvise, 0, SOME_BYTES, MADV_REMOVE },
    { SYS_mincore, 0, SOME_BYTES, 0 },
    { SYS_process_vm_readv, 1, 0, 1, 0, 1, 0 },
    { SYS_prlimit64, 0, RLIMIT_AS, 0, 0 },
    { SYS_prlimit64, 0, RLIMIT_DATA, 0, 0 },
    { SYS_prlimit64, 0, RLIMIT_NOFILE, 0, 0 },
    { SYS_prlimit64, 0, RLIMIT_FSIZE, 0, 0 },
    { SYS_uname },
    { SYS_geteuid },
    { SYS_getegid },
    { SYS_gettid },
    { SYS_tgkill, 1, 1, 0 },
    { SYS_rt_tgsigqueueinfo, 1, 1, SIGTERM, 0 },
    { SYS_rt_sigaction, SIGTERM, 0, 0, 8 },
    { SYS_rt_sigprocmask, SIG_BLOCK, 0, 0, 8 },
    { SYS_rt_sigprocmask, SIG_UNBLOCK, 0, 0, 8 },
    { SYS_rt_sigprocmask, SIG_SETMASK, 0, 0, 8 },
    { SYS_rt_sigprocmask, -1, 0, 0, 8 },
    { SYS_rt_sigpending, 0, 8 },
    { SYS_rt_sigtimedwait, 0, 0, 0, 8 },
    { SYS_sched_yield },
    { SYS_nanosleep },
    { SYS_clock_gettime, CLOCK_MONOTONIC },
    { SYS_clock_gettime, CLOCK_REALTIME },
};

/* These are only for timers and counters (meter/ticks), and may fail. */
static const long of_ticks[][CALL_WORDS] = {
    { SYS_timer_create, CLOCK_THREAD_CPUTIME_ID },
    { SYS_timer_settime },
    { SYS_timer_delete },
    { SYS_perf_event_open, 0, 0, -1, -1, 8 },
    { SYS_ioctl, FILE_NUMBER },
    { SYS_fcntl, FILE_NUMBER, F_SETSIG, SIGTERM },
    { SYS_prctl, PR_SET_NAME },
    { SYS_clock_nanosleep, CLOCK_MONOTONIC },
};

/* For a profile that is asked for (hcct-top --dump), a trace, the heap, and waiting. These may fail, too. */
static const long of_dumps[][CALL_WORDS] = {
#ifdef SYS_access
    { SYS_access },
#else
    { SYS_faccessat, AT_FDCWD, 0, F_OK },
#endif
};
static const long of_traces[][CALL_WORDS] = { { SYS_ftruncate, FILE_NUMBER, SOME_BYTES } };
static const long of_heap[][CALL_WORDS] = {
    { SYS_mprotect, 0, SOME_BYTES, PROT_READ | PROT_WRITE },
    { SYS_mprotect, 0, SOME_BYTES, PROT_READ },
    { SYS_pipe2, 0, O_CLOEXEC | O_NONBLOCK },
};
static const long of_waiting[][CALL_WORDS] = {
    { SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD },
    { SYS_close_range, 0, UINT32_MAX, CLOSE_RANGE_UNSHARE },
    { SYS_openat, AT_FDCWD, 0, O_RDONLY | O_CLOEXEC },
    { SYS_pread64, FILE_NUMBER, 0, SOME_BYTES },
    { SYS_close, FILE_NUMBER },
};

/* Without these, rename alone gives the profile its name (output/place.h). */
static const long of_names[][CALL_WORDS] = {
    { SYS_renameat2, AT_FDCWD, 0, AT_FDCWD, 0, 1 },
    { SYS_renameat2, AT_FDCWD, 0, AT_FDCWD, 0, 2 },
#ifdef SYS_link
    { SYS_link },
#else
    { SYS_linkat, AT_FDCWD, 0, AT_FDCWD, 0, 0 },
#endif
    { SYS_pread64, FILE_NUMBER, 0, SOME_BYTES, SOME_BYTES },
};

/* Whether the filter allows all calls of a list. If `may_fail`, it may also let them fail. */
static bool allows(const struct sock_fprog *filter, const long (*calls)[CALL_WORDS], size_t count,
                   bool may_fail)
{
    for (size_t i = 0; i < count; i++) {
        struct seccomp_data data = { .nr = (int)calls[i][0], .arch = HCCT_MACHINE_AUDIT_ARCH };
        for (size_t argument = 0; argument + 1 < CALL_WORDS; argument++)
            data.args[argument] = (uint64_t)calls[i][argument + 1];
        uint32_t answer = hcct_filter_answer(filter->filter, filter->len, &data) & SECCOMP_RET_ACTION_FULL;
        if (answer != SECCOMP_RET_ALLOW && answer != SECCOMP_RET_LOG &&
            !(may_fail && answer == SECCOMP_RET_ERRNO))
            return false;
    }
    return true;
}

#define ALLOWS(filter, calls, may_fail) allows(filter, calls, sizeof(calls) / sizeof(calls)[0], may_fail)

static bool allows_us(const struct sock_fprog *filter)
{
    static const long id[][CALL_WORDS] = { { SYS_getpid } };
    if (!ALLOWS(filter, id, false)) {
        if (hcct_process_shares_memory)
            return false;
        hcct_process_id_is_forbidden = true;
    }
    if (!ALLOWS(filter, of_names, true))
        hcct_place_has_only_rename = true;
    return ALLOWS(filter, needed, false) && ALLOWS(filter, useful, true) &&
           (!hcct_timer_signal || ALLOWS(filter, of_ticks, true)) &&
           (!hcct_start_settings.dump || ALLOWS(filter, of_dumps, true)) &&
           (!*hcct_trace_path || ALLOWS(filter, of_traces, true)) &&
           (hcct_core_settings.metric != HCCT_METRIC_HEAP || ALLOWS(filter, of_heap, true)) &&
           (hcct_core_settings.metric != HCCT_METRIC_WALL || ALLOWS(filter, of_waiting, true));
}

/* --- before a sandbox ------------------------------------------------------------------------------ */

/* Copies memory of the program. False if there is none. */
static bool copy(const void *from, void *to, size_t bytes)
{
    struct iovec here = { to, bytes }, there = { (void *)(uintptr_t)from, bytes };
    return process_vm_readv(hcct_process_id(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

static void confine(void)
{
    HCCT_SAY(1, "a sandbox (seccomp) forbids system calls that profiling needs: the profile ends here");
    hcct_write_profile();
    hcct_count_give_up();
    hcct_meters_stop();
    hcct_confined = true; /* before the kernel resets an action that hcct_actions_take would then not find */
    hcct_signals_leave_to_kernel();
}

static void look_at_filter(const void *at)
{
    struct sock_fprog given, filter;
    if (!copy(at, &given, sizeof given) || !given.len || given.len > BPF_MAXINSNS)
        return; /* the kernel will refuse it */
    size_t bytes = given.len * sizeof *given.filter;
    struct sock_filter *instructions = hcct_memory_map(bytes);
    filter = (struct sock_fprog){ given.len, instructions };
    bool known = instructions && copy(given.filter, instructions, bytes);
    bool ends = !instructions || (known && !allows_us(&filter));
    hcct_memory_unmap(instructions, bytes);
    if (ends)
        confine();
}

void hcct_sandbox_look(long number, const long *of)
{
    bool by_prctl = number == SYS_prctl && of[0] == PR_SET_SECCOMP;
    if ((!by_prctl && number != SYS_seccomp) || hcct_confined)
        return;
    int saved = errno;
    hcct_notice();
    bool strict = by_prctl ? of[1] == SECCOMP_MODE_STRICT : of[0] == SECCOMP_SET_MODE_STRICT;
    bool filter = by_prctl ? of[1] == SECCOMP_MODE_FILTER : of[0] == SECCOMP_SET_MODE_FILTER;
    if (hcct_busy.depth || !hcct_process_is_own()) /* a vfork child, which shares these variables */
        strict = filter = false;
    if (strict)
        confine();
    if (filter)
        look_at_filter((const void *)of[2]);
    errno = saved;
}

/* --- prctl ----------------------------------------------------------------------------------------- */

extern int __interceptor_prctl(int option, ...) __attribute__((weak)); /* a sanitizer's */
int hcct_prctl(int option, ...) __asm__("prctl");

HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) int hcct_prctl(int option, ...)
{
    enum { ARGUMENTS = 6, LEAST_ERROR = -4095 };
    long of[ARGUMENTS] = { option };
    va_list list;
    va_start(list, option);
    for (int i = 1; i < ARGUMENTS - 1; i++)
        of[i] = va_arg(list, long);
    va_end(list);
    if (option == PR_SET_SECCOMP)
        hcct_sandbox_look(SYS_prctl, of);
    if (__interceptor_prctl)
        return __interceptor_prctl(option, of[1], of[2], of[3], of[4]);
    long result = hcct_machine_system_call(SYS_prctl, of);
    if (result >= 0 || result < LEAST_ERROR)
        return (int)result;
    errno = (int)-result;
    return -1;
}
