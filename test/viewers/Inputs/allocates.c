/* Ten functions take memory by a function of their own, one of them by the library's too: 10 * 1000 bytes, and 3 * 700. */
#include <stdlib.h>

static void *volatile kept;

__attribute__((noinline)) static void take(void)
{
    kept = malloc(1000);
    free(kept);
}

#define USER(name)                                                                                             \
    __attribute__((noinline)) static void name(void)                                                           \
    {                                                                                                          \
        take();                                                                                                \
        kept = NULL;                                                                                           \
    }
USER(u1)
USER(u2)
USER(u3)
USER(u4)
USER(u5)
USER(u6)
USER(u7)
USER(u8)
USER(u9)

__attribute__((noinline)) static void both(void)
{
    take();
    for (int i = 0; i < 3; i++) {
        kept = calloc(7, 100);
        free(kept);
    }
}

int main(void)
{
    void (*const users[])(void) = { u1, u2, u3, u4, u5, u6, u7, u8, u9, both };
    for (int i = 0; i < 10; i++)
        users[i]();
    return 0;
}
