/* The parts of a profile that tell what its words mean, for the pass and the runtime: so without malloc. This
 * and guide.h are the parts of encoding/ that know the file (format/). The decoder has a reader of its own.
 *
 * Any bytes are safe to read: sizes and checksums are looked at first, and the index refuses what is no
 * numbering. What the elements hold beside the numbering is not checked. */
#ifndef HCCT_ENCODING_PARTS_H
#define HCCT_ENCODING_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encoding/index.h"
#include "format/layout.h"

struct hcct_parts {
    const struct hcct_file_run *run;
    const char *strings;
    const struct hcct_file_function *functions;
    const struct hcct_file_site *sites;
    const struct hcct_file_prefix *prefixes;
    const struct hcct_file_context *contexts;
    const struct hcct_file_cell *cells; /* of the first column, in ascending order of contexts */
    uint32_t string_bytes, function_count, site_count, prefix_count, context_count, cell_count;
};

/* False if these are not the bytes of a whole profile, or its contexts have another encoding. `file` is
 * 8-aligned. */
bool hcct_parts_find(struct hcct_parts *parts, const void *file, size_t length);
/* Bytes that hcct_parts_index needs, a multiple of 8. */
size_t hcct_parts_index_bytes(const struct hcct_parts *parts);
/* Builds the index of ids in `memory`, 8-aligned. Its edges are the sites. */
bool hcct_parts_index(const struct hcct_parts *parts, struct hcct_index *index, uint64_t *memory);
/* The prefix h that words below `prefix` were made from. Of roots, pushes, and what has its h as its word. */
uint64_t hcct_parts_prefix_hash(const struct hcct_file_prefix *prefix);
/* A string of the file; "" if there is none at that offset. */
const char *hcct_parts_string(const struct hcct_parts *parts, uint32_t offset);

#endif
