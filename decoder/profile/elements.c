/* Every element of every section on its own: indices and string offsets inside their sections, values inside
 * their enumerations, parents before children. */
#include "decoder/profile/elements.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "decoder/profile/sum.h"
#include "format/error.h"

static bool corrupt(const struct hcct_profile *profile, const void *element, struct hcct_error *error,
                    const char *what)
{
    return hcct_error_set(error, HCCT_ERROR_CORRUPT, hcct_elements_offset(profile, element), "%s", what);
}

static bool is_string(const struct hcct_profile *profile, uint32_t offset)
{
    return offset < profile->string_bytes;
}

static bool is_index_or_none(uint32_t index, uint32_t count)
{
    return index < count || index == HCCT_FILE_NONE;
}

static bool is_share(double value)
{
    return isfinite(value) && value >= 0 && value <= 1;
}

static bool check_strings(const struct hcct_profile *profile, struct hcct_error *error)
{
    if (!profile->string_bytes || profile->strings[0] || profile->strings[profile->string_bytes - 1])
        return corrupt(profile, profile->strings, error, "the strings do not begin and end with a zero byte");
    return true;
}

static bool check_run(const struct hcct_profile *profile, struct hcct_error *error)
{
    const struct hcct_file_run *run = profile->run;
    if (run->scheme >= HCCT_SCHEME_COUNT)
        return hcct_error_set(
            error, HCCT_ERROR_VERSION, hcct_elements_offset(profile, &run->scheme),
            "contexts are encoded by scheme %u, which this program does not know: decode it "
            "with the version of hcct that wrote it",
            run->scheme);
    if (run->mode >= HCCT_MODE_COUNT || run->algorithm >= HCCT_ALGORITHM_COUNT ||
        run->delta > HCCT_DELTA_ONE || run->guarantee >= HCCT_GUARANTEE_COUNT ||
        run->recursion >= HCCT_RECURSION_COUNT || run->metric >= HCCT_METRIC_COUNT)
        return corrupt(profile, run, error, "unknown mode, algorithm, guarantee, recursion or metric");
    if (hcct_metric_has_unit(run->metric) != (run->unit != 0) ||
        (run->unit && (!is_string(profile, run->unit) || !hcct_unit_is_valid(profile->strings + run->unit))))
        return corrupt(profile, run, error, "the unit is none");
    if (!is_share(run->phi) || !is_share(run->epsilon))
        return corrupt(profile, &run->phi, error, "phi or epsilon is not a share");
    if (!is_string(profile, run->program) || !is_string(profile, run->command) ||
        !is_string(profile, run->host))
        return corrupt(profile, &run->program, error, "a string of the run is outside the strings");
    return true;
}

static bool check_functions(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->function_count; i++) {
        const struct hcct_file_function *function = &profile->functions[i];
        if (!is_string(profile, function->linkage_name) || !is_string(profile, function->source_name) ||
            !is_string(profile, function->file))
            return corrupt(profile, function, error, "a function's string is outside the strings");
        if (!is_index_or_none(function->object, profile->object_count))
            return corrupt(profile, function, error, "a function's object does not exist");
        if (i && function->base <= profile->functions[i - 1].base)
            return corrupt(profile, function, error, "functions are not in ascending order");
    }
    return true;
}

static bool check_sites(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->site_count; i++) {
        const struct hcct_file_site *site = &profile->sites[i];
        if (!is_string(profile, site->callee_name) || !is_string(profile, site->file))
            return corrupt(profile, site, error, "a site's string is outside the strings");
        if (site->caller >= profile->function_count || (i && site->caller < profile->sites[i - 1].caller))
            return corrupt(profile, site, error, "a site's caller does not exist or is out of order");
        if (!is_index_or_none(site->callee, profile->function_count) ||
            (site->callee == HCCT_FILE_NONE && site->delta > 0))
            return corrupt(profile, site, error, "a site's callee does not exist");
        if (!is_index_or_none(site->inlined, profile->inlined_count))
            return corrupt(profile, site, error, "a site's inlined frame does not exist");
        if (site->id % 2 == 0)
            return corrupt(profile, site, error, "a site's id is even");
    }
    return true;
}

