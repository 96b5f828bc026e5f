#include "decoder/combine/combine.h"

#include <errno.h>
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

/* --- prefixes and contexts ------------------------------------------------------------------------- */

static uint32_t hash_prefix(const struct hcct_file_prefix *prefix)
{
    return (uint32_t)hcct_hash_step(hcct_hash_step(hcct_hash_step(prefix->kind, prefix->word), prefix->site),
                                    prefix->parent);
}

static bool same_prefix(const void *array, uint32_t index, const void *key)
{
    const struct hcct_file_prefix *a = &((const struct hcct_file_prefix *)array)[index], *b = key;
    return a->word == b->word && a->site == b->site && a->parent == b->parent && a->kind == b->kind;
}

/* The index of that prefix, added if new, or HCCT_FILE_NONE when memory is out. Its parent is one of ours. */
static uint32_t intern_prefix(struct hcct_combine *combine, const struct hcct_file_prefix *prefix)
{
    uint32_t hash = hash_prefix(prefix);
    uint32_t found = hcct_table_find(&combine->prefix_table, hash, same_prefix, combine->prefixes, prefix);
    if (found != HCCT_TABLE_NONE)
        return found;
    void *room = hcct_vector_reserve(combine->prefixes, &combine->prefix_capacity, combine->prefix_count,
                                     sizeof *prefix);
    if (!room)
        return HCCT_FILE_NONE;
    combine->prefixes = room;
    if (!hcct_table_add(&combine->prefix_table, hash, combine->prefix_count))
        return HCCT_FILE_NONE;
    combine->prefixes[combine->prefix_count] = *prefix;
    return combine->prefix_count++;
}

/* Interns those of `from` that an entry needs, with their ancestors: map[from's index] is ours. The root is
 * always the first. */
static bool map_prefixes(struct hcct_combine *combine, const struct hcct_file_prefix *from, uint32_t count,
                         uint32_t *map, const bool *needed)
{
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_file_prefix prefix = from[i];
        map[i] = HCCT_FILE_NONE;
        if (i && !needed[i])
            continue;
        if (!i) /* nothing else in it means anything, and there is one */
            prefix = (struct hcct_file_prefix){ .parent = HCCT_FILE_NONE, .kind = HCCT_PREFIX_ROOT };
        if (prefix.parent != HCCT_FILE_NONE)
            prefix.parent = map[prefix.parent];
        map[i] = intern_prefix(combine, &prefix);
        if (map[i] == HCCT_FILE_NONE)
            return false;
    }
    return true;
}

/* Ancestors have smaller indices. */
static void need_ancestors(const struct hcct_file_prefix *prefixes, uint32_t count, bool *needed)
{
    for (uint32_t i = count; i-- > 1;)
        if (needed[i] && prefixes[i].parent != HCCT_FILE_NONE)
            needed[prefixes[i].parent] = true;
}

static uint32_t hash_word(uint64_t word)
{
    return (uint32_t)hcct_hash_step(0, word);
}

static uint32_t hash_context(const struct hcct_combine_context *context)
{
    return (uint32_t)hcct_hash_step(hcct_hash_step(context->prefix, context->word), context->word >> 32);
}

static bool same_context(const void *array, uint32_t index, const void *key)
{
    const struct hcct_combine_context *a = &((const struct hcct_combine_context *)array)[index], *b = key;
    return a->word == b->word && a->prefix == b->prefix;
}

static bool same_word(const void *array, uint32_t index, const void *key)
{
    const struct hcct_combine_context *a = &((const struct hcct_combine_context *)array)[index], *b = key;
    return a->word == b->word;
}

static bool add_word(struct hcct_combine *combine, uint32_t number)
{
    const struct hcct_combine_context *context = &combine->contexts[number];
    uint32_t hash = hash_word(context->word);
    return hcct_table_find(&combine->word_table, hash, same_word, combine->contexts, context) !=
               HCCT_TABLE_NONE ||
           hcct_table_add(&combine->word_table, hash, number);
}

