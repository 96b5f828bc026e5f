// Actions that change while signals come: each signal gets one action whole, the handler with its own mask. What one thread sets, no signal
// of another takes back; a handler that runs while the process is about to end does not stop it.
// RUN: %hcct-cc -O1 -I%inputs %s -o %t -lpthread && %hcct-cc -O1 -static -I%inputs %s -o %t.s -lpthread
// RUN: for program in %t %t.s; do for how in masks once end many; do HCCT_OPTIONS=output=%t.bin $program $how || exit 1; done; done
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "e2e.h"

enum { RESTORER = 0x04000000 }; /* x86-64 */

static atomic_int stops, failed, came;

static int blocks(int number)
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return sigismember(&mask, number);
}

static void check(int number, int its_own, int of_other)
{
    if (!blocks(number) || !blocks(its_own) || blocks(of_other))
        failed = 1;
    came++;
}

static NOINLINE void with_hup(int number)
{
    check(number, SIGHUP, SIGUSR2);
}

static NOINLINE void with_usr2(int number)
{
    check(number, SIGUSR2, SIGHUP);
}

static int install(int number, void (*handler)(int), int flags, int also)
{
    struct sigaction action = { .sa_flags = flags };
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    if (also)
        sigaddset(&action.sa_mask, also);
    return sigaction(number, &action, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *spin(void *unused)
{
    while (!stops)
        work();
    return unused;
}

/* Two actions in turns, and a thread that gets signals meanwhile. */
static int masks(void)
{
    pthread_t thread;
    if (install(SIGUSR1, with_hup, 0, SIGHUP) || pthread_create(&thread, NULL, spin, NULL))
        return 1;
    for (double end = now() + 1; now() < end || !came;) {
        pthread_kill(thread, SIGUSR1);
        install(SIGUSR1, with_usr2, 0, SIGUSR2);
        pthread_kill(thread, SIGUSR1);
        install(SIGUSR1, with_hup, 0, SIGHUP);
    }
    stops = 1;
    pthread_join(thread, NULL);
    return failed;
}

/* A thread gets a signal whose handler is for one signal only, while another one sets a handler that stays. */
static int once(void)
{
    pthread_t thread;
    struct sigaction is;
    unsigned rounds = 0;
    if (pthread_create(&thread, NULL, spin, NULL))
        return 1;
    for (double end = now() + 1; now() < end; rounds++) {
        int before = came;
        install(SIGUSR1, with_hup, (int)SA_RESETHAND, SIGHUP);
        pthread_kill(thread, SIGUSR1);
        for (unsigned i = rounds % 1024; i; i--) /* so that the two meet here and there */
            work();
        install(SIGUSR1, with_usr2, 0, SIGUSR2);
        while (came == before)
            work();
        if (sigaction(SIGUSR1, NULL, &is) || is.sa_handler != with_usr2 || raise(SIGUSR1)) /* ends it if it is SIG_DFL */
            return 2;
    }
    stops = 1;
    pthread_join(thread, NULL);
    return failed;
}

static pthread_t first;

static void *send(void *unused)
{
    while (1)
        pthread_kill(first, SIGUSR1);
    return unused;
}

static NOINLINE void set_another(int number)
{
    (void)number;
    install(SIGUSR2, with_usr2, 0, 0);
}

static int end_of_child(void)
{
    pthread_t thread;
    first = pthread_self();
    if (install(SIGTERM, SIG_DFL, 0, 0) || install(SIGUSR1, set_another, 0, SIGTERM) || pthread_create(&thread, NULL, send, NULL))
        return 1;
    for (double end = now() + 0.01; now() < end;)
        work();
    raise(SIGTERM);
    return 2;
}

/* A signal ends the process, and meanwhile another one comes, whose handler blocks the first and sets an action. */
static int end(void)
{
    for (int i = 0; i < 20; i++) {
        int status = 0;
        pid_t child = fork(), ended = 0;
        if (child == 0)
            _exit(end_of_child());
        for (double limit = now() + 60; !ended && now() < limit; usleep(1000))
            ended = waitpid(child, &status, WNOHANG);
        if (!ended)
            kill(child, SIGKILL);
        if (ended != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGTERM)
            return 1;
    }
    return 0;
}

/* More actions than there are records of: 500 masks, for two signals in turns. */
static int many(void)
{
    struct sigaction is;
    for (int i = 0; i < 500; i++) {
        int number = i & 1 ? SIGUSR1 : SIGUSR2, expected = came + 1;
        struct sigaction action = { .sa_flags = i & 2 ? SA_SIGINFO : SA_RESTART };
        action.sa_handler = i % 50 == 0 ? SIG_DFL : i % 50 == 1 ? SIG_IGN : i & 4 ? with_hup : with_usr2;
        sigemptyset(&action.sa_mask);
        for (int bit = 0; bit < 9; bit++)
            if (i >> bit & 1)
                sigaddset(&action.sa_mask, SIGRTMIN + bit);
        sigaddset(&action.sa_mask, i & 4 ? SIGHUP : SIGUSR2);
        if (sigaction(number, &action, NULL) || sigaction(number, NULL, &is) || is.sa_handler != action.sa_handler ||
            (is.sa_flags & ~RESTORER) != action.sa_flags || *(long *)&is.sa_mask != *(long *)&action.sa_mask)
            return 2;
        if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN && (raise(number) || came != expected))
            return 3;
    }
    return came != 480;
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 1;
    return !strcmp(arguments[1], "masks")  ? masks()
           : !strcmp(arguments[1], "once") ? once()
           : !strcmp(arguments[1], "end")  ? end()
                                           : many();
}
