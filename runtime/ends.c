/* Ends that go past the exit handlers and past _exit by its name: the C library's daemon, whose parent leaves by an _exit of the library's own, and
 * system calls by number. What the program, or a library of its, defines by these names is used in their stead, and ends as it does. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/interpose.h"
#include "runtime/process.h"

const char hcct_ends_present = 1;

/* As glibc's. */
INTERPOSED __attribute__((weak)) int daemon(int keeps_folder, int keeps_files)
{
    struct stat at;
    pid_t child = fork();
    if (child > 0)
        _exit(0);
    if (child < 0 || setsid() < 0)
        return -1;
    if (!keeps_folder && chdir("/") != 0)
        errno = 0; /* no failure: it stays where it is */
    if (keeps_files)
        return 0;
    int file = open("/dev/null", O_RDWR);
    if (file < 0)
        return -1;
    bool good = fstat(file, &at) == 0;
    if (!good || !S_ISCHR(at.st_mode) || at.st_rdev != makedev(1, 3)) {
        int error = good ? ENODEV : errno;
        close(file);
        errno = error;
        return -1;
    }
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(file, i);
    if (file > STDERR_FILENO)
        close(file);
    return 0;
}

/* Whether the process ends with the calling thread; also where that is not known. */
static bool is_last_thread(void)
{
    struct stat threads;
    return stat("/proc/self/task", &threads) != 0 || threads.st_nlink <= 3;
}

static long call_system(long number, const long *of)
{
#if defined(__x86_64__)
    long result;
    register long fourth __asm__("r10") = of[3], fifth __asm__("r8") = of[4], sixth __asm__("r9") = of[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(of[0]), "S"(of[1]), "d"(of[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = of[0], x1 __asm__("x1") = of[1], x2 __asm__("x2") = of[2],
                     x3 __asm__("x3") = of[3], x4 __asm__("x4") = of[4], x5 __asm__("x5") = of[5];
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#endif
}

/* All six, whatever the call takes, as the C library's does. */
INTERPOSED __attribute__((weak)) long syscall(long number, ...)
{
    enum { ARGUMENTS = 6, LEAST_ERROR = -4095 };
    long of[ARGUMENTS];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < ARGUMENTS; i++)
        of[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_exit_group || (number == SYS_exit && is_last_thread()))
        hcct_process_write();
    long result = call_system(number, of);
    if (result >= 0 || result < LEAST_ERROR)
        return result;
    errno = (int)-result;
    return -1;
}
