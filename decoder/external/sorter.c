/* See sorter.h. */
#include "decoder/external/sorter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/combine/table.h"
#include "decoder/external/temporary.h"

/* A run is read through a buffer of so many bytes at least: fewer, larger reads. */
enum { READ_SHARE = 4, READ_LEAST = 1 << 12, READ_WANTED = 1 << 14, READ_MOST = 1 << 18 };

static bool fail(struct hcct_spill *spill, int reason)
{
    if (!spill->reason)
        spill->reason = reason ? reason : ENOMEM;
    return false;
}

void hcct_spill_open(struct hcct_spill *spill, uint64_t limit_bytes)
{
    *spill = (struct hcct_spill){ .limit_bytes = limit_bytes, .file = -1 };
}

void hcct_spill_close(struct hcct_spill *spill)
{
    if (spill->file >= 0)
        close(spill->file);
    spill->file = -1;
}

static int compare(const uint64_t *a, const uint64_t *b, uint32_t key_words)
{
    for (uint32_t i = 0; i < key_words; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_records(const void *left, const void *right, void *key_words)
{
    return compare(left, right, *(const uint32_t *)key_words);
}

static size_t record_bytes(const struct hcct_sorter *sorter)
{
    return sorter->record_words * sizeof(uint64_t);
}

/* --- runs ------------------------------------------------------------------------------------------ */

static bool append(struct hcct_spill *spill, const void *bytes, size_t size)
{
    if (spill->file < 0 && (spill->file = hcct_temporary_open()) < 0)
        return fail(spill, errno);
    if (!hcct_temporary_put(spill->file, spill->end, bytes, size))
        return fail(spill, errno);
    spill->end += size;
    spill->written_bytes += size;
    return true;
}

/* Where the file system cannot give back a part of a file, it goes with the file. */
static void give_back(const struct hcct_spill *spill, const struct hcct_sorter_run *run)
{
    (void)!fallocate(spill->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)run->start,
                     (off_t)run->bytes);
}

static bool add_run(struct hcct_sorter *sorter, uint64_t start)
{
    if (!hcct_vector_grow(&sorter->runs, &sorter->run_capacity, sorter->run_count, sizeof *sorter->runs))
        return fail(sorter->spill, ENOMEM);
    sorter->runs[sorter->run_count++] = (struct hcct_sorter_run){ start, sorter->spill->end - start };
    return true;
}

static void free_buffer(struct hcct_sorter *sorter)
{
    struct hcct_sorter **at = &sorter->spill->first;
    while (*at && *at != sorter)
        at = &(*at)->next;
    if (*at)
        *at = sorter->next;
    sorter->spill->used_bytes -= sorter->capacity * record_bytes(sorter);
    free(sorter->buffer);
    sorter->buffer = NULL;
    sorter->count = sorter->capacity = 0;
}

static void sort(struct hcct_sorter *sorter)
{
    if (sorter->count > 1)
        qsort_r(sorter->buffer, sorter->count, record_bytes(sorter), compare_records, &sorter->key_words);
}

/* The buffer becomes a run. */
static bool spill_buffer(struct hcct_sorter *sorter)
{
    uint64_t start = sorter->spill->end;
    sort(sorter);
    if (!append(sorter->spill, sorter->buffer, sorter->count * record_bytes(sorter)) ||
        !add_run(sorter, start))
        return false;
    sorter->count = 0;
    return true;
}

/* --- adding ---------------------------------------------------------------------------------------- */

void hcct_sorter_open(struct hcct_sorter *sorter, struct hcct_spill *spill, uint32_t record_words,
                      uint32_t key_words)
{
    *sorter = (struct hcct_sorter){ .spill = spill, .record_words = record_words, .key_words = key_words };
}

/* The largest buffer goes to the file: the fewest runs. */
static bool spill_largest(struct hcct_sorter *sorter)
{
    struct hcct_sorter *largest = sorter;
    for (struct hcct_sorter *it = sorter->spill->first; it; it = it->next)
        if (!it->is_read && it->capacity * record_bytes(it) > largest->capacity * record_bytes(largest))
            largest = it;
    if (!spill_buffer(largest))
        return false;
    if (largest != sorter)
        free_buffer(largest);
    return true;
}

static bool make_room(struct hcct_sorter *sorter)
{
    struct hcct_spill *spill = sorter->spill;
    size_t larger = sorter->capacity ? sorter->capacity * 2 : HCCT_SORTER_LEAST;
    while (spill->used_bytes + (larger - sorter->capacity) * record_bytes(sorter) > spill->limit_bytes &&
           sorter->capacity) {
        if (!spill_largest(sorter))
            return false;
        if (!sorter->count)
            return true;
    }
    uint64_t *moved = reallocarray(sorter->buffer, larger, record_bytes(sorter));
    if (!moved)
        return fail(spill, ENOMEM);
    if (!sorter->capacity) {
        sorter->next = spill->first;
        spill->first = sorter;
    }
    spill->used_bytes += (larger - sorter->capacity) * record_bytes(sorter);
    sorter->buffer = moved;
    sorter->capacity = larger;
    return true;
}

bool hcct_sorter_add(struct hcct_sorter *sorter, const uint64_t *record)
{
    if (sorter->count == sorter->capacity && !make_room(sorter))
        return false;
    memcpy(sorter->buffer + sorter->count++ * sorter->record_words, record, record_bytes(sorter));
    return true;
}

uint64_t hcct_sorter_bytes(const struct hcct_sorter *sorter)
{
    uint64_t bytes = sorter->count * record_bytes(sorter);
    for (uint32_t i = 0; i < sorter->run_count; i++)
        bytes += sorter->runs[i].bytes;
    return bytes;
}

void hcct_sorter_close(struct hcct_sorter *sorter)
{
    if (!sorter->spill)
        return;
    free_buffer(sorter);
    for (uint32_t i = 0; i < sorter->run_count; i++)
        give_back(sorter->spill, &sorter->runs[i]);
    free(sorter->runs);
    *sorter = (struct hcct_sorter){ 0 };
}

/* --- reading --------------------------------------------------------------------------------------- */

struct hcct_sorted_source {
    uint64_t at, end; /* in the file: what was not read yet */
    uint64_t *buffer;
    size_t next, count; /* records of the buffer */
};

static const uint64_t *record_of(const struct hcct_sorted *sorted, const struct hcct_sorted_source *source)
{
    return source->buffer + source->next * sorted->sorter->record_words;
}

static bool is_before(const struct hcct_sorted *sorted, uint32_t a, uint32_t b)
{
    return compare(record_of(sorted, &sorted->sources[a]), record_of(sorted, &sorted->sources[b]),
                   sorted->sorter->key_words) < 0;
}

static void sift_down(struct hcct_sorted *sorted, uint32_t at)
{
    for (;;) {
        uint32_t least = at, child = 2 * at + 1;
        for (uint32_t i = child; i < child + 2 && i < sorted->source_count; i++)
            if (is_before(sorted, i, least))
                least = i;
        if (least == at)
            return;
        struct hcct_sorted_source kept = sorted->sources[at];
        sorted->sources[at] = sorted->sources[least];
        sorted->sources[least] = kept;
        at = least;
    }
}

/* How many records of a run are read at once, if there are so many runs. */
static size_t piece_count(const struct hcct_sorter *sorter, uint32_t run_count)
{
    uint64_t bytes = sorter->spill->limit_bytes / READ_SHARE / run_count;
    bytes = bytes < READ_LEAST ? READ_LEAST : bytes > READ_MOST ? READ_MOST : bytes;
    return (size_t)bytes / record_bytes(sorter);
}

static bool refill(struct hcct_sorted *sorted, struct hcct_sorted_source *source, size_t piece)
{
    struct hcct_spill *spill = sorted->sorter->spill;
    size_t bytes = record_bytes(sorted->sorter), left = (size_t)(source->end - source->at) / bytes;
    source->count = left < piece ? left : piece;
    source->next = 0;
    if (!hcct_temporary_get(spill->file, source->at, source->buffer, source->count * bytes))
        return fail(spill, errno);
    source->at += source->count * bytes;
    return true;
}

/* Reads the runs from `first` on, `count` of them. */
static bool open_runs(struct hcct_sorted *sorted, uint32_t first, uint32_t count)
{
    struct hcct_sorter *sorter = sorted->sorter;
    size_t piece = piece_count(sorter, count), words = piece * sorter->record_words;
    sorted->sources = calloc(count, sizeof *sorted->sources);
    sorted->memory = reallocarray(NULL, count * words, sizeof *sorted->memory);
    if (!sorted->sources || !sorted->memory)
        return fail(sorter->spill, ENOMEM);
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_sorter_run *run = &sorter->runs[first + i];
        sorted->sources[i] = (struct hcct_sorted_source){ .at = run->start,
                                                          .end = run->start + run->bytes,
                                                          .buffer = sorted->memory + i * words };
        if (!refill(sorted, &sorted->sources[i], piece))
            return false;
    }
    sorted->source_count = sorted->all_count = count;
    for (uint32_t i = count / 2 + 1; i-- > 0;)
        sift_down(sorted, i);
    return true;
}

