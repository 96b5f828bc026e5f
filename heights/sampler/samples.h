/* The file that the sampler of stack heights leaves: its only definition, for the sampler and for hcct-heights.
 *
 *     struct hcct_samples
 *     struct hcct_sample[HCCT_SAMPLE_SLOTS]     a hash table; a free one has pc 0
 *
 * It is the sampler's memory, so it is whole at every instruction, whatever ends the process. */
#ifndef HCCT_HEIGHTS_SAMPLER_SAMPLES_H
#define HCCT_HEIGHTS_SAMPLER_SAMPLES_H

#include <stdint.h>

#define HCCT_SAMPLES_MAGIC UINT64_C(0x31534c5053544348) /* "HCTSPLS1" */

enum { HCCT_SAMPLE_SLOTS = 1 << 16, HCCT_SAMPLE_PROBES = 64 };

enum hcct_sample_kind {
    HCCT_SAMPLE_INSIDE = 0, /* the thread was in the program's own code */
    /* it was in a library: `pc` is the newest address on the stack that a call of the program may return to.
     * It may be an older one that nothing has overwritten */
    HCCT_SAMPLE_OUTSIDE = 1,
};

/* A thread was at `pc` with its stack so high: so many times. */
struct hcct_sample {
    uint64_t pc;     /* as the program was linked */
    uint64_t height; /* bytes from SP to the CFA of the thread's first function, shifted by 1; and the kind */
    uint64_t count;
};

struct hcct_samples {
    uint64_t magic;
    uint64_t interval_ns; /* of a thread's CPU time; 0: no timer */
    uint64_t taken;       /* all samples */
    /* samples that are in no slot: the table was full; the thread's first function is not known; a library's
     * code, and no address of the program's on the stack */
    uint64_t full, unbased, unplaced;
    uint64_t process;
    char program[488];
};

_Static_assert(sizeof(struct hcct_samples) == 544 && sizeof(struct hcct_sample) == 24, "file layout");

#endif
