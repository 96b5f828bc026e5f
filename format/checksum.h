/* The checksum of the format, faster where the processor has instructions for it. */
#ifndef HCCT_FORMAT_CHECKSUM_H
#define HCCT_FORMAT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* hcct_checksum (hcct/format.h). */
uint32_t hcct_checksum_fast(uint32_t crc, const void *bytes, size_t length);

#endif
