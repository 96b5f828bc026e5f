/* Which functions and sites a profile needs, so that it has no others: those on the paths of its contexts.
 *
 * A path is found as the decoder finds it, from its end: among the numbered calls of all functions, at most
 * one leads to an id. The ids of a call's callee are above those of its caller. So the functions are looked
 * at once, in descending order of their ids: when a function's turn comes, all ids are known to which its
 * calls may lead.
 *
 * What is kept
 *   1. a function with an id on a path, and the sites of the path's calls and pushes;
 *   2. the sites of such a function whose callee has the same name as that of one of the first, or also none:
 *      with them hcct-compare tells calls apart of which only one was made;
 *   3. the callees of all these sites.
 * At first only calls of functions that paths end in are looked at. That is enough where each call was
 * counted, and whether it was enough can be told from what was found: each id has a call that leads to it, or
 * begins a path. Otherwise all functions are looked at.
 * Cost: O(sites of these functions log ids), memory for a place of each function, a bit of each site, and the
 * ids. Only if all are looked at: O(functions + sites log ids).
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_OUTPUT_SUBSET_H
#define HCCT_RUNTIME_OUTPUT_SUBSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"
#include "runtime/output/bits.h"

/* A function with ids. */
struct hcct_image_function {
    const struct hcct_function *record;
    uint64_t base; /* a copy, so that sorting and searching read an array of these alone */
    uint32_t object;
    uint32_t index;   /* in the file, if it has the function */
    uint64_t evicted; /* as in the file */
};

/* Ends a path with `id`, and, unless it is 0, `site`: a push of the function that has the id. */
struct hcct_subset_end {
    uint64_t id, site;
};

struct hcct_subset {
    struct hcct_subset_end *ends; /* a hash table; id 0: free */
    size_t end_count, table_size;
    uint64_t *ids; /* on paths, descending */
    size_t id_count, id_capacity;
    size_t explained; /* ids that a call leads to: at most one leads to each */
    /* a filter of `ids`: word e stands for the ids of [2^e, 2^(e + 1)), which its 64 bits divide into equal
     * parts; a bit is set if any id is in its part */
    uint64_t ranges[64];
    /* sets (bits.h) of functions, in the order of the image's */
    uint64_t *on_path;        /* some path has an id of it */
    uint64_t *may_begin;      /* its base may begin a path */
    uint64_t *kept;           /* for records.c */
    uint64_t may_begin_bases; /* a filter: the bases of those */
    uint64_t *sites;          /* the set of sites that are kept, of functions on paths */
    uint32_t *first_site;     /* by function on a path: the number of its first site in that set */
    uint32_t site_count;      /* that have a number there */
    size_t memory_bytes;      /* of all these sets and `first_site` */
    bool failed;              /* memory is short: everything is kept */
};

/* The path that ends with `id` is needed; with `site`, 0 for none, as above. An id of no function is
 * ignored. */
void hcct_subset_need(struct hcct_subset *subset, uint64_t id, uint64_t site);
/* Finds the sites and functions of all paths. False if memory is short. */
bool hcct_subset_find(struct hcct_subset *subset, const struct hcct_image_function *functions,
                      uint32_t function_count, uint32_t site_count);
/* Whether it has a site of a function on a path. */
static inline bool hcct_subset_keeps(const struct hcct_subset *subset, uint32_t function, uint32_t site)
{
    return hcct_bits_has(subset->sites, subset->first_site[function] + site);
}
void hcct_subset_close(struct hcct_subset *subset);

#endif
