/* Several sorted lists are merged to one result. For each list a set of bits, one for each element of the
 * result, says which of them the list has: its members. Both have one order, so the list's n-th element is
 * its n-th member. */
#ifndef HCCT_DECODER_STORE_MEMBERS_H
#define HCCT_DECODER_STORE_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "decoder/store/table.h"

/* Zeroed, it is empty. */
struct hcct_members {
    uint64_t *words;
    uint32_t word_capacity;
    uint32_t count; /* of the list */
};

/* Appends a bit: whether the next element of the result is a member. False when memory is out. */
static inline bool hcct_members_add(struct hcct_members *members, bool is_one)
{
    uint32_t word = members->count / 64, bit = members->count % 64;
    if (!bit && !hcct_vector_grow(&members->words, &members->word_capacity, word, sizeof *members->words))
        return false;
    members->words[word] = (bit ? members->words[word] : 0) | (uint64_t)is_one << bit;
    members->count++;
    return true;
}

static inline bool hcct_members_have(const struct hcct_members *members, uint32_t index)
{
    return index < members->count && members->words[index / 64] >> index % 64 & 1;
}

static inline void hcct_members_free(struct hcct_members *members)
{
    free(members->words);
    *members = (struct hcct_members){ 0 };
}

/* A walk from one to the next; it begins zeroed. */
struct hcct_members_walk {
    uint32_t passed; /* how many it has come to */
    uint32_t end;    /* of the list: behind the last of them */
};

/* The index in the result of member number `n`, from 0. From call to call of one walk `n` never gets smaller.
 * UINT32_MAX: there are fewer members. */
static inline uint32_t hcct_members_at(const struct hcct_members *members, struct hcct_members_walk *walk,
                                       uint32_t n)
{
    while (walk->passed <= n) {
        uint32_t at = walk->end;
        uint64_t left = at < members->count ? members->words[at / 64] >> at % 64 : 0;
        while (!left && (at = (at | 63) + 1) < members->count)
            left = members->words[at / 64];
        if (!left)
            return UINT32_MAX;
        walk->end = at + (uint32_t)__builtin_ctzll(left) + 1;
        walk->passed++;
    }
    return walk->end - 1;
}

#endif
