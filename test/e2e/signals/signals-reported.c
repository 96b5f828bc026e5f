// sigaction reports handlers, flags, masks and the function to return to as it does without hcct: also what the C library and the kernel add to them, and take out.
// A backtrace in a handler has no frame of the runtime.
// RUN: %clang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: for level in "-O0" "-O2" "-O1 -static"; do %hcct-cc $level %s -o %t.x && for mode in mode=hcct; do \
// RUN:   env HCCT_OPTIONS=$mode:output=%t.bin %t.x > %t.got && diff %t.expected %t.got || exit 1; done; done
#define _GNU_SOURCE
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static void handle(int number) { (void)number; }
static void handle_info(int number, siginfo_t *info, void *context) { (void)number, (void)info, (void)context; }

/* The frames: this one, where handlers return to, the code that the signal interrupted. */
static void look_back(int number, siginfo_t *info, void *context)
{
    void *frames[3], *interrupted = NULL;
    int count = backtrace(frames, 3);
#ifdef __x86_64__
    interrupted = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#endif
    printf("%d: %d frames, %s\n", number, count, frames[2] == interrupted ? "the last one is what was interrupted" : "another one");
    (void)info, (void)context;
}

static void show(const char *when, int number, const struct sigaction *action)
{
    unsigned long mask = *(const unsigned long *)&action->sa_mask;
#ifdef __aarch64__
    mask &= ~(1UL << (SIGKILL - 1) | 1UL << (SIGSTOP - 1)); /* the kernel takes them out; qemu does not */
#endif
    enum { RESTORER = 0x04000000 }; /* x86-64 */
    printf("%s %d: flags %x, mask %lx", when, number, (unsigned)action->sa_flags, mask);
    if (action->sa_flags & RESTORER)
        printf(", returns to %s", action->sa_restorer ? "the C library" : "nowhere");
    printf(", %s\n", action->sa_flags & SA_SIGINFO              ? action->sa_sigaction == handle_info ? "handle_info" : "another"
                     : action->sa_handler == SIG_DFL ? "default"
                     : action->sa_handler == SIG_IGN ? "ignored"
                     : action->sa_handler == handle  ? "handle"
                                                     : "another");
}

static void set(int number, void (*handler)(int), int flags, int full)
{
    struct sigaction action = {.sa_flags = flags}, old, now;
    if (flags & SA_SIGINFO)
        action.sa_sigaction = handle_info;
    else
        action.sa_handler = handler;
    (full ? sigfillset : sigemptyset)(&action.sa_mask);
    sigaction(number, &action, &old);
    show("old", number, &old);
    sigaction(number, NULL, &now);
    show("now", number, &now);
}

int main(void)
{
    static const int signals[] = {SIGTERM, SIGABRT, SIGUSR1, SIGSEGV};
    for (int i = 0; i < 4; i++) {
        signal(signals[i], SIG_DFL); /* whoever runs the tests may have them ignored */
        set(signals[i], handle, SA_RESTART, 0);
        set(signals[i], NULL, SA_SIGINFO | SA_ONSTACK | SA_NODEFER, 1);
        set(signals[i], handle, (int)SA_RESETHAND | SA_NODEFER, 1);
        raise(signals[i]);
        set(signals[i], SIG_DFL, SA_RESTART, 1);
        set(signals[i], SIG_IGN, 0, 1);
        signal(signals[i], handle);
        set(signals[i], SIG_DFL, 0, 0);
    }
    struct sigaction action = { .sa_flags = SA_SIGINFO };
    action.sa_sigaction = look_back;
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    return 0;
}
