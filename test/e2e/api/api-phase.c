// hcct_phase: the counts of each phase are those of a program that keeps books by phase: with threads, handlers, a forked child, phases that come
// again, resets and dumps; and those of all phases add up to those of the run, also while threads do not wait for a change.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -lpthread -o x
// RUN: for mode in cct hcct hcct:memory=0:phi=0.1:epsilon=0.05; do rm -f *.bin* *.book && HCCT_OPTIONS=mode=$mode:output=x.bin ./x 2> messages && \
// RUN:   python3 %inputs/phases.py %hcct-decode run.book x.bin && python3 %inputs/phases.py %hcct-decode dump.book dump.bin && \
// RUN:   python3 %inputs/phases.py %hcct-decode child.book x.bin.* && python3 %inputs/phases.py %hcct-decode - free.bin || exit 1; done
// RUN: HCCT_OPTIONS=mode=cct:output=x.bin ./x 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: hcct: hcct_phase: too many phases; the others are counted as [other phases]
// Another metric; and where phases are not told apart.
// RUN: HCCT_OPTIONS=metric=weight:output=w.bin ./x && %hcct-decode --format=folded --all --phase=first w.bin | FileCheck --check-prefix=WEIGHT %s
// WEIGHT: weigh 7
// RUN: HCCT_OPTIONS=metric=heap:output=y.bin ./x 2>&1 | FileCheck --check-prefix=WITHOUT %s && not %hcct-decode --phase=first y.bin 2>&1 | FileCheck --check-prefix=NONE %s
// WITHOUT: hcct: hcct_phase: phases are not told apart with metric=heap
// NONE: tells no phases apart: the program did not call hcct_phase()
// Without the runtime the call does nothing.
// RUN: %clang -I%hcct-source/include -I%inputs %s -lpthread -o plain && ./plain
#include <errno.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

#define BOOKED __attribute__((no_profile_instrument_function, noinline)) /* keeps the books, and is no context */

enum { DEPTH = 40, PHASES = 40, THREADS = 3, ROUNDS = 300 };

/* Of each phase: the calls of down() by main and threads, which are no contexts, by what is left to go down; of handle(). */
static unsigned long of_down[PHASES][DEPTH + 1], of_handler[PHASES], of_after[PHASES], of_weigh[PHASES];
static const char *names[PHASES] = { "[no phase]", "first", "second", "in the handler", "a;b\\ c" };
static _Atomic int phase;
static char many[PHASES][8];

NOINLINE void leaf(void)
{
    work();
}

NOINLINE void after(void)
{
    work();
}

NOINLINE void down(int depth)
{
    if (depth)
        down(depth - 1);
    work();
}

NOINLINE void weigh(unsigned weight)
{
    of_weigh[phase]++;
    hcct_count(weight);
    work();
}

BOOKED static void enter(int next)
{
    static int told_apart = -1;
    errno = EDOM;
    int entered = hcct_phase(next ? names[next] : NULL);
    if (told_apart < 0)
        told_apart = entered;
    if (errno != EDOM || entered != (told_apart && next < 17))
        abort();
    phase = next < 17 ? next : 17;
}

BOOKED static void run_down(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    unsigned depth = (*seed >> 16) % (DEPTH + 1);
    of_down[phase][depth]++;
    down((int)depth);
}

static void handle(int number)
{
    (void)number;
    leaf();
    of_handler[phase]++;
    enter(3);
    of_after[phase]++;
    after();
}

static pthread_barrier_t barrier;

BOOKED static void *run(void *argument)
{
    unsigned seed = (unsigned)(size_t)argument;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 4; i++) {
        pthread_barrier_wait(&barrier);
        for (int j = 0; j < ROUNDS; j++) {
            static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
            pthread_mutex_lock(&lock);
            run_down(&seed);
            pthread_mutex_unlock(&lock);
        }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static atomic_int stop;
static atomic_uint done; /* calls of down by free threads */

BOOKED static void *run_free(void *argument)
{
    for (unsigned i = 0; !stop; i++) {
        down((int)(i % DEPTH));
        done++;
    }
    return argument;
}

/* A call of down(d) enters the contexts of all depths up to d + 1. */
BOOKED static void write_downs(FILE *book, const char *name, const unsigned long *calls)
{
    for (int length = 1; length <= DEPTH + 1; length++) {
        unsigned long count = 0;
        for (int depth = length - 1; depth <= DEPTH; depth++)
            count += calls[depth];
        if (!count)
            continue;
        fprintf(book, "%s\tdown", name);
        for (int i = 1; i < length; i++)
            fputs(";down", book);
        fprintf(book, "\t%lu\n", count);
    }
}

BOOKED static void write_book(const char *file)
{
    FILE *book = fopen(file, "w");
    for (int i = 0; i < 18; i++) {
        const char *name = i == 17 ? "[other phases]" : names[i];
        write_downs(book, name, of_down[i]);
        if (of_weigh[i])
            fprintf(book, "%s\tweigh\t%lu\n", name, of_weigh[i]);
        if (of_handler[i])
            fprintf(book, "%s\t[signal 10];handle\t%lu\n%s\t[signal 10];handle;leaf\t%lu\n", name, of_handler[i], name, of_handler[i]);
        if (of_after[i])
            fprintf(book, "%s\t[signal 10];handle;after\t%lu\n", name, of_after[i]);
    }
    fclose(book);
}

BOOKED static void forget(void)
{
    memset(of_down, 0, sizeof of_down);
    memset(of_weigh, 0, sizeof of_weigh);
    memset(of_handler, 0, sizeof of_handler);
    memset(of_after, 0, sizeof of_after);
}

BOOKED static void join_all(pthread_t *threads)
{
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

BOOKED static void save(const char *name)
{
    if (__hcct_api_phase && hcct_dump())
        rename("x.bin", name);
}

/* Threads that wait while the phase changes. */
BOOKED static void with_threads(void)
{
    static const int order[] = { 1, 2, 0, 1 };
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run, (void *)(size_t)(i + 1));
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 4; i++) {
        enter(order[i]);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    }
    join_all(threads);
}

/* Threads that do not. In each phase one of them begins a call, at least. */
BOOKED static void with_free_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, run_free, NULL);
    for (int i = 0; i < 100; i++) {
        enter(i % 5);
        for (unsigned before = done; done - before <= THREADS;)
            usleep(200);
    }
    stop = 1;
    join_all(threads);
}

BOOKED int main(void)
{
    unsigned seed = 1;
    for (int i = 5; i < PHASES; i++) {
        snprintf(many[i], sizeof many[i], "n%d", i);
        names[i] = many[i];
    }
    with_free_threads();
    save("free.bin");
    hcct_reset();
    enter(0);
    signal(SIGUSR1, handle);
    weigh(7000);
    with_threads();
    for (int i = 0; i < ROUNDS; i++)
        run_down(&seed);
    weigh(7);
    raise(SIGUSR1);
    run_down(&seed);
    enter(4);
    raise(SIGUSR1);
    write_book("dump.book");
    save("dump.bin");
    for (int i = 0; i < PHASES; i++) {
        enter(i);
        run_down(&seed);
    }
    if (fork() == 0) {
        forget();
        run_down(&seed);
        enter(2);
        run_down(&seed);
        write_book("child.book");
        exit(0);
    }
    wait(NULL);
    run_down(&seed);
    write_book("run.book");
    return 0;
}
