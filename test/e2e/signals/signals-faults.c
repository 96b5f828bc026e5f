// Faults that are none of the stack (SIGFPE by a division, SIGBUS behind the end of a mapped file), whose handlers jump: out of plain code, and out of
// handlers of signals that come at any time, so were put off too while the profiler worked. Nothing hangs or is lost, in one thread and in four.
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir %t && cd %t && for level in 0 2; do %hcct-cc -O$level -I%inputs %s -o x -lpthread && for threads in 1 4; do \
// RUN:   for options in mode=cct mode=hcct mode=hcct:memory=0:epsilon=0.01:phi=0.05; do HCCT_OPTIONS=$options timeout 600 ./x $threads file > book && \
// RUN:     %hcct-decode --all | grep -x 'sound: nothing dropped, nothing lost' && %hcct-decode --all --format=folded > folded && { case $options in *epsilon*) ;; *) \
// RUN:     sum() { sed -n "s/.*$1 \([0-9]*\)$/\1/p" folded | awk '{ sum += $1 } END { print sum + 0 }'; } && \
// RUN:     test "$(sum 'jumps;divide') $(sum 'jumps;touch') $(sum 'handle;divide') $(sum 'handle;touch') $(sum '];on_fault')" = "$(cat book)";; esac; } || { echo $options; exit 1; }; done; done; done
// RUN: for options in budget=1%% metric=weight counting=off; do HCCT_OPTIONS=$options timeout 600 ./x 4 file || exit 1; done
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "e2e.h"

enum { ROUNDS = 4000, PAGE = 4096 };

static _Thread_local sigjmp_buf out;
static _Thread_local volatile int armed;
static _Thread_local unsigned turn;
static volatile int zero;
static volatile char *behind; /* the end of the file, in its last page but one */
static volatile unsigned long divided, touched, divided_in_handler, touched_in_handler, faults;
static volatile int ended;
#define COUNT(what) __atomic_fetch_add(&(what), 1, __ATOMIC_RELAXED)

NOINLINE static void divide(void)
{
    worked = worked / zero;
}

NOINLINE static void touch(void)
{
    worked = *behind;
}

NOINLINE static void on_fault(int signal)
{
    (void)signal;
    COUNT(faults);
    siglongjmp(out, 1);
}

/* Comes anywhere in walk(), and leaves it by a fault and a jump. */
NOINLINE static void handle(int signal)
{
    (void)signal;
    if (!armed)
        return;
    armed = 0;
    if (turn++ % 2) {
        COUNT(divided_in_handler);
        divide();
    } else {
        COUNT(touched_in_handler);
        touch();
    }
}

/* Each path of it is a context of its own: most calls are misses. */
NOINLINE __attribute__((disable_tail_calls)) static int walk(int depth)
{
    return depth < 2 ? depth : walk(depth - 1) + walk(depth - 2);
}

NOINLINE static void jumps(int round)
{
    if (sigsetjmp(out, 1))
        return;
    if (round % 2) {
        COUNT(divided);
        divide();
    } else {
        COUNT(touched);
        touch();
    }
}

NOINLINE static void interrupted(int round)
{
    if (sigsetjmp(out, 1)) {
        armed = 0;
        return;
    }
    armed = 1;
    walk(round % 18);
    armed = 0;
}

static void *run(void *unused)
{
    for (int round = 0; round < ROUNDS || !divided_in_handler || !touched_in_handler; round++) {
        jumps(round);
        interrupted(round);
        walk(round % 5);
    }
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[8];
    int number = count > 2 ? atoi(arguments[1]) : 1, file = open(count > 2 ? arguments[2] : "file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    signal(SIGFPE, on_fault);
    signal(SIGBUS, on_fault);
    signal(SIGUSR1, handle);
    if (ftruncate(file, PAGE) != 0 || (behind = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)) == MAP_FAILED)
        return 1;
    behind += PAGE;
    for (int i = 0; i < number; i++)
        if (pthread_create(&threads[i], NULL, run, NULL))
            return 1;
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    for (int i = 0; ended < number; i++)
        if (ended == 0) {
            pthread_kill(threads[i % number], SIGUSR1);
            usleep(20);
        } else {
            usleep(1000);
        }
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    printf("%lu %lu %lu %lu %lu\n", divided, touched, divided_in_handler, touched_in_handler, faults);
    return faults != divided + touched + divided_in_handler + touched_in_handler;
}
