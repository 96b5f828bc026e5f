/* builds ROUNDS: calls of every kind, for builds that differ: -DMORE adds functions in front, which have other numbers then, and calls. */
#include <hcct/hcct.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned sink;
static void *volatile kept;

#ifdef MORE
__attribute__((noinline)) void before(void)
{
    free(kept);
    kept = malloc(7);
}
__attribute__((noinline)) void only_here(int depth)
{
    before();
    if (depth)
        only_here(depth - 1);
}
#else
#define only_here(depth) (void)0
#endif
#line 100
__attribute__((noinline)) void leaf(void)
{
    sink++;
}
static inline void small(void)
{
    leaf();
}
__attribute__((noinline)) void allocate(size_t bytes)
{
    free(kept);
    kept = malloc(bytes);
}
__attribute__((noinline)) int compare(const void *left, const void *right)
{
    small();
    return memcmp(left, right, 4);
}
__attribute__((noinline)) void sort(void)
{
    uint32_t numbers[9] = { 9, 4, 2, 7, 1, 3, 8, 6, 5 };
    qsort(numbers, 9, 4, compare);
}
__attribute__((noinline)) void recurse(int depth)
{
    small();
    if (depth)
        recurse(depth - 1);
    else
        sort();
}
__attribute__((noinline)) void handler(int number)
{
    (void)number;
    leaf();
}
static void (*volatile pointers[])(int) = { recurse, handler };
__attribute__((noinline)) void *work(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++)
        pointers[i & 1](i);
    return NULL;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t thread;
    signal(SIGUSR1, handler);
    for (int i = 0; i < rounds; i++) {
        hcct_phase(i & 1 ? "odd" : "even");
        recurse(i % 5);
        raise(SIGUSR1);
        work(NULL);
        allocate(100 + (size_t)i);
        only_here(i);
    }
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