/* Most sums need no words: only contexts without a chain are found by them. */
static bool begin_words(struct hcct_combine *combine)
{
    bool done = true;
    for (uint32_t i = 0; done && !combine->has_words && i < combine->context_count; i++)
        done = add_word(combine, i);
    combine->has_words = done;
    return done;
}

/* The number of a context, or HCCT_TABLE_NONE. One whose chain was not recorded is found by its word
 * alone. */
static uint32_t find_context(const struct hcct_combine *combine, const struct hcct_combine_context *context)
{
    if (context->prefix == HCCT_FILE_NONE)
        return hcct_table_find(&combine->word_table, hash_word(context->word), same_word, combine->contexts,
                               context);
    return hcct_table_find(&combine->context_table, hash_context(context), same_context, combine->contexts,
                           context);
}

static bool add_context(struct hcct_combine *combine, const struct hcct_combine_context *context,
                        uint32_t *number)
{
    if (context->prefix == HCCT_FILE_NONE && !begin_words(combine))
        return false;
    *number = find_context(combine, context);
    if (*number != HCCT_TABLE_NONE)
        return true;
    uint32_t known = HCCT_TABLE_NONE;
    if (combine->has_words)
        known = hcct_table_find(&combine->word_table, hash_word(context->word), same_word, combine->contexts,
                                context);
    if (known != HCCT_TABLE_NONE && combine->contexts[known].prefix == HCCT_FILE_NONE) {
        combine->contexts[ *number = known].prefix = context->prefix; /* now the chain is known */
        return hcct_table_add(&combine->context_table, hash_context(context), known);
    }
    void *room = hcct_vector_reserve(combine->contexts, &combine->context_capacity, combine->context_count,
                                     sizeof *context);
    if (!room)
        return false;
    combine->contexts = room;
    *number = combine->context_count++;
    combine->contexts[*number] = *context;
    return (!combine->has_words || add_word(combine, *number)) &&
           (context->prefix == HCCT_FILE_NONE ||
            hcct_table_add(&combine->context_table, hash_context(context), *number));
}

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
            if (!add_context(combine, &context, &number) ||
                !hcct_tally_add(&combine->tally, number, entry->count, entry->error) ||
                (!combine->leaves_spread && !hcct_spread_add(&combine->spread, number, entry, i)) ||
                (combine->is_heap && !add_heap(combine, profile, i, number)))
                return false;
            tell_trials(&combine->contexts[number], profile, entry);
            numbers[i] = number;
        }
    return !combine->is_heap || add_heap(combine, profile, profile->entry_count, HCCT_FILE_NONE);
}

static bool add_pin(struct hcct_combine *combine, uint64_t word, uint32_t prefix)
{
    struct hcct_combine_context pin = { .word = word, .prefix = prefix };
    uint32_t hash = hash_context(&pin);
    if (hcct_table_find(&combine->pin_table, hash, same_context, combine->pins, &pin) != HCCT_TABLE_NONE)
        return true;
    void *room = hcct_vector_reserve(combine->pins, &combine->pin_capacity, combine->pin_count, sizeof pin);
    if (!room)
        return false;
    combine->pins = room;
    combine->pins[combine->pin_count] = pin;
    return hcct_table_add(&combine->pin_table, hash, combine->pin_count++);
}

static bool add_pins(struct hcct_combine *combine, const struct hcct_profile *profile, const uint32_t *map)
{
    bool done = true;
    for (uint32_t i = 0; done && i < profile->pin_count; i++)
        done = add_pin(combine, profile->pins[i].word, map[profile->pins[i].prefix]);
    return done;
}

/* --- cutting -------------------------------------------------------------------------------------- */

/* The contexts that are kept, then the others; and the largest count of these. NULL when memory is out. */
static uint32_t *rank(const struct hcct_combine *combine, uint32_t kept_count, uint64_t *floor)
{
    uint32_t count = combine->context_count;
    struct hcct_tally_ranked *ranked = malloc(((size_t)count + 1) * sizeof *ranked);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    for (uint32_t i = 0; ranked && i < count; i++)
        ranked[i] = (struct hcct_tally_ranked){ hcct_tally_sum(&combine->tally, i).count,
                                                combine->contexts[i].word, i };
    if (ranked && order) {
        *floor = hcct_tally_select(ranked, count, kept_count, order);
    } else {
        free(order);
        order = NULL;
    }
    free(ranked);
    return order;
}

