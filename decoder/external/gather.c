/* See gather.h. */
#include "decoder/external/gather.h"
#include "decoder/combine/one_build/combine_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/external/strips.h"

/* Words of a result. */
enum {
    ORDER,
    WORD,
    PREFIX,
    COUNT,
    ERROR,
    SPREAD,
    WORDS = SPREAD,
    SPREAD_WORDS = HCCT_EXTERNAL_SUM_WORDS - HCCT_EXTERNAL_SPREAD
};

/* What the records of one context come to. */
struct context {
    uint64_t key[HCCT_EXTERNAL_ORDER]; /* hash and word */
    bool is_entry, is_pin;
    uint64_t order, pin_order; /* of the first record */
    uint64_t count, error;
    uint32_t last_file;
    uint32_t next_file; /* all profiles before it have the context, or it is settled that one lacks it */
    struct hcct_file_spread spread;
    /* of a single profile: what is not in `spread` yet */
    bool is_open;
    uint32_t own_file;
    uint64_t own_count, own_error;
};

struct pin {
    uint64_t order, word;
    uint32_t prefix;
};

/* The pass over all records. */
struct pass {
    struct hcct_gather *gather;
    struct hcct_external *external;
    struct hcct_sorted entries, sums, numbers;
    const uint64_t *entry, *sum, *number; /* the next ones, or NULL */
    struct hcct_strips strips;
    struct context context;
    struct pin *pins;
    uint32_t pin_count, pin_capacity;
    uint64_t context_count;
};

static uint32_t file_of(const uint64_t *record)
{
    return (uint32_t)((record[HCCT_EXTERNAL_ORDER] & ~HCCT_EXTERNAL_PIN) >> 32);
}

/* --- how the profiles differ: spread.c, for all profiles of one context at once --------------------- */

static void settle(struct context *context, const struct hcct_file_spread *value)
{
    if (!context->spread.absent && !context->spread.present)
        context->spread = *value;
    else
        hcct_spread_join(&context->spread, value);
}

/* All profiles before `file` that were not looked at lack the context. Only the first one that does matters:
 * exact profiles have 0 of it. */
static void settle_lacking(const struct pass *pass, struct context *context, uint32_t file)
{
    if (context->next_file >= file || context->spread.absent)
        return;
    settle(context,
           &(struct hcct_file_spread){
               .least_source = pass->external->files[context->next_file].lacking_source, .absent = 1 });
}

static void settle_own(const struct pass *pass, struct context *context)
{
    if (!context->is_open)
        return;
    uint32_t name = pass->external->files[context->own_file].lacking_source; /* that of the profile */
    uint64_t low = context->own_count - context->own_error;
    settle(context, &(struct hcct_file_spread){ .least_low = low,
                                                .least_high = context->own_count,
                                                .most_low = low,
                                                .most_high = context->own_count,
                                                .least_source = name,
                                                .most_source = name,
                                                .present = 1 });
    context->is_open = false;
}

static void add_to_spread(const struct pass *pass, struct context *context, const uint64_t *record,
                          bool is_sum, bool again)
{
    uint64_t count = record[HCCT_EXTERNAL_COUNT], error = record[HCCT_EXTERNAL_ERROR];
    uint32_t file = file_of(record);
    if (!again) {
        settle_own(pass, context);
        settle_lacking(pass, context, file);
        context->next_file = file + 1;
        context->own_count = context->own_error = 0;
    }
    if (!is_sum) {
        context->is_open = true;
        context->own_file = file;
        context->own_count = hcct_sum(context->own_count, count);
        context->own_error = hcct_sum(context->own_error, error);
    } else if (again) {
        hcct_spread_blur(&context->spread, count);
    } else {
        struct hcct_file_spread value;
        memcpy(&value, record + HCCT_EXTERNAL_SPREAD, sizeof value);
        settle(context, &value);
    }
}

static void end_spread(const struct pass *pass, struct context *context)
{
    uint32_t profiles = hcct_spread_profiles(&pass->external->combine->spread);
    settle_own(pass, context);
    settle_lacking(pass, context, pass->external->file_count);
    context->spread.absent = profiles > context->spread.present ? profiles - context->spread.present : 0;
}

/* --- one context ------------------------------------------------------------------------------------ */

