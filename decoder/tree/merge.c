/* Merging, see merge.h. Each profile's entries are decoded into the one tree, and a tally adds up the counts
 * of each node. Then entries without a chain are matched with the words of other profiles. */
#include "decoder/tree/merge.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/combine/run.h"
#include "decoder/combine/tally.h"
#include "decoder/profile/bursts.h"
#include "decoder/profile/heap.h"
#include "decoder/profile/new.h"
#include "decoder/profile/phases.h"
#include "decoder/profile/sum.h"
#include "decoder/text/progress.h"
#include "decoder/tree/contexts.h"
#include "format/error.h"
#include "format/names.h"

static_assert(HCCT_HEAP_VALUE_COUNT + HCCT_FILE_CURVE_DETAILS <= HCCT_TREE_VALUES,
              "a tree has room for the values");

struct word {
    uint64_t word;
    uint32_t node;
};

struct chainless {
    uint64_t word, count, error, floor;
    bool is_cold;
};

/* How sure a node's estimate is: the sum over its files of W^2 / trials, the variance but for a factor that
 * all have. W is the file's calls, as of bursts the trials are those of the share; of heap_sample it is the
 * entry's count. */
struct told {
    double variance;
    uint32_t count, last; /* files that told it; the number of the last one */
};

struct merger {
    struct hcct_merge *merge;
    struct hcct_file_run run; /* the sum of the profiles' */
    struct hcct_tally tally;  /* by node */
    bool has_spread;          /* several profiles, single or in sums */
    /* For several profiles of one build: the words that have a node, and the entries that have no chain. */
    bool matches_words;
    struct word *words;
    struct hcct_table word_table;
    uint32_t word_count, word_capacity;
    struct chainless *chainless;
    uint32_t chainless_count, chainless_capacity;
    struct told *told; /* by node, of estimates */
    uint32_t told_count, told_capacity;
    uint64_t *details; /* per entry of the one profile: live at each detailed point */
};

static bool same_word(const void *array, uint32_t index, const void *key)
{
    return ((const struct word *)array)[index].word == *(const uint64_t *)key;
}

static uint32_t find_word(const struct merger *merger, uint64_t word)
{
    uint32_t hash = (uint32_t)hcct_hash_step(0, word);
    return hcct_table_find(&merger->word_table, hash, same_word, merger->words, &word);
}

static bool remember_word(struct merger *merger, uint64_t word, uint32_t node)
{
    if (!merger->matches_words || find_word(merger, word) != HCCT_TABLE_NONE)
        return true;
    if (!hcct_vector_grow(&merger->words, &merger->word_capacity, merger->word_count, sizeof(struct word)))
        return false;
    if (!hcct_table_add(&merger->word_table, (uint32_t)hcct_hash_step(0, word), merger->word_count))
        return false;
    merger->words[merger->word_count++] = (struct word){ word, node };
    return true;
}

/* In mode=hcct only a context that may have phi of the calls needs a chain. A colder one without a chain is
 * as good as one below the floor. In any other case a chain was lost. */
static bool is_cold(const struct hcct_file_run *run, const struct hcct_file_entry *entry)
{
    return run->mode == HCCT_MODE_HCCT && (double)entry->count < run->phi * (double)run->calls;
}

static bool remember_chainless(struct merger *merger, const struct hcct_file_entry *entry,
                               const struct hcct_file_run *run)
{
    struct hcct_summary *summary = &merger->merge->summary;
    if (is_cold(run, entry))
        summary->cold_chain = hcct_sum(summary->cold_chain, entry->count - entry->error);
    if (!merger->matches_words)
        return true;
    if (!hcct_vector_grow(&merger->chainless, &merger->chainless_capacity, merger->chainless_count,
                          sizeof(struct chainless)))
        return false;
    merger->chainless[merger->chainless_count++] = (struct chainless){ .word = entry->word,
                                                                       .count = entry->count,
                                                                       .error = entry->error,
                                                                       .floor = run->floor,
                                                                       .is_cold = is_cold(run, entry) };
    return true;
}

