/* See replay.h. A node that the algorithm keeps with a key is the number of the key's entry in the recorded
 * profile, and 1. `references` counts, for each node of the tree, its children that are needed, and itself if
 * it is monitored: so a tree is pruned as in the paper's algorithm 1. */
#include "lab/replay/replay.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/profile/pack.h"
#include "decoder/tree/contexts.h"
#include "lab/replay/strides.h"
#include "lab/stream/algorithm.h"
#include "runtime/base/key_hash.h"

struct replay {
    const struct hcct_profile *profile;
    const struct hcct_replay_options *options;
    struct hcct_replay_facts *facts;
    struct hcct_frames frames;
    struct hcct_tree tree;
    uint32_t *node;       /* by entry: its node of the tree, or HCCT_NODE_NONE */
    uint32_t *references; /* by node */
    uint64_t *count;      /* by entry: mode=cct, and whether it was counted */
    uint32_t *table;      /* word to entry + 1: open addressing */
    size_t table_size;
    uint64_t *position; /* by stream: its calls so far */
    uint64_t nodes_now, unknown, bursts, in_burst;
    double estimate, squares; /* of bursts */
    struct hcct_strides strides;
    struct hcct_summary *summary;
    void *memory;
};

static struct replay *now; /* hcct_prefix_release has no context */

/* --- the tree --------------------------------------------------------------------------------------- */

static bool is_context(const struct replay *replay, uint32_t node)
{
    return replay->frames.frames[replay->tree.nodes[node].frame].kind == HCCT_FRAME_FUNCTION;
}

static void retain(struct replay *replay, uint32_t entry)
{
    for (uint32_t at = replay->node[entry]; at != HCCT_NODE_NONE && !replay->references[at]++;
         at = replay->tree.nodes[at].parent)
        replay->nodes_now += is_context(replay, at);
    if (replay->nodes_now > replay->facts->peak_nodes)
        replay->facts->peak_nodes = replay->nodes_now;
}

/* The algorithm lets the context go. */
void hcct_prefix_release(hcct_node node)
{
    if (!node)
        return;
    for (uint32_t at = now->node[node - 1]; at != HCCT_NODE_NONE && !--now->references[at];
         at = now->tree.nodes[at].parent)
        now->nodes_now -= is_context(now, at);
}

static bool make_tree(struct replay *replay)
{
    struct hcct_contexts contexts;
    const struct hcct_profile *profile = replay->profile;
    hcct_tree_limit(&replay->tree, profile->length, 0);
    if (!hcct_contexts_open(&contexts, profile, &replay->frames, &replay->tree))
        return false;
    bool done = true;
    for (uint32_t i = 0; done && i < profile->entry_count; i++) {
        const struct hcct_file_entry *entry = &profile->entries[i];
        enum hcct_context_result result =
            entry->prefix == HCCT_FILE_NONE
                ? HCCT_CONTEXT_UNDECODABLE
                : hcct_contexts_node(&contexts, entry->word, entry->prefix, &replay->node[i]);
        done = result != HCCT_CONTEXT_MEMORY;
        if (result != HCCT_CONTEXT_FOUND)
            replay->node[i] = HCCT_NODE_NONE;
    }
    hcct_contexts_close(&contexts);
    replay->references = calloc((size_t)replay->tree.node_count + 1, sizeof *replay->references);
    return done && replay->references;
}

/* --- contexts by word ------------------------------------------------------------------------------- */

static uint32_t *slot_of(const struct replay *replay, uint64_t word)
{
    size_t at = (size_t)hcct_key_hash(word) & (replay->table_size - 1);
    while (replay->table[at] && replay->profile->entries[replay->table[at] - 1].word != word)
        at = (at + 1) & (replay->table_size - 1);
    return &replay->table[at];
}

static bool open_replay(struct replay *replay, const struct hcct_trace *trace)
{
    const struct hcct_profile *profile = replay->profile;
    size_t entries = profile->entry_count;
    for (replay->table_size = 1024; replay->table_size < 2 * entries;)
        replay->table_size *= 2;
    replay->table = calloc(replay->table_size, sizeof *replay->table);
    replay->node = calloc(entries + 1, sizeof *replay->node);
    replay->count = calloc(entries + 1, sizeof *replay->count);
    replay->position = calloc((size_t)trace->stream_count + 1, sizeof *replay->position);
    if (!replay->table || !replay->node || !replay->count || !replay->position || !make_tree(replay))
        return false;
    for (uint32_t i = 0; i < profile->entry_count; i++)
        *slot_of(replay, profile->entries[i].word) = i + 1;
    replay->strides.period = replay->options->sample_period > 1 ? replay->options->sample_period : 0;
    replay->strides.per_function = replay->options->per_function;
    return hcct_strides_open(&replay->strides, trace->stream_count, replay->frames.frame_count + 1);
}

