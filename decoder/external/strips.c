/* See strips.h. */
#include "decoder/external/strips.h"

#include <stdlib.h>
#include <string.h>

/* --- where a part's bins are ------------------------------------------------------------------------ */

static struct hcct_strip_part part_of(const struct hcct_external_strips *strips)
{
    const struct hcct_profile like = { .strip_words = strips->word_count ? strips->words : NULL,
                                       .strip_word_count = strips->word_count };
    return hcct_strip_sum(&like, &strips->profiles);
}

/* Parts follow each other, and none of their bins was divided: so the number of profiles in front of a bin
 * tells where it is. */
static void place_bins(struct hcct_strips *strips, uint64_t *before, uint32_t *bin,
                       const struct hcct_strip_part *part, uint32_t *places)
{
    for (uint32_t i = 0; i < part->bin_count; i++) {
        while (*before >= strips->strip.sizes[*bin] && *bin + 1 < strips->strip.bin_count)
            *before -= strips->strip.sizes[(*bin)++];
        places[i] = *bin;
        *before += part->sizes[i];
    }
}

static uint32_t count_bins(const struct hcct_strips *strips)
{
    const struct hcct_external *external = strips->external;
    uint32_t count = external->file_count - external->strip_count;
    for (uint32_t i = 0; i < external->strip_count; i++)
        count += strips->parts[i].bin_count;
    return count;
}

static void place_all(struct hcct_strips *strips)
{
    static const uint64_t floor = 0;
    const struct hcct_external *external = strips->external;
    const struct hcct_strip_part single = hcct_strip_single(&floor);
    uint64_t before = 0;
    uint32_t bin = 0, first = 0;
    for (uint32_t i = 0; i < external->file_count; i++) {
        uint32_t index = external->files[i].strip;
        const struct hcct_strip_part *part = index == HCCT_FILE_NONE ? &single : &strips->parts[index];
        strips->first_place[i] = first;
        place_bins(strips, &before, &bin, part, strips->places + first);
        first += part->bin_count;
    }
}

bool hcct_strips_open(struct hcct_strips *strips, const struct hcct_external *external)
{
    *strips = (struct hcct_strips){ .external = external, .strip = external->combine->spread.strip };
    strips->strip.rows = NULL;
    strips->strip.row_of = NULL;
    strips->strip.row_count = strips->strip.context_count = 0;
    strips->parts = calloc((size_t)external->strip_count + 1, sizeof *strips->parts);
    strips->seen = calloc((size_t)external->strip_count + 1, sizeof *strips->seen);
    if (!strips->parts || !strips->seen)
        return false;
    for (uint32_t i = 0; i < external->strip_count; i++)
        strips->parts[i] = part_of(&external->strips[i]);
    strips->first_place = calloc((size_t)external->file_count + 1, sizeof *strips->first_place);
    strips->places = calloc((size_t)count_bins(strips) + 1, sizeof *strips->places);
    strips->largest = calloc(HCCT_STRIP_WRITTEN + 1, sizeof(void *));
    strips->current = calloc(1, sizeof *strips->current);
    if (!strips->first_place || !strips->places || !strips->largest || !strips->current)
        return false;
    place_all(strips);
    return true;
}

/* --- one context ------------------------------------------------------------------------------------ */

void hcct_strips_begin(struct hcct_strips *strips)
{
    strips->number++;
    memset(&strips->current->row, 0, sizeof strips->current->row);
}

static void add_values(struct hcct_strips *strips, uint32_t file, const uint64_t *values, uint32_t count)
{
    const uint32_t *places = strips->places + strips->first_place[file];
    uint64_t *to = strips->current->row.values;
    for (uint32_t i = 0; i < count; i++)
        to[places[i]] = hcct_strip_sum_of(to[places[i]], values[i]);
}

/* Of a second entry of a sum nobody knows which of its profiles had both: nothing is known up to here. */
static void forget(struct hcct_strips *strips, uint32_t file, uint32_t bin_count)
{
    uint32_t last = strips->places[strips->first_place[file] + bin_count - 1];
    for (uint32_t i = 0; i <= last; i++)
        strips->current->row.values[i] = HCCT_STRIP_UNKNOWN;
}

