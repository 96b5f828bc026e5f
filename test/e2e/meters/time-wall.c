// metric=wall: waiting is a leaf [waiting] of its context, in sleeps, poll, behind a mutex, in callbacks and recursion, in threads; running has
// its time beside it. All of a thread's time is there.
// RUN: %hcct-cc --hcct-time -O2 -I%inputs %s -lpthread -o %t
// RUN: for mode in cct hcct; do sh %inputs/pooled.sh %t.runs metric=wall:mode=$mode %t %hcct-decode || exit 1; done
// RUN: %hcct-decode --all %t.runs/1.bin | FileCheck %s
// RUN: HCCT_OPTIONS=metric=wall:recursion=fold:output=%t.bin %t 2>&1 | FileCheck --check-prefix=FOLD %s
// FOLD: hcct: HCCT_OPTIONS: metric=wall needs recursion=keep, which is used
// CHECK: s of the threads' time in {{[0-9]+}} contexts, by samples{{$}}
// CHECK: total {{ *}}share {{ *}}secs {{ *}}context
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "spend.h"

static double last_clock;

static double wall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void tell(const char *path)
{
    double now = wall_now();
    printf("%s %.4f\n", path, now - last_clock);
    last_clock = wall_now();
}

NOINLINE static void nap(useconds_t ms)
{
    usleep(ms * 1000);
    work();
}

NOINLINE static void first(void)
{
    nap(200);
    work();
}

NOINLINE static void second(void)
{
    nap(400);
    work();
}

NOINLINE static void third(void)
{
    poll(NULL, 0, 600);
    work();
}

/* What is slept here and there, in short waits. What is more than was asked for, it may wait for a processor: waiting or not. */
enum { TURNS = 300 };
static double odd_slept, even_slept;

NOINLINE static void odd(void)
{
    usleep(3000);
    work();
}

NOINLINE static void even(void)
{
    usleep(1000);
    work();
}

NOINLINE static void turns(void)
{
    for (int i = 0; i < TURNS; i++) {
        double start = wall_now();
        odd();
        double middle = wall_now();
        even();
        odd_slept += middle - start;
        even_slept += wall_now() - middle;
    }
}

static int compare(const void *a, const void *b)
{
    nap(60);
    return *(const int *)a - *(const int *)b;
}

NOINLINE static void callbacks(void)
{
    int numbers[] = { 2, 1, 3 };
    qsort(numbers, 3, sizeof numbers[0], compare);
    work();
}

static void (*volatile way)(int);

NOINLINE static void down(int n)
{
    if (n)
        way(n - 1);
    else
        nap(300);
    work();
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double held;

/* Waits for the mutex from its beginning on. */
static void *contender(void *unused)
{
    double start = wall_now();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    held = wall_now() - start;
    return unused;
}

NOINLINE static void holds(void)
{
    nap(500);
    work();
}

int main(void)
{
    pthread_t thread;
    way = down;
    last_clock = wall_now();
    first();
    tell("main;first;nap;[waiting]");
    second();
    tell("main;second;nap;[waiting]");
    third();
    tell("main;third;[waiting]");
    turns();
    printf("main;turns;odd;[waiting] %.4f %.4f\n", odd_slept, odd_slept - TURNS * 0.003);
    printf("main;turns;even;[waiting] %.4f %.4f\n", even_slept, even_slept - TURNS * 0.001);
    last_clock = wall_now();
    callbacks();
    tell("main;callbacks;[qsort];compare;nap;[waiting]");
    down(3);
    tell("main;down;down;down;down;nap;[waiting]");
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, contender, NULL);
    last_clock = wall_now();
    holds();
    tell("main;holds;nap;[waiting]");
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    printf("contender;[waiting] %.4f\n", held);
    return 0;
}
