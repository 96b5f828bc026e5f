/* Compresses and expands generated text by matches that are found through a hash table (LZ77), with a literal
 * and a match as one sequence: most of the time is spent in loops, as in zstd, and calls are few.
 * Usage: compress ROUNDS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 20, HASH_LOG2 = 15, LEAST = 4, FARTHEST = 65535 };

static uint8_t text[SIZE], packed[SIZE + SIZE / 64 + 64], restored[SIZE + 64];
static uint32_t state = 1;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 16) % below;
}

/* Words of a small vocabulary, so that there is something to find. */
static void generate(void)
{
    char words[512][12];
    for (int i = 0; i < 512; i++) {
        int length = 2 + (int)draw(9);
        for (int j = 0; j < length; j++)
            words[i][j] = (char)('a' + draw(26));
        words[i][length] = 0;
    }
    for (size_t at = 0; at < SIZE;) {
        const char *word = words[draw(1 + draw(512))];
        size_t length = strlen(word), room = SIZE - at;
        memcpy(text + at, word, length < room ? length : room);
        at += length;
        if (at < SIZE)
            text[at++] = ' ';
    }
}

static uint32_t read32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static size_t match_length(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
    const uint8_t *start = b;
    while (b + 8 <= end) {
        uint64_t x, y;
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y)
            return (size_t)(b - start) + (size_t)__builtin_ctzll(x ^ y) / 8;
        a += 8;
        b += 8;
    }
    while (b < end && *a == *b)
        a++, b++;
    return (size_t)(b - start);
}

static uint8_t *put_length(uint8_t *out, size_t length)
{
    for (; length >= 255; length -= 255)
        *out++ = 255;
    *out++ = (uint8_t)length;
    return out;
}

static uint8_t *put_sequence(uint8_t *out, const uint8_t *literals, size_t count, size_t distance,
                             size_t length)
{
    out = put_length(out, count);
    memcpy(out, literals, count);
    out += count;
    *out++ = (uint8_t)distance;
    *out++ = (uint8_t)(distance >> 8);
    return put_length(out, length);
}

static size_t compress(void)
{
    static uint32_t last[1 << HASH_LOG2];
    uint8_t *out = packed;
    const uint8_t *at = text, *from = text, *end = text + SIZE;
    memset(last, 0, sizeof last);
    while (at + LEAST + 8 < end) {
        uint32_t *slot = &last[read32(at) * 2654435761U >> (32 - HASH_LOG2)];
        const uint8_t *before = text + *slot;
        *slot = (uint32_t)(at - text);
        if (before >= at || at - before > FARTHEST || read32(before) != read32(at)) {
            at++;
            continue;
        }
        size_t length = match_length(before, at, end);
        out = put_sequence(out, from, (size_t)(at - from), (size_t)(at - before), length);
        at += length;
        from = at;
    }
    return (size_t)(put_sequence(out, from, (size_t)(end - from), 0, 0) - packed);
}

static size_t get_length(const uint8_t **in)
{
    size_t length = 0;
    uint8_t byte;
    do
        length += byte = *(*in)++;
    while (byte == 255);
    return length;
}

static void expand(size_t size)
{
    uint8_t *out = restored;
    for (const uint8_t *in = packed; in < packed + size;) {
        size_t count = get_length(&in);
        memcpy(out, in, count);
        out += count;
        in += count;
        size_t distance = in[0] | (size_t)in[1] << 8;
        in += 2;
        for (size_t length = get_length(&in); length > 0; length--, out++)
            *out = *(out - distance);
    }
}

int main(int argc, char **argv)
{
    size_t size = 0;
    generate();
    for (int round = argc > 1 ? atoi(argv[1]) : 1; round > 0; round--) {
        size = compress();
        expand(size);
        text[(unsigned)round * 7919U % SIZE] ^= 1;
        restored[(unsigned)round * 7919U % SIZE] ^= 1;
        if (memcmp(text, restored, SIZE))
            return 1;
    }
    printf("%zu\n", size);
    return 0;
}