static bool check_inlined(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->inlined_count; i++) {
        const struct hcct_file_inlined *inlined = &profile->inlined[i];
        if (!is_string(profile, inlined->linkage_name) || !is_string(profile, inlined->source_name) ||
            !is_string(profile, inlined->file) || !is_string(profile, inlined->call_file))
            return corrupt(profile, inlined, error, "an inlined frame's string is outside the strings");
        if (!is_index_or_none(inlined->outer, i))
            return corrupt(profile, inlined, error, "an inlined frame's outer frame does not come before it");
    }
    return true;
}

static bool check_prefixes(const struct hcct_profile *profile, struct hcct_error *error)
{
    if (!profile->prefix_count)
        return corrupt(profile, profile->prefixes, error, "the root prefix is missing");
    for (uint32_t i = 0; i < profile->prefix_count; i++) {
        const struct hcct_file_prefix *prefix = &profile->prefixes[i];
        bool below = prefix->kind == HCCT_PREFIX_PUSH || prefix->kind == HCCT_PREFIX_LEAF;
        if (prefix->kind >= HCCT_PREFIX_KIND_COUNT || (prefix->kind == HCCT_PREFIX_ROOT) != (i == 0))
            return corrupt(profile, prefix, error, "a prefix of the wrong kind");
        if (prefix->kind == HCCT_PREFIX_THREAD && prefix->site > UINT32_MAX)
            return corrupt(profile, prefix, error, "a thread's number is too large");
        if (below ? prefix->parent >= i : prefix->parent != HCCT_FILE_NONE)
            return corrupt(profile, prefix, error, "a prefix's parent does not come before it");
    }
    return true;
}

static bool check_entries(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->entry_count; i++) {
        const struct hcct_file_entry *entry = &profile->entries[i];
        if (!is_index_or_none(entry->prefix, profile->prefix_count))
            return corrupt(profile, entry, error, "an entry's prefix does not exist");
        if (entry->error > entry->count || (entry->trials && !profile->bursts))
            return corrupt(profile, entry, error,
                           "an entry's error is larger than its count, or it has trials without bursts");
    }
    return true;
}

static bool check_pins(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->pin_count; i++)
        if (profile->pins[i].prefix >= profile->prefix_count || profile->pins[i].reserved)
            return corrupt(profile, &profile->pins[i], error,
                           "a pin's prefix does not exist, or its reserved field is not zero");
    return true;
}

static bool check_bursts(const struct hcct_profile *profile, struct hcct_error *error)
{
    const struct hcct_file_bursts *bursts = profile->bursts;
    if (bursts && bursts->kind >= HCCT_ESTIMATE_COUNT)
        return hcct_error_set(error, HCCT_ERROR_VERSION, hcct_elements_offset(profile, &bursts->kind),
                              "estimates of kind %" PRIu64 ", which this program does not know: decode it "
                              "with the version of hcct that wrote it",
                              bursts->kind);
    if (bursts && (!isfinite(bursts->estimate) || !isfinite(bursts->squares) || bursts->estimate < 0 ||
                   bursts->squares < 0 || bursts->is_adaptive > 1))
        return corrupt(profile, bursts, error, "the sums over the bursts are none");
    return true;
}

static bool check_objects(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->object_count; i++)
        if (!is_string(profile, profile->objects[i].path) ||
            !is_string(profile, profile->objects[i].build_id))
            return corrupt(profile, &profile->objects[i], error, "an object's string is outside the strings");
    return true;
}

static bool check_heap(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint32_t needed = profile->run->metric == HCCT_METRIC_HEAP ? profile->entry_count + 1 : 0;
    bool is_whole =
        profile->heap_count == needed && (!profile->sampled_count || profile->sampled_count == needed);
    return is_whole ||
           corrupt(profile, profile->run, error, "the heap's values are not one for each entry and one more");
}

