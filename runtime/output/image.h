/* The bytes of a profile of this process: in reserved memory, or written to a file as they come
 * (format/section_writer.h).
 * Threads: under the table lock, but for hcct_image_make_static. No malloc of the program's, no stdio. */
#ifndef HCCT_RUNTIME_OUTPUT_IMAGE_H
#define HCCT_RUNTIME_OUTPUT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/canonical.h"
#include "format/layout.h"
#include "format/section_writer.h"
#include "runtime/base/real.h"
#include "runtime/output/strings.h"
#include "runtime/output/subset.h"
#include "runtime/output/sum.h"
#include "runtime/stream/space_saving.h"

/* A string of a record, and its place in the file. */
struct hcct_image_text {
    const char *text;
    uint32_t place;
};

/* An inlined frame, and 1 more than its index in the file. */
struct hcct_image_inlined {
    const struct hcct_inlined *record;
    uint32_t after;
};

struct hcct_image {
    struct hcct_section_writer out;
    struct hcct_strings strings;
    struct hcct_image_text texts[256]; /* a cache, by address */

    size_t object_count, record_count;
    struct hcct_image_function *functions; /* in ascending order of base */
    bool has_all;                          /* the file has all functions and sites */
    struct hcct_sum sum;
    struct hcct_subset subset;           /* those that it has, otherwise */
    uint32_t function_count, site_count; /* of all functions that have ids */
    struct hcct_file_inlined *inlined;
    struct hcct_image_inlined inlined_known[256]; /* a cache, by address */
    uint32_t inlined_count, inlined_capacity;
    bool keeps_all;         /* of mode=cct no node ever goes, and parents come first: all nodes are written */
    uint32_t *prefix_index; /* by node: 1 more than the index in the file; NULL: as they are */
    hcct_node *nodes;       /* of the file, in its order; NULL: as they are */
    hcct_node *pending;     /* scratch, by node */
    size_t node_bytes;      /* of each of the three */
    uint32_t prefix_count;
    uint32_t entry_count, pin_count; /* of the tables, that the file has */
    /* What is a context of the file, in canonical order. NULL: memory is short, or there are too many, and
     * they are written as they are */
    struct hcct_canonical_row *rows;
    size_t row_count;                 /* entry_count + pin_count */
    uint32_t *numbers;                /* by row: the meter's; NULL: memory is short, or it has none */
    struct hcct_file_column *columns; /* [column_count] */
    uint32_t column_count, cell_count;
    uint64_t dropped_chain;
    struct hcct_file_estimate observed; /* section estimate */
    bool pinned;                        /* there are pins */
    uint64_t build;                     /* build.h */
};

/* Begins the profile of what was counted so far: from now on `build` is known. False if memory is short.
 * Close it in both cases. */
bool hcct_image_open(struct hcct_image *image);
/* Writes it to an empty file that can seek; with -1 lays it out in memory. False if memory is short or
 * `out.error` is set. */
bool hcct_image_make(struct hcct_image *image, int file);
/* Both, in memory, without a context. Not under the table lock. */
bool hcct_image_make_static(struct hcct_image *image);
void hcct_image_close(struct hcct_image *image);

#endif