/* Fills an empty `to` with the first contexts of `order`, all pins, and the prefixes that they need. */
static bool take_contexts(struct hcct_combine *to, const struct hcct_combine *from, const uint32_t *order,
                          uint32_t count)
{
    uint32_t *map = malloc(((size_t)from->prefix_count + 1) * sizeof *map);
    bool *needed = calloc((size_t)from->prefix_count + 1, sizeof *needed);
    bool done = map && needed;
    for (uint32_t i = 0; done && i < count; i++)
        if (from->contexts[order[i]].prefix != HCCT_FILE_NONE)
            needed[from->contexts[order[i]].prefix] = true;
    for (uint32_t i = 0; done && i < from->pin_count; i++)
        needed[from->pins[i].prefix] = true;
    if (done)
        need_ancestors(from->prefixes, from->prefix_count, needed);
    done = done && map_prefixes(to, from->prefixes, from->prefix_count, map, needed);
    for (uint32_t i = 0, number; done && i < count; i++) {
        struct hcct_combine_context context = from->contexts[order[i]];
        if (context.prefix != HCCT_FILE_NONE)
            context.prefix = map[context.prefix];
        done = add_context(to, &context, &number) && number == i;
    }
    for (uint32_t i = 0; done && i < from->pin_count; i++)
        done = add_pin(to, from->pins[i].word, map[from->pins[i].prefix]);
    free(map);
    free(needed);
    return done;
}

static void free_contexts(struct hcct_combine *combine)
{
    free(combine->contexts);
    free(combine->prefixes);
    free(combine->pins);
    hcct_table_free(&combine->pin_table);
    hcct_table_free(&combine->context_table);
    hcct_table_free(&combine->word_table);
    hcct_table_free(&combine->prefix_table);
}

static bool cut(struct hcct_combine *combine, uint32_t kept_count)
{
    struct hcct_combine kept = { .has_words = combine->has_words };
    uint64_t floor;
    uint32_t *order = rank(combine, kept_count, &floor);
    bool done = order && take_contexts(&kept, combine, order, kept_count) &&
                (!combine->is_heap || hcct_heap_sum_cut(&combine->heap, order, kept_count)) &&
                hcct_spread_cut(&combine->spread, order, kept_count, floor) &&
                hcct_phase_sums_cut(&combine->phases, order, kept_count, combine->context_count) &&
                hcct_tally_cut(&combine->tally, order, kept_count, floor);
    free(order);
    if (!done) {
        free_contexts(&kept);
        return false;
    }
    free_contexts(combine);
    combine->contexts = kept.contexts;
    combine->prefixes = kept.prefixes;
    combine->context_table = kept.context_table;
    combine->word_table = kept.word_table;
    combine->prefix_table = kept.prefix_table;
    combine->context_count = kept.context_count;
    combine->context_capacity = kept.context_capacity;
    combine->prefix_count = kept.prefix_count;
    combine->prefix_capacity = kept.prefix_capacity;
    combine->pins = kept.pins;
    combine->pin_table = kept.pin_table;
    combine->pin_count = kept.pin_count;
    combine->pin_capacity = kept.pin_capacity;
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
        need_ancestors(profile->prefixes, profile->prefix_count, needed);
    hcct_tally_next(&combine->tally, profile->run->floor);
    struct hcct_spread_source source = hcct_spread_source(profile);
    done = done && (combine->leaves_spread || hcct_spread_next(&combine->spread, &source)) &&
           map_prefixes(combine, profile->prefixes, profile->prefix_count, map, needed) &&
           add_entries(combine, profile, map, numbers) &&
           hcct_phase_sums_add(&combine->phases, &combine->records, profile, numbers) &&
           add_pins(combine, profile, map) && hcct_spread_end(&combine->spread);
    free(map);
    free(needed);
    free(numbers);
    if (done && combine->capacity && combine->context_count / HCCT_COMBINE_KEPT_FACTOR >= combine->capacity)
        done = cut(combine, combine->capacity);
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
    if (!hcct_run_check_metric(&combine->records.fixed, profile, error))
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
        combine->is_estimate = true;
        hcct_bursts_add(&combine->bursts, profile->bursts);
    }
    combine->profile_count++;
    return (hcct_threads_add(&combine->threads, profile->threads, profile->thread_count) &&
            add(combine, profile)) ||
           hcct_error_out_of_memory(error);
}

