/* Adds up exact profiles of one build as combine.h does, with the same result, in bounded memory: prefixes
 * and entries go through sorters (sorter.h), and only what does not grow with the number of contexts is in a
 * struct hcct_combine.
 *
 * An entry is a record with the hash of its chain (chains.h), its word, and its order: the number of the
 * profile and its place there. Sorted by chain and word, what belongs to one context stands together, in the
 * order of the profiles, and is added up (gather.h). Sorted by their first order, the sums stand where
 * combine.h would put them.
 *
 * Invariants
 *   1. the file is that of hcct_combine_write_into, byte for byte, as long as no strip there was dropped
 *      before the end (strip.h): here each strip is known that the profiles tell, of the contexts that are
 *      largest at the end;
 *   2. writing takes nothing away: more may be added after it.
 * Memory: the spill's; the functions and sites of all profiles; 16 bytes and the name of each profile; of one
 * that is a sum, its strips; a bit for each prefix of the current profile. */
#ifndef HCCT_DECODER_EXTERNAL_EXTERNAL_H
#define HCCT_DECODER_EXTERNAL_EXTERNAL_H

#include "decoder/combine/one_build/combine.h"
#include "decoder/combine/one_build/combine_write.h"
#include "decoder/external/chains.h"
#include "decoder/external/sorter.h"

/* Words of an entry's record; those of a sum have a struct hcct_file_spread behind them, whose sources are
 * numbers of names. */
enum {
    HCCT_EXTERNAL_HASH,
    HCCT_EXTERNAL_WORD = 2,
    HCCT_EXTERNAL_ORDER,
    HCCT_EXTERNAL_COUNT,
    HCCT_EXTERNAL_ERROR,
    HCCT_EXTERNAL_SPREAD,
    HCCT_EXTERNAL_WORDS = HCCT_EXTERNAL_SPREAD,
    HCCT_EXTERNAL_SUM_WORDS = HCCT_EXTERNAL_SPREAD + sizeof(struct hcct_file_spread) / 8
};

/* In the order of a pin's record. */
#define HCCT_EXTERNAL_PIN (UINT64_C(1) << 63)

struct hcct_external_file {
    uint32_t lacking_source; /* the name at the least count of a context that this profile lacks */
    uint32_t strip;          /* index of its strips, or HCCT_FILE_NONE: it is a single profile */
};

/* The strips of a sum, copied. */
struct hcct_external_strips {
    uint64_t *words, profiles;
    uint32_t word_count; /* 0: it has none */
    uint32_t file;
};

struct hcct_external {
    struct hcct_combine *combine;
    struct hcct_spill *spill;
    struct hcct_chains chains;
    struct hcct_sorter entries, sums;
    struct hcct_external_file *files;
    uint32_t file_count, file_capacity;
    struct hcct_external_strips *strips;
    uint32_t strip_count, strip_capacity;
};

/* Whether the profile is exact, and has nothing that only combine.h adds up: values of the heap, phases,
 * estimates, entries without a chain. */
bool hcct_external_takes(const struct hcct_profile *profile);
/* `combine` is a sum of none, and stays the caller's. */
void hcct_external_open(struct hcct_external *external, struct hcct_combine *combine,
                        struct hcct_spill *spill);
/* Adds a profile that it takes, as hcct_combine_add. `memory_bytes`: what is resident of an array by
 * prefix. */
bool hcct_external_add(struct hcct_external *external, const struct hcct_profile *profile,
                       uint64_t memory_bytes, struct hcct_error *error);
/* Writes the profile into an empty file that can seek. False if that failed, and errno tells why; or
 * something else did, *error tells what, and errno is 0. */
bool hcct_external_write(struct hcct_external *external, int file, struct hcct_error *error);
/* Fills *error with what failed: the spill, or two chains with one hash. Returns false. */
bool hcct_external_failed(const struct hcct_external *external, struct hcct_error *error);
/* What its records have in memory and in the temporary file. */
uint64_t hcct_external_bytes(const struct hcct_external *external);
void hcct_external_close(struct hcct_external *external);

#endif
