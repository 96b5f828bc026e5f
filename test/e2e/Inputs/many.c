/* Contexts by recursion, as many as the argument says, and then thirty threads at once. */
#include <pthread.h>
#include <stdlib.h>

#include "e2e.h"

static NOINLINE void down(int depth)
{
    if (depth > 0)
        down(depth - 1);
    work();
}

static void *thread(void *barrier)
{
    down(10);
    pthread_barrier_wait(barrier);
    return NULL;
}

int main(int count, char **arguments)
{
    enum { THREADS = 30 };
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, THREADS);
    down(count == 2 ? atoi(arguments[1]) : 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, &barrier);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
