/* A context in one word (Sumner et al., "Precise Calling Context Encoding", ICSE 2010, sections 3.1 and 3.3):
 * what the runtime and the decoder know of the encoding. All arithmetic on words is here.
 *
 * A context is a path in the call graph. Its last part, since the last push, has an id: number.h numbers
 * the acyclic paths. What lies below that push is its prefix: a hash of the chain of pushes, 0 at a thread's
 * root (or, with threads=split, hcct_context_thread).
 *
 *     word = prefix + id                    modulo 2^64
 *     prefix of what a push calls           a bijection of the pusher's word, another for each site
 *
 * Invariants
 *   1. hcct_context_id(hcct_context_word(prefix, id), prefix) == id;
 *   2. hcct_context_pusher(hcct_context_push(word, site), site) == word, so a chain can be checked and taken
 *      apart;
 *   3. ids are multiples of HCCT_ID_UNIT, from HCCT_ID_FIRST on. Two contexts of one prefix have different
 *      words; of two prefixes they have equal words with a probability of about 2^-64, or 2^-60 if both have
 *      one push, as a word without any is a multiple of the unit. Then their counts are added up in one of
 *      them, and nothing tells. Among n contexts there is such a pair with a probability of n^2 / 2^61 at
 *      the most.
 *
 * Another encoding is another meaning of `word`, and goes here: what a frame of the context stack adds to a
 * prefix, and how an id is made from what is known at a call. What instrumented code does itself is in
 * pass/emit/pushes.c, calls.c and entry.c, and has to agree. */
#ifndef HCCT_ENCODING_CONTEXT_H
#define HCCT_ENCODING_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "hcct/abi.h"

/* The word of the context `id` above `prefix`. The base of a function is the id of its first path. */
static inline uint64_t hcct_context_word(uint64_t prefix, uint64_t id)
{
    return prefix + id;
}

/* The id of `word` above `prefix`; any number, if the word was made from another one. */
static inline uint64_t hcct_context_id(uint64_t word, uint64_t prefix)
{
    return word - prefix;
}

/* Whether `id`, which may be any number, is one of those from `first` on, whose range is so long. */
static inline bool hcct_context_is_id(uint64_t id, uint64_t first, uint64_t length)
{
    return id % HCCT_ID_UNIT == 0 && id - first < length;
}

/* The prefix that `word` was made from with `id`. */
static inline uint64_t hcct_context_prefix(uint64_t word, uint64_t id)
{
    return word - id;
}

/* The prefix of what is called by the push of the context `word` at `site`, which is odd. */
static inline uint64_t hcct_context_push(uint64_t word, uint64_t site)
{
    return hcct_mix(word, site);
}

/* The prefix of a leaf below the context `word`: code of an object without contexts, which `site` tells.
 * Below a root the word is 0, of which a push would make 0. */
static inline uint64_t hcct_context_leaf(uint64_t word, uint64_t site)
{
    return hcct_context_push(word ? word : HCCT_WORD_NONE, site);
}

/* With threads=split: the prefix of a thread's root, by the number of the thread. The seed is arbitrary. */
#define HCCT_CONTEXT_THREAD_SEED UINT64_C(0x7468726561642121)
static inline uint64_t hcct_context_thread(uint64_t number)
{
    return hcct_context_push(HCCT_CONTEXT_THREAD_SEED, 2 * number + 1);
}

/* The word of the context whose push at `site` made `prefix`. */
static inline uint64_t hcct_context_pusher(uint64_t prefix, uint64_t site)
{
    return hcct_unmix(prefix, site);
}

#endif
