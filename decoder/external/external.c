/* See external.h. */
#include "decoder/external/external.h"
#include "decoder/combine/one_build/combine_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/external/gather.h"
#include "decoder/external/temporary.h"
#include "decoder/external/window.h"

static bool is_zero(const struct hcct_file_spread *rest)
{
    return !rest->least_high && !rest->most_high;
}

bool hcct_external_takes(const struct hcct_profile *profile)
{
    const struct hcct_file_run *run = profile->run;
    bool takes = run->mode == HCCT_MODE_CCT && !run->floor && !profile->heap && !profile->phase_count &&
                 !profile->bursts && (!profile->spread || is_zero(&profile->spread[profile->entry_count]));
    for (uint32_t i = 0; takes && i < profile->entry_count; i++) {
        takes = profile->entries[i].prefix != HCCT_FILE_NONE;
        hcct_profile_passed(profile, profile->entries, sizeof *profile->entries, i);
    }
    return takes;
}

void hcct_external_open(struct hcct_external *external, struct hcct_combine *combine,
                        struct hcct_spill *spill)
{
    *external = (struct hcct_external){ .combine = combine, .spill = spill };
    combine->spread.keeps_names = !combine->leaves_spread;
    hcct_chains_open(&external->chains, spill);
    hcct_sorter_open(&external->entries, spill, HCCT_EXTERNAL_WORDS, HCCT_EXTERNAL_ORDER + 1);
    hcct_sorter_open(&external->sums, spill, HCCT_EXTERNAL_SUM_WORDS, HCCT_EXTERNAL_ORDER + 1);
}

bool hcct_external_failed(const struct hcct_external *external, struct hcct_error *error)
{
    int reason = external->spill->reason;
    if (external->chains.has_met)
        return hcct_error_set(error, HCCT_ERROR_LIMIT, HCCT_ERROR_NOWHERE,
                              "two chains of pushes have the same hash: merge without --memory");
    if (reason && reason != ENOMEM)
        return hcct_error_set(error, HCCT_ERROR_MEMORY, HCCT_ERROR_NOWHERE, HCCT_TEMPORARY_FAILED,
                              strerror(reason));
    return hcct_error_out_of_memory(error);
}

/* --- adding ---------------------------------------------------------------------------------------- */

enum { AT_ONCE = 1 << 14 };

/* A profile while it is added. */
struct addition {
    struct hcct_external *external;
    const struct hcct_profile *profile;
    uint64_t *needed;             /* a bit for each prefix that an entry or a pin needs */
    struct hcct_window hashes;    /* struct hcct_chain by prefix */
    struct hcct_sorter by_prefix; /* entries: records with the prefix in place of the hash */
    uint64_t order;               /* of the profile's first element */
};

static void need(uint64_t *needed, uint32_t prefix)
{
    needed[prefix / 64] |= UINT64_C(1) << prefix % 64;
}

