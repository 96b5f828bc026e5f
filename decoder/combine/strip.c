/* See strip.h. */
#include "decoder/combine/strip.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/combine/table.h"
#include "decoder/profile/sum.h"

/* --- bins ------------------------------------------------------------------------------------------ */

/* Joins neighbours that have at most `width` profiles together. Fills place[count], and returns how many
 * remain. */
/* The sum, where both are known. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return a == HCCT_STRIP_UNKNOWN || b == HCCT_STRIP_UNKNOWN ? HCCT_STRIP_UNKNOWN : hcct_sum(a, b);
}

static uint32_t pack(const uint64_t *sizes, uint32_t count, uint64_t width, uint32_t *place)
{
    uint64_t size = 0;
    uint32_t last = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool joins = i && hcct_sum(size, sizes[i]) <= width;
        last += i && !joins;
        size = joins ? size + sizes[i] : sizes[i];
        place[i] = last;
    }
    return last + 1;
}

/* What stands at i goes to place[i], and that is not behind i. */
static void move(uint64_t *values, uint32_t count, const uint32_t *place)
{
    for (uint32_t i = 0; i < count; i++)
        if (i && place[i] == place[i - 1])
            values[place[i]] = sum_of(values[place[i]], values[i]);
        else
            values[place[i]] = values[i];
}

/* Our own `before` bins become `kept`. */
static void move_all(struct hcct_strip *strip, uint32_t before, uint32_t kept, const uint32_t *place)
{
    for (uint32_t i = 0; i <= strip->row_count; i++) {
        uint64_t *values = i ? strip->rows[i - 1].values : strip->rest;
        move(values, before, place);
        memset(values + kept, 0, (before - kept) * sizeof *values);
    }
}

/* Goes on with the size that a sum has come to. One of few bins was never short of them: its sizes say
 * nothing. */
static void raise_width(struct hcct_strip *strip, const struct hcct_strip_part *part)
{
    bool is_told = part->bin_count > HCCT_STRIP_BINS / 3;
    if (!strip->width)
        strip->width = 1;
    for (uint32_t i = 0; is_told && i < part->bin_count; i++)
        if (part->sizes[i] > strip->width)
            strip->width = part->sizes[i];
}

void hcct_strip_next(struct hcct_strip *strip, const struct hcct_strip_part *part)
{
    uint64_t sizes[2 * HCCT_STRIP_BINS];
    uint32_t place[2 * HCCT_STRIP_BINS], before = strip->bin_count, count = before + part->bin_count;
    memcpy(sizes, strip->sizes, before * sizeof *sizes);
    memcpy(sizes + before, part->sizes, part->bin_count * sizeof *sizes);
    raise_width(strip, part);
    while ((strip->bin_count = pack(sizes, count, strip->width, place)) > HCCT_STRIP_BINS)
        strip->width *= 2;
    uint32_t kept = before ? place[before - 1] + 1 : 0;
    if (kept < before)
        move_all(strip, before, kept, place);
    move(sizes, count, place);
    memset(strip->sizes, 0, sizeof strip->sizes);
    memcpy(strip->sizes, sizes, strip->bin_count * sizeof *sizes);
    memcpy(strip->place, place + before, part->bin_count * sizeof *place);
    strip->part = *part;
    strip->has_dropped = false;
    strip->number++;
}

/* --- parts ----------------------------------------------------------------------------------------- */

struct hcct_strip_part hcct_strip_sum(const struct hcct_profile *profile, const uint64_t *profiles)
{
    static const uint64_t unknown = HCCT_STRIP_UNKNOWN;
    if (!profile->strip_words)
        return (struct hcct_strip_part){ .bin_count = 1, .sizes = profiles, .rest = &unknown };
    const uint64_t *words = profile->strip_words;
    uint32_t bins = (uint32_t)words[0], rows = (profile->strip_word_count - 1 - bins) / (bins + 1);
    return (struct hcct_strip_part){ .bin_count = bins,
                                     .sizes = words + 1,
                                     .rows = words + 1 + bins,
                                     .row_count = rows - 1,
                                     .rest = words + profile->strip_word_count - bins };
}

struct hcct_strip_part hcct_strip_single(const uint64_t *floor)
{
    static const uint64_t one = 1;
    return (struct hcct_strip_part){ .bin_count = 1, .sizes = &one, .rest = floor };
}