static void add_record(struct pass *pass, const uint64_t *record, bool is_sum)
{
    struct context *context = &pass->context;
    uint64_t order = record[HCCT_EXTERNAL_ORDER];
    if (order & HCCT_EXTERNAL_PIN) {
        if (!context->is_pin)
            context->pin_order = order;
        context->is_pin = true;
        return;
    }
    bool again = context->is_entry && context->last_file == file_of(record);
    if (!context->is_entry)
        context->order = order;
    context->is_entry = true;
    context->last_file = file_of(record);
    context->count = hcct_sum(context->count, record[HCCT_EXTERNAL_COUNT]);
    context->error = hcct_sum(context->error, record[HCCT_EXTERNAL_ERROR]);
    if (!pass->gather->has_spread)
        return;
    add_to_spread(pass, context, record, is_sum, again);
    hcct_strips_add(&pass->strips, context->last_file, (uint32_t)order, record[HCCT_EXTERNAL_COUNT], again);
}

static void begin_context(struct pass *pass, const uint64_t *record)
{
    pass->context = (struct context){ .is_entry = false };
    memcpy(pass->context.key, record, sizeof pass->context.key);
    if (pass->gather->has_spread)
        hcct_strips_begin(&pass->strips);
}

static bool add_pin(struct pass *pass, uint32_t prefix)
{
    if (!hcct_vector_grow(&pass->pins, &pass->pin_capacity, pass->pin_count, sizeof *pass->pins))
        return false;
    pass->pins[pass->pin_count++] =
        (struct pin){ pass->context.pin_order, pass->context.key[HCCT_EXTERNAL_WORD], prefix };
    return true;
}

static bool add_result(struct pass *pass, uint32_t prefix)
{
    struct context *context = &pass->context;
    uint64_t result[WORDS + SPREAD_WORDS] = { context->order, context->key[HCCT_EXTERNAL_WORD], prefix,
                                              context->count, context->error };
    if (pass->gather->has_spread) {
        end_spread(pass, context);
        memcpy(result + SPREAD, &context->spread, sizeof context->spread);
        if (!hcct_strips_end(&pass->strips, context->order))
            return false;
    }
    return ++pass->context_count < HCCT_FILE_NONE && hcct_sorter_add(&pass->gather->results, result);
}

/* Contexts come in the order of their chains' hashes, as the numbers do. */
static bool end_context(struct pass *pass)
{
    const struct context *context = &pass->context;
    if (!context->is_entry && !context->is_pin)
        return true;
    while (pass->number && memcmp(pass->number, context->key, 2 * sizeof *context->key) != 0)
        pass->number = hcct_sorted_next(&pass->numbers);
    if (!pass->number)
        return false;
    uint32_t prefix = (uint32_t)pass->number[2];
    return (!context->is_pin || add_pin(pass, prefix)) && (!context->is_entry || add_result(pass, prefix));
}

/* --- all contexts ----------------------------------------------------------------------------------- */