/* Each profile has the context or lacks it: so in all elements the numbers of both add up to the same. */
static bool check_spread(const struct hcct_profile *profile, struct hcct_error *error)
{
    const struct hcct_file_spread *all = profile->spread;
    if (!profile->spread_count)
        return true;
    const struct hcct_file_spread *rest = all + profile->spread_count - 1;
    bool has_last_only = profile->spread_count == 1;
    if (!has_last_only && (rest->absent == 1 || profile->spread_count != profile->entry_count + 1))
        return corrupt(profile, all, error, "the spread is not one for each entry and one more");
    for (const struct hcct_file_spread *it = all; it <= rest; it++) {
        if (!is_string(profile, it->least_source) || !is_string(profile, it->most_source))
            return corrupt(profile, it, error, "a spread's string is outside the strings");
        if (it->least_low > it->least_high || it->most_low > it->most_high || it->least_low > it->most_low ||
            it->least_high > it->most_high)
            return corrupt(profile, it, error, "a spread's bounds are none");
        if (it->present > rest->absent || it->absent != rest->absent - it->present ||
            (it < rest) != (it->present != 0))
            return corrupt(profile, it, error, "a spread's numbers of profiles do not fit the others'");
    }
    return rest->absent || corrupt(profile, rest, error, "the spread of no profile");
}

/* All rows ascending, the last one for contexts without one; as many profiles as the spread has. */
static bool check_strips(const struct hcct_profile *profile, struct hcct_error *error)
{
    const uint64_t *words = profile->strip_words;
    uint64_t count = profile->strip_word_count, profiles = 0, before = 0;
    if (!count)
        return true;
    uint64_t all = profile->spread_count ? profile->spread[profile->spread_count - 1].absent : 1;
    if (all < 2)
        return corrupt(profile, words, error, "strips of one profile");
    uint64_t bins = words[0], row = bins + 1;
    if (!bins || bins > HCCT_STRIP_BINS || count < 1 + bins + row || (count - 1 - bins) % row ||
        (count - 1 - bins) / row > HCCT_STRIP_WRITTEN + 1)
        return corrupt(profile, words, error, "the strips' length is none");
    for (uint64_t i = 1; i <= bins; i++) {
        if (!words[i] || words[i] > UINT32_MAX)
            return corrupt(profile, words + i, error, "a strip's bin has no profile, or too many");
        profiles += words[i];
    }
    if (profiles != all)
        return corrupt(profile, words, error, "the strips are not of as many profiles as the spread");
    for (uint64_t at = 1 + bins; at < count; at += row) {
        bool is_last = at + row == count;
        if (is_last ? words[at] != HCCT_FILE_NONE
                    : words[at] >= profile->entry_count || (at > 1 + bins && words[at] <= before))
            return corrupt(profile, words + at, error, "a strip's entry does not exist or is out of order");
        before = words[at];
    }
    return true;
}

/* The phases' N add up to that of the run, both up to the largest number. */
static bool check_phases(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint64_t calls = 0;
    for (uint32_t i = 0; i < profile->phase_count; i++) {
        const struct hcct_file_phase *phase = &profile->phases[i];
        bool begins = phase->entry == HCCT_FILE_NONE;
        if (!is_string(profile, phase->name) || phase->error > phase->count ||
            !is_index_or_none(phase->entry, profile->entry_count))
            return corrupt(profile, phase, error, "a phase's name, context or error is none");
        if (!begins && (!i || phase->name != profile->phases[i - 1].name))
            return corrupt(profile, phase, error, "a phase's context stands before the phase");
        if (begins)
            calls = hcct_sum(calls, phase->count);
    }
    return !profile->phase_count || calls == profile->run->calls ||
           corrupt(profile, profile->phases, error,
                   "the calls of the phases do not add up to those of the run");
}

/* The elements behind a point; `count` is how many. */
static bool check_detail(const struct hcct_profile *profile, uint32_t at, uint32_t *count,
                         struct hcct_error *error)
{
    const struct hcct_file_curve *point = &profile->curve[at], *end = profile->curve + profile->curve_count;
    uint64_t left = point->live_bytes;
    uint32_t next = 0;
    const struct hcct_file_curve *it = point + 1;
    for (; it < end && it->entry != HCCT_FILE_NONE; it++) {
        if (!point->is_detailed || it->is_detailed || it->entry < next || it->entry > profile->entry_count ||
            it->live_bytes > left)
            return corrupt(profile, it, error, "an entry of the curve is out of order, or has too much");
        left -= it->live_bytes;
        next = it->entry + 1;
    }
    *count = (uint32_t)(it - point - 1);
    return !point->is_detailed || !left ||
           corrupt(profile, point, error, "what the entries have at a point of the curve is not all");
}

