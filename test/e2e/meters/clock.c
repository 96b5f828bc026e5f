// metric=clock: each context has the time that passed in it, by the program's own clock: in calls, recursion, callbacks out of the C library,
// sibling calls, threads, jumps (into instrumented code or not, out of signal handlers too), handlers, fibers, a forked child.
// RUN: %clang -O2 -c -I%inputs -DLIBRARY %s -o %t.o
// RUN: for level in 0 2; do %hcct-cc --hcct-clock -O$level -I%inputs %s %t.o -lpthread -o %t.x && for mode in cct hcct; do \
// RUN:   HCCT_OPTIONS=metric=clock:mode=$mode:output=%t.bin %t.x > %t.book && \
// RUN:   %hcct-decode --all --format=json -o %t.json %t.bin && python3 %inputs/clock_book.py %t.json %t.book || exit 1; done; done
// In the child:
// RUN: rm -f %t.bin.* && HCCT_OPTIONS=metric=clock:output=%t.bin %t.x fork > %t.book && %hcct-decode --all --format=json -o %t.json %t.bin.* && \
// RUN:   grep -v '^main ' %t.book > %t.child && python3 %inputs/clock_book.py %t.json %t.child
// Whole program.
// RUN: %hcct-cc --hcct-clock -flto -O2 -I%inputs %s %t.o -lpthread -o %t.l
// RUN: HCCT_OPTIONS=metric=clock:output=%t.bin %t.l > %t.book && %hcct-decode --all --format=json -o %t.json %t.bin && python3 %inputs/clock_book.py %t.json %t.book
// RUN: %hcct-decode --all %t.bin | FileCheck %s
// CHECK: s of the threads' time in {{[0-9]+}} contexts, by the clock
// CHECK: sound:
// CHECK: total {{ *}}share {{ *}}secs {{ *}}context
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

void catches_jump(void (*function)(void));
extern jmp_buf outside;

#ifdef LIBRARY
jmp_buf outside;
void catches_jump(void (*function)(void))
{
    if (setjmp(outside) == 0)
        function();
}
#else
#include "elapse.h"

NOINLINE void recurse(int depth)
{
    static const char *const paths[] = { "main;recurse;recurse;recurse", "main;recurse;recurse", "main;recurse" };
    elapse(paths[depth], 30);
    if (depth)
        recurse(depth - 1);
    elapse(paths[depth], 20);
}

static int compare(const void *a, const void *b)
{
    elapse("main;[qsort];compare", 30);
    return *(const int *)a - *(const int *)b;
}

NOINLINE void sibling(void)
{
    elapse("main;tails;sibling", 60);
}

NOINLINE void tails(void)
{
    elapse("main;tails", 60);
    sibling();
}

NOINLINE void ends_thread(void)
{
    elapse("run;ends_thread", 60);
    pthread_exit(NULL);
}

static void *run(void *unused)
{
    elapse("run", 100);
    ends_thread();
    return unused;
}

static jmp_buf inside;

NOINLINE void jumps_inside(void)
{
    elapse("main;catches;between;jumps_inside", 50);
    longjmp(inside, 1);
}

NOINLINE void between(void)
{
    elapse("main;catches;between", 40);
    jumps_inside();
}

NOINLINE void catches(void)
{
    if (setjmp(inside) == 0)
        between();
    elapse("main;catches", 60);
}

NOINLINE void jumps_outside(void)
{
    elapse("main;lands;[catches_jump];jumps_outside", 50);
    longjmp(outside, 1);
}

NOINLINE void lands(void)
{
    catches_jump(jumps_outside);
    elapse("main;lands", 60);
    catches_jump(jumps_outside);
}

static sigjmp_buf from_handler;
static volatile int jumps;

NOINLINE void in_handler(void)
{
    elapse("[signal 10];handle;in_handler", 40);
}

static void handle(int number)
{
    (void)number;
    elapse("[signal 10];handle", 50);
    in_handler();
    if (jumps)
        siglongjmp(from_handler, 1);
}

NOINLINE void interrupted(void)
{
    if (sigsetjmp(from_handler, 1) == 0) {
        elapse("main;interrupted", 30);
        raise(SIGUSR1);
    }
    elapse("main;interrupted", 30);
}

static ucontext_t home, other;

NOINLINE void on_fiber(void)
{
    elapse("fiber;on_fiber", 40);
    swapcontext(&other, &home);
    elapse("fiber;on_fiber", 40);
}

static void fiber(void)
{
    on_fiber();
    elapse("fiber", 40);
}

NOINLINE void switches(void)
{
    enum { BYTES = 1 << 16 };
    getcontext(&other);
    other.uc_stack.ss_sp = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    other.uc_stack.ss_size = BYTES;
    other.uc_link = &home;
    makecontext(&other, fiber, 0);
    swapcontext(&home, &other);
    elapse("main;switches", 50);
    swapcontext(&home, &other);
    elapse("main;switches", 50);
}

NOINLINE void in_child(void)
{
    elapse("main;in_child", 80);
}

int main(int count, char **arguments)
{
    pthread_t thread;
    int numbers[] = { 2, 1, 3 };
    (void)arguments;
    if (count > 1) {
        elapse("main", 100);
        all_since = time_now(); /* of the child, which alone has a book */
        pid_t child = fork();
        if (child == 0) {
            in_child();
            return 0;
        }
        waitpid(child, NULL, 0);
        _exit(0);
    }
    recurse(2);
    qsort(numbers, 3, sizeof numbers[0], compare);
    tails();
    catches();
    lands();
    signal(SIGUSR1, handle);
    interrupted();
    jumps = 1;
    interrupted();
    switches();
    uint64_t start = time_now();
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    all_threads = time_now() - start;
    enter_in_book("main", all_threads); /* it has waited */
    return 0;
}
#endif
