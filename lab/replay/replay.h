/* Runs a trace through a streaming algorithm, or through exact counters: as if the run had been made with
 * these options, but for the slots, which the runtime has in front of the algorithm. Each call is one update
 * (D'Elia et al., SPE 2015, section 3.3).
 *
 * Bursts: of each `burst_interval` calls of a stream the first `burst_length` are counted, and weigh
 * burst_interval / burst_length: static bursting (section 6.1), by calls instead of time, since a traced run
 * has not the time of a run. Or single calls are sampled (strides.h). */
#ifndef HCCT_LAB_REPLAY_REPLAY_H
#define HCCT_LAB_REPLAY_REPLAY_H

#include "lab/replay/trace.h"

struct hcct_algorithm;

struct hcct_replay_options {
    const struct hcct_algorithm *algorithm; /* NULL: mode=cct */
    double phi, epsilon;
    uint64_t burst_length, burst_interval; /* 0: no bursts. The second is a multiple of the first */
    uint64_t sample_period; /* one call of so many is counted; 0 or 1: each one. Not with bursts */
    bool per_function;      /* of so many of each function's */
};

/* What happened; trees are those of contexts by call sites (the paper's CCT and MCCT). */
struct hcct_replay_facts {
    uint64_t calls, counted;      /* recorded; those that were in bursts, or samples */
    uint64_t contexts, cct_nodes; /* counted at least once; with all their ancestors */
    uint64_t monitored, nodes;    /* at the end */
    uint64_t peak_nodes;          /* the most that were needed at one time */
    uint64_t algorithm_bytes;
};

/* The bytes of the profile, from malloc; NULL with *error. */
unsigned char *hcct_replay(const struct hcct_trace *trace, const struct hcct_replay_options *options,
                           struct hcct_replay_facts *facts, size_t *length, struct hcct_error *error);

#endif