/* What the part has of that entry: bin_count values, or NULL. */
static const uint64_t *entry_of(const struct hcct_strip_part *part, uint32_t index)
{
    uint32_t low = 0, high = part->row_count, stride = part->bin_count + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const uint64_t *row = part->rows + (size_t)middle * stride;
        if (row[0] == index)
            return row + 1;
        if (row[0] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* --- rows ------------------------------------------------------------------------------------------ */

static struct hcct_strip_row *row_of(const struct hcct_strip *strip, uint32_t context)
{
    uint32_t number = context < strip->context_count ? strip->row_of[context] : 0;
    return number ? &strip->rows[number - 1] : NULL;
}

/* A row that says of all earlier profiles what `rest` says. NULL when memory is out. */
static struct hcct_strip_row *begin_row(struct hcct_strip *strip, uint32_t context)
{
    for (; strip->context_count <= context; strip->context_count++) {
        if (!hcct_vector_grow(&strip->row_of, &strip->context_capacity, strip->context_count,
                              sizeof *strip->row_of))
            return NULL;
        strip->row_of[strip->context_count] = 0;
    }
    if (!hcct_vector_grow(&strip->rows, &strip->row_capacity, strip->row_count, sizeof *strip->rows))
        return NULL;
    struct hcct_strip_row *row = &strip->rows[strip->row_count++];
    strip->row_of[context] = strip->row_count;
    row->context = context;
    memcpy(row->values, strip->rest, sizeof strip->rest);
    return row;
}

static void add_part(const struct hcct_strip *strip, uint64_t *to, const uint64_t *values)
{
    for (uint32_t i = 0; i < strip->part.bin_count; i++)
        to[strip->place[i]] = sum_of(to[strip->place[i]], values[i]);
}

static bool add_values(struct hcct_strip *strip, uint32_t context, const uint64_t *values)
{
    struct hcct_strip_row *row = row_of(strip, context);
    if (!row)
        row = begin_row(strip, context);
    if (!row)
        return false;
    add_part(strip, row->values, values);
    row->last = strip->number;
    return true;
}

/* One without values there has those of `rest`. */
bool hcct_strip_add_entry(struct hcct_strip *strip, uint32_t context, uint32_t index)
{
    const uint64_t *values = entry_of(&strip->part, index);
    return !values || add_values(strip, context, values);
}

bool hcct_strip_add_count(struct hcct_strip *strip, uint32_t context, uint64_t count, bool may_begin)
{
    if (may_begin || row_of(strip, context))
        return add_values(strip, context, &count);
    strip->has_dropped = true;
    return true;
}

void hcct_strip_forget(struct hcct_strip *strip, uint32_t context)
{
    struct hcct_strip_row *row = row_of(strip, context);
    for (uint32_t i = 0; row && i < strip->bin_count; i++)
        row->values[i] = HCCT_STRIP_UNKNOWN;
}

const uint64_t *hcct_strip_values(const struct hcct_strip *strip, uint32_t context)
{
    const struct hcct_strip_row *row = row_of(strip, context);
    return row ? row->values : NULL;
}

/* --- dropping rows --------------------------------------------------------------------------------- */

/* The row is dropped: from here on `rest` stands for its context, too. */
static void drop(struct hcct_strip *strip, const struct hcct_strip_row *row)
{
    for (uint32_t i = 0; i < strip->bin_count; i++)
        if (row->values[i] != strip->rest[i])
            strip->rest[i] = HCCT_STRIP_UNKNOWN;
}

/* Keeps the rows whose context is not HCCT_FILE_NONE. */
static void remove_dropped(struct hcct_strip *strip)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < strip->row_count; i++)
        if (strip->rows[i].context != HCCT_FILE_NONE) {
            strip->rows[kept] = strip->rows[i];
            strip->row_of[strip->rows[kept].context] = kept + 1;
            kept++;
        }
    strip->row_count = kept;
}

static uint64_t known_sum(const struct hcct_strip *strip, const struct hcct_strip_row *row)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < strip->bin_count; i++)
        if (row->values[i] != HCCT_STRIP_UNKNOWN)
            sum = hcct_sum(sum, row->values[i]);
    return sum;
}

void hcct_strip_complete(struct hcct_strip *strip, const struct hcct_tally *tally)
{
    for (uint32_t i = 0; i < strip->row_count; i++) {
        struct hcct_strip_row *row = &strip->rows[i];
        uint64_t known = known_sum(strip, row), *last = NULL;
        uint32_t unknown_count = 0;
        for (uint32_t j = 0; j < strip->bin_count; j++)
            if (row->values[j] == HCCT_STRIP_UNKNOWN) {
                last = &row->values[j];
                unknown_count++;
            }
        uint64_t count = unknown_count == 1 ? hcct_tally_sum(tally, row->context).count : UINT64_MAX;
        if (count < UINT64_MAX && count >= known) /* sums stop at the largest number */
            *last = count - known;
    }
}

