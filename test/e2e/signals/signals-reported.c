// sigaction reports handlers, flags and masks as it does without hcct: also what the C library and the kernel add to them, and take out.
// RUN: %clang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: for level in "-O0" "-O2" "-O1 -static"; do %hcct-cc $level %s -o %t.x && for mode in mode=hcct mode=cct:continuous=1; do \
// RUN:   env HCCT_OPTIONS=$mode:output=%t.bin %t.x > %t.got && diff %t.expected %t.got || exit 1; done; done
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

static void handle(int number) { (void)number; }
static void handle_info(int number, siginfo_t *info, void *context) { (void)number, (void)info, (void)context; }

static void show(const char *when, int number, const struct sigaction *action)
{
    unsigned long mask = *(const unsigned long *)&action->sa_mask;
#ifdef __aarch64__
    mask &= ~(1UL << (SIGKILL - 1) | 1UL << (SIGSTOP - 1)); /* the kernel takes them out; qemu does not */
#endif
    printf("%s %d: flags %x, mask %lx", when, number, (unsigned)action->sa_flags, mask);
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
    return 0;
}
