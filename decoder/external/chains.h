/* The prefixes of several profiles of one build, each once, in sorters: combine.c's map_prefixes and
 * intern_prefix where the prefixes of all profiles do not fit in memory.
 *
 * A prefix is known by the hash of its chain, which is made of the parent's hash and of its own fields.
 * Invariants
 *   1. numbers are given in the order in which prefixes were first added, so parents come before children,
 *      and the numbers are those of intern_prefix;
 *   2. two prefixes have the same number if and only if their chains are the same: all that have a hash in
 *      common also have the fields and the parent's hash in common, which is checked (`has_met`), and so for
 *      the parents. */
#ifndef HCCT_DECODER_EXTERNAL_CHAINS_H
#define HCCT_DECODER_EXTERNAL_CHAINS_H

#include "decoder/external/sorter.h"
#include "format/layout.h"

struct hcct_chain {
    uint64_t hash[2];
};

struct hcct_chains {
    struct hcct_spill *spill;
    struct hcct_sorter prefixes; /* hash, order, parent's hash, word, site, kind */
    struct hcct_sorter ordered;  /* the same, each once, by order */
    struct hcct_sorter numbers;  /* hash, number: once they are numbered */
    struct hcct_sorter parents;  /* number, the parent's number */
    uint32_t count;
    bool has_met; /* two different chains have one hash */
    /* while the prefixes are read */
    struct hcct_sorted reading, reading_parents;
    const uint64_t *parent;
    uint32_t next;
    struct hcct_file_prefix prefix;
};

void hcct_chains_open(struct hcct_chains *chains, struct hcct_spill *spill);
/* Adds a prefix, and returns its chain; `parent` is NULL if it has none. `order` ascends from one call to the
 * next, the root comes first. False if the spill failed. */
bool hcct_chains_add(struct hcct_chains *chains, const struct hcct_file_prefix *prefix,
                     const struct hcct_chain *parent, uint64_t order, struct hcct_chain *chain);
/* Numbers all that were added: fills `numbers`, `parents` and `count`. False if the spill failed, or
 * has_met. */
bool hcct_chains_number(struct hcct_chains *chains);
/* Reads the prefixes in the order of their numbers, once they are numbered. */
bool hcct_chains_read(struct hcct_chains *chains);
const void *hcct_chains_next(void *chains);
/* Forgets the numbers: more prefixes may be added. */
void hcct_chains_forget_numbers(struct hcct_chains *chains);
void hcct_chains_close(struct hcct_chains *chains);

#endif