void hcct_strips_add(struct hcct_strips *strips, uint32_t file, uint32_t entry, uint64_t count, bool again)
{
    uint32_t index = strips->external->files[file].strip;
    if (index == HCCT_FILE_NONE) {
        add_values(strips, file, &count, 1);
        return;
    }
    const struct hcct_strip_part *part = &strips->parts[index];
    const uint64_t *values = hcct_strip_entry(part, entry);
    strips->seen[index] = strips->number;
    if (again)
        forget(strips, file, part->bin_count);
    else
        add_values(strips, file, values ? values : part->rest, part->bin_count);
}

/* What sums say of a context that they lack. */
static void add_lacking(struct hcct_strips *strips)
{
    const struct hcct_external *external = strips->external;
    for (uint32_t i = 0; i < external->strip_count; i++)
        if (strips->seen[i] != strips->number)
            add_values(strips, external->strips[i].file, strips->parts[i].rest, strips->parts[i].bin_count);
}

static uint64_t known_sum(const struct hcct_strips *strips)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < strips->strip.bin_count; i++)
        if (strips->current->row.values[i] != HCCT_STRIP_UNKNOWN)
            sum = hcct_sum(sum, strips->current->row.values[i]);
    return sum;
}

static bool is_smaller(const struct hcct_largest *a, const struct hcct_largest *b)
{
    return a->known != b->known ? a->known < b->known : a->order > b->order;
}

static void swap(struct hcct_largest **a, struct hcct_largest **b)
{
    struct hcct_largest *kept = *a;
    *a = *b;
    *b = kept;
}

static void sift_down(struct hcct_strips *strips)
{
    struct hcct_largest **heap = strips->largest;
    for (uint32_t at = 0, least;; at = least) {
        least = at;
        for (uint32_t i = 2 * at + 1; i < 2 * at + 3 && i < strips->largest_count; i++)
            if (is_smaller(heap[i], heap[least]))
                least = i;
        if (least == at)
            return;
        swap(&heap[at], &heap[least]);
    }
}

static void sift_up(struct hcct_strips *strips)
{
    struct hcct_largest **heap = strips->largest;
    for (uint32_t at = strips->largest_count - 1; at && is_smaller(heap[at], heap[(at - 1) / 2]);
         at = (at - 1) / 2)
        swap(&heap[at], &heap[(at - 1) / 2]);
}

bool hcct_strips_end(struct hcct_strips *strips, uint64_t order)
{
    add_lacking(strips);
    strips->current->known = known_sum(strips);
    strips->current->order = order;
    if (strips->largest_count < HCCT_STRIP_WRITTEN) {
        strips->largest[strips->largest_count++] = strips->current;
        strips->current = calloc(1, sizeof *strips->current);
        sift_up(strips);
        return strips->current;
    }
    if (is_smaller(strips->largest[0], strips->current)) {
        swap(&strips->largest[0], &strips->current);
        sift_down(strips);
    }
    hcct_strip_drop(&strips->strip, &strips->current->row);
    return true;
}

/* --- the section ------------------------------------------------------------------------------------ */

static int compare_orders(const void *left, const void *right)
{
    const struct hcct_largest *a = *(struct hcct_largest *const *)left,
                              *b = *(struct hcct_largest *const *)right;
    return a->order < b->order ? -1 : a->order > b->order;
}

void hcct_strips_sort(struct hcct_strips *strips)
{
    qsort(strips->largest, strips->largest_count, sizeof(void *), compare_orders);
}

uint64_t *hcct_strips_make(struct hcct_strips *strips, uint32_t *count)
{
    struct hcct_strip_row *rows = malloc((strips->largest_count + (size_t)1) * sizeof *rows);
    if (!rows)
        return NULL;
    for (uint32_t i = 0; i < strips->largest_count; i++)
        rows[i] = strips->largest[i]->row;
    strips->strip.rows = rows;
    strips->strip.row_count = strips->largest_count;
    uint64_t *words = hcct_strip_make(&strips->strip, count);
    free(rows);
    return words;
}

void hcct_strips_close(struct hcct_strips *strips)
{
    for (uint32_t i = 0; i < strips->largest_count; i++)
        free(strips->largest[i]);
    free(strips->largest);
    free(strips->current);
    free(strips->parts);
    free(strips->seen);
    free(strips->first_place);
    free(strips->places);
    *strips = (struct hcct_strips){ 0 };
}
