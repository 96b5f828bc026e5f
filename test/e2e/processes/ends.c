// A program that ends by _exit, quick_exit, abort (also where a handler of SIGABRT returned) or a signal at its default action still leaves its profile, and its
// parent sees the end that it would have seen.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 && sh %inputs/ends.sh %hcct-decode %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && sh %inputs/ends.sh %hcct-decode %t.2
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "e2e.h"

static NOINLINE void leaf(void) { work(); }

static __attribute__((no_profile_instrument_function)) void handle(int number) { (void)number; }

static NOINLINE void end(const char *how)
{
    leaf();
    if (strcmp(how, "_exit") == 0)
        _exit(3);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(3);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "abort-handled") == 0) {
        signal(SIGABRT, handle);
        abort();
    }
    if (strcmp(how, "once") == 0) { /* the second signal finds the default action again */
        struct sigaction action = {.sa_handler = handle, .sa_flags = (int)SA_RESETHAND};
        sigaction(SIGTERM, &action, NULL);
        raise(SIGTERM);
        raise(SIGTERM);
    }
    if (strcmp(how, "vfork") == 0) {
        pid_t child = vfork();
        if (child == 0)
            _exit(5);
        int status;
        waitpid(child, &status, 0);
        exit(WEXITSTATUS(status) - 2);
    }
    struct sigaction action;
    int number = atoi(how);
    signal(number, SIG_DFL); /* whoever runs the tests may have them ignored */
    sigaction(number, NULL, &action);
    if (action.sa_handler != SIG_DFL || signal(number, SIG_DFL) != SIG_DFL)
        exit(1);
    raise(number);
}

int main(int count, char **arguments)
{
    end(arguments[count - 1]);
    return 0;
}
