/* Lays out a profile (include/hcct/format.h) in ordinary memory, for programs that write profiles but are not
 * profiled: the counterpart of reader.h. What a program writes of itself is laid out by
 * runtime/output/writer.c, which may use neither malloc nor stdio. */
#ifndef HCCT_DECODER_PROFILE_IMAGE_H
#define HCCT_DECODER_PROFILE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

struct hcct_image_section {
    uint32_t kind; /* enum hcct_file_kind */
    uint32_t element_bytes;
    const void *elements;
    size_t count;
};

/* The file, from malloc; NULL when memory is out. */
unsigned char *hcct_image_make(const struct hcct_image_section *sections, uint32_t section_count,
                               size_t *length);

#endif
