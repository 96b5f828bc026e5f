/* Mutual recursion: Hofstadter's female and male sequences, where each function calls the other with what the
 * other returned.
 * Usage: mutual N ROUNDS */
#include <stdio.h>
#include <stdlib.h>

static unsigned male(unsigned n);

__attribute__((noinline)) static unsigned female(unsigned n)
{
    return n ? n - male(female(n - 1)) : 1;
}

__attribute__((noinline)) static unsigned male(unsigned n)
{
    return n ? n - female(male(n - 1)) : 0;
}

int main(int argc, char **argv)
{
    unsigned sum = 0, n = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
    for (int round = argc > 2 ? atoi(argv[2]) : 1; round > 0; round--)
        sum += female(n) + male(n - (unsigned)(round & 1));
    printf("%u\n", sum);
    return 0;
}
