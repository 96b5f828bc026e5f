/* spend(s): s seconds of the thread's CPU time, in the function that says so. */
#include <time.h>

#include "e2e.h"

static inline __attribute__((always_inline)) double cpu_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline __attribute__((always_inline)) void spend(double seconds)
{
    double end = cpu_now() + seconds;
    do
        for (int i = 0; i < 20000; i++)
            work();
    while (cpu_now() < end);
}
