/* What the claims of a column stand on: what was counted, how much of it, and how sure that is. Made once, of
 * a profile and what is looked at of it; claim.h says what follows from it.
 *
 * Of all that shows a profile this folder alone asks for its mode, metric and guarantee, whether its counts
 * are estimates, and whether a sum has stopped. How columns and their cells add up, with the proofs, stands
 * in store/pool.h. */
#ifndef HCCT_DECODER_CLAIM_GROUND_H
#define HCCT_DECODER_CLAIM_GROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder/claim/noun.h"
#include "decoder/store/choice.h"
#include "format/layout.h"

/* The weakest that holds of all counts of a column; a sum has the weakest of its parts. Where counts are
 * estimates, a bound of the algorithm that keeps them says nothing of the true ones: what is chance has an
 * interval instead (decoder/store/estimate.h), which includes that bound. */
enum hcct_sure {
    HCCT_SURE_EXACT,   /* each count is the true one, but for what the profile says was lost */
    HCCT_SURE_UPPER,   /* the true one is at most the count, and at least the count less its error */
    HCCT_SURE_CHANCE,  /* estimates, from samples or bursts */
    HCCT_SURE_NOTHING, /* counting stopped at 2^64 - 1 */
};

struct hcct_ground {
    enum hcct_sure sure;
    const struct hcct_noun *noun;
    const char *metric, *title, *unit; /* "time", "CPU time", "ns" */
    const char *mode, *algorithm, *guarantee;
    const char *phase; /* of the program, that all this is about; NULL: whole runs */
    int value;         /* of a heap: enum hcct_heap_value */
    uint64_t total;    /* N */
    uint64_t floor;    /* a context that is not in the profile has at most this count */
    uint64_t missing;  /* the part of `total` that no context has; any of them may have had it */
    uint64_t since;    /* of the run's calls, up to which each count was exact; 0: not known */
    double epsilon;    /* the largest of the profiles */
    double delta;      /* the probability that the bound of any hot context fails; the sum of the profiles' */
    bool is_bounded;   /* not all contexts are kept */
    bool is_inferred;  /* from stack heights */
    bool has_estimate; /* counted in bursts or samples: */
    struct hcct_file_estimate estimate;
    bool has_samples; /* of a heap: what follows */
    double variance;  /* of the total; < 0: not known */
    uint64_t period;  /* bytes for a sample; 0: they differ */
};

/* Of `column`, which is the one that `choice` chooses. */
void hcct_ground_make(struct hcct_ground *ground, const struct hcct_profile *profile,
                      const struct hcct_choice *choice, const struct hcct_file_column *column);

#endif
