/* What a previous profile says of call sites, to guide a numbering: how often each was called. For the pass.
 *
 * A hint: ids and contexts are exact whatever the numbers are. A call is counted where its callee's contexts
 * are: at the encoded edge that the id of an entry ends with, or at the push that its prefix ends with.
 *
 * Any bytes are safe to read: sizes, checksums and indices are looked at before they are relied on.
 * Cost: O(bytes + n log n) of sites and entries. Threads: a guide that was read is never written. */
#ifndef HCCT_ENCODING_GUIDE_H
#define HCCT_ENCODING_GUIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_guide_site {
    uint64_t id;
    uint64_t calls;
};

/* All sites of the profiled program, by id. */
struct hcct_guide {
    struct hcct_guide_site *sites;
    uint32_t site_count;
};

/* Bytes that a guide's sites take and that reading it takes besides, both 8-aligned. False if these are not
 * the bytes of a whole profile of calls. `file` is 8-aligned. */
bool hcct_guide_measure(const void *file, size_t length, size_t *site_bytes, size_t *scratch_bytes);
/* False if what is in the file does not fit together. Only after hcct_guide_measure. */
bool hcct_guide_read(struct hcct_guide *guide, const void *file, size_t length, void *site_memory,
                     void *scratch);

/* The site, or NULL. */
const struct hcct_guide_site *hcct_guide_find(const struct hcct_guide *guide, uint64_t id);
/* The weight (struct hcct_edge) of a site that has this one by static frequency. Those that the profile has
 * calls of come first, in steps of a factor of 2; then what it does not know, then what it knows to be
 * cold. */
uint8_t hcct_guide_weight(const struct hcct_guide_site *site, uint8_t weight);

#endif
