// A thread gets signals while another one takes the handler away and sets it again; and several threads get a signal whose handler is for one only.
// No signal calls what is no handler, and those whose action is the default one end the program.
// REQUIRES: turn-6
// RUN: %hcct-cc -O1 -I%inputs %s -o %t -lpthread && for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:output=%t.bin %t ignore && HCCT_OPTIONS=mode=$mode:output=%t.bin %t default && \
// RUN:   HCCT_OPTIONS=mode=$mode:output=%t.bin %t once || exit 1; done
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "e2e.h"

static atomic_int handled, stops;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void handler(int signal)
{
    (void)signal;
    leaf();
    handled++;
}

/* Gets all signals. */
static void *spin(void *unused)
{
    (void)unused;
    while (!stops)
        leaf();
    return NULL;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Changes the handler for a second, and sends a signal before each change. With `action` SIG_DFL it ends the program at last, however
 * long that takes on a busy machine; a program that never ends is given up. */
static int change(void (*action)(int))
{
    sigset_t set;
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    signal(SIGALRM, handler);
    if (pthread_create(&thread, NULL, spin, NULL) || pthread_sigmask(SIG_BLOCK, &set, NULL))
        return 1;
    for (double end = now() + (action == SIG_DFL ? 300 : 1); now() < end || !handled;) {
        kill(getpid(), SIGALRM);
        signal(SIGALRM, action);
        signal(SIGALRM, handler);
    }
    stops = 1;
    return pthread_join(thread, NULL);
}

/* Two threads get the signal at a time. The first one runs the handler, and the other one ends the program. */
static int once(int flags)
{
    struct sigaction action = { .sa_flags = (int)SA_RESETHAND | flags };
    pthread_t thread;
    action.sa_handler = handler;
    if (sigaction(SIGALRM, &action, NULL) || pthread_create(&thread, NULL, spin, NULL))
        return 1;
    pthread_kill(thread, SIGALRM);
    raise(SIGALRM);
    pthread_join(thread, NULL);
    return 2;
}

int main(int count, char **arguments)
{
    int status;
    if (count != 2)
        return 1;
    /* with SA_SIGINFO, too, these are no handlers */
    struct sigaction ignored = { .sa_flags = SA_SIGINFO };
    ignored.sa_handler = SIG_IGN;
    if (sigaction(SIGUSR1, &ignored, NULL) || raise(SIGUSR1))
        return 3;
    if (!strcmp(arguments[1], "ignore"))
        return change(SIG_IGN);
    int is_once = !strcmp(arguments[1], "once");
    for (int i = 0; i < (is_once ? 200 : 20); i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(is_once ? once(i % 2 ? SA_SIGINFO : 0) : change(SIG_DFL));
        if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM)
            return 2;
    }
    return 0;
}