/* Two entries of one file do not tell how their sum differs from burst to burst. */
static bool tell_trials(struct merger *merger, uint32_t node, const struct hcct_profile *profile, uint32_t i)
{
    bool is_heaps = profile->sampled && !profile->chosen; /* what was chosen has them in its entries */
    uint32_t trials = is_heaps ? profile->sampled[i].trials[HCCT_HEAP_ALLOCATED] : profile->entries[i].trials;
    uint32_t file = merger->merge->summary.file_count;
    if (!profile->sampled && !profile->bursts)
        return true;
    for (; merger->told_count <= node; merger->told_count++) {
        if (!hcct_vector_grow(&merger->told, &merger->told_capacity, merger->told_count, sizeof(struct told)))
            return false;
        merger->told[merger->told_count] = (struct told){ 0 };
    }
    struct told *told = &merger->told[node];
    double weight = (double)(profile->bursts ? profile->run->calls : profile->entries[i].count);
    if (!trials || told->last == file)
        told->variance = INFINITY;
    else if (trials < UINT32_MAX)
        told->variance += weight * weight / trials;
    told->last = file;
    told->count++;
    return true;
}

/* Of the sum. 0, not known, unless each file told them; of the heap, each that has the context. */
static uint32_t trials_of(const struct merger *merger, uint32_t node, uint64_t count)
{
    const struct hcct_summary *summary = &merger->merge->summary;
    if (node >= merger->told_count || !merger->told[node].count || isinf(merger->told[node].variance))
        return 0;
    double weight = (double)(summary->is_estimate ? merger->run.calls : count);
    if (summary->is_estimate && merger->told[node].count != summary->file_count)
        return 0;
    double trials = weight * weight / merger->told[node].variance; /* infinite: it is exact */
    return (uint32_t)fmin(fmax(round(trials), 1), HCCT_NODE_TRIALS);
}

/* The values of all entries are there, unless one was chosen. */
static bool have_values(const struct hcct_profile *profiles, uint32_t count)
{
    bool all = count;
    for (uint32_t i = 0; all && i < count; i++)
        all = profiles[i].heap && !profiles[i].is_one_value && !profiles[i].only_new && !profiles[i].phase;
    return all;
}

static void add_values(struct merger *merger, uint32_t node, const struct hcct_profile *profile,
                       uint32_t entry)
{
    struct hcct_tree *tree = &merger->merge->tree;
    uint64_t values[HCCT_TREE_VALUES];
    if (!tree->value_count)
        return;
    for (int i = 0; i < HCCT_HEAP_VALUE_COUNT; i++)
        values[i] = hcct_heap_value(&profile->heap[entry], i);
    uint32_t details = tree->value_count - HCCT_HEAP_VALUE_COUNT;
    for (uint32_t i = 0; i < details; i++)
        values[HCCT_HEAP_VALUE_COUNT + i] = merger->details[(size_t)entry * details + i];
    hcct_tree_add_values(tree, node, values);
}

/* Prepares the tree for the values, and for those at the curve's points if there is one curve. */
static bool open_values(struct merger *merger, const struct hcct_profile *profiles, uint32_t count)
{
    struct hcct_summary *summary = &merger->merge->summary;
    bool has_curve = count == 1 && profiles->curve_count;
    if (has_curve) {
        summary->curve = profiles->curve;
        summary->curve_count = profiles->curve_count;
    }
    if (!have_values(profiles, count))
        return true;
    merger->merge->tree.value_count = HCCT_HEAP_VALUE_COUNT;
    if (!has_curve)
        return true;
    merger->details = hcct_heap_details(profiles, &summary->detail_count);
    const uint64_t *rest = merger->details + (size_t)profiles->entry_count * summary->detail_count;
    for (uint32_t i = 0; merger->details && i < summary->detail_count; i++)
        summary->detail_rest[i] = rest[i];
    merger->merge->tree.value_count += summary->detail_count;
    return merger->details;
}

const struct hcct_file_curve *hcct_summary_point(const struct hcct_summary *summary, uint32_t detail)
{
    const struct hcct_file_curve *point = summary->curve;
    for (uint32_t i = 0; i < summary->curve_count; i++) {
        if (summary->curve[i].entry != HCCT_FILE_NONE)
            continue;
        point = &summary->curve[i];
        if (point->is_detailed && !detail--)
            break;
    }
    return point;
}

