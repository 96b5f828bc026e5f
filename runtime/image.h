/* The bytes of a profile, laid out in reserved memory: checksums stand in front of what they cover.
 * Threads: under the table lock, but for hcct_image_make_static. No malloc of the program's, no stdio. */
#ifndef HCCT_RUNTIME_IMAGE_H
#define HCCT_RUNTIME_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/format.h"
#include "runtime/strings.h"
#include "runtime/summary.h"

enum { HCCT_IMAGE_SECTIONS = 10 }; /* at most */

struct hcct_image {
    char *bytes; /* the file */
    size_t size, capacity;
    struct hcct_file_section sections[HCCT_IMAGE_SECTIONS];
    uint32_t section_count;

    struct hcct_strings strings;

    size_t object_count, record_count;
    struct hcct_image_function *functions; /* in ascending order of base */
    uint32_t function_count, site_count;
    struct hcct_file_inlined *inlined;
    const struct hcct_inlined **inlined_records;
    uint32_t inlined_count, inlined_capacity;
    uint32_t *prefix_index; /* by node: 1 more than the index in the file */
    hcct_node *pending;     /* scratch, by node too */
    size_t prefix_bytes;    /* of each of the two */
    uint32_t prefix_count;
    uint32_t entry_count;
    uint64_t dropped_chain;
    uint32_t unit; /* string */
    bool pinned; /* there are pins, and a section for them */
    uint64_t build; /* equal for two runs whose ids mean the same */
    bool failed;
};

/* Lays out the profile of what was counted so far; false if memory is short. Close it in both cases. */
bool hcct_image_make(struct hcct_image *image);
/* The same without a context. Not under the table lock. */
bool hcct_image_make_static(struct hcct_image *image);
void hcct_image_close(struct hcct_image *image);

#endif
