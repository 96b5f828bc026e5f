/* The checksum of the format: CRC-32 (IEEE 802.3), as zlib's crc32. No malloc. Threads, signals: any. */
#ifndef HCCT_FORMAT_CHECKSUM_H
#define HCCT_FORMAT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of `bytes`, continued from `crc`, which is 0 at the start. Uses the processor's instructions
 * for it, where it has them: half an instruction a byte, or a quarter. */
uint32_t hcct_checksum(uint32_t crc, const void *bytes, size_t length);

/* The same without these: 4 instructions a byte. */
uint32_t hcct_checksum_portable(uint32_t crc, const void *bytes, size_t length);

#endif
