/* What went wrong while a profile was read or decoded: a code, the offset in the file, and a message. */
#ifndef HCCT_FORMAT_ERROR_H
#define HCCT_FORMAT_ERROR_H

#include <stdbool.h>
#include <stdint.h>

enum hcct_error_code {
    HCCT_ERROR_NONE = 0,
    HCCT_ERROR_TRUNCATED, /* shorter than it says */
    HCCT_ERROR_FOREIGN,   /* no profile at all */
    HCCT_ERROR_VERSION,   /* a profile of another format version, or with another encoding */
    HCCT_ERROR_CORRUPT,   /* breaks an invariant of format/layout.h */
    HCCT_ERROR_MISMATCH,  /* does not go with the files before it */
    HCCT_ERROR_MEMORY,    /* out of memory */
    HCCT_ERROR_LIMIT,     /* means more than a file of its size may: a tree, or an output, without end */
};

struct hcct_error {
    enum hcct_error_code code;
    uint64_t offset; /* of the byte that the message is about; HCCT_ERROR_NOWHERE where there is none */
    char message[192];
};

#define HCCT_ERROR_NOWHERE UINT64_MAX

/* Fills *error and returns false, so that a check can say `return hcct_error_set(...)`. No malloc. */
bool hcct_error_set(struct hcct_error *error, enum hcct_error_code code, uint64_t offset, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

static inline bool hcct_error_out_of_memory(struct hcct_error *error)
{
    return hcct_error_set(error, HCCT_ERROR_MEMORY, HCCT_ERROR_NOWHERE, "out of memory");
}

#endif
