/* ranks CALLS: each rank walks through a tree of calls at random, by a seed of its own. So ranks have hot
 * contexts in common and cold ones of their own. Then rank 0 tells how long its MPI_Finalize takes, from a
 * moment at which all ranks have come. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static uint64_t state;
static long calls;
static volatile int worked;

static unsigned draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32);
}

static void step(int depth);

#define KIND(name)                                                                                           \
    static NOINLINE void name(int depth)                                                                     \
    {                                                                                                        \
        worked++;                                                                                            \
        step(depth + 1);                                                                                     \
        worked++;                                                                                            \
    }
KIND(red)
KIND(green)
KIND(blue)
KIND(black)

static NOINLINE void step(int depth)
{
    if (depth >= 14 || calls-- <= 0)
        return;
    for (int i = 0; i < 2; i++)
        switch (__builtin_ctz(draw() | 16)) {
        case 0:
            red(depth);
            break;
        case 1:
            green(depth);
            break;
        case 2:
            blue(depth);
            break;
        case 3:
            black(depth);
            break;
        }
    worked++;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    state = ((uint64_t)rank + 1) * UINT64_C(0x9e3779b97f4a7c15);
    calls = argc > 1 ? atol(argv[1]) : 1000000;
    while (calls > 0)
        step(0);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = now();
    MPI_Finalize();
    if (rank == 0)
        printf("%.6f\n", now() - begin);
    return 0;
}
