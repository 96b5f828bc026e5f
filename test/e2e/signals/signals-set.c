// sigset and siginterrupt: handlers set so are roots too, and a system call is interrupted or goes on as the program said.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O0 -static -I%inputs %s -o %t.s && sh %inputs/exact.sh %hcct-decode %s %t.s
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "e2e.h"

static int ends[2];

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

void handler(int signal)
{
    (void)signal;
    pointer();
}

/* Ends the waiting where that goes on. */
void alarm_handler(int signal)
{
    (void)signal;
    ssize_t written = write(ends[1], "x", 1);
    (void)written;
}

static inline __attribute__((always_inline)) int wait_for_alarm(void)
{
    char byte;
    struct itimerval soon = {{0, 0}, {0, 20000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    errno = 0;
    ssize_t got = read(ends[0], &byte, 1);
    int interrupted = got == -1 && errno == EINTR;
    if (interrupted)
        got = read(ends[0], &byte, 1);
    return got == 1 ? interrupted : -1;
}

int main(void)
{
    if (sigset(SIGUSR1, handler) != SIG_DFL || raise(SIGUSR1) || sigset(SIGUSR1, SIG_HOLD) != handler)
        return 1;
    raise(SIGUSR1);
    if (sigset(SIGUSR1, handler) != SIG_HOLD || pipe(ends))
        return 2;
    /* a signal that waits is the new handler's: the action before it would end the program */
    if (sigset(SIGUSR2, SIG_HOLD) != SIG_DFL || raise(SIGUSR2) || sigset(SIGUSR2, handler) != SIG_HOLD)
        return 5;
    signal(SIGALRM, alarm_handler);
    if (wait_for_alarm() != 0 || siginterrupt(SIGALRM, 1) || wait_for_alarm() != 1)
        return 3;
    signal(SIGALRM, alarm_handler); /* remembers siginterrupt */
    if (wait_for_alarm() != 1 || siginterrupt(SIGALRM, 0) || wait_for_alarm() != 0)
        return 4;
    return 0;
}
// CHECK: [signal 10];handler 2
// CHECK-NEXT: [signal 10];handler;leaf 2
// CHECK-NEXT: [signal 12];handler 1
// CHECK-NEXT: [signal 12];handler;leaf 1
// CHECK-NEXT: [signal 14];alarm_handler 4
// CHECK-NEXT: main 1
