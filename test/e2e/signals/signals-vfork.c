// A child of vfork has its own actions for signals, but its parent's memory: what it sets is not the parent's, and what it finds is what it had.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-cc -O1 -static -I%inputs %s -o %t.s && sh %inputs/exact.sh %hcct-decode %s %t.s
// RUN: %hcct-cc -O1 --hcct-time -I%inputs %s -o %t.time && HCCT_OPTIONS=metric=time:output=%t.bin %t.time
#define _GNU_SOURCE
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static int handled;

static NOINLINE void handler(int signal)
{
    (void)signal;
    handled++;
}

static void other(int signal)
{
    (void)signal;
}

static inline __attribute__((always_inline)) int is(int number, void (*expected)(int))
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == expected;
}

int main(void)
{
    static const int numbers[] = { SIGUSR1, SIGINT, SIGTERM };
    static void (*const actions[])(int) = { SIG_DFL, SIG_IGN, other };
    int status;
    signal(SIGHUP, SIG_DFL); /* nohup would have it ignored */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (signal(numbers[i], handler) == SIG_ERR)
                return 1;
            pid_t child = vfork();
            if (child == 0) {
                int fits = signal(numbers[i], actions[j]) == handler && is(numbers[i], actions[j]);
                fits = fits && signal(SIGHUP, SIG_IGN) == SIG_DFL && is(SIGHUP, SIG_IGN);
                _exit(fits ? 0 : 9);
            }
            if (waitpid(child, &status, 0) != child || status)
                return 2;
            if (!is(numbers[i], handler) || !is(SIGHUP, SIG_DFL) || raise(numbers[i]))
                return 3;
        }
    return handled != 9;
}
// CHECK: [signal 10];handler 3
// CHECK-NEXT: [signal 15];handler 3
// CHECK-NEXT: [signal 2];handler 3
// CHECK-NEXT: main 1
