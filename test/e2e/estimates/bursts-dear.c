// Bursts: what is told of N and of shares is true where a program has many times as many contexts as a thread has slots, and counting takes longer than
// what is counted.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t && %hcct-decode --all --by=function --format=json %t.exact -o %t.exact.json
// RUN: for burst in on adaptive; do env HCCT_OPTIONS=mode=cct:burst=$burst:interval=5ms:length=1ms:output=%t.bin %t && \
// RUN:   %hcct-decode --all --by=function --format=json %t.bin -o %t.json && python3 %inputs/bursts.py %t.exact.json %t.json || exit 1; done
#include "levels.h"

enum { ROUNDS = 4000000 };

static unsigned state = 1;

__attribute__((noinline)) static void leaf(void)
{
    __asm__ volatile("");
}

/* One of 8 calls at each depth, as if at random: 8^5 contexts of fifth(), and 16 times as many of leaf(). */
LEVEL(fifth, _Pragma("unroll(16)") for (int i = 0; i < 16; i++) leaf())
LEVEL(fourth, fifth(path >> 3))
LEVEL(third, fourth(path >> 3))
LEVEL(second, third(path >> 3))
LEVEL(first, second(path >> 3))

int main(void)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        state = state * 1664525 + 1013904223;
        first(state >> 17);
    }
    return 0;
}
