/* An output that ends where a profile of its size can mean no more: formats that write the path of each
 * context grow with the square of the depth, which is a few numbers in a hostile file. docs/format.md tells
 * the limit. */
#ifndef HCCT_DECODER_TEXT_LIMIT_H
#define HCCT_DECODER_TEXT_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hcct_limit {
    FILE *out;
    uint64_t left; /* bytes */
    bool passed;   /* more was to be written */
    int reason;    /* errno, where `out` failed */
};

/* A stream that writes to `out`, as much as may come of profiles of so many bytes; beyond it fails, with
 * passed set. NULL when memory is out. */
FILE *hcct_limit_open(struct hcct_limit *limit, FILE *out, uint64_t file_bytes);

/* Counts bytes that are written in fewer, compressed; false beyond the limit. */
bool hcct_limit_take(struct hcct_limit *limit, uint64_t bytes);

/* Closes the stream, not `out`, whose error is in errno then. False beyond the limit. */
bool hcct_limit_close(struct hcct_limit *limit, FILE *stream);

#endif
