// Threads with more contexts than slots, with mode=cct: most calls are counted in batches while the table grows, and slots change hands. The
// program keeps books of all paths; another thread changes the phase meanwhile, and the phases add up.
// RUN: %hcct-cc -O2 -I%inputs -I%hcct-source/include %s -o %t.x -lpthread
// RUN: for phases in 0 1; do rm -f %t.bin && HCCT_OPTIONS=mode=cct:output=%t.bin %t.x $phases > %t.books && %hcct-decode --all --format=folded %t.bin | grep -F 'walks;' | sed 's/.*walks;//' | sort > %t.found && sort %t.books | cmp - %t.found || exit 1; done
// RUN: %hcct-decode --format=json --all %t.bin > %t.json && grep '"dropped"' %t.json && %hcct-decode %t.bin | grep 'sound: nothing dropped, nothing lost'
// RUN: test $(wc -l < %t.books) -gt 60000
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "e2e.h"

enum { THREADS = 3, DEPTH = 15, ROUNDS = 60000 };

static atomic_uint books[2 << DEPTH]; /* by path: a 1, then the turns, each a bit */
static atomic_bool ends;

static NOINLINE void left(uint32_t path, int depth, uint32_t turns);
static NOINLINE void right(uint32_t path, int depth, uint32_t turns);

static inline __attribute__((always_inline)) void enter(uint32_t path, int depth, uint32_t turns)
{
    books[path]++;
    if (!depth)
        return;
    if (turns & 1)
        left(2 * path, depth - 1, turns >> 1);
    else
        right(2 * path + 1, depth - 1, turns >> 1);
    work();
}

static NOINLINE void left(uint32_t path, int depth, uint32_t turns)
{
    enter(path, depth, turns);
}

static NOINLINE void right(uint32_t path, int depth, uint32_t turns)
{
    enter(path, depth, turns);
    work();
}

static NOINLINE void *walks(void *seed)
{
    uint64_t random = (uintptr_t)seed;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 6364136223846793005 + 1442695040888963407;
        if (random >> 63)
            left(2, DEPTH - 1, (uint32_t)(random >> 33));
        else
            right(3, DEPTH - 1, (uint32_t)(random >> 33));
    }
    return NULL;
}

static NOINLINE void *changes(void *unused)
{
    while (!ends) {
        hcct_phase("one");
        usleep(300);
        hcct_phase("two");
        usleep(300);
    }
    hcct_phase(NULL);
    return unused;
}

__attribute__((no_instrument_function)) static void print(uint32_t path, int depth)
{
    for (int bit = depth - 1; bit >= 0; bit--)
        printf("%s%s", path >> bit & 1 ? "right" : "left", bit ? ";" : "");
    printf(" %u\n", books[path]);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS], changer;
    int has_phases = argc > 1 && atoi(argv[1]);
    if (has_phases && pthread_create(&changer, NULL, changes, NULL))
        return 1;
    for (uintptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, walks, (void *)(i + 1)))
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ends = true;
    if (has_phases)
        pthread_join(changer, NULL);
    for (int depth = 1; depth <= DEPTH; depth++)
        for (uint32_t path = 1u << depth; path < 2u << depth; path++)
            if (books[path])
                print(path, depth);
    return 0;
}