/* The trials of a context's share of all calls; 0, not known, unless each profile told them. */
static uint32_t trials_of(const struct hcct_combine *combine, uint32_t number)
{
    const struct hcct_combine_context *context = &combine->contexts[number];
    double calls = (double)combine->run.calls;
    if (context->told_count != combine->profile_count || !(context->told_variance > 0))
        return 0;
    /* rounded without libm, which programs with libhcct_mpi.a may not link */
    double trials = calls * calls / context->told_variance + 0.5;
    return trials < 1 ? 1 : trials < UINT32_MAX ? (uint32_t)trials : UINT32_MAX;
}

static struct hcct_file_entry *make_entries(struct hcct_combine *combine)
{
    struct hcct_file_entry *entries = malloc(((size_t)combine->context_count + 1) * sizeof *entries);
    combine->run.dropped_chain = 0;
    for (uint32_t i = 0; entries && i < combine->context_count; i++) {
        struct hcct_tally_entry sum = hcct_tally_sum(&combine->tally, i);
        entries[i] = (struct hcct_file_entry){ .word = combine->contexts[i].word,
                                               .count = sum.count,
                                               .error = sum.error,
                                               .prefix = combine->contexts[i].prefix,
                                               .trials = trials_of(combine, i) };
        if (entries[i].prefix == HCCT_FILE_NONE)
            combine->run.dropped_chain = hcct_sum(combine->run.dropped_chain, sum.count - sum.error);
    }
    return entries;
}

static struct hcct_file_pin *make_pins(const struct hcct_combine *combine)
{
    struct hcct_file_pin *pins = malloc(((size_t)combine->pin_count + 1) * sizeof *pins);
    for (uint32_t i = 0; pins && i < combine->pin_count; i++)
        pins[i] = (struct hcct_file_pin){ .word = combine->pins[i].word, .prefix = combine->pins[i].prefix };
    return pins;
}

uint32_t hcct_combine_place_name(struct hcct_combine *combine, uint32_t *known, uint32_t name)
{
    if (known[name] == HCCT_FILE_NONE)
        known[name] = hcct_records_string(&combine->records, combine->spread.names[name]);
    return known[name];
}

/* NULL when memory is out. */
static struct hcct_file_spread *make_spread(struct hcct_combine *combine)
{
    uint32_t count = combine->context_count + 1, name_count = combine->spread.name_count;
    struct hcct_file_spread *values = malloc((size_t)count * sizeof *values);
    uint32_t *known = malloc(((size_t)name_count + 1) * sizeof *known);
    bool done = values && known;
    if (done)
        memset(known, 0xff, (size_t)name_count * sizeof *known);
    for (uint32_t i = 0; done && i < count; i++) {
        values[i] = hcct_spread_value(&combine->spread, i + 1 < count ? i : HCCT_FILE_NONE);
        values[i].least_source = hcct_combine_place_name(combine, known, values[i].least_source);
        values[i].most_source = hcct_combine_place_name(combine, known, values[i].most_source);
    }
    free(known);
    if (!done) {
        free(values);
        return NULL;
    }
    return values;
}

/* Algorithms for which tally.h's second invariant does not hold may have a floor above epsilon * N by now. */
static void widen_epsilon(struct hcct_file_run *run)
{
    double needed = run->calls ? (double)run->floor / (double)run->calls : 0;
    if (run->mode == HCCT_MODE_HCCT && needed > run->epsilon)
        run->epsilon = needed < 1 ? needed : 1;
}

/* What the result has beside what `combine` has; NULL where there is none. */
struct made {
    struct hcct_file_entry *entries;
    struct hcct_file_pin *pins;
    struct hcct_file_phase *phases;
    struct hcct_file_spread *spread;
    uint64_t *strips;
};

