// Other threads count while the process ends: a trace has the calls that the profile has. The program makes time between the two.
// RUN: %hcct-cc -O2 %s -lpthread -o %t && HCCT_OPTIONS=mode=cct:trace=%t.trace:output=%t.bin %t
// RUN: %hcct-lab replay --mode=cct -o %t.exact %t.trace && %hcct-decode --format=folded %t.bin > %t.run
// RUN: %hcct-decode --format=folded %t.exact | diff %t.run -
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_bool is_ending;

/* In place of the C library's: the profiler calls it before it writes, with an address, and behind. */
__attribute__((no_profile_instrument_function)) int pthread_setcancelstate(int state, int *before)
{
    (void)state;
    if (before)
        *before = PTHREAD_CANCEL_ENABLE;
    else if (is_ending)
        usleep(20000);
    return 0;
}

static __attribute__((noinline)) void leaf(void)
{
    __asm__ volatile("");
}

static void *run(void *unused)
{
    for (;;)
        leaf();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    usleep(2000);
    is_ending = 1;
    return 0;
}