/* Leaves the `limit` largest. */
static bool limit_rows(struct hcct_strip *strip, uint32_t limit)
{
    uint32_t count = strip->row_count;
    if (count <= limit)
        return true;
    struct hcct_tally_ranked *ranked = malloc(count * sizeof *ranked);
    uint32_t *order = malloc(count * sizeof *order);
    bool done = ranked && order;
    for (uint32_t i = 0; done && i < count; i++)
        ranked[i] =
            (struct hcct_tally_ranked){ known_sum(strip, &strip->rows[i]), strip->rows[i].context, i };
    if (done)
        hcct_tally_select(ranked, count, limit, order);
    for (uint32_t i = limit; done && i < count; i++) {
        struct hcct_strip_row *row = &strip->rows[order[i]];
        drop(strip, row);
        strip->row_of[row->context] = 0;
        row->context = HCCT_FILE_NONE;
    }
    if (done)
        remove_dropped(strip);
    free(ranked);
    free(order);
    return done;
}

/* Half of them go at once, so that each profile pays for what it brought. */
bool hcct_strip_end(struct hcct_strip *strip)
{
    const struct hcct_strip_part *part = &strip->part;
    bool is_zero = true;
    for (uint32_t i = 0; i < part->bin_count; i++)
        is_zero &= !part->rest[i];
    for (uint32_t i = 0; !is_zero && i < strip->row_count; i++)
        if (strip->rows[i].last != strip->number)
            add_part(strip, strip->rows[i].values, part->rest);
    add_part(strip, strip->rest, part->rest);
    if (strip->has_dropped)
        strip->rest[strip->place[0]] = HCCT_STRIP_UNKNOWN;
    return strip->row_count <= HCCT_STRIP_HELD || limit_rows(strip, HCCT_STRIP_HELD / 2);
}

bool hcct_strip_cut(struct hcct_strip *strip, const uint32_t *order, uint32_t kept_count)
{
    uint32_t *row_of_new = calloc((size_t)kept_count + 1, sizeof *row_of_new);
    if (!row_of_new)
        return false;
    for (uint32_t i = 0; i < strip->row_count; i++)
        strip->rows[i].context = HCCT_FILE_NONE;
    for (uint32_t i = 0; i < kept_count; i++)
        if (order[i] < strip->context_count && strip->row_of[order[i]])
            strip->rows[strip->row_of[order[i]] - 1].context = i;
    for (uint32_t i = 0; i < strip->row_count; i++)
        if (strip->rows[i].context == HCCT_FILE_NONE)
            drop(strip, &strip->rows[i]);
    free(strip->row_of);
    strip->row_of = row_of_new;
    strip->context_count = kept_count;
    strip->context_capacity = kept_count + 1;
    remove_dropped(strip);
    return true;
}

/* --- the section ----------------------------------------------------------------------------------- */

static uint64_t *put(uint64_t *to, const uint64_t *values, uint32_t count)
{
    memcpy(to, values, count * sizeof *values);
    return to + count;
}

static int compare_rows(const void *left, const void *right)
{
    const struct hcct_strip_row *a = left, *b = right;
    return a->context < b->context ? -1 : a->context > b->context;
}

uint64_t *hcct_strip_make(struct hcct_strip *strip, uint32_t *count)
{
    if (!limit_rows(strip, HCCT_STRIP_WRITTEN))
        return NULL;
    uint32_t bins = strip->bin_count;
    *count = 1 + bins + (strip->row_count + 1) * (bins + 1);
    uint64_t *words = malloc(*count * sizeof *words), *at = words;
    if (!words)
        return NULL;
    *at++ = bins;
    at = put(at, strip->sizes, bins);
    if (strip->row_count)
        qsort(strip->rows, strip->row_count, sizeof *strip->rows, compare_rows);
    for (uint32_t i = 0; i < strip->row_count; i++) {
        if (strip->rows[i].context < strip->context_count)
            strip->row_of[strip->rows[i].context] = i + 1;
        *at++ = strip->rows[i].context;
        at = put(at, strip->rows[i].values, bins);
    }
    *at++ = HCCT_FILE_NONE;
    put(at, strip->rest, bins);
    return words;
}

void hcct_strip_free(struct hcct_strip *strip)
{
    free(strip->row_of);
    free(strip->rows);
    *strip = (struct hcct_strip){ 0 };
}
