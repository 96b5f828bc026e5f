/* Packed elements, as the larger sections of a profile have them (HCCT_SECTION_PACKED). An element mostly
 * differs from the one before in few words, and its numbers are small. So each word of 4 bytes is XORed with
 * that word of the element before (of the first one: with 0), and then takes 0, 1, 2 or 4 bytes. Of each
 * element, four words after the other:
 *
 *     tag: 2 bits for each word, the first one's are the lowest; 0 to 3 stand for these numbers of bytes
 *     the bytes of each word, the lowest first
 *
 * The last words of an element may be fewer than four; the rest of the tag is 0. So a packed section has at
 * least a sixteenth of its bytes. It ends where an element ends. */
#ifndef HCCT_FORMAT_PACKED_H
#define HCCT_FORMAT_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    HCCT_PACKED_GROUP = 4,  /* words under one tag */
    HCCT_PACKED_WORDS = 16, /* of an element that can be packed, at most */
    /* of a packed element, at most. The last word is stored whole, whatever of it is needed */
    HCCT_PACKED_BYTES = HCCT_PACKED_WORDS / HCCT_PACKED_GROUP + HCCT_PACKED_WORDS * sizeof(uint32_t),
};

/* The bytes that a word with this code takes: 0, 1, 2 or 4. */
static inline unsigned hcct_packed_bytes_of(unsigned code)
{
    return 1u << code >> 1;
}

/* By the number of bits that a word needs: its code, and four times its bytes above. */
static const unsigned char hcct_packed_by_bits[33] = {
    [0] = 0, [1 ... 8] = 1 | 1 << 2, [9 ... 16] = 2 | 2 << 2, [17 ... 32] = 3 | 4 << 2
};

/* Packs a word. Returns its code. */
static inline unsigned hcct_packed_put_word(unsigned char **to, uint32_t word)
{
    unsigned of = hcct_packed_by_bits[63 - __builtin_clzll((uint64_t)word << 1 | 1)];
    memcpy(*to, &word, sizeof word); /* what follows overwrites the bytes that are not needed */
    *to += of >> 2;
    return of & 3;
}

/* Packs an element, whose words are even in number. Returns the end of what it wrote; up to HCCT_PACKED_BYTES
 * change. Cost: for each two words 7 instructions if they are the same as before, else some 30. */
static inline unsigned char *hcct_packed_put(unsigned char *to, const uint32_t *element,
                                             const uint32_t *before, size_t word_count)
{
    unsigned char *tag = to;
    for (size_t i = 0; i < word_count; i += 2) {
        uint64_t pair, other;
        memcpy(&pair, &element[i], sizeof pair);
        memcpy(&other, &before[i], sizeof other);
        pair ^= other;
        if (i % HCCT_PACKED_GROUP == 0)
            *(tag = to++) = 0;
        if (!pair)
            continue;
        unsigned codes = hcct_packed_put_word(&to, (uint32_t)pair);
        codes |= hcct_packed_put_word(&to, (uint32_t)(pair >> 32)) << 2;
        *tag = (unsigned char)(*tag | codes << (i % HCCT_PACKED_GROUP * 2));
    }
    return to;
}

/* The bytes of the words under a tag. */
static inline unsigned hcct_packed_bytes_under(unsigned tag)
{
    static const unsigned char of_two[] = { 0, 1, 2, 4, 1, 2, 3, 5, 2, 3, 4, 6, 4, 5, 6, 8 };
    return (unsigned)of_two[tag & 15] + of_two[tag >> 4];
}

/* The end of the packed element at `at`, or NULL if it is not whole before `end`. */
static inline const unsigned char *hcct_packed_skip(const unsigned char *at, const unsigned char *end,
                                                    size_t word_count)
{
    for (size_t left = word_count; left; left -= left < HCCT_PACKED_GROUP ? left : HCCT_PACKED_GROUP) {
        if (at == end || (left < HCCT_PACKED_GROUP && *at >> 2 * left))
            return NULL;
        unsigned bytes = hcct_packed_bytes_under(*at++);
        if ((size_t)(end - at) < bytes)
            return NULL;
        at += bytes;
    }
    return at;
}

/* Unpacks a word. Up to `end` may be read. */
static inline uint32_t hcct_packed_get_word(const unsigned char **at, unsigned code, const unsigned char *end)
{
    static const uint32_t mask[] = { 0, 0xff, 0xffff, 0xffffffff };
    uint32_t word = 0;
    if ((size_t)(end - *at) >= sizeof word)
        memcpy(&word, *at, sizeof word);
    else
        memcpy(&word, *at, hcct_packed_bytes_of(code));
    *at += hcct_packed_bytes_of(code);
    return word & mask[code];
}

/* Unpacks an element that is whole, as hcct_packed_skip says: XORs it with `element`, which is the one
 * before. Up to `end` may be read. Returns its end. */
static inline const unsigned char *hcct_packed_get(uint32_t *element, size_t word_count,
                                                   const unsigned char *at, const unsigned char *end)
{
    for (size_t i = 0; i < word_count; i += HCCT_PACKED_GROUP)
        for (unsigned codes = *at++, word = 0; codes; codes >>= 2, word++)
            if (codes & 3)
                element[i + word] ^= hcct_packed_get_word(&at, codes & 3, end);
    return at;
}

#endif
