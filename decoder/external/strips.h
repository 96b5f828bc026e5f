/* The strips of an external sum: all of a context's values come together, so the contexts that are largest at
 * the end have all that the profiles tell. Memory: 1 MB, and 8 bytes a profile. */
#ifndef HCCT_DECODER_EXTERNAL_STRIPS_H
#define HCCT_DECODER_EXTERNAL_STRIPS_H

#include "decoder/external/external.h"

struct hcct_largest {
    uint64_t known, order; /* the sum of what is known; the context's order */
    struct hcct_strip_row row;
};

struct hcct_strips {
    const struct hcct_external *external;
    struct hcct_strip strip;       /* its bins, and what the contexts that are not among the largest have */
    struct hcct_strip_part *parts; /* by index of external->strips */
    uint32_t *first_place;         /* by file: index in `places` */
    uint32_t *places;              /* by bin of a part: the bin here */
    uint32_t *seen;                /* by index of external->strips: the last context that it told */
    struct hcct_largest **largest; /* a heap: the smallest one first; then in the order of contexts */
    uint32_t largest_count;
    struct hcct_largest *current;
    uint32_t number; /* of the current context */
};

/* False when memory is out; it may be closed even then. */
bool hcct_strips_open(struct hcct_strips *strips, const struct hcct_external *external);
/* Begins a context. Then its records come, in the order of the profiles. */
void hcct_strips_begin(struct hcct_strips *strips);
void hcct_strips_add(struct hcct_strips *strips, uint32_t file, uint32_t entry, uint64_t count, bool again);
bool hcct_strips_end(struct hcct_strips *strips, uint64_t order);
/* After the last context: the largest ones in order. */
void hcct_strips_sort(struct hcct_strips *strips);
/* The section's words, once the rows have their contexts; NULL when memory is out. */
uint64_t *hcct_strips_make(struct hcct_strips *strips, uint32_t *count);
void hcct_strips_close(struct hcct_strips *strips);

#endif
