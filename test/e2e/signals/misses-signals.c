// Signals by the thousand, wherever they interrupt a thread that mostly misses its slots: no call is lost or counted twice,
// whatever the table; each handler runs, at once where its thread is about to wait for it; and a thread that comes later, when tables
// were changed without a lock before, loses nothing either.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O2 %s -o x -lpthread
// RUN: for options in mode=hcct mode=hcct:memory=0:epsilon=0.002:phi=0.02 mode=cct; do \
// RUN:   HCCT_OPTIONS=$options:output=x.bin timeout 600 ./x > book && \
// RUN:   %hcct-decode --all --format=json x.bin > json && python3 %inputs/misses_book.py json book $options || exit 1; \
// RUN: done
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile sig_atomic_t handled, in_handler;

NOINLINE static void note(void)
{
    in_handler++;
}

static void handle(int signal)
{
    (void)signal;
    handled++;
    note();
}

static _Thread_local unsigned long walked;

/* Each path of it is a context: 35,000, more than slots. */
NOINLINE __attribute__((disable_tail_calls)) static int walk(int depth)
{
    walked++;
    return depth < 2 ? depth : walk(depth - 1) + walk(depth - 2);
}

NOINLINE static void wait_for_one(void)
{
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &all, 0);
    for (int before = handled; handled == before;)
        sigsuspend(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
}

static void *in_thread(void *counted)
{
    walk(20);
    *(unsigned long *)counted = walked;
    return NULL;
}

int main(void)
{
    struct sigaction action = { .sa_handler = handle, .sa_flags = SA_RESTART };
    struct itimerval often = { { 0, 50 }, { 0, 50 } }, never;
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &often, 0);
    for (int i = 0; i < 60; i++) {
        walk(20);
        wait_for_one();
    }
    memset(&never, 0, sizeof never);
    setitimer(ITIMER_REAL, &never, 0);
    pthread_t threads[2];
    unsigned long counted[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, in_thread, &counted[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    walk(20);
    printf("{\"walk\": %lu, \"handle\": %d, \"note\": %d, \"wait_for_one\": 60, \"in_thread\": 2, \"main\": 1}\n",
           walked + counted[0] + counted[1], (int)handled, (int)in_handler);
    return 0;
}
