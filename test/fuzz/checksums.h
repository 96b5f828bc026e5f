/* Every byte of a profile is under a checksum, which would end each run of a fuzzer at once: they are put
 * right first. */
#ifndef HCCT_TEST_FUZZ_CHECKSUMS_H
#define HCCT_TEST_FUZZ_CHECKSUMS_H

#include <string.h>

#include "format/checksum.h"
#include "format/layout.h"

static void fix_checksums(unsigned char *bytes, size_t length)
{
    struct hcct_file_header header;
    struct hcct_file_section section;
    if (length < sizeof header)
        return;
    memcpy(&header, bytes, sizeof header);
    size_t table_bytes = (size_t)header.section_count * sizeof section;
    if (length - sizeof header < table_bytes)
        return;
    header.file_bytes = length;
    header.checksum = 0;
    for (unsigned char *at = bytes + sizeof header; at < bytes + sizeof header + table_bytes;
         at += sizeof section) {
        memcpy(&section, at, sizeof section);
        if (section.offset > length || section.bytes > length - section.offset)
            continue;
        section.checksum = hcct_checksum(0, bytes + section.offset, section.bytes);
        memcpy(at, &section, sizeof section);
    }
    header.checksum =
        hcct_checksum(hcct_checksum(0, &header, sizeof header), bytes + sizeof header, table_bytes);
    memcpy(bytes, &header, sizeof header);
}

#endif
