/* The trace of a run (HCCT_OPTIONS=trace=FILE): the context of every call, in order, and then the profile
 * that tells what the contexts are. Its only definition, for the writer in the runtime and hcct-lab replay.
 *
 *     struct hcct_trace_header
 *     chunks: struct hcct_trace_chunk, then its content, which zeros fill up to a multiple of 8
 *         CALLS     calls of one stream, coded; a stream is what one thread, or its handlers, calls
 *         PROFILE   an ids.bin (layout.h) of mode=cct
 *         END       struct hcct_trace_end; the last chunk
 *
 * How calls are coded: writer and reader keep the same model of each stream, which guesses a call's word from
 * the three words before. Content is, again and again: how many guesses were right (7 bits a byte, lowest
 * first, the high bit says that more follow), and one word that was not guessed: its place in the table of
 * words, 2 bytes, or the byte pair HCCT_TRACE_NEW and the word. The chunk ends behind a number of right
 * guesses. No library compresses: the runtime must not call malloc, and a loop takes a few bits a call so.
 *
 * Time: in place of a word there may be the byte pair HCCT_TRACE_TIME and a number, coded as that of guesses:
 * so many HCCT_TRACE_UNITs of the processor's clock passed in the stream since the mark before, or since its
 * first call. What the recording of calls takes is not in it; waiting is.
 *
 * Invariants (the reader refuses a file that breaks one)
 *   1. integers are little endian;
 *   2. a chunk's checksum covers its header (that field taken as 0) and its content;
 *   3. the numbers of calls in the chunks add up to that of END, behind which there is nothing. */
#ifndef HCCT_FORMAT_TRACE_H
#define HCCT_FORMAT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HCCT_TRACE_MAGIC "HCCTTRC\n" /* 8 bytes, no terminator */
#define HCCT_TRACE_VERSION 2

struct hcct_trace_header {
    char magic[8];
    uint32_t version;
    uint32_t header_bytes; /* sizeof(struct hcct_trace_header) */
};

enum hcct_trace_kind { HCCT_TRACE_CALLS = 1, HCCT_TRACE_PROFILE = 2, HCCT_TRACE_END = 3 };

struct hcct_trace_chunk {
    uint32_t kind;   /* enum hcct_trace_kind */
    uint32_t stream; /* of CALLS: its number, from 0; else 0 */
    uint64_t calls;  /* of CALLS: in this chunk; of END: in all; else 0 */
    uint64_t bytes;  /* of the content, without the zeros */
    uint32_t checksum;
    uint32_t reserved; /* 0 */
};

struct hcct_trace_end {
    uint64_t left_out; /* calls that were counted and not recorded: past 1 GB */
    uint64_t streams;
    uint64_t ticks, nanoseconds; /* of the run, by the processor's clock and by the system's */
};

_Static_assert(sizeof(struct hcct_trace_header) == 16, "file layout");
_Static_assert(sizeof(struct hcct_trace_chunk) == 32, "file layout");
_Static_assert(sizeof(struct hcct_trace_end) == 32, "file layout");

/* --- the model of a stream --------------------------------------------------------------------------- */

enum { HCCT_TRACE_TABLE_LOG2 = 14, HCCT_TRACE_TABLE = 1 << HCCT_TRACE_TABLE_LOG2 };
enum { HCCT_TRACE_NEW = 0x8000, HCCT_TRACE_TIME = 0x8001 }; /* instead of a place */
enum { HCCT_TRACE_UNIT = 1 << 14 };                         /* of the clock: some 5 us on x86-64 */
/* What one call takes: a mark of the time, and a new word, each behind a number of guesses. */
enum { HCCT_TRACE_MOST_BYTES = (10 + 2 + 10) + (10 + 10) };

/* All zeros at the start. */
struct hcct_trace_model {
    uint64_t next[HCCT_TRACE_TABLE];  /* by `context`: the word that came then the last time */
    uint64_t words[HCCT_TRACE_TABLE]; /* by hash: the last word with that hash */
    uint32_t context;                 /* a hash of the last three words */
};

static inline uint32_t hcct_trace_hash(uint64_t word)
{
    return (uint32_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HCCT_TRACE_TABLE_LOG2));
}

static inline uint64_t hcct_trace_guess(const struct hcct_trace_model *model)
{
    return model->next[model->context];
}

/* The next word is this one. */
static inline void hcct_trace_learn(struct hcct_trace_model *model, uint64_t word)
{
    model->next[model->context] = word;
    model->context = (model->context << 5 ^ hcct_trace_hash(word)) % HCCT_TRACE_TABLE;
}

/* Writes a number of right guesses. Returns the end. */
static inline uint8_t *hcct_trace_put_count(uint8_t *at, uint64_t count)
{
    for (; count >= 0x80; count >>= 7)
        *at++ = (uint8_t)(count | 0x80);
    *at++ = (uint8_t)count;
    return at;
}

/* Writes a mark of the time. Returns the end. */
static inline uint8_t *hcct_trace_put_time(uint8_t *at, uint64_t units)
{
    *at++ = (uint8_t)HCCT_TRACE_TIME;
    *at++ = (uint8_t)(HCCT_TRACE_TIME >> 8);
    return hcct_trace_put_count(at, units);
}

/* Writes a word that was not guessed. Returns the end. */
static inline uint8_t *hcct_trace_put_word(struct hcct_trace_model *model, uint8_t *at, uint64_t word)
{
    uint32_t place = hcct_trace_hash(word);
    bool is_new = model->words[place] != word;
    model->words[place] = word;
    place = is_new ? HCCT_TRACE_NEW : place;
    *at++ = (uint8_t)place;
    *at++ = (uint8_t)(place >> 8);
    for (int i = 0; is_new && i < 8; i++)
        *at++ = (uint8_t)(word >> 8 * i);
    return at;
}

#endif
