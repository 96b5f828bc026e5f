/* walks SEED CALLS [BIAS]: random walks down a tree of calls, always the same for the same arguments. Deep and skewed: many
 * more contexts than counters where epsilon is not tiny. With BIAS another part of the tree is hot. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static uint64_t state, bias;
static long calls_left;
static volatile int worked;

static unsigned draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32);
}

static void step(int depth);

static NOINLINE void red(int depth)
{
    worked++;
    step(depth);
    worked++;
}

static NOINLINE void green(int depth)
{
    worked++;
    if (depth < 12)
        step(depth + 1);
    worked++;
}

static NOINLINE void blue(int depth)
{
    worked++;
    if (draw() % 4)
        red(depth);
    worked++;
}

static void (*volatile pointer)(int) = blue;

static inline __attribute__((always_inline)) void inlined(int depth)
{
    if (draw() % 3 == 0)
        green(depth);
    worked++;
}

static NOINLINE void step(int depth)
{
    if (depth >= 12 || calls_left-- <= 0)
        return;
    switch ((__builtin_ctz(draw() | 64) + bias) % 7) {
    case 0:
        red(depth + 1);
        break;
    case 1:
        blue(depth + 1);
        red(depth + 2);
        break;
    case 2:
        pointer(depth + 1);
        break;
    case 3:
        inlined(depth + 1);
        break;
    case 4:
        green(depth + 1);
        green(depth + 1);
        break;
    case 5:
        raise(SIGUSR1);
        break;
    default:
        break;
    }
    worked++;
}

static void handler(int number)
{
    (void)number;
    if (draw() % 2)
        blue(9);
    worked++;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    state = (strtoull(argv[1], NULL, 10) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    calls_left = atol(argv[2]);
    bias = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    signal(SIGUSR1, handler);
    while (calls_left > 0)
        step(0);
    return 0;
}