/* Leaves the record that was given away. */
static bool advance(struct hcct_sorted *sorted)
{
    struct hcct_sorted_source *first = &sorted->sources[0];
    if (++first->next == first->count) {
        if (first->at == first->end)
            *first = sorted->sources[--sorted->source_count];
        else if (!refill(sorted, first, piece_count(sorted->sorter, sorted->all_count)))
            return false;
    }
    sift_down(sorted, 0);
    return true;
}

const uint64_t *hcct_sorted_next(struct hcct_sorted *sorted)
{
    struct hcct_sorter *sorter = sorted->sorter;
    if (!sorted->memory)
        return sorted->next < sorter->count ? sorter->buffer + sorted->next++ * sorter->record_words : NULL;
    if (sorted->advances && !advance(sorted))
        return NULL;
    sorted->advances = sorted->source_count;
    return sorted->source_count ? record_of(sorted, &sorted->sources[0]) : NULL;
}

void hcct_sorted_close(struct hcct_sorted *sorted)
{
    if (sorted->sorter)
        sorted->sorter->is_read = false;
    free(sorted->sources);
    free(sorted->memory);
    *sorted = (struct hcct_sorted){ 0 };
}

/* So many runs are read at once. */
static uint32_t fan_in(const struct hcct_sorter *sorter)
{
    uint64_t count = sorter->spill->limit_bytes / READ_SHARE / READ_WANTED;
    return count < 2 ? 2 : count > 1000 ? 1000 : (uint32_t)count;
}

