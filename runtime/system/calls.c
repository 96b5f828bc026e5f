/* System calls under the names that calls.h gives them: `open` is hcct_system_open here. Each uses the
 * number that the C library uses, which boundary/sandbox.c counts on. None is a cancellation point. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/interpose.h"
#include "runtime/base/machine.h"

/* A sanitizer may call the runtime before it has initialised itself. */
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

enum { LEAST_ERROR = -4095, PARAMETERS = 6 };

static long call_with(long number, const long of[PARAMETERS])
{
    long result = hcct_machine_system_call(number, of);
    if (result >= 0 || result < LEAST_ERROR)
        return result;
    errno = (int)-result;
    return -1;
}

static long call(long number, long first, long second, long third, long fourth, long fifth)
{
    return call_with(number, (const long[PARAMETERS]){ first, second, third, fourth, fifth, 0 });
}

/* Takes six parameters, whatever the call needs, like the C library's. */
long syscall(long number, ...)
{
    long of[PARAMETERS];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < PARAMETERS; i++)
        of[i] = va_arg(list, long);
    va_end(list);
    return call_with(number, of);
}

/* --- files ---------------------------------------------------------------------------------------- */

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = flags & O_CREAT ? va_arg(list, int) : 0;
    va_end(list);
    return (int)call(SYS_openat, AT_FDCWD, (long)path, flags, mode, 0);
}

int close(int file)
{
    return (int)call(SYS_close, file, 0, 0, 0, 0);
}

ssize_t read(int file, void *bytes, size_t size)
{
    return call(SYS_read, file, (long)bytes, (long)size, 0, 0);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    return call(SYS_write, file, (long)bytes, (long)size, 0, 0);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    return call(SYS_pread64, file, (long)bytes, (long)size, offset, 0);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    return call(SYS_pwrite64, file, (long)bytes, (long)size, offset, 0);
}

ssize_t writev(int file, const struct iovec *pieces, int count)
{
    return call(SYS_writev, file, (long)pieces, count, 0, 0);
}

int ftruncate(int file, off_t size)
{
    return (int)call(SYS_ftruncate, file, size, 0, 0, 0);
}

int fcntl(int file, int command, ...)
{
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    return (int)call(SYS_fcntl, file, command, argument, 0, 0);
}

int ioctl(int file, unsigned long request, ...)
{
    va_list list;
    va_start(list, request);
    long argument = va_arg(list, long);
    va_end(list);
    return (int)call(SYS_ioctl, file, (long)request, argument, 0, 0);
}

int pipe2(int files[2], int flags)
{
    return (int)call(SYS_pipe2, (long)files, flags, 0, 0, 0);
}

int dup2(int file, int as)
{
#ifdef SYS_dup2
    return (int)call(SYS_dup2, file, as, 0, 0, 0);
#else
    return file == as ? file : (int)call(SYS_dup3, file, as, 0, 0, 0);
#endif
}

/* --- names ---------------------------------------------------------------------------------------- */

int stat(const char *path, struct stat *at)
{
    return (int)call(SYS_newfstatat, AT_FDCWD, (long)path, (long)at, 0, 0);
}

int lstat(const char *path, struct stat *at)
{
    return (int)call(SYS_newfstatat, AT_FDCWD, (long)path, (long)at, AT_SYMLINK_NOFOLLOW, 0);
}

int fstat(int file, struct stat *at)
{
    return (int)call(SYS_fstat, file, (long)at, 0, 0, 0);
}

ssize_t readlink(const char *path, char *text, size_t size)
{
#ifdef SYS_readlink
    return call(SYS_readlink, (long)path, (long)text, (long)size, 0, 0);
#else
    return call(SYS_readlinkat, AT_FDCWD, (long)path, (long)text, (long)size, 0);
#endif
}

int rename(const char *from, const char *to)
{
#ifdef SYS_rename
    return (int)call(SYS_rename, (long)from, (long)to, 0, 0, 0);
#else
    return (int)call(SYS_renameat, AT_FDCWD, (long)from, AT_FDCWD, (long)to, 0);
#endif
}

int hcct_system_link(const char *from, const char *to)
{
#ifdef SYS_link
    return (int)call(SYS_link, (long)from, (long)to, 0, 0, 0);
#else
    return (int)call(SYS_linkat, AT_FDCWD, (long)from, AT_FDCWD, (long)to, 0);
#endif
}

int unlink(const char *path)
{
#ifdef SYS_unlink
    return (int)call(SYS_unlink, (long)path, 0, 0, 0, 0);
#else
    return (int)call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0);
#endif
}

int access(const char *path, int how)
{
#ifdef SYS_access
    return (int)call(SYS_access, (long)path, how, 0, 0, 0);
#else
    return (int)call(SYS_faccessat, AT_FDCWD, (long)path, how, 0, 0);
#endif
}

int chdir(const char *path)
{
    return (int)call(SYS_chdir, (long)path, 0, 0, 0, 0);
}

/* NULL if the folder cannot be reached from the root: then the kernel's text is no path. */
char *getcwd(char *text, size_t size)
{
    return call(SYS_getcwd, (long)text, (long)size, 0, 0, 0) >= 0 && text[0] == '/' ? text : NULL;
}

/* --- the process ---------------------------------------------------------------------------------- */

