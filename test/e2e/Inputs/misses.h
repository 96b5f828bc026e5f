/* A program that does nothing but miss: miss(n) calls one of 8 functions at each of four depths, n times, as
 * if at random. So there are 8^4 contexts of fourth(), and 16 times as many of leaf(). */
#include "levels.h"

__attribute__((noinline)) static void leaf(void)
{
    __asm__ volatile("");
}

LEVEL(fourth, _Pragma("unroll(16)") for (int i = 0; i < 16; i++) leaf())
LEVEL(third, fourth(path >> 3))
LEVEL(second, third(path >> 3))
LEVEL(first, second(path >> 3))

static inline void miss(unsigned rounds)
{
    unsigned state = 1;
    for (unsigned i = 0; i < rounds; i++) {
        state = state * 1664525 + 1013904223;
        first(state >> 17);
    }
}