static bool add_entries(struct merger *merger, const struct hcct_profile *profile)
{
    struct hcct_contexts contexts;
    struct hcct_summary *summary = &merger->merge->summary;
    if (!hcct_contexts_open(&contexts, profile, &merger->merge->frames, &merger->merge->tree))
        return false;
    bool done = true;
    for (uint32_t i = 0; done && i < profile->entry_count; i++) {
        const struct hcct_file_entry *entry = &profile->entries[i];
        uint32_t node;
        hcct_progress.done++;
        if (entry->prefix == HCCT_FILE_NONE) {
            done = remember_chainless(merger, entry, profile->run);
            continue;
        }
        switch (hcct_contexts_node(&contexts, entry->word, entry->prefix, &node)) {
        case HCCT_CONTEXT_FOUND:
            merger->merge->tree.nodes[node].flags |= HCCT_NODE_COUNTED;
            add_values(merger, node, profile, i);
            done = hcct_tally_add(&merger->tally, node, entry->count, entry->error) &&
                   (!merger->has_spread || hcct_spread_add(&merger->merge->spread, node, entry, i)) &&
                   tell_trials(merger, node, profile, i) && remember_word(merger, entry->word, node);
            break;
        case HCCT_CONTEXT_UNDECODABLE:
            summary->undecodable = hcct_sum(summary->undecodable, entry->count - entry->error);
            break;
        case HCCT_CONTEXT_MEMORY:
            done = false;
        }
    }
    summary->lost_count = hcct_sum(summary->lost_count, contexts.lost_count);
    hcct_contexts_close(&contexts);
    return done;
}

/* Phases beyond the limit are added to the last one. */
static void add_phase(struct hcct_summary *summary, const char *name, uint64_t calls)
{
    enum { LIMIT = HCCT_PHASES + 2 };
    uint32_t at = 0;
    while (at < summary->phase_count && strcmp(summary->phases[at].name, name))
        at++;
    if (at == LIMIT)
        summary->phases[--at].name = HCCT_PHASE_REST_NAME;
    else if (at == summary->phase_count)
        summary->phases[summary->phase_count++] = (struct hcct_phase_total){ .name = name };
    summary->phases[at].calls = hcct_sum(summary->phases[at].calls, calls);
}

/* A file without phases counts in none, once another file has some. */
static void add_phases(struct hcct_summary *summary, const struct hcct_profile *profile,
                       uint64_t calls_before)
{
    if (profile->phase_count && !summary->phase_count && calls_before)
        add_phase(summary, HCCT_PHASE_NONE_NAME, calls_before);
    if (!profile->phase_count && summary->phase_count)
        add_phase(summary, HCCT_PHASE_NONE_NAME, profile->run->calls);
    for (uint32_t i = 0; i < profile->phase_count; i = hcct_phases_next(profile, i))
        add_phase(summary, hcct_profile_string(profile, profile->phases[i].name), profile->phases[i].count);
    summary->phase = profile->phase ? profile->phase : summary->phase;
}

static void add_run(struct merger *merger, const struct hcct_profile *profile)
{
    struct hcct_summary *summary = &merger->merge->summary;
    add_phases(summary, profile, summary->file_count ? merger->run.calls : 0);
    summary->profile_count += hcct_profile_parts(profile);
    if (!summary->file_count++)
        merger->run = *profile->run;
    else
        hcct_run_add(&merger->run, profile->run);
    const char *command = hcct_profile_string(profile, profile->run->command);
    summary->command = summary->file_count == 1 || !strcmp(summary->command, command) ? command : "";
    const char *host = hcct_profile_string(profile, profile->run->host);
    summary->host = summary->file_count == 1 || !strcmp(summary->host, host) ? host : "";
    summary->pid = summary->file_count == 1 ? profile->run->pid : 0;
    hcct_run_add_times(&summary->times, profile->times);
    summary->folded |= profile->folded;
    for (uint32_t i = 0; i < profile->prefix_count; i++)
        summary->has_threads |= profile->prefixes[i].kind == HCCT_PREFIX_THREAD;
    summary->only_new |= profile->only_new;
    summary->is_capped |= profile->is_capped;
    const struct hcct_file_new *numbers = hcct_new_numbers(profile);
    summary->has_new = numbers && summary->file_count == 1;
    if (summary->has_new)
        summary->new_numbers = *numbers;
    struct hcct_file_heap heap = hcct_heap_total(profile);
    hcct_layout_add_heap(&summary->heap, &heap);
    if (profile->heap)
        hcct_layout_add_heap(&summary->heap_rest, &profile->heap[profile->heap_count - 1]);
    summary->heap_value = profile->heap_value;
    summary->heap_variance += hcct_heap_variance(profile, profile->heap_value);
    if (profile->sampled) {
        uint64_t period = profile->sampled->period;
        summary->heap_period = !summary->heap_sampled || summary->heap_period == period ? period : 0;
        summary->heap_sampled = true;
    }
    if (profile->bursts) {
        hcct_bursts_add(&summary->bursts, profile->bursts, !summary->is_estimate);
        summary->is_estimate = true;
    }
}