pid_t getpid(void)
{
    return (pid_t)call(SYS_getpid, 0, 0, 0, 0, 0);
}

pid_t getpgrp(void)
{
    return (pid_t)call(SYS_getpgid, 0, 0, 0, 0, 0);
}

uid_t geteuid(void)
{
    return (uid_t)call(SYS_geteuid, 0, 0, 0, 0, 0);
}

gid_t getegid(void)
{
    return (gid_t)call(SYS_getegid, 0, 0, 0, 0, 0);
}

pid_t setsid(void)
{
    return (pid_t)call(SYS_setsid, 0, 0, 0, 0, 0);
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
    return (int)call(SYS_prlimit64, 0, (long)resource, 0, (long)limit, 0);
}

int gethostname(char *name, size_t size)
{
    struct utsname of;
    if (call(SYS_uname, (long)&of, 0, 0, 0, 0) != 0)
        return -1;
    strncpy(name, of.nodename, size);
    return 0;
}

int prctl(int option, ...)
{
    va_list list;
    va_start(list, option);
    long first = va_arg(list, long), second = va_arg(list, long), third = va_arg(list, long);
    va_end(list);
    return (int)call(SYS_prctl, option, first, second, third, 0);
}

int sched_yield(void)
{
    return (int)call(SYS_sched_yield, 0, 0, 0, 0, 0);
}

int mprotect(void *start, size_t size, int protection)
{
    return (int)call(SYS_mprotect, (long)start, (long)size, protection, 0, 0);
}

int mincore(void *start, size_t size, unsigned char *resident)
{
    return (int)call(SYS_mincore, (long)start, (long)size, (long)resident, 0, 0);
}

ssize_t process_vm_readv(pid_t process, const struct iovec *to, unsigned long to_count,
                         const struct iovec *from, unsigned long from_count, unsigned long flags)
{
    return call_with(SYS_process_vm_readv,
                     (const long[PARAMETERS]){ process, (long)to, (long)to_count, (long)from,
                                               (long)from_count, (long)flags });
}

/* --- clocks --------------------------------------------------------------------------------------- */

/* The C library's, which seldom enters the kernel. NULL: not looked for, or none. */
static int (*library_clock_gettime)(clockid_t clock, struct timespec *now);
/* The C library's, or the program's own. */
int hcct_by_name_clock_gettime(clockid_t clock, struct timespec *now) __asm__("clock_gettime");

/* A sandbox may refuse the system call to a program that never makes it: the C library asks the kernel's code
 * in the process. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (library_clock_gettime)
        return library_clock_gettime(clock, now);
    int saved = errno, result = (int)call(SYS_clock_gettime, clock, (long)now, 0, 0, 0);
    if (result == 0 || errno == EINVAL)
        return result;
    errno = saved;
    return hcct_by_name_clock_gettime(clock, now);
}

void hcct_system_find_clock(void)
{
    library_clock_gettime = (__typeof__(library_clock_gettime))hcct_interpose_next("clock_gettime");
}

int clock_getres(clockid_t clock, struct timespec *tick)
{
    return (int)call(SYS_clock_getres, clock, (long)tick, 0, 0, 0);
}

/* --- signals -------------------------------------------------------------------------------------- */

enum { KERNEL_SIGNALS = 64, SET_BYTES = KERNEL_SIGNALS / 8, WORD_BITS = 8 * sizeof(unsigned long) };
enum { FIRST_OF_LIBRARY = 32 }; /* from here to SIGRTMIN: the C library's own */

int sigpending(sigset_t *set)
{
    return (int)call(SYS_rt_sigpending, (long)set, SET_BYTES, 0, 0, 0);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *longest)
{
    return (int)call(SYS_rt_sigtimedwait, (long)set, (long)info, (long)longest, SET_BYTES, 0);
}

int sigemptyset(sigset_t *set)
{
    memset(set, 0, sizeof *set);
    return 0;
}

int sigfillset(sigset_t *set)
{
    memset(set, 0xff, sizeof *set);
    for (int signal = FIRST_OF_LIBRARY; signal < SIGRTMIN; signal++)
        set->__val[(signal - 1) / WORD_BITS] &= ~(1UL << (signal - 1) % WORD_BITS);
    return 0;
}

static bool may_be_in_set(int signal)
{
    return signal > 0 && signal <= KERNEL_SIGNALS && (signal < FIRST_OF_LIBRARY || signal >= SIGRTMIN);
}

int sigaddset(sigset_t *set, int signal)
{
    if (!may_be_in_set(signal)) {
        errno = EINVAL;
        return -1;
    }
    set->__val[(signal - 1) / WORD_BITS] |= 1UL << (signal - 1) % WORD_BITS;
    return 0;
}

int sigdelset(sigset_t *set, int signal)
{
    if (!may_be_in_set(signal)) {
        errno = EINVAL;
        return -1;
    }
    set->__val[(signal - 1) / WORD_BITS] &= ~(1UL << (signal - 1) % WORD_BITS);
    return 0;
}

int sigismember(const sigset_t *set, int signal)
{
    return may_be_in_set(signal) && set->__val[(signal - 1) / WORD_BITS] >> (signal - 1) % WORD_BITS & 1;
}

#pragma clang attribute pop
