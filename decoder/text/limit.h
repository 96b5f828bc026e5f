/* A stream that ends where the output for a profile of its size must be wrong or hostile.
 *
 * Formats that write the whole path of each context grow with the square of the depth, and a few numbers in a
 * hostile file can make paths of any depth. docs/format.md states the limit. */
#ifndef HCCT_DECODER_TEXT_LIMIT_H
#define HCCT_DECODER_TEXT_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hcct_limit {
    FILE *out;
    uint64_t left; /* bytes */
    bool passed;   /* the limit was reached, and output is missing */
    int reason;    /* errno of the first failure of `out`; 0: none */
};

/* A stream that passes on to `out` what profiles of so many bytes may become. What comes beyond that is an
 * error of the stream, and `passed` is set. */
FILE *hcct_limit_open(struct hcct_limit *limit, FILE *out, uint64_t file_bytes);

/* Counts bytes that go out compressed, at the size that they had before. False beyond the limit. */
bool hcct_limit_take(struct hcct_limit *limit, uint64_t bytes);

/* Closes the stream; `out` stays open, and errno is its error. False beyond the limit. */
bool hcct_limit_close(struct hcct_limit *limit, FILE *stream);

#endif
