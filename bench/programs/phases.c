/* phases CHANGES THREADS [CONTEXTS]: changes between two phases, with so many threads that wait, and so many
 * contexts in each phase. */
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned worked;

__attribute__((noinline)) static void deep(int depth)
{
    worked++;
    if (depth > 1)
        deep(depth - 1);
    worked++;
}

static pthread_barrier_t barrier;

static void *run(void *argument)
{
    deep(10);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return argument;
}

int main(int argc, char **argv)
{
    int changes = argc > 1 ? atoi(argv[1]) : 1, threads = argc > 2 ? atoi(argv[2]) : 0,
        contexts = argc > 3 ? atoi(argv[3]) : 1;
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread, NULL, run, NULL);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < changes; i++) {
        hcct_phase(i % 2 ? "one" : "other");
        deep(contexts);
    }
    pthread_barrier_wait(&barrier);
    return 0;
}