static bool open_algorithm(struct replay *replay)
{
    const struct hcct_replay_options *options = replay->options;
    const struct hcct_algorithm *algorithm = options->algorithm;
    if (!algorithm)
        return true;
    double wanted = 1 / options->epsilon;
    struct hcct_demand demand = { .capacity = (uint32_t)wanted, .phi = { .value = options->phi } };
    demand.capacity += demand.capacity < wanted;
    size_t bytes = replay->facts->algorithm_bytes = algorithm->bytes(demand.capacity);
    replay->memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!replay->memory)
        return false;
    memset(replay->memory, 0, (bytes + 4095) / 4096 * 4096);
    replay->summary = algorithm->init(replay->memory, &demand);
    return replay->summary;
}

static void close_replay(struct replay *replay, uint32_t stream_count)
{
    hcct_frames_free(&replay->frames);
    hcct_tree_free(&replay->tree);
    free(replay->node);
    free(replay->references);
    free(replay->count);
    free(replay->table);
    free(replay->position);
    free(replay->memory);
    hcct_strides_close(&replay->strides, stream_count);
}

/* --- calls ------------------------------------------------------------------------------------------ */

static void end_burst(struct replay *replay)
{
    const struct hcct_replay_options *options = replay->options;
    double burst = (double)replay->in_burst * (double)(options->burst_interval / options->burst_length);
    replay->estimate += burst;
    replay->squares += burst * burst;
    replay->in_burst = 0;
}

/* Whether the stream's next call is in a burst. */
static bool is_counted(struct replay *replay, uint32_t stream)
{
    const struct hcct_replay_options *options = replay->options;
    if (!options->burst_length)
        return true;
    uint64_t at = replay->position[stream]++ % options->burst_interval;
    replay->bursts += !at;
    return at < options->burst_length;
}

/* The frame of a recorded context's function; those that are not known have one in common. */
static uint32_t function_of(const struct replay *replay, uint32_t found)
{
    uint32_t node = found ? replay->node[found - 1] : HCCT_NODE_NONE;
    return node == HCCT_NODE_NONE ? replay->frames.frame_count : replay->tree.nodes[node].frame;
}

static void play(void *context, uint32_t stream, uint64_t word)
{
    struct replay *replay = context;
    const struct hcct_algorithm *algorithm = replay->options->algorithm;
    uint32_t found = *slot_of(replay, word);
    uint64_t weight = replay->strides.period
                          ? hcct_strides_weigh(&replay->strides, stream, function_of(replay, found))
                          : is_counted(replay, stream);
    if (!weight)
        return;
    replay->facts->counted++;
    if (replay->options->burst_length && ++replay->in_burst == replay->options->burst_length)
        end_burst(replay);
    if (!found) { /* there was no memory for it in the run */
        replay->unknown += weight;
        return;
    }
    bool is_new = !replay->count[found - 1];
    replay->count[found - 1] += weight;
    replay->facts->contexts += is_new;
    if (!algorithm) {
        if (is_new)
            retain(replay, found - 1);
        return;
    }
    hcct_node evicted = 0, unused = 0;
    retain(replay, found - 1);
    algorithm->add(replay->summary, word, weight, found, &evicted, &unused);
    hcct_prefix_release(unused);
    hcct_prefix_release(evicted);
}

/* --- the profile ------------------------------------------------------------------------------------ */

/* The nodes of the contexts that were counted, and of their ancestors. */
static uint64_t count_cct_nodes(const struct replay *replay)
{
    uint8_t *needed = calloc((size_t)replay->tree.node_count + 1, 1);
    uint64_t count = 0;
    for (uint32_t i = 0; needed && i < replay->profile->entry_count; i++)
        for (uint32_t at = replay->count[i] ? replay->node[i] : HCCT_NODE_NONE;
             at != HCCT_NODE_NONE && !needed[at]; at = replay->tree.nodes[at].parent) {
            needed[at] = 1;
            count += is_context(replay, at);
        }
    free(needed);
    return count;
}

/* Contexts with a counter, also those at the floor, which a profile leaves out. */
static uint64_t count_monitored(const struct replay *replay)
{
    const struct hcct_algorithm *algorithm = replay->options->algorithm;
    uint64_t count = 0;
    for (uint32_t place = 0; algorithm && place < algorithm->places(replay->summary); place++)
        count += algorithm->entry(replay->summary, place).key != 0;
    return algorithm ? count : replay->facts->contexts;
}