/* The first `count` runs become one, behind the others. */
static bool join_runs(struct hcct_sorter *sorter, uint32_t count)
{
    struct hcct_sorted sorted = { .sorter = sorter };
    size_t capacity = READ_WANTED / record_bytes(sorter), used = 0;
    uint64_t start = sorter->spill->end, *buffer = malloc(READ_WANTED);
    bool done = buffer ? open_runs(&sorted, 0, count) : fail(sorter->spill, ENOMEM);
    for (const uint64_t *record; done && (record = hcct_sorted_next(&sorted));) {
        memcpy(buffer + used++ * sorter->record_words, record, record_bytes(sorter));
        if (used == capacity) {
            done = append(sorter->spill, buffer, used * record_bytes(sorter));
            used = 0;
        }
    }
    done = done && !sorter->spill->reason && append(sorter->spill, buffer, used * record_bytes(sorter));
    hcct_sorted_close(&sorted);
    free(buffer);
    if (!done)
        return false;
    for (uint32_t i = 0; i < count; i++)
        give_back(sorter->spill, &sorter->runs[i]);
    sorter->run_count -= count;
    memmove(sorter->runs, sorter->runs + count, sorter->run_count * sizeof *sorter->runs);
    return add_run(sorter, start);
}

bool hcct_sorted_open(struct hcct_sorted *sorted, struct hcct_sorter *sorter)
{
    struct hcct_spill *spill = sorter->spill;
    *sorted = (struct hcct_sorted){ .sorter = sorter };
    /* A large buffer would leave no room for what is made of it. */
    bool is_large = sorter->capacity * record_bytes(sorter) > spill->limit_bytes / READ_SHARE;
    if (sorter->count && (sorter->run_count || is_large)) {
        if (!spill_buffer(sorter))
            return false;
        free_buffer(sorter);
    }
    while (sorter->run_count > fan_in(sorter))
        if (!join_runs(sorter, fan_in(sorter)))
            return false;
    sorter->is_read = true;
    if (sorter->run_count)
        return open_runs(sorted, 0, sorter->run_count);
    sort(sorter);
    return true;
}
