/* Four calls; with an argument, some of the processor's time. */
#include <stdio.h>

__attribute__((noinline)) static void work(long rounds)
{
    for (volatile long i = 0; i < rounds; i++)
        ;
}

int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 3; i++)
        work(argc > 1 ? 100000000 : 1);
    puts("ran");
}
