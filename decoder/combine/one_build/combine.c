#include "decoder/combine/one_build/combine.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/combine/run.h"
#include "decoder/profile/bursts.h"
#include "decoder/profile/sum.h"
#include "format/error.h"

#define CAPACITY_LIMIT (UINT32_C(1) << 20) /* 1 / epsilon at the most; hostile files may say anything */

/* --- runs ----------------------------------------------------------------------------------------- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t capacity_of(const struct hcct_profile *profile)
{
    uint64_t capacity = profile->run->capacity;
    if (capacity > CAPACITY_LIMIT)
        capacity = CAPACITY_LIMIT;
    return larger(larger((uint32_t)capacity, profile->entry_count), 1);
}

static void add_run(struct hcct_combine *combine, const struct hcct_profile *profile)
{
    const struct hcct_file_run *from = profile->run;
    struct hcct_file_run *to = &combine->run;
    if (from->mode == HCCT_MODE_HCCT)
        combine->capacity = larger(combine->capacity, capacity_of(profile));
    if (!combine->profile_count) /* `to` is a copy of it */
        return;
    hcct_run_add(to, from);
    to->pid = 0;
    if (strcmp(combine->records.fixed.strings + to->host, hcct_profile_string(profile, from->host)))
        to->host = 0;
    if (strcmp(combine->records.fixed.strings + to->command, hcct_profile_string(profile, from->command)))
        to->command = 0;
}

/* --- contexts -------------------------------------------------------------------------------------- */

static bool add_heap(struct hcct_combine *combine, const struct hcct_profile *profile, uint32_t i,
                     uint32_t number)
{
    return hcct_heap_sum_add(&combine->heap, number, &profile->heap[i],
                             profile->sampled ? &profile->sampled[i] : NULL);
}

static void tell_trials(struct hcct_combine_context *context, const struct hcct_profile *profile,
                        const struct hcct_file_entry *entry)
{
    double calls = (double)profile->run->calls;
    if (!entry->trials)
        return;
    context->told_count++;
    context->told_variance += calls * calls / entry->trials;
}

/* Those with a chain first, so that an entry without one finds them in whatever order they stand in the
 * file. numbers[i] becomes the context of entry i. */
static bool add_entries(struct hcct_combine *combine, const struct hcct_profile *profile, const uint32_t *map,
                        uint32_t *numbers)
{
    for (int chainless = 0; chainless < 2; chainless++)
        for (uint32_t i = 0; i < profile->entry_count; i++) {
            const struct hcct_file_entry *entry = &profile->entries[i];
            struct hcct_combine_context context = { .word = entry->word, .prefix = HCCT_FILE_NONE };
            uint32_t number;
            if ((entry->prefix == HCCT_FILE_NONE) != chainless)
                continue;
            if (!chainless)
                context.prefix = map[entry->prefix];
            if (!hcct_combine_contexts_add(&combine->contexts, &context, &number) ||
                !hcct_tally_add(&combine->tally, number, entry->count, entry->error) ||
                !hcct_spread_add(&combine->spread, number, entry, i) ||
                (combine->is_heap && !add_heap(combine, profile, i, number)))
                return false;
            tell_trials(&combine->contexts.all[number], profile, entry);
            numbers[i] = number;
        }
    return !combine->is_heap || add_heap(combine, profile, profile->entry_count, HCCT_FILE_NONE);
}

static bool add_pins(struct hcct_combine *combine, const struct hcct_profile *profile, const uint32_t *map)
{
    bool done = true;
    for (uint32_t i = 0; done && i < profile->pin_count; i++)
        done = hcct_combine_contexts_add_pin(&combine->contexts, profile->pins[i].word,
                                             map[profile->pins[i].prefix]);
    return done;
}

/* --- cutting -------------------------------------------------------------------------------------- */

/* The contexts that are kept, then the others; and the largest count of these. NULL when memory is out. */
static uint32_t *rank(const struct hcct_combine *combine, uint32_t kept_count, uint64_t *floor)
{
    uint32_t count = combine->contexts.count;
    struct hcct_tally_ranked *ranked = malloc(((size_t)count + 1) * sizeof *ranked);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    for (uint32_t i = 0; ranked && i < count; i++)
        ranked[i] = (struct hcct_tally_ranked){ hcct_tally_sum(&combine->tally, i).count,
                                                combine->contexts.all[i].word, i };
    if (ranked && order) {
        *floor = hcct_tally_select(ranked, count, kept_count, order);
    } else {
        free(order);
        order = NULL;
    }
    free(ranked);
    return order;
}

