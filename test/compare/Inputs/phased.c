/* phased SEED CALLS BIAS PHASES: the walks of walks.c, in so many phases that take turns, each with another hot part; 0: without phases. */
#include <hcct/hcct.h>
#define main walks_main
#include "walks.c"
#undef main

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    unsigned phases = (unsigned)atoi(argv[4]);
    uint64_t least = strtoull(argv[3], NULL, 10);
    state = (strtoull(argv[1], NULL, 10) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    calls_left = atol(argv[2]);
    signal(SIGUSR1, handler);
    for (unsigned i = 0; calls_left > 0; i++) {
        unsigned phase = i / 50 % (phases + 1);
        char name[] = { 'p', (char)('0' + phase), 0 };
        if (phases)
            hcct_phase(phase ? name : NULL);
        bias = least + phase;
        step(0);
    }
    return 0;
}
