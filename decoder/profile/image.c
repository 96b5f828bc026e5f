#include "decoder/profile/image.h"

#include <stdlib.h>
#include <string.h>

#include "hcct/format.h"

static size_t aligned(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

unsigned char *hcct_image_make(const struct hcct_image_section *sections, uint32_t section_count,
                               size_t *length)
{
    size_t table_bytes = section_count * sizeof(struct hcct_file_section);
    struct hcct_file_header header = { .version = HCCT_FILE_VERSION,
                                       .header_bytes = sizeof header,
                                       .section_count = section_count };
    *length = sizeof header + table_bytes;
    for (uint32_t i = 0; i < section_count; i++)
        *length = aligned(*length) + sections[i].count * sections[i].element_bytes;
    unsigned char *bytes = calloc(1, *length);
    if (!bytes)
        return NULL;
    size_t at = sizeof header + table_bytes;
    for (uint32_t i = 0; i < section_count; i++) {
        struct hcct_file_section section = { .kind = sections[i].kind,
                                             .element_bytes = sections[i].element_bytes };
        section.offset = at = aligned(at);
        section.bytes = sections[i].count * sections[i].element_bytes;
        section.checksum = hcct_checksum(0, sections[i].elements, section.bytes);
        memcpy(bytes + sizeof header + i * sizeof section, &section, sizeof section);
        if (section.bytes)
            memcpy(bytes + at, sections[i].elements, section.bytes);
        at += section.bytes;
    }
    memcpy(header.magic, HCCT_FILE_MAGIC, sizeof header.magic);
    header.file_bytes = *length;
    header.checksum =
        hcct_checksum(hcct_checksum(0, &header, sizeof header), bytes + sizeof header, table_bytes);
    memcpy(bytes, &header, sizeof header);
    return bytes;
}