static int compare_keys(const uint64_t *a, const uint64_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The next record of both sorters. */
static const uint64_t *next_record(struct pass *pass, bool *is_sum)
{
    *is_sum =
        pass->sum && (!pass->entry || compare_keys(pass->sum, pass->entry, HCCT_EXTERNAL_ORDER + 1) < 0);
    return *is_sum ? pass->sum : pass->entry;
}

static bool read_all(struct pass *pass)
{
    bool is_sum, any = false, done = true;
    for (const uint64_t *record; done && (record = next_record(pass, &is_sum)); any = true) {
        if (!any || compare_keys(record, pass->context.key, HCCT_EXTERNAL_ORDER)) {
            done = end_context(pass);
            begin_context(pass, record);
        }
        add_record(pass, record, is_sum);
        if (is_sum)
            pass->sum = hcct_sorted_next(&pass->sums);
        else
            pass->entry = hcct_sorted_next(&pass->entries);
    }
    return done && end_context(pass) && !pass->external->spill->reason;
}

static bool open_pass(struct pass *pass)
{
    struct hcct_external *external = pass->external;
    bool done = hcct_sorted_open(&pass->entries, &external->entries);
    done = hcct_sorted_open(&pass->sums, &external->sums) && done;
    done = hcct_sorted_open(&pass->numbers, &external->chains.numbers) && done;
    if (!done)
        return false;
    pass->entry = hcct_sorted_next(&pass->entries);
    pass->sum = hcct_sorted_next(&pass->sums);
    pass->number = hcct_sorted_next(&pass->numbers);
    return !pass->gather->has_spread || hcct_strips_open(&pass->strips, external);
}

static int compare_pins(const void *left, const void *right)
{
    const struct pin *a = left, *b = right;
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool make_pins(struct pass *pass)
{
    struct hcct_gather *gather = pass->gather;
    gather->pins = malloc(((size_t)pass->pin_count + 1) * sizeof *gather->pins);
    if (!gather->pins)
        return false;
    if (pass->pin_count)
        qsort(pass->pins, pass->pin_count, sizeof *pass->pins, compare_pins);
    for (uint32_t i = 0; i < pass->pin_count; i++)
        gather->pins[i] =
            (struct hcct_file_pin){ .word = pass->pins[i].word, .prefix = pass->pins[i].prefix };
    gather->pin_count = pass->pin_count;
    return true;
}

static void place_sources(struct hcct_gather *gather, struct hcct_file_spread *value)
{
    struct hcct_combine *combine = gather->external->combine;
    value->least_source = hcct_combine_place_name(combine, gather->names, value->least_source);
    value->most_source = hcct_combine_place_name(combine, gather->names, value->most_source);
}

/* Names of profiles go to the strings in the order of the contexts, as make_spread of combine.c has them; and
 * the largest contexts get their numbers. */
static bool number_contexts(struct pass *pass)
{
    struct hcct_gather *gather = pass->gather;
    struct hcct_strips *strips = &pass->strips;
    uint32_t number = 0, row = 0;
    if (!gather->has_spread)
        return true;
    gather->names =
        malloc(((size_t)gather->external->combine->spread.name_count + 1) * sizeof *gather->names);
    if (!gather->names || !hcct_sorted_open(&gather->reading, &gather->results))
        return false;
    memset(gather->names, 0xff, gather->external->combine->spread.name_count * sizeof *gather->names);
    hcct_strips_sort(strips);
    for (const uint64_t *result; (result = hcct_sorted_next(&gather->reading)); number++) {
        struct hcct_file_spread value;
        memcpy(&value, result + SPREAD, sizeof value);
        place_sources(gather, &value);
        if (row < strips->largest_count && strips->largest[row]->order == result[ORDER])
            strips->largest[row++]->row.context = number;
    }
    hcct_sorted_close(&gather->reading);
    gather->strip_words = hcct_strips_make(strips, &gather->strip_word_count);
    return gather->strip_words;
}

static void close_pass(struct pass *pass)
{
    hcct_sorted_close(&pass->entries);
    hcct_sorted_close(&pass->sums);
    hcct_sorted_close(&pass->numbers);
}

bool hcct_gather_open(struct hcct_gather *gather, struct hcct_external *external)
{
    struct pass pass = { .gather = gather, .external = external };
    *gather = (struct hcct_gather){ .external = external,
                                    .has_spread = hcct_combine_has_spread(external->combine) };
    hcct_sorter_open(&gather->results, external->spill, WORDS + (gather->has_spread ? SPREAD_WORDS : 0), 1);
    bool done = hcct_chains_number(&external->chains) && open_pass(&pass) && read_all(&pass);
    close_pass(&pass); /* before the results are read */
    gather->context_count = (uint32_t)pass.context_count;
    done = done && make_pins(&pass) && number_contexts(&pass) && hcct_chains_read(&external->chains) &&
           hcct_sorted_open(&gather->reading, &gather->results) && !external->spill->reason;
    hcct_strips_close(&pass.strips);
    free(pass.pins);
    return done;
}

/* --- reading ---------------------------------------------------------------------------------------- */

const void *hcct_gather_next_entry(void *context)
{
    struct hcct_gather *gather = context;
    const uint64_t *result = hcct_sorted_next(&gather->reading);
    if (!result)
        return NULL;
    gather->entry = (struct hcct_file_entry){ .word = result[WORD],
                                              .count = result[COUNT],
                                              .error = result[ERROR],
                                              .prefix = (uint32_t)result[PREFIX] };
    return &gather->entry;
}

static bool read_again(struct hcct_gather *gather)
{
    hcct_sorted_close(&gather->reading);
    gather->reads_spread = true;
    return hcct_sorted_open(&gather->reading, &gather->results);
}

/* Behind the last context, the one of those that no profile has. */
const void *hcct_gather_next_spread(void *context)
{
    struct hcct_gather *gather = context;
    if (!gather->reads_spread && !read_again(gather))
        return NULL;
    const uint64_t *result = hcct_sorted_next(&gather->reading);
    if (!result && gather->external->spill->reason)
        return NULL;
    if (result)
        memcpy(&gather->spread, result + SPREAD, sizeof gather->spread);
    else
        gather->spread = hcct_spread_value(&gather->external->combine->spread, HCCT_FILE_NONE);
    place_sources(gather, &gather->spread);
    return &gather->spread;
}

void hcct_gather_close(struct hcct_gather *gather)
{
    hcct_sorted_close(&gather->reading);
    hcct_sorter_close(&gather->results);
    free(gather->pins);
    free(gather->strip_words);
    free(gather->names);
    *gather = (struct hcct_gather){ 0 };
}
