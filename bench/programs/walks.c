/* Threads that each walk down a tree of calls at random: there are more contexts than slots, so nearly each
 * call misses.
 * Usage: walks THREADS DEPTH WALKS */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

enum { MOST = 256 };

static int depth;
static long walks;

static NOINLINE uint64_t left(int levels, uint64_t turns);

static NOINLINE uint64_t right(int levels, uint64_t turns)
{
    if (!levels)
        return turns;
    uint64_t sum = turns & 1 ? left(levels - 1, turns >> 1) : right(levels - 1, turns >> 1);
    return sum + 1;
}

static NOINLINE uint64_t left(int levels, uint64_t turns)
{
    if (!levels)
        return turns;
    uint64_t sum = turns & 1 ? left(levels - 1, turns >> 1) : right(levels - 1, turns >> 1);
    return sum + 3;
}

static void *walk(void *seed)
{
    uint64_t state = 88172645463325252 + 77777 * (uint64_t)(uintptr_t)seed, sum = 0;
    for (long i = 0; i < walks; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sum += left(depth, state);
    }
    return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    uint64_t sum = 0;
    long count = argc > 3 ? atol(argv[1]) : 0;
    if (count < 1 || count > MOST)
        return 2;
    depth = atoi(argv[2]);
    walks = atol(argv[3]);
    for (uintptr_t i = 0; i < (uintptr_t)count; i++)
        if (pthread_create(&threads[i], NULL, walk, (void *)(i + 1)))
            return 1;
    for (long i = 0; i < count; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += (uintptr_t)result;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
