#include "decoder/combine/one_build/combine_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/sum.h"

/* The trials of a context's share of all calls; 0, not known, unless each profile told them. */
static uint32_t trials_of(const struct hcct_combine *combine, uint32_t number)
{
    const struct hcct_combine_context *context = &combine->contexts.all[number];
    double calls = (double)combine->run.calls;
    if (context->told_count != combine->profile_count || !(context->told_variance > 0))
        return 0;
    /* rounded without libm, which programs with libhcct_mpi.a may not link */
    double trials = calls * calls / context->told_variance + 0.5;
    return trials < 1 ? 1 : trials < UINT32_MAX ? (uint32_t)trials : UINT32_MAX;
}

static struct hcct_file_entry *make_entries(struct hcct_combine *combine)
{
    struct hcct_file_entry *entries = malloc(((size_t)combine->contexts.count + 1) * sizeof *entries);
    combine->run.dropped_chain = 0;
    for (uint32_t i = 0; entries && i < combine->contexts.count; i++) {
        struct hcct_tally_entry sum = hcct_tally_sum(&combine->tally, i);
        entries[i] = (struct hcct_file_entry){ .word = combine->contexts.all[i].word,
                                               .count = sum.count,
                                               .error = sum.error,
                                               .prefix = combine->contexts.all[i].prefix,
                                               .trials = trials_of(combine, i) };
        if (entries[i].prefix == HCCT_FILE_NONE)
            combine->run.dropped_chain = hcct_sum(combine->run.dropped_chain, sum.count - sum.error);
    }
    return entries;
}

static struct hcct_file_pin *make_pins(const struct hcct_combine *combine)
{
    struct hcct_file_pin *pins = malloc(((size_t)combine->contexts.pin_count + 1) * sizeof *pins);
    for (uint32_t i = 0; pins && i < combine->contexts.pin_count; i++)
        pins[i] = (struct hcct_file_pin){ .word = combine->contexts.pins[i].word,
                                          .prefix = combine->contexts.pins[i].prefix };
    return pins;
}

/* Puts the name of one of the spread's profiles among the strings, and returns where: `known` has where those
 * are that came before, else HCCT_FILE_NONE. */
static uint32_t place_name(struct hcct_combine *combine, uint32_t *known, uint32_t name)
{
    if (known[name] == HCCT_FILE_NONE)
        known[name] = hcct_records_string(&combine->records, combine->spread.names[name]);
    return known[name];
}

/* NULL when memory is out. Of one profile there is its name to tell, which stands behind the empty one. An
 * only element of several profiles tells their number. */
static struct hcct_file_spread *make_spread(struct hcct_combine *combine, uint32_t count)
{
    bool is_of_one = hcct_spread_profiles(&combine->spread) == 1;
    uint32_t name_count = combine->spread.name_count;
    struct hcct_file_spread *values = malloc((size_t)count * sizeof *values);
    uint32_t *known = malloc(((size_t)name_count + 1) * sizeof *known);
    bool done = values && known;
    if (done)
        memset(known, 0xff, (size_t)name_count * sizeof *known);
    for (uint32_t i = 0; done && i < count; i++) {
        values[i] = hcct_spread_value(&combine->spread, i + 1 < count ? i : HCCT_FILE_NONE);
        if (is_of_one)
            values[i].least_source = name_count > 1;
        values[i].least_source = place_name(combine, known, values[i].least_source);
        values[i].most_source = place_name(combine, known, values[i].most_source);
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
    if (combine->capacity && combine->contexts.count > combine->capacity &&
        !hcct_combine_cut(combine, combine->capacity))
        return false;
    uint32_t profiles = hcct_spread_profiles(&combine->spread);
    bool has_spread = hcct_combine_has_spread(combine);
    uint32_t phase_count, strip_count = 0;
    uint32_t spread_count = has_spread ? combine->contexts.count + 1 : profiles > 0;
    made->entries = make_entries(combine);
    made->pins = make_pins(combine);
    made->phases = hcct_phase_sums_make(&combine->phases, combine->contexts.count, &phase_count);
    made->spread = spread_count ? make_spread(combine, spread_count) : NULL;
    if (has_spread && !combine->tally.floor)
        hcct_strip_complete(&combine->spread.strip, &combine->tally);
    made->strips = has_spread ? hcct_strip_make(&combine->spread.strip, &strip_count) : NULL;
    combine->run.floor = combine->tally.floor;
    combine->run.capacity = combine->capacity;
    widen_epsilon(&combine->run);
    *out = combine->records.fixed;
    out->run = &combine->run;
    out->spread = made->spread;
    out->spread_count = spread_count;
    out->strip_words = made->strips;
    out->strip_word_count = strip_count;
    out->prefixes = combine->contexts.prefixes;
    out->prefix_count = combine->contexts.prefix_count;
    out->entries = made->entries;
    out->entry_count = combine->contexts.count;
    out->threads = combine->threads.threads;
    out->thread_count = combine->threads.count;
    out->heap = combine->is_heap ? hcct_heap_sum_all(&combine->heap, combine->contexts.count) : NULL;
    out->heap_count = combine->is_heap ? combine->contexts.count + 1 : 0;
    out->phases = made->phases;
    out->phase_count = phase_count;
    out->sampled = combine->heap.sampled;
    out->sampled_count = combine->heap.sampled ? out->heap_count : 0;
    out->curve_count = 0; /* runs have each their own time */
    out->pins = made->pins;
    out->pin_count = combine->contexts.pin_count;
    out->bursts = combine->is_estimate ? &combine->bursts : NULL;
    out->times = combine->times.start ? &combine->times : NULL;
    return made->entries && made->pins && made->phases && (out->heap || !combine->is_heap) &&
           (made->spread || !spread_count) && (made->strips || !has_spread);
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
    struct made made = { 0 };
    struct hcct_profile out;
    errno = ENOMEM;
    bool done = make(combine, &made, &out) && hcct_profile_pack_into(&out, file);
    int reason = errno;
    free_made(&made);
    errno = reason;
    return done;
}
