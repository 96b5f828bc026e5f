/* See ends.h.
 *
 * In the C library's daemon the parent ends by an internal _exit, and syscall() may be given an exit by
 * number. So both are interposed, too. If the program or one of its libraries has its own function of such a
 * name, that one is used, and not seen. */
#define _GNU_SOURCE
#include "runtime/boundary/ends.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/interpose.h"
#include "runtime/base/machine.h"
#include "runtime/boundary/sandbox.h"
#include "runtime/boundary/write.h"
#include "runtime/core/block.h"
#include "runtime/core/busy.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/objects/bodies.h"
#include "runtime/objects/discover.h"

const char hcct_ends_present = 1;

/* --- threads and processes that end -------------------------------------------------------------- */

/* Whether the process ends with the calling thread; `unknown` if that cannot be found out. The first thread
 * stays in the list after its end, but has no program any more. Other threads leave the list. */
static bool is_last_thread(bool unknown)
{
    enum { OF_FOLDER = 2 };
    struct stat threads;
    char program[1];
    if (stat("/proc/self/task", &threads) != 0)
        return unknown;
    nlink_t first_has_ended = readlink("/proc/self/exe", program, sizeof program) < 0;
    return threads.st_nlink <= OF_FOLDER + 1 + first_has_ended + hcct_meter_has_thread();
}

/* Ends the process, without writing. */
HCCT_UNSANITIZED static __attribute__((noreturn)) void leave(int status)
{
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Before the calling thread ends. */
HCCT_UNSANITIZED static void look_at_end(int status)
{
    if (hcct_confined || !is_last_thread(true))
        return;
    hcct_write_profile();
    /* The meter's thread would end last, and its status would be that of the process. */
    if (hcct_meter_has_thread() && is_last_thread(false))
        leave(status);
}

/* Ends the calling thread, and writes the profile if the process ends with it. */
HCCT_UNSANITIZED static __attribute__((noreturn)) void leave_thread(int status)
{
    look_at_end(status);
    for (;;)
        syscall(SYS_exit, status);
}

/* --- children by vfork and clone ------------------------------------------------------------------ */

typedef int vfork_function(void);
/* with all seven parameters, whatever a call passes */
typedef int clone_function(void *, void *, long, void *, void *, void *, void *);
extern vfork_function __vfork, __interceptor_vfork __attribute__((weak)); /* a sanitizer's */
extern clone_function hcct_real_clone __asm__("__clone"), __interceptor_clone __attribute__((weak));
long hcct_system_call(long number, ...) __asm__("syscall");
vfork_function hcct_vfork __asm__("vfork");
clone_function hcct_clone __asm__("clone");

/* The real function is called by a jump. So nothing of ours is on the stack that the child uses. */
HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) int hcct_vfork(void)
{
    hcct_process_shares_memory = true;
    vfork_function *real = __interceptor_vfork ? __interceptor_vfork : __vfork;
    __attribute__((musttail)) return real();
}

/* What a child of clone with memory of its own calls. */
struct start {
    int (*function)(void *);
    void *argument;
};

/* In the child: the C library would end it by an internal system call. */
HCCT_UNSANITIZED static int run_child(void *given)
{
    struct start start = *(const struct start *)given;
    leave_thread(start.function(start.argument));
}

/* As far as the program shows that it uses its address. */
static bool is_instrumented(const void *function)
{
    if (!hcct_bodies_find(function) && atomic_load_explicit(&hcct_bodies_wait, memory_order_acquire)) {
        hcct_busy_enter();
        hcct_discover_body(function);
        hcct_busy_leave();
    }
    return hcct_bodies_find(function);
}

/* With memory of its own, the child has a copy of `start`. Else it ends like a child of vfork. */
HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) int
hcct_clone(void *function, void *stack, long flags, void *argument, void *parent, void *data, void *child)
{
    hcct_process_shares_memory = true;
    clone_function *real = __interceptor_clone ? __interceptor_clone : hcct_real_clone;
    if (flags & CLONE_VM && flags & CLONE_SETTLS && data && is_instrumented(function))
        hcct_block_begin_foreign((uintptr_t)data);
    if (flags & CLONE_VM || !function || !stack) {
        __attribute__((musttail)) return real(function, stack, flags, argument, parent, data, child);
    }
    struct start start = { (int (*)(void *))function, argument };
    return real((void *)run_child, stack, flags, &start, parent, data, child);
}

extern __attribute__((visibility("hidden"), alias("vfork"))) vfork_function vfork_here;
extern __attribute__((visibility("hidden"), alias("clone"))) clone_function clone_here;
static vfork_function *const volatile vfork_found = &hcct_vfork, *const volatile own_vfork = &vfork_here;
static clone_function *const volatile clone_found = &hcct_clone, *const volatile own_clone = &clone_here;

void hcct_ends_start(void)
{
    if (vfork_found != own_vfork || clone_found != own_clone)
        hcct_process_shares_memory = true;
}

/* --- the functions that end a process -------------------------------------------------------------- */

__attribute__((noreturn)) void __interceptor__exit(int) __attribute__((weak)); /* a sanitizer's */

static void (*volatile exit_of_another)(int status); /* hcct_ends_leave_to */

void hcct_ends_leave_to(void (*exit_of_other)(int status))
{
    exit_of_another = exit_of_other;
}

static __attribute__((noreturn)) void end_process(int status)
{
    if (exit_of_another)
        exit_of_another(status);
    hcct_write_profile();
    if (__interceptor__exit)
        __interceptor__exit(status);
    leave(status);
}

HCCT_INTERPOSE_UNLESS_OWN(_exit);
__attribute__((noreturn)) void hcct_interposed__exit(int status)
{
    end_process(status);
}

INTERPOSED __attribute__((weak, noreturn)) void _Exit(int status)
{
    end_process(status);
}

/* By this name an idle runtime finds it: the program's own `_exit` may be anything. */
INTERPOSED __attribute__((noreturn)) void __hcct_api_exit(int status)
{
    end_process(status);
}

/* Does what glibc's does. */
INTERPOSED __attribute__((weak)) int daemon(int keeps_folder, int keeps_files)
{
    struct stat at;
    pid_t child = fork();
    if (child > 0)
        end_process(0);
    if (child < 0 || setsid() < 0)
        return -1;
    if (!keeps_folder && chdir("/") != 0)
        errno = 0; /* no failure: the folder stays the same */
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

/* Passes six parameters, whatever the call needs, like the C library's. */
HCCT_UNSANITIZED INTERPOSED __attribute__((weak)) long hcct_system_call(long number, ...)
{
    enum { ARGUMENTS = 6, LEAST_ERROR = -4095 };
    long of[ARGUMENTS];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < ARGUMENTS; i++)
        of[i] = va_arg(list, long);
    va_end(list);
    bool forks = number == SYS_clone || number == SYS_clone3;
#ifdef SYS_vfork
    forks = forks || number == SYS_vfork;
#endif
    if (forks)
        hcct_process_shares_memory = true;
    if (number == SYS_prctl || number == SYS_seccomp)
        hcct_sandbox_look(number, of);
    if (number == SYS_exit_group && !hcct_confined)
        hcct_write_profile();
    if (number == SYS_exit)
        look_at_end((int)of[0]);
    /* no function in between: a child of SYS_clone may return from here on the same stack */
    long result = hcct_machine_system_call(number, of);
    if (result >= 0 || result < LEAST_ERROR)
        return result;
    errno = (int)-result;
    return -1;
}
