/* Eight threads of worker, some with names, and two of writer. Worker 5 does most; workers 2 and 3 never do rare things. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static volatile int done;
static pthread_barrier_t begun;

__attribute__((noinline)) static void item(void)
{
    done = 1;
}

__attribute__((noinline)) static void rare(void)
{
    item();
}

static void *worker(void *argument)
{
    int number = (int)(intptr_t)argument;
    for (int i = 0; i < (number == 5 ? 1000 : 100 + number); i++)
        item();
    if (number != 2 && number != 3)
        rare();
    pthread_barrier_wait(&begun);
    return NULL;
}

static void *writer(void *argument)
{
    for (intptr_t i = 0; i < (intptr_t)argument; i++)
        rare();
    pthread_barrier_wait(&begun);
    return NULL;
}

int main(void)
{
    pthread_t threads[10];
    pthread_barrier_init(&begun, NULL, 10);
    for (intptr_t i = 0; i < 10; i++)
        pthread_create(&threads[i], NULL, i < 8 ? worker : writer, (void *)i);
    for (int i = 0; i < 10; i++)
        pthread_join(threads[i], NULL);
    rare();
    return 0;
}
