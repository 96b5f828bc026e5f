/* See checksum.h. A CRC is the remainder of the bytes, a polynomial over GF(2), by a constant one.
 *
 * x86-64: 16 bytes that more follow are worth the same as what two carry-less multiplications make of them,
 * 16 bytes further on: the products of their halves with x^(128 + 32) and x^(128 - 32) modulo the polynomial,
 * in bit-reflected form. AArch64 has an instruction for this very CRC. */
#include "format/checksum.h"

#include <stdbool.h>

enum { SHORT = 64 }; /* bytes that are not worth a table, or a look at the processor */

/* One step for the low byte of `crc`. */
static uint32_t step(uint32_t crc)
{
    crc &= 255;
    for (int bit = 0; bit < 8; bit++)
        crc = (crc >> 1) ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    return crc;
}

/* [k][byte]: that step for a byte that k more follow. */
static void make_tables(uint32_t tables[4][256])
{
    for (uint32_t byte = 0; byte < 256; byte++)
        tables[0][byte] = step(byte);
    for (int k = 1; k < 4; k++)
        for (uint32_t byte = 0; byte < 256; byte++)
            tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 255];
}

/* Makes its tables anew, 4 KB on the stack and some microseconds: sections are long and few. */
static __attribute__((noinline)) uint32_t by_tables(uint32_t crc, const unsigned char *at, size_t length)
{
    uint32_t tables[4][256];
    make_tables(tables);
    crc = ~crc;
    for (; length >= 4; length -= 4, at += 4) {
        crc ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        crc = tables[3][crc & 255] ^ tables[2][crc >> 8 & 255] ^ tables[1][crc >> 16 & 255] ^
              tables[0][crc >> 24];
    }
    while (length--)
        crc = (crc >> 8) ^ tables[0][(crc ^ *at++) & 255];
    return ~crc;
}

uint32_t hcct_checksum_portable(uint32_t crc, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    if (length >= SHORT)
        return by_tables(crc, at, length);
    crc = ~crc;
    while (length--)
        crc = step(crc ^ *at++) ^ crc >> 8;
    return ~crc;
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>
#include <wmmintrin.h>

static bool is_there(void)
{
    static _Atomic int known; /* 1: no, 2: yes; every thread finds the same */
    unsigned a, b, c, d;
    int state = atomic_load_explicit(&known, memory_order_relaxed);
    if (!state) {
        __cpuid(1, a, b, c, d);
        state = c & bit_PCLMUL ? 2 : 1;
        atomic_store_explicit(&known, state, memory_order_relaxed);
    }
    return state == 2;
}

/* So many bytes that what is left is less than 16; `state`: the inverted checksum so far. */
static __attribute__((target("sse2,pclmul"))) uint32_t fold(uint32_t state, const unsigned char **bytes,
                                                            size_t *length)
{
    const __m128i powers = _mm_set_epi64x(INT64_C(0x0ccaa009e), INT64_C(0x1751997d0));
    __m128i sum = _mm_xor_si128(_mm_loadu_si128((const __m128i *)*bytes), _mm_cvtsi32_si128((int)state));
    for (*bytes += 16, *length -= 16; *length >= 16; *bytes += 16, *length -= 16) {
        __m128i low = _mm_clmulepi64_si128(sum, powers, 0x00), high = _mm_clmulepi64_si128(sum, powers, 0x11);
        sum = _mm_xor_si128(_mm_xor_si128(low, high), _mm_loadu_si128((const __m128i *)*bytes));
    }
    unsigned char last[16];
    _mm_storeu_si128((__m128i *)last, sum);
    return ~hcct_checksum_portable(UINT32_MAX, last, sizeof last);
}

#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <string.h>
#include <sys/auxv.h>

static bool is_there(void)
{
    return getauxval(AT_HWCAP) & HWCAP_CRC32;
}

static __attribute__((target("crc"))) uint32_t fold(uint32_t state, const unsigned char **bytes,
                                                    size_t *length)
{
    for (uint64_t word; *length >= sizeof word; *bytes += sizeof word, *length -= sizeof word) {
        memcpy(&word, *bytes, sizeof word);
        state = __builtin_arm_crc32d(state, word);
    }
    return state;
}
#endif

uint32_t hcct_checksum(uint32_t crc, const void *bytes, size_t length)
{
    const unsigned char *rest = bytes;
    if (length >= SHORT && is_there())
        crc = ~fold(~crc, &rest, &length);
    return hcct_checksum_portable(crc, rest, length);
}
