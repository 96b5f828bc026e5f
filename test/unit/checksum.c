/* hcct_checksum and hcct_checksum_portable: against the published check value and a division bit by bit, of
 * all lengths to 300 at all alignments, in parts. */
#include "format/checksum.h"

#include <stdlib.h>

#include "check.h"

/* The remainder, with the bits of each byte from the lowest on. */
static uint32_t divide(const unsigned char *bytes, size_t length)
{
    uint64_t remainder = 0;
    for (size_t bit = 0; bit < 8 * length + 32; bit++) {
        unsigned next = bit < 8 * length ? bytes[bit / 8] >> bit % 8 & 1 : 0;
        next ^= bit < 32; /* begins inverted */
        remainder = remainder << 1 | next;
        if (remainder >> 32)
            remainder ^= UINT64_C(0x104c11db7);
    }
    uint32_t reflected = 0;
    for (int bit = 0; bit < 32; bit++)
        reflected |= (uint32_t)(remainder >> bit & 1) << (31 - bit);
    return ~reflected;
}

int main(void)
{
    static unsigned char bytes[1 << 17];
    unsigned random = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)((random = random * 1103515245 + 12345) >> 16);
    CHECK(hcct_checksum_portable(0, "123456789", 9) == 0xcbf43926);
    CHECK(hcct_checksum(0, "123456789", 9) == 0xcbf43926);
    for (size_t length = 0; length <= 300; length++) {
        const unsigned char *start = bytes + length % 17;
        uint32_t right = divide(start, length);
        CHECK(hcct_checksum_portable(0, start, length) == right);
        CHECK(hcct_checksum(0, start, length) == right);
        for (size_t first = 0; first < length; first += 1 + length / 7) {
            CHECK(hcct_checksum_portable(hcct_checksum_portable(0, start, first), start + first,
                                         length - first) == right);
            CHECK(hcct_checksum(hcct_checksum(0, start, first), start + first, length - first) == right);
        }
    }
    CHECK(hcct_checksum(0, bytes, sizeof bytes) == divide(bytes, sizeof bytes));
    CHECK_DONE();
}