static void free_made(struct made *made)
{
    free(made->entries);
    free(made->pins);
    free(made->phases);
    free(made->spread);
    free(made->strips);
}

/* Makes the result. False when memory is out. */
static bool make(struct hcct_combine *combine, struct made *made, struct hcct_profile *out)
{
    if (combine->capacity && combine->context_count > combine->capacity && !cut(combine, combine->capacity))
        return false;
    bool has_spread = hcct_spread_profiles(&combine->spread) > 1;
    uint32_t phase_count, strip_count = 0;
    made->entries = make_entries(combine);
    made->pins = make_pins(combine);
    made->phases = hcct_phase_sums_make(&combine->phases, combine->context_count, &phase_count);
    made->spread = has_spread ? make_spread(combine) : NULL;
    if (has_spread && !combine->tally.floor)
        hcct_strip_complete(&combine->spread.strip, &combine->tally);
    made->strips = has_spread ? hcct_strip_make(&combine->spread.strip, &strip_count) : NULL;
    combine->run.floor = combine->tally.floor;
    combine->run.capacity = combine->capacity;
    widen_epsilon(&combine->run);
    *out = combine->records.fixed;
    out->run = &combine->run;
    out->spread = made->spread;
    out->spread_count = has_spread ? combine->context_count + 1 : 0;
    out->strip_words = made->strips;
    out->strip_word_count = strip_count;
    out->prefixes = combine->prefixes;
    out->prefix_count = combine->prefix_count;
    out->entries = made->entries;
    out->entry_count = combine->context_count;
    out->threads = combine->threads.threads;
    out->thread_count = combine->threads.count;
    out->heap = combine->is_heap ? hcct_heap_sum_all(&combine->heap, combine->context_count) : NULL;
    out->heap_count = combine->is_heap ? combine->context_count + 1 : 0;
    out->members = combine->members ? combine->members->numbers : NULL;
    out->member_count = combine->members ? combine->members->count : 0;
    out->phases = made->phases;
    out->phase_count = phase_count;
    out->sampled = combine->heap.sampled;
    out->sampled_count = combine->heap.sampled ? out->heap_count : 0;
    out->curve_count = 0; /* runs have each their own time */
    out->pins = made->pins;
    out->pin_count = combine->pin_count;
    out->bursts = combine->is_estimate ? &combine->bursts : NULL;
    out->times = combine->times.start ? &combine->times : NULL;
    return made->entries && made->pins && made->phases && (out->heap || !combine->is_heap) &&
           ((made->spread && made->strips) || !has_spread);
}

unsigned char *hcct_combine_write(struct hcct_combine *combine, size_t *length)
{
    struct made made = { 0 };
    struct hcct_profile out;
    unsigned char *bytes = make(combine, &made, &out) ? hcct_profile_pack(&out, length) : NULL;
    free_made(&made);
    return bytes;
}

bool hcct_combine_write_into(struct hcct_combine *combine, int file)
{
    return hcct_combine_write_outside(combine, NULL, file);
}

bool hcct_combine_write_outside(struct hcct_combine *combine, const struct hcct_combine_outside *outside,
                                int file)
{
    struct made made = { 0 };
    struct hcct_profile out;
    errno = ENOMEM;
    bool done = make(combine, &made, &out);
    if (done && outside) {
        out.pins = outside->pins;
        out.pin_count = outside->pin_count;
        out.strip_words = outside->strip_words;
        out.strip_word_count = outside->strip_word_count;
    }
    done = done && hcct_profile_pack_sources(&out, outside ? outside->sources : NULL, outside ? 3 : 0, file);
    int reason = errno;
    free_made(&made);
    errno = reason;
    return done;
}

void hcct_combine_free(struct hcct_combine *combine)
{
    hcct_records_free(&combine->records);
    hcct_threads_free(&combine->threads);
    free_contexts(combine);
    hcct_tally_free(&combine->tally);
    hcct_heap_sum_free(&combine->heap);
    hcct_spread_free(&combine->spread);
    hcct_phase_sums_free(&combine->phases);
    *combine = (struct hcct_combine){ 0 };
}
