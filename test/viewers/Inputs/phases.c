/* 10 calls in no phase, 100 in `setup`, 1001 in another one. */
#include <hcct/hcct.h>

__attribute__((noinline)) static void leaf(void)
{
    __asm__ volatile("");
}

int main(void)
{
    for (int i = 0; i < 9; i++)
        leaf();
    hcct_phase("setup");
    for (int i = 0; i < 100; i++)
        leaf();
    hcct_phase("a;b <c>");
    for (int i = 0; i < 1001; i++)
        leaf();
    return 0;
}
