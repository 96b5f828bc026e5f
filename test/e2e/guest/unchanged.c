// What the program prints and returns, the signal dispositions, the environment and the open files are what they are
// without instrumentation.
// RUN: %clang -O1 -I%inputs %s -o %t.plain && %hcct-cc -O0 -I%inputs %s -o %t.0 && %hcct-cc -O2 -I%inputs %s -o %t.2
// RUN: for how in return exit _exit thread signal abort; do for x in plain 0 2; do \
// RUN:   HCCT_OPTIONS=output=%t.bin %t.$x $how > %t.$x.out 2> %t.$x.err; echo $? >> %t.$x.out; \
// RUN:   cmp %t.plain.out %t.$x.out && cmp %t.plain.err %t.$x.err || exit 1; done; done
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "e2e.h"

extern char **environ;

static NOINLINE void show_state(void)
{
    sigset_t mask;
    int handlers = 0, blocked = 0, files = 0, variables = 0;
    sigprocmask(SIG_SETMASK, 0, &mask);
    for (int i = 1; i < 65; i++) {
        struct sigaction action;
        handlers += sigaction(i, 0, &action) == 0 && action.sa_handler != SIG_DFL;
        blocked += sigismember(&mask, i);
    }
    for (int i = 0; i < 1024; i++)
        files += fcntl(i, F_GETFD) != -1;
    for (char **at = environ; *at; at++)
        variables++;
    printf("%d handlers, %d blocked, %d files, %d variables, umask %o\n", handlers, blocked, files, variables, umask(022));
    fprintf(stderr, "on stderr\n");
}

static void *body(void *unused)
{
    show_state();
    exit(5);
    return unused;
}

int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "";
    pthread_t thread;
    signal(SIGPIPE, SIG_IGN);
    show_state();
    fflush(stdout);
    if (!strcmp(how, "exit"))
        exit(2);
    if (!strcmp(how, "_exit"))
        _exit(3);
    if (!strcmp(how, "thread") && !pthread_create(&thread, 0, body, 0))
        pthread_join(thread, 0);
    if (!strcmp(how, "signal"))
        raise(SIGTERM);
    if (!strcmp(how, "abort")) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        abort();
    }
    return 4;
}
