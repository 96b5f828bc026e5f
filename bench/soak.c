/* Runs for the given seconds at full load: four threads at a time, thousands in all, each in other contexts
 * (recursion, pointers, callbacks), with short waits. Prints how many there were. For scripts/soak. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 4, WORDS = 500 };

static volatile uint64_t sink;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state >> 33;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort(uint64_t *state)
{
    uint64_t words[WORDS];
    for (int i = 0; i < WORDS; i++)
        words[i] = next(state);
    qsort(words, WORDS, sizeof words[0], compare);
    sink += words[WORDS / 2];
}

static void wait_briefly(uint64_t *state)
{
    usleep((useconds_t)(next(state) % 300));
}

static void descend(uint64_t *state, int depth);

static void left(uint64_t *state, int depth)
{
    descend(state, depth - 1);
}

static void right(uint64_t *state, int depth)
{
    descend(state, depth - 2);
    if (next(state) % 64 == 0)
        wait_briefly(state);
}

static void (*volatile const ways[])(uint64_t *, int) = { left, right };

static void descend(uint64_t *state, int depth)
{
    if (depth <= 0)
        sort(state);
    else
        ways[next(state) % 2](state, depth);
}

static void *run(void *seed)
{
    uint64_t state = (uint64_t)(uintptr_t)seed;
    for (int i = 0; i < 100; i++)
        descend(&state, 1 + (int)(next(&state) % 20));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[AT_ONCE];
    unsigned long count = 0;
    for (double end = now() + (argc > 1 ? atof(argv[1]) : 10); now() < end; count++) {
        if (count >= AT_ONCE)
            pthread_join(threads[count % AT_ONCE], NULL);
        if (pthread_create(&threads[count % AT_ONCE], NULL, run, (void *)(uintptr_t)(count * 2654435761)) !=
            0)
            return 1;
    }
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
    printf("%lu\n", count);
    return 0;
}
