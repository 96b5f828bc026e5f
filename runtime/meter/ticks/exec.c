/* See exec.h. */
#define _GNU_SOURCE
#include "runtime/meter/ticks/exec.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/core/notice.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/objects/redirect.h"

static struct {
    __typeof__(execve) *execve;
    __typeof__(execv) *execv;
    __typeof__(execvp) *execvp;
    __typeof__(execvpe) *execvpe;
    __typeof__(fexecve) *fexecve;
    int (*execveat)(int, const char *, char *const[], char *const[], int);
    __typeof__(execl) *execl;
    __typeof__(execlp) *execlp;
    __typeof__(execle) *execle;
} real;

/* --- the signal ------------------------------------------------------------------------------------ */

/* What was taken away. */
struct taken {
    struct hcct_counter *counter; /* NULL: this is no thread of ours, or a child of vfork */
    bool any;
    siginfo_t tick;
};

static bool queue(const siginfo_t *info)
{
    return syscall(SYS_rt_tgsigqueueinfo, hcct_process_id(), syscall(SYS_gettid), info->si_signo, info) == 0;
}

/* Takes the thread's tick from the signals that wait. The program's own of this number keep their order: each
 * goes behind the others, up to a mark. */
static void take_tick(struct taken *taken)
{
    siginfo_t mark = { .si_signo = hcct_timer_signal, .si_code = SI_QUEUE }, next;
    sigset_t waiting;
    mark.si_value.sival_ptr = &real;
    sigpending(&waiting);
    if (!sigismember(&waiting, hcct_timer_signal) || !queue(&mark))
        return;
    sigemptyset(&waiting);
    sigaddset(&waiting, hcct_timer_signal);
    while (sigtimedwait(&waiting, &next, &(struct timespec){ 0, 0 }) > 0) {
        if (next.si_code == SI_QUEUE && next.si_value.sival_ptr == &real)
            return;
        if (!hcct_timer_is_ours(hcct_timer_signal, &next)) {
            queue(&next);
        } else if (next.si_code != SI_TIMER) { /* the kernel drops those of timers, and they come again */
            taken->any = true;
            taken->tick = next;
        }
    }
}

/* Stops the thread's counter. Signals of the program come as always afterwards, since what waits in the
 * profiler would be lost with the program. A tick that was put off meanwhile does not let the counter run. */
static void begin(struct taken *taken)
{
    int saved = errno;
    *taken = (struct taken){ 0 };
    hcct_notice();
    struct hcct_block *block = hcct_block_outermost();
    if (hcct_confined || hcct_busy.depth || !block || !hcct_process_is_own())
        return;
    hcct_busy_enter();
    hcct_counter_hold = (struct hcct_counter_hold){ .is_on = true };
    taken->counter = &hcct_timer_of(block)->counter;
    hcct_counter_pause(taken->counter);
    take_tick(taken);
    hcct_busy_leave();
    errno = saved;
}

/* The program goes on. Returns `result`. */
static int end(struct taken *taken, int result)
{
    int saved = errno;
    if (!taken->counter)
        return result;
    hcct_counter_hold.is_on = false;
    if (taken->any)
        queue(&taken->tick);
    else if (hcct_counter_hold.goes_on)
        hcct_counter_go_on(taken->counter, hcct_counter_hold.period);
    else
        hcct_counter_resume(taken->counter);
    errno = saved;
    return result;
}

/* --- the functions --------------------------------------------------------------------------------- */

#define EXEC(call)                                                                                           \
    do {                                                                                                     \
        struct taken taken;                                                                                  \
        begin(&taken);                                                                                       \
        return end(&taken, real.call);                                                                       \
    } while (0)

static int take_execve(const char *path, char *const arguments[], char *const environment[])
{
    EXEC(execve(path, arguments, environment));
}

static int take_execv(const char *path, char *const arguments[])
{
    EXEC(execv(path, arguments));
}

static int take_execvp(const char *file, char *const arguments[])
{
    EXEC(execvp(file, arguments));
}

static int take_execvpe(const char *file, char *const arguments[], char *const environment[])
{
    EXEC(execvpe(file, arguments, environment));
}

static int take_fexecve(int file, char *const arguments[], char *const environment[])
{
    EXEC(fexecve(file, arguments, environment));
}

static int take_execveat(int folder, const char *path, char *const arguments[], char *const environment[],
                         int flags)
{
    EXEC(execveat(folder, path, arguments, environment, flags));
}

/* Makes an array of the arguments of execl and its kin, on the caller's stack, as the C library does. */
static size_t count(const char *first, va_list list)
{
    size_t count = 0;
    for (const char *at = first; at; at = va_arg(list, const char *))
        count++;
    return count;
}

#define LIST(first, arguments, list)                                                                         \
    va_list list;                                                                                            \
    va_start(list, first);                                                                                   \
    size_t argument_count = count(first, list);                                                              \
    va_end(list);                                                                                            \
    char *arguments[argument_count + 1];                                                                     \
    va_start(list, first);                                                                                   \
    for (size_t i = 0; i <= argument_count; i++)                                                             \
    arguments[i] = i ? va_arg(list, char *) : (char *)(uintptr_t)first

static int take_execl(const char *path, const char *first, ...)
{
    LIST(first, arguments, list);
    va_end(list);
    return take_execv(path, arguments);
}

static int take_execlp(const char *file, const char *first, ...)
{
    LIST(first, arguments, list);
    va_end(list);
    return take_execvp(file, arguments);
}

static int take_execle(const char *path, const char *first, ...)
{
    LIST(first, arguments, list);
    char *const *environment = va_arg(list, char *const *);
    va_end(list);
    return take_execve(path, arguments, environment);
}

void hcct_exec_start(void)
{
#define TAKES(name) { #name, (void *)take_##name, (void **)&real.name, true, false, false }
    static const struct hcct_redirection all[] = {
        TAKES(execve),   TAKES(execv), TAKES(execvp), TAKES(execvpe), TAKES(fexecve),
        TAKES(execveat), TAKES(execl), TAKES(execlp), TAKES(execle),
    };
    hcct_redirect_start(all, sizeof all / sizeof all[0], true);
}
