// metric=clock: a snapshot, which is written on a stack of the runtime's own, finds the frames of the thread whose time it takes.
// RUN: %hcct-cc --hcct-clock -O1 -g %s -o %t -lpthread && HCCT_OPTIONS=metric=clock:mode=cct:snapshot=50ms:output=%t.bin %t && %hcct-decode --all %t.bin > %t.out && FileCheck %s < %t.out
// CHECK-NOT: [unknown]
// CHECK: sound: nothing dropped, nothing lost
// CHECK-NOT: [unknown]
#include <pthread.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
static volatile long turns;

NOINLINE static void deep(void)
{
    struct timespec now;
    do {
        turns++;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (now.tv_nsec < 300000000);
}

static void (*volatile call_deep)(void) = deep;

NOINLINE static void middle(int depth)
{
    if (depth)
        middle(depth - 1);
    else
        call_deep();
    turns++;
}

static void (*volatile call_middle)(int) = middle;

NOINLINE static void *run(void *unused)
{
    call_middle(3);
    turns++;
    return unused;
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, run, NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}
