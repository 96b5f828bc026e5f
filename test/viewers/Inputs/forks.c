/* Copies a line from stdin to stdout, forks, and calls work twice, three times in the child. "wait" waits for SIGTERM. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink, two = 2;
static volatile sig_atomic_t told;

static __attribute__((noinline)) void work(void)
{
    sink++;
}

/* Its path is a root of its own. */
static void tell(int signal)
{
    (void)signal;
    told = 1;
}

int main(int count, char **arguments)
{
    char line[80];
    if (count > 1 && !strcmp(arguments[1], "wait")) {
        signal(SIGTERM, tell);
        puts("ready");
        fflush(stdout);
        while (!told)
            usleep(1000);
        return 9;
    }
    if (fgets(line, sizeof line, stdin))
        fputs(line, stdout);
    fputs("to stderr\n", stderr);
    fflush(stdout);
    for (int i = 0; i < two; i++)
        work();
    if (!fork()) {
        for (int i = 0; i <= two; i++)
            work();
        _exit(0);
    }
    wait(NULL);
    return atoi(arguments[1]);
}