/* What the sum of all runs says of itself; strings are those of the first profile. */
static void summarize(struct merger *merger, const struct hcct_profile *first)
{
    struct hcct_summary *summary = &merger->merge->summary;
    const struct hcct_file_run *run = &merger->run;
    summary->program = hcct_profile_string(first, run->program);
    bool several = merger->merge->frames.loose || merger->merge->frames.objects;
    summary->build_id = several ? 0 : run->build_id;
    summary->mode = run->mode;
    summary->algorithm = run->algorithm;
    summary->guarantee = run->guarantee;
    summary->inferred = run->scheme == HCCT_SCHEME_HEIGHTS;
    summary->metric = run->metric;
    summary->unit = run->metric == HCCT_METRIC_HEAP    ? hcct_heap_value_units[summary->heap_value]
                    : run->unit                        ? hcct_profile_string(first, run->unit)
                    : hcct_metric_is_time(run->metric) ? "ns"
                                                       : "calls";
    summary->phi = run->phi;
    summary->epsilon = run->epsilon;
    summary->delta = (double)run->delta / HCCT_DELTA_ONE;
    summary->several_builds = merger->merge->frames.loose;
    summary->floor = merger->tally.floor;
    summary->calls = run->calls;
    summary->is_capped |= run->calls == UINT64_MAX; /* hcct_sum stops there */
    summary->memory_bytes = run->memory_bytes;
    summary->dropped_memory = run->dropped_memory;
    summary->dropped_chain = run->dropped_chain;
    summary->dropped_interrupted = run->dropped_interrupted;
    summary->stale = run->stale;
    summary->overflowed = run->overflowed;
}

/* Adds the entries without a chain to the nodes that other profiles have for their words. */
static void match_chainless(struct merger *merger)
{
    struct hcct_summary *summary = &merger->merge->summary;
    for (uint32_t i = 0; i < merger->chainless_count; i++) {
        const struct chainless *entry = &merger->chainless[i];
        uint32_t found = find_word(merger, entry->word);
        if (found == HCCT_TABLE_NONE)
            continue;
        uint64_t sure = entry->count - entry->error; /* what the writer added to dropped_chain */
        hcct_tally_add_earlier(&merger->tally, merger->words[found].node, entry->count, entry->error,
                               entry->floor);
        if (merger->has_spread)
            hcct_spread_widen(&merger->merge->spread, merger->words[found].node, entry->count);
        summary->dropped_chain -= sure < summary->dropped_chain ? sure : summary->dropped_chain;
        if (entry->is_cold)
            summary->cold_chain -= sure < summary->cold_chain ? sure : summary->cold_chain;
    }
}

/* Adds up the calls that have lost their callers: all those below [unknown]. What [unknown] itself has may be
 * from outside all contexts; what is lost of it the file tells. */
