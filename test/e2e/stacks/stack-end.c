// The stack ends wherever it ends, inside the profiler too, and a handler on an alternate stack jumps out of that: signals are delivered and
// calls are counted as before, at every depth within a page of the end, in one thread and in eight.
// REQUIRES: turn-4
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for level in 0 2; do %hcct-cc -O$level -g %s -lpthread -o x && for options in mode=hcct mode=cct mode=cct:recursion=fold \
// RUN:   mode=hcct:recursion=fold mode=hcct:memory=0:phi=0.01; do \
// RUN:   for threads in 1 8; do env HCCT_OPTIONS=$options ./x $threads > printed && %hcct-decode --all --by=function --format=folded > folded && \
// RUN:   %hcct-decode > tree && python3 %inputs/stack_end.py printed folded tree || { echo $level $options $threads; exit 1; }; done; done; done
// RUN: for options in budget=1%% metric=weight counting=off snapshot=1s; do \
// RUN:   env HCCT_OPTIONS=$options ./x 8 > printed || { echo $options; exit 1; }; done
// RUN: %hcct-cc -O1 -g %s -lpthread -o t && env HCCT_OPTIONS=metric=time ./t 8 > printed && env HCCT_OPTIONS=metric=calls ./t 8 > printed
// RUN: %hcct-cc -O1 -g --hcct-clock %s -lpthread -o c && for options in metric=clock metric=clock:mode=cct; do \
// RUN:   env HCCT_OPTIONS=$options ./c 8 > printed || { echo $options; exit 1; }; done
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STACK = 128 * 1024, ALTERNATE = 64 * 1024, STEP = 16, DEPTHS = 4096 / STEP };

static _Thread_local sigjmp_buf out;
static _Thread_local volatile long entered, handled;
static volatile int sink;
static long all_entered, all_handled, threads_done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void overflown(int signal)
{
    (void)signal;
    siglongjmp(out, 1);
}

__attribute__((noinline)) void told(int signal)
{
    (void)signal;
    handled++;
}

__attribute__((noinline)) int deeper(volatile int n)
{
    entered++;
    return deeper(n + 1) + n;
}

__attribute__((noinline)) void after(void)
{
    sink++;
}

__attribute__((noinline)) void overflow(int depth)
{
    volatile char *room = alloca((size_t)(depth * STEP + 1));
    room[0] = 1;
    if (!sigsetjmp(out, 1))
        sink += deeper(0);
}

static void *run(void *unused)
{
    (void)unused;
    stack_t alternate = { .ss_sp = malloc(ALTERNATE), .ss_size = ALTERNATE };
    sigaltstack(&alternate, NULL);
    for (int depth = 0; depth < DEPTHS; depth++) {
        overflow(depth);
        pthread_kill(pthread_self(), SIGUSR1);
        for (int i = 0; i < 3; i++)
            after();
    }
    pthread_mutex_lock(&lock);
    all_entered += entered;
    all_handled += handled;
    threads_done++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int count, char **arguments)
{
    int threads = count > 1 ? atoi(arguments[1]) : 1;
    pthread_t thread[8];
    pthread_attr_t attributes;
    struct sigaction action = { .sa_flags = SA_ONSTACK };
    action.sa_handler = overflown;
    sigaction(SIGSEGV, &action, NULL);
    signal(SIGUSR1, told);
    alarm(600); /* not for ever where a lock stays */
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], &attributes, run, NULL) != 0)
            return 2;
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    printf("%ld %ld %ld\n", threads_done * DEPTHS, all_entered, all_handled);
    return threads_done != threads || all_handled != threads_done * DEPTHS;
}
