// Queued signals that come while the profiler works, and are delivered again afterwards, in code that blocks and unblocks them all the time: no handler runs
// while its signal is blocked, each runs once with what it was sent with, and its calls and those of what it interrupts are exact.
// REQUIRES: turn-4
// RUN: rm -rf %t && mkdir %t && cd %t && for level in 0 2; do %hcct-cc -O$level -I%inputs %s -o x -lpthread && \
// RUN:   for options in mode=cct mode=hcct mode=hcct:memory=0:epsilon=0.01:phi=0.05; do HCCT_OPTIONS=$options timeout 600 ./x > book && \
// RUN:     %hcct-decode --all | grep -x 'sound: nothing dropped, nothing lost' && %hcct-decode --all --format=folded > folded && \
// RUN:     { case $options in *epsilon*) ;; *) test $(sed -n 's/.*;handle;note //p' folded) = 20000 && \
// RUN:     test $(sed -n '/signal/d; s/.*walk \([0-9]*\)$/\1/p' folded | awk '{ sum += $1 } END { print sum }') = $(cat book);; esac; } || { echo $options; exit 1; }; done; done
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "e2e.h"

enum { SIGNALS = 20000, IN_FLIGHT = 16 };

static volatile int blocked, handled, wrong;
static volatile unsigned long walked;
static unsigned char seen[SIGNALS];

NOINLINE static void note(void) { work(); }

/* Each path of it is a context of its own: most calls are misses. */
NOINLINE __attribute__((disable_tail_calls)) static int walk(int depth)
{
    walked++;
    return depth < 2 ? depth : walk(depth - 1) + walk(depth - 2);
}

NOINLINE static void handle(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)context;
    if (blocked || info->si_code != SI_QUEUE || seen[info->si_value.sival_int]++)
        wrong++;
    note();
    handled++;
}

static void *send(void *to)
{
    for (int i = 0; i < SIGNALS; i++) {
        while (i - handled >= IN_FLIGHT)
            sched_yield();
        if (pthread_sigqueue(*(pthread_t *)to, SIGRTMIN + 1, (union sigval){ .sival_int = i }))
            abort();
    }
    return NULL;
}

int main(void)
{
    pthread_t self = pthread_self(), sender;
    struct sigaction action = { .sa_flags = SA_SIGINFO };
    sigset_t set;
    action.sa_sigaction = handle;
    sigaction(SIGRTMIN + 1, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 1);
    if (pthread_create(&sender, NULL, send, &self))
        return 1;
    for (int depth = 0; handled < SIGNALS; depth = (depth + 1) % 16) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        blocked = 1;
        walk(depth);
        blocked = 0;
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        walk(depth);
    }
    pthread_join(sender, NULL);
    printf("%lu\n", walked);
    if (wrong)
        fprintf(stderr, "%d of %d handlers ran at the wrong time, or with the wrong value\n", wrong, handled);
    return wrong != 0;
}
