/* Four calls; with an argument, some of the processor's time. -DHALF and -DOTHER_HALF: a file each. */
#include <stdio.h>

void work(long rounds);

#ifndef HALF
__attribute__((noinline)) void work(long rounds)
{
    for (volatile long i = 0; i < rounds; i++)
        ;
}
#endif

#ifndef OTHER_HALF
int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < 3; i++)
        work(argc > 1 ? 100000000 : 1);
    puts("ran");
}
#endif
