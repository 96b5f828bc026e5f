/* Records in order, of which only a part is in memory: those that have no room are sorted, and go to a
 * temporary file as a run; runs are merged when the records are read.
 *
 * Invariants
 *   1. reading gives every record that was added, in ascending order of its first key_words words; it takes
 *      nothing away, so more may be added and all be read again;
 *   2. the buffers of all sorters of a spill have at most limit_bytes together, or a smallest one each
 *      (HCCT_SORTER_LEAST records). A sorter that is read needs READ_SHARE of that more, at least a page
 *      for each of two runs;
 *   3. nothing is in the file that no sorter needs: what a merge of runs has read is given back.
 * Cost: O(n log n) comparisons; a record is written once, and once more for each time that there are more
 * runs than can be read at once. */
#ifndef HCCT_DECODER_EXTERNAL_SORTER_H
#define HCCT_DECODER_EXTERNAL_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HCCT_SORTER_LEAST = 64 };

/* What sorters share. */
struct hcct_spill {
    uint64_t limit_bytes, used_bytes; /* of all buffers */
    uint64_t written_bytes;           /* to the file, ever */
    struct hcct_sorter *first;        /* of those that have a buffer */
    uint64_t end;                     /* of what is in the file */
    int file;                         /* open if `end` is not 0 */
    int reason;                       /* errno of what failed; 0: nothing has */
};

struct hcct_sorter_run {
    uint64_t start, bytes; /* in the file */
};

struct hcct_sorter {
    struct hcct_spill *spill;
    uint32_t record_words, key_words;
    uint64_t *buffer;
    size_t count, capacity; /* records of the buffer */
    struct hcct_sorter_run *runs;
    uint32_t run_count, run_capacity;
    bool is_read; /* its buffer stays where it is */
    struct hcct_sorter *next;
};

void hcct_spill_open(struct hcct_spill *spill, uint64_t limit_bytes);
void hcct_spill_close(struct hcct_spill *spill);

void hcct_sorter_open(struct hcct_sorter *sorter, struct hcct_spill *spill, uint32_t record_words,
                      uint32_t key_words);
/* False if it failed: spill->reason tells why. */
bool hcct_sorter_add(struct hcct_sorter *sorter, const uint64_t *record);
/* Of all its records. */
uint64_t hcct_sorter_bytes(const struct hcct_sorter *sorter);
void hcct_sorter_close(struct hcct_sorter *sorter);

/* A sorter while it is read. Nothing may be added to it. */
struct hcct_sorted {
    struct hcct_sorter *sorter;
    size_t next;                        /* record of the buffer, if there are no runs */
    uint64_t *memory;                   /* what the sources' buffers stand in */
    struct hcct_sorted_source *sources; /* a heap: the one with the smallest record first */
    uint32_t source_count, all_count;   /* that are left; that were opened */
    bool advances;                      /* the first source's record was given away */
};

/* False if it failed. */
bool hcct_sorted_open(struct hcct_sorted *sorted, struct hcct_sorter *sorter);
/* The next record, until the next call; NULL: there is none, or reading failed (spill->reason). */
const uint64_t *hcct_sorted_next(struct hcct_sorted *sorted);
void hcct_sorted_close(struct hcct_sorted *sorted);

#endif