static uint32_t list_entries(const struct replay *replay, struct hcct_file_entry *entries, uint64_t factor)
{
    const struct hcct_algorithm *algorithm = replay->options->algorithm;
    const struct hcct_file_entry *recorded = replay->profile->entries;
    uint64_t floor = algorithm ? algorithm->floor(replay->summary) : 0;
    uint32_t count = 0;
    for (uint32_t i = 0; !algorithm && i < replay->profile->entry_count; i++)
        if (replay->count[i])
            entries[count++] = (struct hcct_file_entry){ recorded[i].word, replay->count[i] * factor, 0,
                                                         recorded[i].prefix, 0 };
    for (uint32_t place = 0; algorithm && place < algorithm->places(replay->summary); place++) {
        struct hcct_entry entry = algorithm->entry(replay->summary, place);
        uint32_t found = entry.key && entry.count > floor ? *slot_of(replay, entry.key) : 0;
        if (found)
            entries[count++] =
                (struct hcct_file_entry){ entry.key, entry.count * factor, entry.error * factor,
                                          recorded[found - 1].prefix, 0 };
    }
    return count;
}

/* What the run would have said of itself. */
static struct hcct_file_run make_run(const struct replay *replay, const struct hcct_trace *trace,
                                     uint64_t factor)
{
    const struct hcct_replay_options *options = replay->options;
    const struct hcct_algorithm *algorithm = options->algorithm;
    struct hcct_file_run run = *trace->profile.run;
    run.calls = replay->strides.period ? replay->strides.weight : replay->facts->counted * factor;
    run.dropped_memory = replay->unknown * factor;
    run.mode = algorithm ? HCCT_MODE_HCCT : HCCT_MODE_CCT;
    run.phi = options->phi;
    run.dropped_chain = 0;
    run.dropped_interrupted = 0;
    if (algorithm) {
        run.algorithm = (uint16_t)algorithm->number;
        run.delta = (uint16_t)algorithm->delta;
        run.guarantee = (uint16_t)algorithm->guarantee;
        run.floor = algorithm->floor(replay->summary) * factor;
        double reached = run.calls ? (double)run.floor / (double)run.calls : 0; /* it ran out of memory */
        run.epsilon = reached > options->epsilon ? reached : options->epsilon;
        run.capacity = (uint64_t)(1 / options->epsilon);
        run.memory_bytes = replay->facts->algorithm_bytes;
        if (algorithm->crowded)
            run.dropped_memory += algorithm->crowded(replay->summary) * factor;
    }
    if (options->burst_length || replay->strides.period)
        run.guarantee = HCCT_GUARANTEE_PROBABILISTIC;
    return run;
}

static unsigned char *make_profile(struct replay *replay, const struct hcct_trace *trace, size_t *length)
{
    const struct hcct_replay_options *options = replay->options;
    uint64_t factor = options->burst_length ? options->burst_interval / options->burst_length : 1;
    struct hcct_profile out = trace->profile;
    struct hcct_file_run run = make_run(replay, trace, factor);
    size_t room = replay->summary ? options->algorithm->places(replay->summary) : 0;
    room = room > out.entry_count ? room : out.entry_count;
    struct hcct_file_entry *entries = malloc((room + 1) * sizeof *entries);
    if (!entries)
        return NULL;
    struct hcct_file_bursts bursts = { .units = options->burst_length ? replay->bursts * (uint64_t)factor : 0,
                                       .bursts = replay->bursts,
                                       .calls = replay->facts->counted,
                                       .kind = HCCT_ESTIMATE_BURSTS };
    if (replay->in_burst)
        end_burst(replay);
    bursts.estimate = replay->estimate;
    bursts.squares = replay->squares;
    out.run = &run;
    out.entries = entries;
    out.entry_count = list_entries(replay, entries, factor);
    out.bursts = options->burst_length ? &bursts : replay->strides.period ? &replay->strides.observed : NULL;
    out.phases = NULL; /* a trace does not tell which call was in which */
    out.phase_count = 0;
    for (uint32_t i = 0; i < out.entry_count; i++)
        if (entries[i].prefix == HCCT_FILE_NONE)
            run.dropped_chain += entries[i].count - entries[i].error;
    replay->facts->monitored = count_monitored(replay);
    replay->facts->nodes = replay->nodes_now;
    replay->facts->cct_nodes = count_cct_nodes(replay);
    unsigned char *bytes = hcct_profile_pack(&out, length);
    free(entries);
    return bytes;
}

unsigned char *hcct_replay(const struct hcct_trace *trace, const struct hcct_replay_options *options,
                           struct hcct_replay_facts *facts, size_t *length, struct hcct_error *error)
{
    struct replay replay = { .profile = &trace->profile, .options = options, .facts = facts };
    unsigned char *bytes = NULL;
    *facts = (struct hcct_replay_facts){ .calls = trace->calls };
    now = &replay;
    if (!open_replay(&replay, trace) || !open_algorithm(&replay))
        hcct_error_out_of_memory(error);
    else if (hcct_trace_play(trace, play, &replay, error) &&
             (replay.strides.failed || !(bytes = make_profile(&replay, trace, length))))
        hcct_error_out_of_memory(error);
    close_replay(&replay, trace->stream_count);
    now = NULL;
    return bytes;
}
