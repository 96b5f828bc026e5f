// Two threads that compute for half a second of CPU time each, in two call paths of different height, and some of it in a library.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OUT __attribute__((noinline))
unsigned volatile sink;

static inline __attribute__((always_inline)) double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}
// As long on every machine, so that each path has samples.
#define FOR_A_WHILE for (double end = seconds() + 0.02; seconds() < end;)

OUT void spin(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i * i;
}
OUT void copy(unsigned n)
{
    static __thread char from[100000], to[100000];
    for (unsigned i = 0; i < n / 1000; i++)
        memcpy(to, from, sizeof to - (sink & 7));
    sink += to[5];
}
OUT void deep(unsigned n)
{
    char text[200];
    snprintf(text, sizeof text, "%u", n);
    FOR_A_WHILE
        spin(n + text[0] % 2);
    FOR_A_WHILE
        copy(n);
}
OUT void *work(void *argument)
{
    while (seconds() < 0.5) {
        deep(100000);
        FOR_A_WHILE
            spin(100000);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    puts("done");
    return 7;
}