static bool is_needed(const uint64_t *needed, uint32_t prefix)
{
    return needed[prefix / 64] >> prefix % 64 & 1;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void find_needed(struct addition *add)
{
    const struct hcct_profile *profile = add->profile;
    need(add->needed, 0);
    for (uint32_t i = 0; i < profile->entry_count; i++) {
        need(add->needed, profile->entries[i].prefix);
        hcct_profile_passed(profile, profile->entries, sizeof *profile->entries, i);
    }
    for (uint32_t i = 0; i < profile->pin_count; i++)
        need(add->needed, profile->pins[i].prefix);
    for (uint32_t i = profile->prefix_count; i-- > 1;) { /* ancestors have smaller indices */
        if (is_needed(add->needed, i) && profile->prefixes[i].parent != HCCT_FILE_NONE)
            need(add->needed, profile->prefixes[i].parent);
        if (profile->pass && i % AT_ONCE == 0)
            profile->pass(&profile->prefixes[i],
                          &profile->prefixes[smaller(i + AT_ONCE, profile->prefix_count)]);
    }
}

static struct hcct_chain *chain_of(struct addition *add, uint32_t prefix)
{
    return hcct_window_at(&add->hashes, (size_t)prefix * sizeof(struct hcct_chain));
}

static bool add_prefixes(struct addition *add)
{
    static const struct hcct_file_prefix root = { .parent = HCCT_FILE_NONE, .kind = HCCT_PREFIX_ROOT };
    const struct hcct_profile *profile = add->profile;
    bool done = true;
    for (uint32_t i = 0; done && i < profile->prefix_count; i++) {
        const struct hcct_file_prefix *prefix = i ? &profile->prefixes[i] : &root;
        struct hcct_chain parent, chain;
        hcct_profile_passed(profile, profile->prefixes, sizeof *profile->prefixes, i);
        if (!is_needed(add->needed, i))
            continue;
        bool has_parent = prefix->parent != HCCT_FILE_NONE;
        if (has_parent)
            parent = *chain_of(add, prefix->parent);
        done = hcct_chains_add(&add->external->chains, prefix, has_parent ? &parent : NULL, add->order + i,
                               &chain);
        *chain_of(add, i) = chain;
    }
    return done;
}

/* A value of a sum, whose sources become numbers of names. */
static bool take_spread(struct addition *add, uint32_t entry, uint64_t *record)
{
    if (!add->profile->spread) {
        const struct hcct_file_spread unknown =
            hcct_spread_unknown(&add->profile->entries[entry], hcct_profile_parts(add->profile));
        memcpy(record + HCCT_EXTERNAL_SPREAD, &unknown, sizeof unknown);
        return true;
    }
    struct hcct_spread *spread = &add->external->combine->spread;
    const char *strings = add->profile->strings;
    struct hcct_file_spread value = add->profile->spread[entry];
    value.least_source = hcct_spread_name(spread, strings + value.least_source);
    value.most_source = hcct_spread_name(spread, strings + value.most_source);
    memcpy(record + HCCT_EXTERNAL_SPREAD, &value, sizeof value);
    hcct_profile_passed(add->profile, add->profile->spread, sizeof value, entry);
    return value.least_source != HCCT_TABLE_NONE && value.most_source != HCCT_TABLE_NONE;
}

/* Puts the hash of its chain into a record that has the prefix there, and adds it. */
static bool place(struct addition *add, struct hcct_sorter *sorter, const uint64_t *record)
{
    uint64_t placed[HCCT_EXTERNAL_SUM_WORDS];
    memcpy(placed, record, sorter->record_words * sizeof *placed);
    memcpy(placed, chain_of(add, (uint32_t)record[HCCT_EXTERNAL_HASH]), sizeof(struct hcct_chain));
    return hcct_sorter_add(sorter, placed);
}

/* Entries stand in no order. If the hashes are not all resident, they are sorted by prefix first. */
static bool place_or_sort(struct addition *add, struct hcct_sorter *sorter, const uint64_t *record)
{
    return add->hashes.used ? hcct_sorter_add(&add->by_prefix, record) : place(add, sorter, record);
}

static bool place_sorted(struct addition *add, struct hcct_sorter *sorter)
{
    struct hcct_sorted sorted;
    bool done = hcct_sorted_open(&sorted, &add->by_prefix);
    for (const uint64_t *record; done && (record = hcct_sorted_next(&sorted));)
        done = place(add, sorter, record);
    hcct_sorted_close(&sorted);
    return done && !add->external->spill->reason;
}

static bool add_entries(struct addition *add)
{
    const struct hcct_profile *profile = add->profile;
    bool is_sum = profile->spread_rest && !add->external->combine->leaves_spread, done = true;
    struct hcct_sorter *sorter = is_sum ? &add->external->sums : &add->external->entries;
    hcct_sorter_open(&add->by_prefix, add->external->spill, sorter->record_words, 1);
    for (uint32_t i = 0; done && i < profile->entry_count; i++) {
        const struct hcct_file_entry *entry = &profile->entries[i];
        uint64_t record[HCCT_EXTERNAL_SUM_WORDS] = { entry->prefix, 0,           entry->word, add->order + i,
                                                     entry->count,  entry->error };
        done = (!is_sum || take_spread(add, i, record)) && place_or_sort(add, sorter, record);
        hcct_profile_passed(profile, profile->entries, sizeof *entry, i);
    }
    done = done && place_sorted(add, sorter);
    hcct_sorter_close(&add->by_prefix);
    for (uint32_t i = 0; done && i < profile->pin_count; i++) {
        const uint64_t record[HCCT_EXTERNAL_WORDS] = { profile->pins[i].prefix, 0, profile->pins[i].word,
                                                       HCCT_EXTERNAL_PIN | (add->order + i) };
        done = place(add, &add->external->entries, record);
    }
    return done;
}

/* Copies the strips of a sum, which are at most 0.53 MB. */
static bool keep_strips(struct hcct_external *external, const struct hcct_profile *profile, uint32_t *index)
{
    if (!hcct_vector_grow(&external->strips, &external->strip_capacity, external->strip_count,
                          sizeof *external->strips))
        return false;
    struct hcct_external_strips *strips = &external->strips[external->strip_count];
    uint64_t *words = malloc(((size_t)profile->strip_word_count + 1) * sizeof *words);
    if (!words)
        return false;
    *strips = (struct hcct_external_strips){ .words = words, .profiles = hcct_profile_parts(profile) };
    if (profile->strip_word_count)
        memcpy(words, profile->strip_words, profile->strip_word_count * sizeof *words);
    strips->word_count = profile->strip_word_count;
    strips->file = external->file_count;
    *index = external->strip_count++;
    return true;
}

static bool add_file(struct hcct_external *external, const struct hcct_profile *profile)
{
    struct hcct_external_file file = { .strip = HCCT_FILE_NONE };
    struct hcct_spread *spread = &external->combine->spread;
    if (!hcct_vector_grow(&external->files, &external->file_capacity, external->file_count,
                          sizeof *external->files))
        return false;
    if (!external->combine->leaves_spread) {
        const struct hcct_spread_source source = hcct_spread_source(profile);
        file.lacking_source =
            hcct_spread_name(spread, source.rest ? source.strings + source.rest->least_source : source.name);
        if (source.rest && !keep_strips(external, profile, &file.strip))
            return false;
    }
    external->files[external->file_count++] = file;
    return file.lacking_source != HCCT_TABLE_NONE;
}

/* What is not by context goes to `combine`: the same profile without entries. */
static bool add_rest(struct hcct_external *external, const struct hcct_profile *profile,
                     struct hcct_error *error)
{
    struct hcct_profile rest = *profile;
    rest.entry_count = rest.pin_count = 0;
    rest.prefix_count = 1;
    return hcct_combine_add(external->combine, &rest, error) &&
           (add_file(external, profile) || hcct_error_out_of_memory(error));
}

bool hcct_external_add(struct hcct_external *external, const struct hcct_profile *profile,
                       uint64_t memory_bytes, struct hcct_error *error)
{
    struct addition add = { .external = external,
                            .profile = profile,
                            .order = (uint64_t)external->file_count << 32 };
    if (!add_rest(external, profile, error))
        return false;
    add.needed = calloc(profile->prefix_count / 64 + 1, sizeof *add.needed);
    bool done =
        add.needed && hcct_window_open(&add.hashes, (size_t)profile->prefix_count * sizeof(struct hcct_chain),
                                       memory_bytes);
    if (!done && !external->spill->reason)
        external->spill->reason = errno;
    if (done)
        find_needed(&add);
    done = done && add_prefixes(&add) && add_entries(&add);
    if (add.hashes.bytes)
        hcct_window_close(&add.hashes);
    free(add.needed);
    return done || hcct_external_failed(external, error);
}

/* --- writing --------------------------------------------------------------------------------------- */

bool hcct_external_write(struct hcct_external *external, int file, struct hcct_error *error)
{
    struct hcct_gather sum;
    bool made = hcct_gather_open(&sum, external), done = made;
    if (done) {
        const struct hcct_combine_outside outside = {
            .sources = { { HCCT_FILE_PREFIXES, external->chains.count, hcct_chains_next, &external->chains },
                         { HCCT_FILE_ENTRIES, sum.context_count, hcct_gather_next_entry, &sum },
                         { HCCT_FILE_SPREAD, sum.has_spread ? sum.context_count + 1 : 0,
                           hcct_gather_next_spread, &sum } },
            .pins = sum.pins,
            .pin_count = sum.pin_count,
            .strip_words = sum.strip_words,
            .strip_word_count = sum.strip_word_count,
        };
        done = hcct_combine_write_outside(external->combine, &outside, file);
    }
    int reason = errno;
    hcct_gather_close(&sum);
    hcct_chains_forget_numbers(&external->chains);
    bool is_ours = !done && (!made || external->spill->reason);
    if (is_ours)
        hcct_external_failed(external, error);
    errno = is_ours ? 0 : reason;
    return done;
}

uint64_t hcct_external_bytes(const struct hcct_external *external)
{
    return hcct_sorter_bytes(&external->chains.prefixes) + hcct_sorter_bytes(&external->entries) +
           hcct_sorter_bytes(&external->sums);
}

void hcct_external_close(struct hcct_external *external)
{
    if (!external->spill)
        return;
    hcct_chains_close(&external->chains);
    hcct_sorter_close(&external->entries);
    hcct_sorter_close(&external->sums);
    for (uint32_t i = 0; i < external->strip_count; i++)
        free(external->strips[i].words);
    free(external->strips);
    free(external->files);
    *external = (struct hcct_external){ 0 };
}
