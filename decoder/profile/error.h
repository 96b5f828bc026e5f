/* What went wrong while a profile was read or decoded: a code, the offset in the file, and a message. */
#ifndef HCCT_DECODER_PROFILE_ERROR_H
#define HCCT_DECODER_PROFILE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

enum hcct_decode_code {
    HCCT_DECODE_OK = 0,
    HCCT_DECODE_TRUNCATED, /* shorter than it says */
    HCCT_DECODE_FOREIGN,   /* no profile at all */
    HCCT_DECODE_VERSION,   /* a profile of another format version */
    HCCT_DECODE_CORRUPT,   /* breaks an invariant of hcct/format.h */
    HCCT_DECODE_MISMATCH,  /* does not go with the files before it */
    HCCT_DECODE_MEMORY,    /* out of memory */
    HCCT_DECODE_LIMIT,     /* means more than a file of its size may: a tree, or an output, without end */
};

struct hcct_decode_error {
    enum hcct_decode_code code;
    uint64_t offset; /* of the byte that the message is about; HCCT_DECODE_NOWHERE where there is none */
    char message[192];
};

#define HCCT_DECODE_NOWHERE UINT64_MAX

/* Fills *error and returns false, so that a check can say `return hcct_decode_fail(...)`. */
bool hcct_decode_fail(struct hcct_decode_error *error, enum hcct_decode_code code, uint64_t offset,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

static inline bool hcct_decode_out_of_memory(struct hcct_decode_error *error)
{
    return hcct_decode_fail(error, HCCT_DECODE_MEMORY, HCCT_DECODE_NOWHERE, "out of memory");
}

/* Counts come from files: sums stop at the largest number instead of wrapping. */
static inline uint64_t hcct_sum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
