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

static inline unsigned hcct_packed_code(uint32_t word)
{
    return (word != 0) + (word > 0xff) + (word > 0xffff);
}

static inline unsigned hcct_packed_bytes_of(unsigned code)
{
    return 1u << code >> 1;
}

/* Packs an element. Returns the end of what it wrote; up to HCCT_PACKED_BYTES change. Without a branch on
 * what the words are: 14 instructions for each. */
static inline unsigned char *hcct_packed_put(unsigned char *to, const uint32_t *element,
                                             const uint32_t *before, size_t word_count)
{
    for (size_t i = 0; i < word_count; i += HCCT_PACKED_GROUP) {
        unsigned char *tag = to++;
        unsigned codes = 0;
        for (size_t j = i; j < word_count && j < i + HCCT_PACKED_GROUP; j++) {
            uint32_t word = element[j] ^ before[j];
            unsigned code = hcct_packed_code(word);
            codes |= code << 2 * (j - i);
            memcpy(to, &word, sizeof word); /* what follows overwrites the bytes that are not needed */
            to += hcct_packed_bytes_of(code);
        }
        *tag = (unsigned char)codes;
    }
    return to;
}

/* The end of the packed element at `at`, or NULL if it is not whole before `end`. */
static inline const unsigned char *hcct_packed_skip(const unsigned char *at, const unsigned char *end,
                                                    size_t word_count)
{
    for (size_t left = word_count; left; left -= left < HCCT_PACKED_GROUP ? left : HCCT_PACKED_GROUP) {
        size_t bytes = 0;
        if (at == end || (left < HCCT_PACKED_GROUP && *at >> 2 * left))
            return NULL;
        for (unsigned codes = *at++; codes; codes >>= 2)
            bytes += hcct_packed_bytes_of(codes & 3);
        if ((size_t)(end - at) < bytes)
            return NULL;
        at += bytes;
    }
    return at;
}

/* Unpacks an element that is whole, as hcct_packed_skip says. Returns its end. */
static inline const unsigned char *hcct_packed_get(uint32_t *element, const uint32_t *before,
                                                   size_t word_count, const unsigned char *at)
{
    unsigned codes = 0;
    for (size_t i = 0; i < word_count; i++, codes >>= 2) {
        codes = i % HCCT_PACKED_GROUP ? codes : *at++;
        unsigned bytes = hcct_packed_bytes_of(codes & 3);
        uint32_t word = 0;
        memcpy(&word, at, bytes);
        element[i] = word ^ (before ? before[i] : 0);
        at += bytes;
    }
    return at;
}

#endif
