// metric=wall: no time counts twice, also where the observer shares a processor with the thread. The observer gets the processor when the thread gives it up,
// so it finds the thread waiting more often than it waits: the thread passes a byte to and fro with a process, and hardly waits but for the processor.
// RUN: %hcct-cc -O1 %s -o %t && python3 %inputs/wall_sum.py "%hcct-decode" %t.bin %t
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void serve(int in, int out)
{
    char byte;
    if (read(in, &byte, 1) != 1)
        return;
    for (volatile int i = 0; i < 20000; i++) {
    }
    if (write(out, &byte, 1) != 1)
        _exit(3);
}

static void echo(int in, int out)
{
    char byte;
    while (read(in, &byte, 1) == 1 && write(out, &byte, 1) == 1) {
    }
    _exit(0);
}

int main(void)
{
    int there[2], back[2], status;
    double start = now();
    if (pipe(there) || pipe(back))
        return 1;
    pid_t child = fork();
    if (!child) {
        close(there[1]);
        echo(there[0], back[1]);
    }
    if (child < 0 || write(there[1], "x", 1) != 1)
        return 1;
    while (now() - start < 3)
        serve(back[0], there[1]);
    close(there[1]);
    return waitpid(child, &status, 0) != child || status;
}
