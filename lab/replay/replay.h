/* Runs a trace through a streaming algorithm, or through exact counters. The runtime has slots in front of
 * its algorithm; here are none. Each call is one update
 * (D'Elia et al., SPE 2015, section 3.3). Or only those that are in bursts, or sampled (sampling.h).
 *
 * A sample counts for its call, and for the calls of up to `frames` - 1 frames above it that are new since
 * the stream's sample before: Arnold and Sweeney's increment-the-last-edge-only is 1, their
 * increment-all-new-edges is no limit, and Whaley's K (JVM profiler, Java Grande 2000) lies between. Where a
 * limit leaves the frames above unknown, the context is the true one. */
#ifndef HCCT_LAB_REPLAY_REPLAY_H
#define HCCT_LAB_REPLAY_REPLAY_H

#include "lab/replay/sampling.h"
#include "lab/replay/trace.h"

struct hcct_algorithm;

struct hcct_replay_options {
    const struct hcct_algorithm *algorithm; /* NULL: mode=cct */
    double phi, epsilon;
    struct hcct_sampling_options sampling;
    uint32_t frames; /* that a sample counts for, at least 1 */
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
