// Handlers with SA_SIGINFO, SA_ONSTACK, SA_RESETHAND and SA_NODEFER, nested in each other and in themselves: each is a root
// of its own, and sees what it would see without us: siginfo, the stack, the mask, the disposition. In a static program too.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O2 -static -I%inputs %s -o %t.s -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.s
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "e2e.h"

enum { ROUNDS = 1000, NESTED = 5 };

static char alternate[64 * 1024];
static volatile int depth, failed;

#define EXPECT(condition) (failed |= !(condition))

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

#if defined(__x86_64__)
#define INTERRUPTED_AT(context) (context)->uc_mcontext.gregs[REG_RIP]
#else
#define INTERRUPTED_AT(context) (context)->uc_mcontext.pc
#endif

void with_info(int signal, siginfo_t *info, void *context)
{
    char here;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    EXPECT(signal == SIGUSR1 && info->si_signo == SIGUSR1 && info->si_code == SI_QUEUE && info->si_value.sival_int == 77);
    EXPECT(info->si_pid == getpid() && context && INTERRUPTED_AT((ucontext_t *)context));
    EXPECT(&here >= alternate && &here < alternate + sizeof alternate);
    EXPECT(sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGHUP) && !sigismember(&mask, SIGTERM));
    errno = 5;
    leaf();
    pointer();
    pthread_kill(pthread_self(), SIGUSR2); /* another one, on the same stack */
    leaf();
}

void nested(int signal)
{
    leaf();
    depth = depth + 1;
    if (depth < NESTED)
        raise(signal); /* SA_NODEFER: at once */
    else
        pointer();
    depth = depth - 1;
    leaf();
}

void once(int signal)
{
    struct sigaction now;
    sigaction(signal, NULL, &now);
    EXPECT(now.sa_handler == SIG_DFL);
    pointer();
}

NOINLINE void install(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_flags = flags}, seen;
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGHUP);
    sigaction(signal, &action, NULL);
    sigaction(signal, NULL, &seen);
    EXPECT(seen.sa_handler == handler && (seen.sa_flags & ~0x04000000) == flags && sigismember(&seen.sa_mask, SIGHUP) &&
           !sigismember(&seen.sa_mask, SIGTERM));
}

NOINLINE void send(int depth_left)
{
    if (depth_left) {
        send(depth_left - 1);
    } else {
        union sigval value = {.sival_int = 77};
        errno = 3;
        sigqueue(getpid(), SIGUSR1, value);
        EXPECT(errno == 5);
        raise(SIGUSR2);
    }
    leaf();
}

int main(void)
{
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    sigaltstack(&stack, NULL);
    install(SIGUSR1, (void (*)(int))(uintptr_t)with_info, SA_SIGINFO | SA_ONSTACK);
    install(SIGUSR2, nested, SA_NODEFER);
    for (int i = 0; i < ROUNDS; i++)
        send(1);
    install(SIGWINCH, once, (int)SA_RESETHAND);
    raise(SIGWINCH);
    raise(SIGWINCH); /* ignored by default */
    struct sigaction old;
    EXPECT(signal(SIGUSR2, SIG_IGN) == nested && raise(SIGUSR2) == 0);
    EXPECT(signal(SIGUSR2, nested) == SIG_IGN && signal(SIGUSR2, SIG_DFL) == nested);
    EXPECT(signal(SIGKILL, nested) == SIG_ERR && errno == EINVAL && sigaction(65, NULL, &old) == -1 && errno == EINVAL);
    EXPECT(signal(SIGTERM, SIG_IGN) == SIG_DFL && signal(SIGTERM, SIG_DFL) == SIG_IGN);
    leaf();
    return failed;
}
// CHECK: [signal 10];with_info 1000
// CHECK-NEXT: [signal 10];with_info;leaf 3000
// CHECK-NEXT: [signal 12];nested 10000
// CHECK-NEXT: [signal 12];nested;leaf 22000
// CHECK-NEXT: [signal 28];once 1
// CHECK-NEXT: [signal 28];once;leaf 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;install 3
// CHECK-NEXT: main;leaf 1
// CHECK-NEXT: main;send 1000
// CHECK-NEXT: main;send;leaf 1000
// CHECK-NEXT: main;send;send 1000
// CHECK-NEXT: main;send;send;leaf 1000
