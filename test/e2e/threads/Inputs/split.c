/* Threads with a known number of calls each: one that is named, two of one function, one that ends by pthread_exit with a destructor of its data,
 * one that handles a signal, one that runs a fiber; a fork. With an argument the program crashes while its threads live. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int counted;
static pthread_key_t key;

__attribute__((noinline)) void leaf(void)
{
    counted++;
}

__attribute__((noinline)) void walk(int n)
{
    for (int i = 0; i < n; i++)
        leaf();
}

__attribute__((noinline)) void down(int n)
{
    if (n)
        down(n - 1);
    else
        walk(2);
    counted++;
}

static void *reader(void *n)
{
    walk((int)(long)n);
    down(3);
    return NULL;
}

static void *writer(void *n)
{
    pthread_setname_np(pthread_self(), "the-writer-no-1"); /* 15 bytes, the most there is */
    walk((int)(long)n);
    return NULL;
}

static void destroy(void *n)
{
    walk((int)(long)n);
}

static void *leaver(void *n)
{
    pthread_setspecific(key, n);
    pthread_exit(n);
}

static void handle(int number)
{
    walk(number - number + 5);
}

static void *interrupted(void *n)
{
    pthread_kill(pthread_self(), SIGUSR1);
    walk((int)(long)n);
    return NULL;
}

static ucontext_t home, away;

static void fiber(void)
{
    walk(4);
    swapcontext(&away, &home);
}

static void *switcher(void *n)
{
    static char stack[65536];
    walk((int)(long)n);
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = sizeof stack;
    makecontext(&away, fiber, 0);
    swapcontext(&home, &away);
    walk((int)(long)n);
    return NULL;
}

static __attribute__((noinline)) void run(void *(*start)(void *), long n)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, start, (void *)n) || pthread_join(thread, NULL))
        abort();
}

static void *wait_for_end(void *n)
{
    walk((int)(long)n);
    kill(getpid(), SIGSEGV);
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    signal(SIGUSR1, handle);
    pthread_key_create(&key, destroy);
    walk(1);
    run(reader, 10);
    run(writer, 20);
    run(reader, 30);
    if (argc > 1)
        run(wait_for_end, 40);
    run(leaver, 50);
    run(interrupted, 60);
    run(switcher, 70);
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        walk(80);
        run(reader, 90);
        exit(0);
    }
    waitpid(child, NULL, 0);
    puts("done");
}
