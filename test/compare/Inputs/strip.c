/* strip I: what `even` and `odd` count tells which run it was. Half of the runs lack one of them. */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static volatile int worked;

static NOINLINE void all(void)
{
    worked++;
}

static NOINLINE void even(void)
{
    worked++;
}

static NOINLINE void odd(void)
{
    worked++;
}

int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 7; i++)
        all();
    for (int i = 0; i < 100 + number; i++)
        number % 2 ? odd() : even();
    return 0;
}
