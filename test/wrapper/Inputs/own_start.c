/* A program with a beginning of its own, for no-start-files.test. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int add(int sum, int next)
{
    __asm__ volatile("");
    return sum + next;
}

__attribute__((noinline)) static _Noreturn void run(void)
{
    int sum = 0;
    for (int i = 1; i <= 100; i++)
        sum = add(sum, i);
    printf("%d\n", sum);
    exit(7);
}

__attribute__((force_align_arg_pointer)) _Noreturn void _start(void)
{
    run();
}