bool hcct_combine_cut(struct hcct_combine *combine, uint32_t kept_count)
{
    struct hcct_combine_contexts kept = { .has_words = combine->contexts.has_words };
    uint64_t floor;
    uint32_t *order = rank(combine, kept_count, &floor);
    bool done = order && hcct_combine_contexts_take(&kept, &combine->contexts, order, kept_count) &&
                (!combine->is_heap || hcct_heap_sum_cut(&combine->heap, order, kept_count)) &&
                hcct_spread_cut(&combine->spread, order, kept_count, floor) &&
                hcct_phase_sums_cut(&combine->phases, order, kept_count, combine->contexts.count) &&
                hcct_tally_cut(&combine->tally, order, kept_count, floor);
    free(order);
    if (!done) {
        hcct_combine_contexts_free(&kept);
        return false;
    }
    hcct_combine_contexts_free(&combine->contexts);
    combine->contexts = kept;
    return true;
}

/* --- the whole ------------------------------------------------------------------------------------ */

static bool add(struct hcct_combine *combine, const struct hcct_profile *profile)
{
    uint32_t *map = malloc(((size_t)profile->prefix_count + 1) * sizeof *map);
    bool *needed = calloc((size_t)profile->prefix_count + 1, sizeof *needed);
    uint32_t *numbers = malloc(((size_t)profile->entry_count + 1) * sizeof *numbers);
    bool done = map && needed && numbers;
    for (uint32_t i = 0; done && i < profile->entry_count; i++)
        if (profile->entries[i].prefix != HCCT_FILE_NONE)
            needed[profile->entries[i].prefix] = true;
    for (uint32_t i = 0; done && i < profile->pin_count; i++)
        needed[profile->pins[i].prefix] = true;
    if (done)
        hcct_combine_contexts_need_ancestors(profile->prefixes, profile->prefix_count, needed);
    hcct_tally_next(&combine->tally, profile->run->floor);
    struct hcct_spread_source source = hcct_spread_source(profile);
    done = done && hcct_spread_next(&combine->spread, &source) &&
           hcct_combine_contexts_map_prefixes(&combine->contexts, profile->prefixes, profile->prefix_count,
                                              map, needed) &&
           add_entries(combine, profile, map, numbers) &&
           hcct_phase_sums_add(&combine->phases, &combine->records, profile, numbers) &&
           add_pins(combine, profile, map) && hcct_spread_end(&combine->spread);
    free(map);
    free(needed);
    free(numbers);
    if (done && combine->capacity && combine->contexts.count / HCCT_COMBINE_KEPT_FACTOR >= combine->capacity)
        done = hcct_combine_cut(combine, combine->capacity);
    return done;
}

/* The first profile's run, its strings among ours. */
static void begin_run(struct hcct_combine *combine, const struct hcct_profile *profile)
{
    struct hcct_file_run *run = &combine->run;
    *run = *profile->run;
    combine->is_heap = profile->heap != NULL;
    combine->records.fixed.run = run;
    run->unit = (uint16_t)hcct_records_string(&combine->records, hcct_profile_string(profile, run->unit));
    run->program = hcct_records_string(&combine->records, hcct_profile_string(profile, run->program));
    run->command = hcct_records_string(&combine->records, hcct_profile_string(profile, run->command));
    run->host = hcct_records_string(&combine->records, hcct_profile_string(profile, run->host));
}

static bool check_build(const struct hcct_combine *combine, const struct hcct_profile *profile,
                        struct hcct_error *error)
{
    if (!hcct_run_check_sum(&combine->records.fixed, profile, error))
        return false;
    return profile->run->build_id == combine->run.build_id ||
           hcct_run_refuse_build("--force adds such files up by function and line", error);
}

bool hcct_combine_add(struct hcct_combine *combine, const struct hcct_profile *profile,
                      struct hcct_error *error)
{
    if (combine->profile_count && !check_build(combine, profile, error))
        return false;
    if (!hcct_records_add(&combine->records, profile, error))
        return false;
    if (!combine->profile_count)
        begin_run(combine, profile);
    if (!hcct_phase_sums_begin(&combine->phases, &combine->records, profile, &combine->tally,
                               combine->profile_count ? combine->run.calls : 0))
        return hcct_error_out_of_memory(error);
    add_run(combine, profile);
    hcct_run_add_times(&combine->times, profile->times);
    if (profile->bursts) {
        hcct_bursts_add(&combine->bursts, profile->bursts, !combine->is_estimate);
        combine->is_estimate = true;
        combine->records.fixed.bursts = &combine->bursts;
    }
    combine->profile_count++;
    return (hcct_threads_add(&combine->threads, profile->threads, profile->thread_count) &&
            add(combine, profile)) ||
           hcct_error_out_of_memory(error);
}

void hcct_combine_free(struct hcct_combine *combine)
{
    hcct_records_free(&combine->records);
    hcct_threads_free(&combine->threads);
    hcct_combine_contexts_free(&combine->contexts);
    hcct_tally_free(&combine->tally);
    hcct_heap_sum_free(&combine->heap);
    hcct_spread_free(&combine->spread);
    hcct_phase_sums_free(&combine->phases);
    *combine = (struct hcct_combine){ 0 };
}
