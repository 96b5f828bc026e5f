// metric=wall: waiting is a leaf [waiting] of its context, in sleeps, poll, behind a mutex, in stdio and a system call of the program's own, in
// callbacks and recursion, in threads; having no processor is told apart, as the kernel does; running has its time beside it. All of
// a thread's time is there. In any build.
// RUN: for how in -O0 -O2 "-O2 -flto" "-O2 -static" "-O1 -fno-omit-frame-pointer"; do %hcct-cc $how -I%inputs %s -lpthread -o %t && \
// RUN:   sh %inputs/pooled.sh %t.runs metric=wall %t %hcct-decode || { echo $how; exit 1; }; done
// RUN: %hcct-cc -O2 -gline-tables-only -I%inputs %s -lpthread -o %t && sh %inputs/pooled.sh %t.runs metric=wall:mode=cct %t %hcct-decode
// RUN: %hcct-decode %t.runs/1.bin | FileCheck --check-prefix=LINES %s
// LINES: functions with most time of their own
// LINES: nap > [usleep]
// LINES: lines with most time
// LINES: time-wall.c:{{[0-9]+}}  nap
// RUN: %hcct-decode --all %t.runs/1.bin | FileCheck %s
// RUN: HCCT_OPTIONS=metric=wall:recursion=fold:output=%t.bin %t 2>&1 | FileCheck --check-prefix=FOLD %s
// FOLD: hcct: HCCT_OPTIONS: metric=wall needs recursion=keep, which is used
// CHECK: s of the threads' time in {{[0-9]+}} contexts, by samples{{$}}
// CHECK: total {{ *}}share {{ *}}secs {{ *}}context
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
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

/* A line that a thread writes after a while. */
static int ends[2];
static void *writer(void *unused)
{
    struct timespec time = { .tv_nsec = 300000000 };
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
    return write(ends[1], "line\n", 5) == 5 ? unused : NULL;
}

NOINLINE static void lines(void)
{
    char line[16];
    FILE *in = fdopen(ends[0], "r");
    if (!fgets(line, sizeof line, in))
        exit(1);
    fclose(in);
    work();
}

/* Without the C library. */
NOINLINE static void system_call(void)
{
    struct timespec time = { .tv_nsec = 200000000 };
#if defined(__x86_64__)
    long result = SYS_nanosleep;
    __asm__ volatile("syscall" : "+a"(result) : "D"(&time), "S"(0) : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_nanosleep;
    register struct timespec *at __asm__("x0") = &time;
    register long rest __asm__("x1") = 0;
    __asm__ volatile("svc #0" : "+r"(at) : "r"(number), "r"(rest) : "memory");
#endif
    work();
}

/* How long the thread has had no processor. */
static double delayed(void)
{
    unsigned long long run = 0, delay = 0;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
    FILE *in = fopen(path, "r");
    if (!in || fscanf(in, "%llu %llu", &run, &delay) != 2)
        exit(1);
    fclose(in);
    return (double)delay * 1e-9;
}

static double spins_delayed[2], spins_ran[2];
static void *spins(void *number)
{
    spend(0.4);
    spins_delayed[(long)number] = delayed();
    spins_ran[(long)number] = cpu_now();
    return NULL;
}

/* Two threads on one processor. */
NOINLINE static void queue(void)
{
    pthread_t threads[2];
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, spins, (void *)i);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
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
    tell("main;first;nap;[usleep];[waiting]");
    second();
    tell("main;second;nap;[usleep];[waiting]");
    third();
    tell("main;third;[poll];[waiting]");
    turns();
    printf("main;turns;odd;[usleep];[waiting] %.4f %.4f\n", odd_slept, odd_slept - TURNS * 0.003);
    printf("main;turns;even;[usleep];[waiting] %.4f %.4f\n", even_slept, even_slept - TURNS * 0.001);
    last_clock = wall_now();
    callbacks();
    tell("main;callbacks;[qsort];compare;nap;[usleep];[waiting]");
    down(3);
    tell("main;down;down;down;down;nap;[usleep];[waiting]");
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, contender, NULL);
    last_clock = wall_now();
    holds();
    tell("main;holds;nap;[usleep];[waiting]");
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    if (pipe(ends) || pthread_create(&thread, NULL, writer, NULL))
        return 1;
    last_clock = wall_now();
    lines();
    tell("main;lines;[fgets];[waiting]");
    pthread_join(thread, NULL);
    printf("writer;[syscall];[waiting] 0.3000\n");
    last_clock = wall_now();
    system_call();
    tell("main;system_call;[waiting]");
    double before = delayed();
    queue();
    tell("main;queue;[pthread_join];[waiting]");
    printf("spins %.4f\n", spins_ran[0] + spins_ran[1]);
    printf("[run queue] %.4f\n", before + spins_delayed[0] + spins_delayed[1]);
    printf("contender;[pthread_mutex_lock];[waiting] %.4f\n", held);
    return 0;
}
