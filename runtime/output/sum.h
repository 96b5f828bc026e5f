/* The contexts of all phases together, as the file has them: what the tables of the phases have of one key
 * is added up. A context that a phase does not have occurred there up to the phase's floor, so that floor
 * goes to its count and its error. Without phases it is a view of the one table.
 * Cost: O(entries of all phases). Memory: 48 to 96 bytes for each of them, while the file is written.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_OUTPUT_SUM_H
#define HCCT_RUNTIME_OUTPUT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/count/phases.h"

struct hcct_sum {
    const struct hcct_phase *only; /* its table, if there is one phase; else NULL */
    struct hcct_entry *entries;    /* open addressing, a power of two, at most 3/4 full */
    uint32_t *number;              /* by place: the entry's index in the file */
    size_t place_count;            /* of `entries`, or of the one summary */
    uint64_t floor;                /* the sum of all floors */
    uint64_t dropped;              /* by the tables themselves */
};

/* False if memory is short. Close it in both cases; a zeroed one is closed. */
bool hcct_sum_open(struct hcct_sum *sum);
/* The first entry at *place or behind it; *place becomes its place. False: there is none. */
bool hcct_sum_next(const struct hcct_sum *sum, size_t *place, struct hcct_entry *entry);
/* The entry has that index in the file. */
void hcct_sum_number(struct hcct_sum *sum, size_t place, uint32_t number);
/* The index of an entry that was given one. Only with phases. */
uint32_t hcct_sum_index(const struct hcct_sum *sum, uint64_t key);
void hcct_sum_close(struct hcct_sum *sum);

#endif
