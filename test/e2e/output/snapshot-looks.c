// snapshot= and dump=1 are served at least every 100 ms of a thread's CPU time, also where the meter's own signals are rarer than that (one
// second apart), or may never come: counters of page faults.
// REQUIRES: turn-5, cpu-timers, perf-events
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O1 -I%inputs %s -o x
// RUN: env HCCT_OPTIONS=metric=page-faults:mode=cct:snapshot=40ms:output=s.bin ./x s.bin
// RUN: for options in metric=time:frequency=1 metric=wall:frequency=1 metric=page-faults; do \
// RUN:   env HCCT_OPTIONS=$options:mode=cct:dump=1:output=d.bin ./x d.bin.dump ask || { echo $options; exit 1; }; done
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "spend.h"

enum { REQUESTS = 10, LIMIT_SECONDS = 5 }; /* a tick a second would serve half of them */

NOINLINE static void step(void)
{
    work();
}

/* Whether the file comes to be there, or to be gone, before the limit. */
static bool see(const char *path, bool there)
{
    while ((access(path, F_OK) == 0) != there) {
        for (int i = 0; i < 1000; i++)
            step();
        if (cpu_now() > LIMIT_SECONDS)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return !see(argv[1], true);
    for (int i = 0; i < REQUESTS; i++) {
        close(open(argv[1], O_WRONLY | O_CREAT, 0600));
        if (!see(argv[1], false))
            return 1;
    }
    return 0;
}
