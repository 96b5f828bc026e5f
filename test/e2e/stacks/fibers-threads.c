// Fibers that move between threads: each goes on where it was, whichever thread resumes it.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.0 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>

#include "e2e.h"

enum { THREADS = 4, FIBERS = 16, STEPS = 2000, BYTES = 64 * 1024 };

struct fiber {
    ucontext_t context;
    ucontext_t *volatile back; /* who resumed it */
    int left;
};

static struct fiber fibers[FIBERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int queue[FIBERS], queued, ended;
static atomic_ulong worked_all;

NOINLINE void leaf(void) { atomic_fetch_add(&worked_all, 1); }
static void (*volatile pointer)(void) = leaf;

NOINLINE void nest(struct fiber *self, int depth)
{
    if (depth)
        nest(self, depth - 1);
    else
        swapcontext(&self->context, self->back);
    pointer();
}

void run(int number)
{
    struct fiber *self = &fibers[number];
    for (; self->left > 0; self->left--) {
        nest(self, self->left & 1);
        leaf();
    }
    swapcontext(&self->context, self->back);
    abort();
}

void *scheduler(void *unused)
{
    ucontext_t here;
    for (;;) {
        int number = -1;
        pthread_mutex_lock(&lock);
        int finished = ended == FIBERS;
        if (queued) {
            number = queue[0];
            for (int i = 1; i < queued; i++)
                queue[i - 1] = queue[i];
            queued--;
        }
        pthread_mutex_unlock(&lock);
        if (finished)
            return unused;
        if (number < 0)
            continue;
        fibers[number].back = &here;
        int was = fibers[number].left;
        swapcontext(&here, &fibers[number].context);
        pthread_mutex_lock(&lock);
        if (fibers[number].left == 0 && was == 0)
            abort();
        if (fibers[number].left == 0)
            ended++;
        else
            queue[queued++] = number;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < FIBERS; i++) {
        getcontext(&fibers[i].context);
        fibers[i].context.uc_stack.ss_sp = malloc(BYTES);
        fibers[i].context.uc_stack.ss_size = BYTES;
        fibers[i].context.uc_link = NULL;
        fibers[i].left = STEPS;
        makecontext(&fibers[i].context, (void (*)(void))run, 1, i);
        queue[queued++] = i;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, scheduler, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: run 16
// CHECK-NEXT: run;leaf 32000
// CHECK-NEXT: run;nest 32000
// CHECK-NEXT: run;nest;leaf 32000
// CHECK-NEXT: run;nest;nest 16000
// CHECK-NEXT: run;nest;nest;leaf 16000
// CHECK-NEXT: scheduler 4
