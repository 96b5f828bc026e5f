/* What the metrics count, and how that is said. A new metric is a row of the table in noun.c. */
#ifndef HCCT_DECODER_CLAIM_NOUN_H
#define HCCT_DECODER_CLAIM_NOUN_H

#include <stdbool.h>
#include <stdint.h>

struct hcct_noun {
    const char *whole;   /* behind the amount of all of it: " of CPU time"; NULL: nothing */
    const char *pprof;   /* the type of pprof's samples; NULL: the unit */
    const char *how;     /* how it was counted, for a heading: "by samples"; NULL: nothing to be said */
    const char *missed;  /* what became of those that no context was known for */
    uint32_t setting;    /* enum hcct_setting that a build needs for it; 0: none */
    const char *unbuilt; /* why there are none if the build lacks it; otherwise: */
    const char *nothing;
    int decimals;      /* of nanoseconds, which are shown as seconds; 0: it is no time */
    bool is_calls;     /* entries of functions */
    bool is_heap;      /* bytes or blocks, of several values */
    bool has_singular; /* the unit without its last letter */
    bool by_samples;   /* each is of a sample that stands for a fixed number of them */
    bool by_caller;    /* where a library was called tells more than which function of it was: [malloc] */
};

/* Of a metric, with its unit. */
const struct hcct_noun *hcct_noun_of(uint32_t metric, const char *unit);

#endif
