/* Which calls of a trace are counted, as the papers choose them.
 *
 *     BURSTS       the calls of the first `length` of each `interval`, in calls or in time of a stream:
 *                  static bursting. Adaptive bursting (`one_in` > 0): a burst is counted if none began in
 *                  the context of its first call before; of the others one in `one_in`, at random, with
 *                  that weight
 *     CALLS        each `interval`th call of a stream: Arnold and Sweeney's global counter
 *     FUNCTIONS    each `interval`th call of a function in a stream: their method counters
 *     TIME         the first call after each `interval` of a stream's time: their timer
 *
 * Each has a state for each stream, FUNCTIONS for each function of it. Random numbers come from a generator
 * with a fixed seed. After the last call hcct_sampling_end completes what was observed.
 * Sources: Zhuang, Serrano, Cain and Choi, PLDI 2006, by D'Elia et al., SPE 2015, section 6.1, and US patent
 * 7,818,722; Arnold and Sweeney, IBM RC 21789, 2000, section 3.2. */
#ifndef HCCT_LAB_REPLAY_SAMPLING_H
#define HCCT_LAB_REPLAY_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "format/layout.h"

enum hcct_sampling_kind {
    HCCT_SAMPLING_NONE,
    HCCT_SAMPLING_BURSTS,
    HCCT_SAMPLING_CALLS,
    HCCT_SAMPLING_FUNCTIONS,
    HCCT_SAMPLING_TIME
};

struct hcct_sampling_options {
    enum hcct_sampling_kind kind;
    bool in_ns;                /* BURSTS: in time, as TIME always is */
    uint64_t length, interval; /* of BURSTS: a multiple of the first */
    uint64_t one_in;
};

/* A call, as it is chosen by. */
struct hcct_sampling_call {
    uint32_t stream, context, function;
    uint64_t ns;
};

struct hcct_sampling_stream {
    uint64_t calls;    /* so far */
    uint64_t unit;     /* of the newest burst, from 1; the tick that was sampled */
    uint64_t weight;   /* of that burst's calls; 0: it is left out */
    uint64_t in_burst; /* calls */
    uint64_t counters[];
};

struct hcct_sampling {
    const struct hcct_sampling_options *options;
    struct hcct_sampling_stream **streams;
    uint32_t stream_count, function_count;
    uint8_t *begun; /* by context: a burst began in it */
    uint64_t random;
    bool failed; /* memory is out */
    struct hcct_file_estimate observed;
};

/* False if memory is short. Close it in both cases. */
bool hcct_sampling_open(struct hcct_sampling *sampling, uint32_t stream_count, uint32_t function_count,
                        uint32_t context_count);
void hcct_sampling_close(struct hcct_sampling *sampling);
/* How often the next call is counted; 0: not. */
uint64_t hcct_sampling_weigh(struct hcct_sampling *sampling, const struct hcct_sampling_call *call);
void hcct_sampling_end(struct hcct_sampling *sampling);
/* How many calls a counted one stands for, beside its weight. */
uint64_t hcct_sampling_factor(const struct hcct_sampling_options *options);

#endif