static bool check_curve(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint64_t allocated = 0, time = 0, live = 0;
    uint32_t details = 0;
    if (profile->curve_count && profile->run->metric != HCCT_METRIC_HEAP)
        return corrupt(profile, profile->run, error, "a curve of no heap");
    for (uint32_t i = 0; i < profile->curve_count;) {
        const struct hcct_file_curve *point = &profile->curve[i];
        details += point->is_detailed;
        if (point->entry != HCCT_FILE_NONE || point->is_detailed > 1 || details > HCCT_FILE_CURVE_DETAILS ||
            point->allocated_bytes < allocated || point->time_ns < time || point->most_bytes < live ||
            point->most_bytes < point->live_bytes)
            return corrupt(profile, point, error, "the points of the curve are out of order");
        allocated = point->allocated_bytes;
        time = point->time_ns;
        live = point->live_bytes;
        uint32_t entries;
        if (!check_detail(profile, i, &entries, error))
            return false;
        i += 1 + entries;
    }
    return true;
}

/* --- texts ----------------------------------------------------------------------------------------- */

/* Elements share texts. One long text that all of them share would be shown, and stored, as often as there
 * are elements: together they may refer to so much. */
#define TEXT_BYTES_LEAST (UINT64_C(1) << 20)
#define TEXT_BYTES_PER_BYTE 256

static bool take_text(const struct hcct_profile *profile, uint64_t *left, uint32_t offset)
{
    size_t length = strlen(profile->strings + offset);
    bool fits = length <= *left;
    *left -= fits ? length : 0;
    return fits;
}

static bool check_text_bytes(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint64_t left = TEXT_BYTES_LEAST + TEXT_BYTES_PER_BYTE * (uint64_t)profile->length;
    bool fits = true;
    for (uint32_t i = 0; fits && i < profile->function_count; i++)
        fits = take_text(profile, &left, profile->functions[i].linkage_name) &&
               take_text(profile, &left, profile->functions[i].source_name) &&
               take_text(profile, &left, profile->functions[i].file);
    for (uint32_t i = 0; fits && i < profile->site_count; i++)
        fits = take_text(profile, &left, profile->sites[i].callee_name) &&
               take_text(profile, &left, profile->sites[i].file);
    for (uint32_t i = 0; fits && i < profile->inlined_count; i++)
        fits = take_text(profile, &left, profile->inlined[i].linkage_name) &&
               take_text(profile, &left, profile->inlined[i].source_name) &&
               take_text(profile, &left, profile->inlined[i].file) &&
               take_text(profile, &left, profile->inlined[i].call_file);
    for (uint32_t i = 0; fits && i < profile->object_count; i++)
        fits = take_text(profile, &left, profile->objects[i].path) &&
               take_text(profile, &left, profile->objects[i].build_id);
    for (uint32_t i = 0; fits && i < profile->spread_count; i++)
        fits = take_text(profile, &left, profile->spread[i].least_source) &&
               take_text(profile, &left, profile->spread[i].most_source);
    return fits || corrupt(profile, profile->strings, error,
                           "the texts that all elements share are too long for the file");
}

static bool check_names(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint32_t words = profile->name_count;
    if (words & (words - 1))
        return corrupt(profile, profile->names, error, "the size of the filter of names is no power of two");
    return true;
}

static bool check_new(const struct hcct_profile *profile, struct hcct_error *error)
{
    bool good = profile->run->metric == HCCT_METRIC_CALLS &&
                profile->new_word_count == hcct_layout_new_words(profile->entry_count);
    return good || !profile->new_words ||
           corrupt(profile, profile->new_words, error, "the new contexts are not a bit for each entry");
}

bool hcct_elements_check(const struct hcct_profile *profile, struct hcct_error *error)
{
    return check_strings(profile, error) && check_run(profile, error) && check_objects(profile, error) &&
           check_functions(profile, error) && check_sites(profile, error) && check_inlined(profile, error) &&
           check_prefixes(profile, error) && check_entries(profile, error) && check_pins(profile, error) &&
           check_bursts(profile, error) && check_phases(profile, error) && check_names(profile, error) &&
           check_heap(profile, error) && check_curve(profile, error) && check_spread(profile, error) &&
           check_strips(profile, error) && check_new(profile, error) && check_text_bytes(profile, error);
}