static void add_stale(struct hcct_merge *merge)
{
    struct hcct_tree *tree = &merge->tree;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node *node = &tree->nodes[i];
        bool is_below = node->parent != HCCT_NODE_NONE && tree->nodes[node->parent].flags & HCCT_NODE_LOST;
        if (!is_below && merge->frames.frames[node->frame].kind != HCCT_FRAME_UNKNOWN)
            continue;
        node->flags |= HCCT_NODE_LOST;
        if (!is_below)
            continue;
        uint64_t sure = node->count > node->error ? node->count - node->error : 0;
        merge->summary.stale = hcct_sum(merge->summary.stale, sure);
    }
}

static void finish(struct merger *merger)
{
    struct hcct_summary *summary = &merger->merge->summary;
    struct hcct_tree *tree = &merger->merge->tree;
    match_chainless(merger);
    if (merger->has_spread && !merger->tally.floor)
        hcct_strip_complete(&merger->merge->spread.strip, &merger->tally);
    if (summary->cold_chain > summary->dropped_chain) /* a file may say anything */
        summary->cold_chain = summary->dropped_chain;
    uint64_t sum = hcct_sum(hcct_sum(summary->dropped_memory, summary->dropped_chain),
                            hcct_sum(summary->dropped_interrupted, summary->undecodable));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node *node = &tree->nodes[i];
        if (!(node->flags & HCCT_NODE_COUNTED))
            continue;
        struct hcct_tally_entry counted = hcct_tally_sum(&merger->tally, i);
        node->count = counted.count;
        node->error = counted.error;
        node->trials = trials_of(merger, i, node->count) & HCCT_NODE_TRIALS;
        node->spread = merger->has_spread ? i + 1 : 0;
        if (tree->value_count) /* values are added up, so it is the lower bound */
            hcct_tree_values(tree, i)[HCCT_HEAP_ALLOCATED] = hcct_tree_low(node);
        sum = hcct_sum(sum, node->count);
        summary->context_count++;
    }
    if (summary->mode == HCCT_MODE_CCT && sum < summary->calls && !summary->only_new)
        summary->unaccounted = summary->calls - sum;
}

/* Chooses what tells frames and sites apart: by numbers in one build, by objects in one program. */
static bool check_builds(struct hcct_merge *merge, const struct hcct_profile *profiles,
                         uint32_t profile_count, bool force, uint32_t *which, struct hcct_error *error)
{
    bool several = profiles[0].run->build_id == HCCT_FILE_BUILD_BY_OBJECTS;
    for (*which = 0; *which < profile_count; ++*which) {
        const struct hcct_file_run *run = profiles[*which].run;
        if (!hcct_run_check_sum(&profiles[0], &profiles[*which], error))
            return false;
        bool same = hcct_profile_is_same_program(&profiles[0], &profiles[*which]);
        if (!same && !force)
            return hcct_run_refuse_build("--force matches by function and line", error);
        if (!same || run->build_id == HCCT_FILE_BUILD_BY_NAMES)
            merge->frames.loose = true;
        several |= run->build_id != profiles[0].run->build_id;
    }
    for (uint32_t i = 0; several && i < profile_count; i++)
        if (!hcct_objects_add(&merge->objects, &profiles[i]))
            return hcct_error_out_of_memory(error);
    if (several && !merge->frames.loose)
        merge->frames.objects = &merge->objects;
    return true;
}

/* The records of the profile's build; NULL: there is one profile of it. */
static const struct hcct_profile *records_of(const struct hcct_merge *merge,
                                             const struct hcct_profile *profile)
{
    for (uint32_t i = 0; i < merge->records_count; i++)
        if (merge->records[i].build_id == profile->run->build_id)
            return &merge->records[i].fixed;
    return NULL;
}

static bool has_several(const struct hcct_profile *profiles, uint32_t count, uint64_t build_id)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count && found < 2; i++)
        found += profiles[i].run->build_id == build_id;
    return found > 1;
}

static bool gather_records(struct hcct_merge *merge, const struct hcct_profile *profiles,
                           uint32_t profile_count, uint32_t *which, struct hcct_error *error)
{
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < profile_count; i++) {
        uint64_t build_id = profiles[i].run->build_id;
        *which = i;
        if (profiles[i].records || records_of(merge, &profiles[i]) ||
            !has_several(profiles, profile_count, build_id))
            continue;
        if (!hcct_vector_grow(&merge->records, &capacity, merge->records_count, sizeof *merge->records))
            return hcct_error_out_of_memory(error);
        merge->records[merge->records_count] = (struct hcct_records){ 0 };
        if (!hcct_records_add_build(&merge->records[merge->records_count++], profiles, profile_count,
                                    build_id, which, error))
            return false;
    }
    return true;
}

