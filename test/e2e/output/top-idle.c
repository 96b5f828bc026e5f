// A server that is busy for 0.3% of the time answers within seconds.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.x
// RUN: rm -rf %t && mkdir %t
// RUN: cd %t && { HCCT_OPTIONS=mode=cct:dump=1 %t.x & } && for try in 1 2 3; do %hcct-top --dump && answered=yes && break; done; touch end; wait; test "$answered" && %hcct-decode --view=flat | grep -q ' answer$'
#include <time.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE void answer(void)
{
    work();
}

static long cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(void)
{
    for (int i = 0; i < 3000 && access("end", F_OK) != 0; i++) { /* a minute at most */
        for (long end = cpu_ns() + 60000; cpu_ns() < end;)
            answer();
        nanosleep(&(struct timespec){ .tv_nsec = 20000000 }, NULL);
    }
    return 0;
}
