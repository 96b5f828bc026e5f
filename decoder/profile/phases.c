/* See phases.h. */
#include "decoder/profile/phases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/bursts.h"
#include "decoder/profile/sum.h"

uint32_t hcct_phases_next(const struct hcct_profile *profile, uint32_t phase)
{
    do
        phase++;
    while (phase < profile->phase_count && profile->phases[phase].entry != HCCT_FILE_NONE);
    return phase;
}

struct chosen {
    struct hcct_file_run run;
    struct hcct_file_bursts bursts;
    struct hcct_file_entry entries[];
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Sampled calls. A phase begins and ends anywhere in a stride, in each thread, and how often is not told. So
 * its N is as sure as any share of the run is. Where each call is a sample, or a count of samples, it is
 * known. No sample stands for more than a period of calls, so there were at least so many. */
static void choose_samples(struct hcct_file_bursts *bursts, uint64_t calls, uint64_t run_calls)
{
    double all = (double)run_calls, share = all > 0 ? fmin((double)calls / all, 1) : 0;
    struct hcct_interval bounds = hcct_bursts_share(bursts, 0, share, share);
    double away = ceil(all * fmax(share - bounds.low, bounds.high - share));
    bool is_known = bursts->kind == HCCT_ESTIMATE_TIMER || bursts->period == 1;
    if (!is_known)
        bursts->slack = hcct_sum(bursts->slack, away < 0x1p63 ? (uint64_t)away : UINT64_MAX);
    if (bursts->period)
        bursts->calls = calls / bursts->period + (calls % bursts->period != 0);
    else
        bursts->calls = bursts->kind == HCCT_ESTIMATE_TIMER ? calls : calls > 0;
    bursts->estimate *= share;
    bursts->squares *= share;
}

/* The effective number of bursts falls as the part of the bursts does, as estimate^2 / squares does. All
 * calls outside of bursts may be of this phase, or none. */
static void choose_units(struct hcct_file_bursts *bursts, uint64_t calls)
{
    uint64_t outside = bursts->kind == HCCT_ESTIMATE_BUDGET    ? smaller(bursts->whole, calls)
                       : bursts->kind == HCCT_ESTIMATE_SEVERAL ? smaller(bursts->calls, calls)
                                                               : 0;
    double part = bursts->estimate > 0 ? fmin((double)(calls - outside) / bursts->estimate, 1) : 0;
    bursts->estimate *= part;
    bursts->squares *= part;
    bursts->calls = smaller(bursts->calls, calls); /* at the most */
    if (bursts->kind == HCCT_ESTIMATE_BUDGET)
        bursts->whole = outside;
}

static void choose_bursts(struct hcct_profile *profile, struct chosen *chosen)
{
    if (!profile->bursts)
        return;
    chosen->bursts = *profile->bursts;
    if (hcct_bursts_are_calls(profile->bursts))
        choose_samples(&chosen->bursts, chosen->run.calls, profile->run->calls);
    else
        choose_units(&chosen->bursts, chosen->run.calls);
    profile->bursts = &chosen->bursts;
}

static void choose_run(struct hcct_file_run *run, const struct hcct_file_phase *phase, uint64_t counted)
{
    double reached = phase->count ? (double)phase->error / (double)phase->count : 0;
    run->calls = phase->count;
    run->floor = phase->error;
    if (run->mode == HCCT_MODE_HCCT && reached > run->epsilon)
        run->epsilon = reached < 1 ? reached : 1;
    run->dropped_memory = smaller(run->dropped_memory, run->calls);
    run->dropped_interrupted = smaller(run->dropped_interrupted, run->calls);
    run->stale = smaller(run->stale, run->calls);
    if (run->mode != HCCT_MODE_CCT)
        return;
    run->dropped_memory = run->calls > counted ? run->calls - counted : 0;
    run->dropped_interrupted = 0;
}

static void choose(struct hcct_profile *profile, struct chosen *chosen, uint32_t phase)
{
    uint32_t end = hcct_phases_next(profile, phase), count = 0;
    uint64_t counted = 0, chainless = 0;
    for (uint32_t i = phase + 1; i < end; i++) {
        const struct hcct_file_phase *element = &profile->phases[i];
        struct hcct_file_entry *entry = &chosen->entries[count++];
        *entry = profile->entries[element->entry];
        entry->count = element->count;
        entry->error = element->error;
        entry->trials = 0;
        counted = hcct_sum(counted, entry->count);
        if (entry->prefix == HCCT_FILE_NONE)
            chainless = hcct_sum(chainless, entry->count - entry->error);
    }
    chosen->run = *profile->run;
    chosen->run.dropped_chain = chainless;
    choose_run(&chosen->run, &profile->phases[phase], counted);
    choose_bursts(profile, chosen);
    profile->is_capped = profile->run->calls == UINT64_MAX;
    profile->run = &chosen->run;
    profile->entries = chosen->entries;
    profile->entry_count = count;
    profile->spread = NULL; /* it is of the whole run; that there is one stays known */
    profile->new_words = NULL;
    profile->chosen = chosen;
}

/* Says which phases there are, as far as the message has room. */
static bool refuse(const struct hcct_profile *profile, const char *name, struct hcct_error *error)
{
    char known[160] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < profile->phase_count; i = hcct_phases_next(profile, i)) {
        const char *other = profile->strings + profile->phases[i].name;
        int added = snprintf(known + length, sizeof known - length, "%s%s", length ? ", " : "", other);
        if (added < 0 || (size_t)added >= sizeof known - length - sizeof ", ...") {
            strcpy(known + length, length ? ", ..." : "...");
            break;
        }
        length += (size_t)added;
    }
    for (char *at = known; *at; at++)
        *at = (unsigned char)*at < ' ' || *at == 127 ? '?' : *at;
    if (!profile->phase_count)
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "tells no phases apart: the program did not call hcct_phase()");
    return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                          "has no phase of that name (%.40s); it has: %s", name, known);
}

uint32_t hcct_phases_find(const struct hcct_profile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->phase_count; i = hcct_phases_next(profile, i))
        if (!strcmp(profile->strings + profile->phases[i].name, name))
            return i;
    return HCCT_FILE_NONE;
}

bool hcct_phases_have(const struct hcct_profile *profile, const char *name)
{
    return profile->phase_count ? hcct_phases_find(profile, name) != HCCT_FILE_NONE
                                : !strcmp(name, HCCT_PHASE_NONE_NAME);
}

bool hcct_phases_choose(struct hcct_profile *profile, const char *name, struct hcct_error *error)
{
    uint32_t phase = hcct_phases_find(profile, name);
    if (phase == HCCT_FILE_NONE)
        return refuse(profile, name, error);
    struct chosen *chosen =
        malloc(sizeof *chosen + ((size_t)profile->phase_count + 1) * sizeof *chosen->entries);
    if (!chosen)
        return hcct_error_out_of_memory(error);
    choose(profile, chosen, phase);
    profile->phase = profile->strings + profile->phases[phase].name;
    return true;
}
