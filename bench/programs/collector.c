/* Marks what is reachable in a heap of objects whose slots hold numbers, and one reference in every sixteenth
 * object: mutual recursion, of whose calls the compiler takes the one in the loop for the hot one.
 * Usage: collector ROUNDS */
#include <stdio.h>
#include <stdlib.h>

enum { OBJECTS = 1 << 12, SLOTS = 256 };

static unsigned slots[OBJECTS][SLOTS]; /* 0: a number; else an object */
static unsigned char marked[OBJECTS];

unsigned mark(unsigned object);

__attribute__((noinline)) unsigned scan(unsigned object)
{
    unsigned count = 1;
    for (int i = 0; i < SLOTS; i++)
        if (slots[object][i])
            count += mark(slots[object][i]);
    return count;
}

__attribute__((noinline)) unsigned mark(unsigned object)
{
    if (marked[object])
        return 0;
    marked[object] = 1;
    return scan(object) ^ marked[0]; /* no tail call */
}

int main(int argc, char **argv)
{
    unsigned total = 0, state = 1;
    for (unsigned i = 0; i < OBJECTS; i += 16) {
        state = state * 1664525 + 1013904223;
        slots[i][state >> 24] = state >> 16 & (OBJECTS - 1);
    }
    for (int round = argc > 1 ? atoi(argv[1]) : 1; round > 0; round--) {
        for (unsigned i = 0; i < OBJECTS; i++)
            marked[i] = 0;
        for (unsigned i = 1; i < OBJECTS; i++)
            total += mark(i);
    }
    printf("%u\n", total);
    return 0;
}
