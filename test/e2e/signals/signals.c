// A handler that runs every 100 us of call-heavy code: its contexts start at [signal 14], and no count of the
// interrupted code lands elsewhere. The program says itself how often the handler ran.
// RUN: %hcct-cc -O0 %s -o %t.0 && %hcct-cc -O2 %s -o %t.2
// RUN: HCCT_OPTIONS=mode=cct:output=%t.bin %t.0 > %t.expected && %hcct-decode --format=folded --all %t.bin > %t.folded && diff %t.expected %t.folded
// RUN: HCCT_OPTIONS=mode=cct:output=%t.bin %t.2 > %t.expected && %hcct-decode --format=folded --all %t.bin > %t.folded && diff %t.expected %t.folded
// RUN: HCCT_OPTIONS=mode=hcct:output=%t.bin %t.2 > %t.expected && %hcct-decode --format=folded --all %t.bin > %t.folded && diff %t.expected %t.folded
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#define CALLS 20000000

static volatile unsigned long sink, handled;

__attribute__((noinline)) static void deep(int n)
{
    sink += (unsigned long)n;
}

__attribute__((noinline)) static void work(int n)
{
    deep(n);
    deep(n + 1);
}

__attribute__((noinline)) static void note(void)
{
    handled++;
    deep(0);
}

static void on_alarm(int signal)
{
    (void)signal;
    note();
}

int main(void)
{
    struct itimerval every = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
    void (*volatile pointer)(int) = work;
    struct sigaction old;
    signal(SIGALRM, on_alarm);
    sigaction(SIGALRM, NULL, &old);
    if (old.sa_handler != on_alarm)
        return 2;
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < CALLS; i++) {
        if (i & 1)
            work(i);
        else
            pointer(i);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    if (handled < 10)
        return 3;
    printf("[signal 14];on_alarm %lu\n[signal 14];on_alarm;note %lu\n[signal 14];on_alarm;note;deep %lu\n", handled, handled,
           handled);
    printf("main 1\nmain;work %d\nmain;work;deep %d\n", CALLS, 2 * CALLS);
    return 0;
}
