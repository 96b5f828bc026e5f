#include <stdio.h>

__attribute__((noinline)) static int sum(int total, int i)
{
    __asm__ volatile("");
    return total + i;
}

int main(void)
{
    int total = 0;
    for (int i = 1; i <= 100; i++)
        total = sum(total, i);
    printf("%d\n", total);
    return 0;
}
