/* The functions and sites that several profiles of one build have together. A profile has only those that its
 * own contexts need (runtime/output/subset.h), and says of them where they are in the source as far as that
 * is known: a build may have been compiled in another folder, or without -g.
 *
 * In a build a function is known by its base, a site by function, id and delta.
 * Invariants of `fixed`
 *   1. functions are in ascending order of base, sites in that of compare_sites (records.c); each is there
 *      once, as the first profile that has it, or knows its line, tells it;
 *   2. the arrays of `code` and the strings are its own, from malloc. It has no prefixes, contexts and cells;
 *      `run`, `columns` and `estimate` are those of the pool (pool.c), if there is one. */
#ifndef HCCT_DECODER_STORE_RECORDS_H
#define HCCT_DECODER_STORE_RECORDS_H

#include "decoder/store/profile.h"
#include "decoder/store/table.h"
#include "format/error.h"

struct hcct_records {
    uint64_t build_id;
    struct hcct_profile fixed;
    struct hcct_table string_table; /* by content: offsets */
    uint32_t string_capacity;
    bool lacks_evicted; /* of the functions */
};

/* Adds the functions and sites of a profile, which may be closed afterwards. A zeroed struct has none. On
 * false *error tells why: memory is out, or the profile is of another build, even if its build_id is the
 * same. */
bool hcct_records_add(struct hcct_records *records, const struct hcct_profile *profile,
                      struct hcct_error *error);
/* Behind hcct_records_add: adds the calls that functions of the profile have beside its contexts. */
void hcct_records_add_evicted(struct hcct_records *records, const struct hcct_profile *profile);
/* The calls of one context, by its id. give: the context leaves the sum, and its function keeps the calls.
 * take: the context comes into the sum, and its function, which had the calls, has them no more. */
void hcct_records_give_calls(struct hcct_records *records, uint64_t id, uint64_t calls);
void hcct_records_take_calls(struct hcct_records *records, uint64_t id, uint64_t calls);
/* Sets the calls beside contexts to 0 in all functions, for good: nothing is added to them any more. */
void hcct_records_drop_evicted(struct hcct_records *records);
/* The offset of a string, which is added if it is new; 0 also when memory is out. */
uint32_t hcct_records_string(struct hcct_records *records, const char *text);
void hcct_records_free(struct hcct_records *records);

#endif
