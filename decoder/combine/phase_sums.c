/* See phase_sums.h. */
#include "decoder/combine/phase_sums.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/combine/table.h"
#include "decoder/profile/phases.h"
#include "decoder/profile/sum.h"

static const char *name_of(const struct hcct_records *records, const struct hcct_phase_sum *phase)
{
    return records->fixed.strings + phase->name;
}

static bool is_named(const char *name)
{
    return strcmp(name, HCCT_PHASE_NONE_NAME) != 0 && strcmp(name, HCCT_PHASE_REST_NAME) != 0;
}

/* The phase of that name, which may be new or the rest; NULL when memory is out. */
static struct hcct_phase_sum *find(struct hcct_phase_sums *sums, struct hcct_records *records,
                                   const char *name)
{
    uint32_t named_count = 0;
    for (uint32_t i = 0; i < sums->count; i++) {
        const char *other = name_of(records, &sums->phases[i]);
        if (!strcmp(other, name))
            return &sums->phases[i];
        named_count += is_named(other);
    }
    if (named_count >= HCCT_PHASES && is_named(name))
        return find(sums, records, HCCT_PHASE_REST_NAME);
    if (!hcct_vector_grow(&sums->phases, &sums->capacity, sums->count, sizeof *sums->phases))
        return NULL;
    struct hcct_phase_sum *phase = &sums->phases[sums->count];
    *phase = (struct hcct_phase_sum){ .name = hcct_records_string(records, name) };
    if (!phase->name)
        return NULL;
    sums->count++;
    return phase;
}

static bool copy(struct hcct_tally *to, const struct hcct_tally *from)
{
    *to = *from;
    to->entries = malloc(((size_t)from->capacity + 1) * sizeof *to->entries);
    if (to->entries && from->count)
        memcpy(to->entries, from->entries, from->count * sizeof *to->entries);
    return to->entries;
}

bool hcct_phase_sums_begin(struct hcct_phase_sums *sums, struct hcct_records *records,
                           const struct hcct_profile *profile, const struct hcct_tally *before,
                           uint64_t calls_before)
{
    if (!profile->phase_count || sums->count || !calls_before)
        return true;
    struct hcct_phase_sum *none = find(sums, records, HCCT_PHASE_NONE_NAME);
    if (!none || !copy(&none->tally, before))
        return false;
    none->calls = calls_before;
    return true;
}

/* A profile without phases. */
static bool add_whole(struct hcct_phase_sums *sums, struct hcct_records *records,
                      const struct hcct_profile *profile, const uint32_t *numbers)
{
    struct hcct_phase_sum *none = find(sums, records, HCCT_PHASE_NONE_NAME);
    bool done = none;
    if (!done)
        return false;
    none->calls = hcct_sum(none->calls, profile->run->calls);
    hcct_tally_next(&none->tally, profile->run->floor);
    for (uint32_t i = 0; done && i < profile->entry_count; i++)
        done = hcct_tally_add(&none->tally, numbers[i], profile->entries[i].count, profile->entries[i].error);
    return done;
}

bool hcct_phase_sums_add(struct hcct_phase_sums *sums, struct hcct_records *records,
                         const struct hcct_profile *profile, const uint32_t *numbers)
{
    struct hcct_phase_sum *phase = NULL;
    if (!profile->phase_count)
        return !sums->count || add_whole(sums, records, profile, numbers);
    for (uint32_t i = 0; i < profile->phase_count; i++) {
        const struct hcct_file_phase *element = &profile->phases[i];
        if (element->entry == HCCT_FILE_NONE) {
            phase = find(sums, records, profile->strings + element->name);
            if (!phase)
                return false;
            phase->calls = hcct_sum(phase->calls, element->count);
            hcct_tally_next(&phase->tally, element->error);
        } else if (!hcct_tally_add(&phase->tally, numbers[element->entry], element->count, element->error)) {
            return false;
        }
    }
    return true;
}

/* --- cutting and writing --------------------------------------------------------------------------- */

/* Whether the phase has counted the context since it was kept. */
static bool has(const struct hcct_phase_sum *phase, uint32_t context)
{
    return context < phase->tally.count && phase->tally.entries[context].last_source;
}

bool hcct_phase_sums_cut(struct hcct_phase_sums *sums, const uint32_t *order, uint32_t kept_count,
                         uint32_t context_count)
{
    for (uint32_t i = 0; i < sums->count; i++) {
        struct hcct_phase_sum *phase = &sums->phases[i];
        uint64_t floor = 0;
        for (uint32_t j = kept_count; j < context_count; j++) {
            uint64_t count = has(phase, order[j]) ? hcct_tally_sum(&phase->tally, order[j]).count : 0;
            floor = count > floor ? count : floor;
        }
        if (!hcct_tally_extend(&phase->tally, context_count) ||
            !hcct_tally_cut(&phase->tally, order, kept_count, floor))
            return false;
    }
    return true;
}

static uint64_t count_elements(const struct hcct_phase_sums *sums, uint32_t context_count)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < sums->count; i++) {
        count++;
        for (uint32_t j = 0; j < context_count; j++)
            count += has(&sums->phases[i], j);
    }
    return count;
}

struct hcct_file_phase *hcct_phase_sums_make(const struct hcct_phase_sums *sums, uint32_t context_count,
                                             uint32_t *count)
{
    uint64_t most = count_elements(sums, context_count);
    struct hcct_file_phase *elements = most < HCCT_FILE_NONE ? malloc((most + 1) * sizeof *elements) : NULL;
    *count = 0;
    for (uint32_t i = 0; elements && i < sums->count; i++) {
        const struct hcct_phase_sum *phase = &sums->phases[i];
        if (!phase->calls)
            continue;
        uint64_t floor = phase->tally.floor < phase->calls ? phase->tally.floor : phase->calls;
        elements[(*count)++] = (struct hcct_file_phase){ phase->name, HCCT_FILE_NONE, phase->calls, floor };
        for (uint32_t j = 0; j < context_count; j++) {
            if (!has(phase, j))
                continue;
            struct hcct_tally_entry sum = hcct_tally_sum(&phase->tally, j);
            if (sum.count > floor)
                elements[(*count)++] = (struct hcct_file_phase){ phase->name, j, sum.count, sum.error };
        }
    }
    return elements;
}

void hcct_phase_sums_free(struct hcct_phase_sums *sums)
{
    for (uint32_t i = 0; i < sums->count; i++)
        hcct_tally_free(&sums->phases[i].tally);
    free(sums->phases);
    *sums = (struct hcct_phase_sums){ 0 };
}
