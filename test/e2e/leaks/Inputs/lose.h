/* For programs that lose blocks. */
#include <stdlib.h>

/* Makes a block that no pointer leads to afterwards, if wipe() is called, too. */
__attribute__((noinline, unused)) static void lose(size_t bytes)
{
    void *volatile block = malloc(bytes);
    if (!block)
        abort();
    block = NULL;
}

/* Overwrites what is left of pointers on the stack, below its caller. */
__attribute__((noinline, unused)) static void wipe(void)
{
    volatile char stack[8192];
    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = 0;
}