/* What a context may weigh that the profile cannot name: its floor; or an entry without a chain, where words
 * do not tell which context that is. */
static uint64_t floor_of(const struct merger *merger, const struct hcct_profile *profile)
{
    uint64_t floor = profile->run->floor;
    for (uint32_t i = 0; !merger->matches_words && i < profile->entry_count; i++)
        if (profile->entries[i].prefix == HCCT_FILE_NONE && profile->entries[i].count > floor)
            floor = profile->entries[i].count;
    return floor;
}

static bool add_profile(struct merger *merger, const struct hcct_profile *from)
{
    struct hcct_profile profile = *from;
    if (!profile.records)
        profile.records = records_of(merger->merge, &profile);
    add_run(merger, from);
    merger->merge->summary.has_object_limit |= from->object_count >= HCCT_OBJECT_LIMIT;
    hcct_tally_next(&merger->tally, floor_of(merger, from));
    if (!merger->has_spread)
        return add_entries(merger, &profile);
    struct hcct_spread_source source = hcct_spread_source(&profile);
    return hcct_spread_next(&merger->merge->spread, &source) && add_entries(merger, &profile) &&
           hcct_spread_end(&merger->merge->spread);
}

/* Whether there is more than one profile, and something is told of single ones. */
static bool knows_spread(const struct hcct_profile *profiles, uint32_t count)
{
    bool several = count > 1, any = false;
    for (uint32_t i = 0; i < count; i++) {
        if (profiles[i].spread_count && !profiles[i].spread) /* of another value than the one chosen */
            return false;
        several |= profiles[i].spread_count > 0;
        any |= profiles[i].spread || !profiles[i].spread_rest;
    }
    return several && any;
}

bool hcct_merge_build(struct hcct_merge *merge, const struct hcct_profile *profiles, uint32_t profile_count,
                      bool force, uint32_t node_limit, uint32_t *which, struct hcct_error *error)
{
    struct merger merger = { .merge = merge };
    memset(merge, 0, sizeof *merge);
    if (!check_builds(merge, profiles, profile_count, force, which, error)) {
        hcct_merge_free(merge);
        return false;
    }
    merger.matches_words = profile_count > 1 && !merge->frames.loose && !merge->frames.objects;
    merger.has_spread = knows_spread(profiles, profile_count);
    bool done = true;
    uint64_t entry_count = 0;
    for (uint32_t i = 0; i < profile_count; i++) {
        entry_count += profiles[i].entry_count;
        merge->file_bytes += profiles[i].length;
    }
    hcct_tree_limit(&merge->tree, merge->file_bytes, node_limit);
    hcct_progress_phase("decoding", entry_count);
    done = gather_records(merge, profiles, profile_count, which, error) &&
           (open_values(&merger, profiles, profile_count) || hcct_error_out_of_memory(error));
    if (!done)
        hcct_merge_free(merge);
    if (!done)
        return false;
    for (*which = 0; done && *which < profile_count; *which += done)
        done = add_profile(&merger, &profiles[*which]);
    if (done) {
        summarize(&merger, &profiles[0]);
        finish(&merger);
        add_stale(merge);
    } else {
        hcct_tree_fail(&merge->tree, error);
        hcct_merge_free(merge);
    }
    hcct_tally_free(&merger.tally);
    free(merger.words);
    free(merger.chainless);
    free(merger.details);
    free(merger.told);
    hcct_table_free(&merger.word_table);
    return done;
}

void hcct_merge_free(struct hcct_merge *merge)
{
    hcct_frames_free(&merge->frames);
    hcct_objects_free(&merge->objects);
    hcct_tree_free(&merge->tree);
    hcct_spread_free(&merge->spread);
    for (uint32_t i = 0; i < merge->records_count; i++)
        hcct_records_free(&merge->records[i]);
    free(merge->records);
    merge->records = NULL;
    merge->records_count = 0;
}
