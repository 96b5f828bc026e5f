// A pool: 10 blocks of 120 bytes are taken, and 3 given back, by each of two threads.
#include <pthread.h>
#include <stdlib.h>

void *pool_take(int which, unsigned count, size_t bytes);
void pool_give(void *pool, void *block);

#ifndef MAIN
static __thread char *slab;
static __thread size_t used;
void *pool_take(int which, unsigned count, size_t bytes)
{
    if (!slab)
        slab = malloc(1 << 16);
    used += count * bytes;
    return slab + used - count * bytes + (which & 0);
}
void pool_give(void *pool, void *block)
{
    *(char *)block = pool != NULL;
}
#endif

#ifndef POOL
static __attribute__((noinline)) void *work(void *unused)
{
    void *blocks[10];
    for (int i = 0; i < 10; i++)
        blocks[i] = pool_take(1, 5, 24);
    for (int i = 0; i < 3; i++)
        pool_give(NULL, blocks[i]);
    return unused;
}
int main(void)
{
    pthread_t thread;
    if (work(NULL) || pthread_create(&thread, NULL, work, NULL))
        return 1;
    pthread_join(thread, NULL);
}
#endif
