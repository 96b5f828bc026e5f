/* See replay.h. A node that the algorithm keeps with a key is the number of the key's context in the recorded
 * profile, and 1. `references` counts, for each node of the tree, its children that are needed, and itself if
 * it is monitored: so a tree is pruned as in the paper's algorithm 1. */
#include "lab/replay/replay.h"

#include <math.h>
#include <stdlib.h>

#include "decoder/store/pack.h"
#include "decoder/tree/contexts.h"
#include "lab/stream/algorithm.h"
#include "runtime/base/key_hash.h"

/* The newest call of a node in a stream. Where a frame is active, that call made it: a later one of the same
 * path would have had to wait for its end. */
struct entered {
    uint64_t call; /* its number in the trace. Behind the last node: that of the newest sample */
    uint32_t entry;
};

struct replay {
    const struct hcct_profile *profile;
    const struct hcct_replay_options *options;
    struct hcct_replay_facts *facts;
    struct hcct_frames frames;
    struct hcct_tree tree;
    uint32_t *node;       /* by context: its node of the tree, or HCCT_NODE_NONE */
    uint32_t *references; /* by node */
    uint64_t *count;      /* by context: mode=cct, and whether it was counted */
    uint32_t *table;      /* word to context + 1: open addressing */
    size_t table_size;
    struct entered **entered; /* by stream, then by node; only if `frames` is above 1 */
    uint32_t stream_count;
    uint64_t nodes_now, calls, sum, unknown; /* of the trace; of the counts; of what has no context */
    struct hcct_sampling sampling;
    struct hcct_summary *summary;
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
    hcct_contexts_open(&contexts, profile, &replay->frames, &replay->tree);
    for (uint32_t i = 0; i < profile->rows.context_count; i++) {
        const struct hcct_file_context *context = &profile->rows.contexts[i];
        replay->node[i] = context->prefix == HCCT_FILE_NONE
                              ? HCCT_NODE_NONE
                              : hcct_contexts_node(&contexts, context->word, context->prefix);
    }
    hcct_contexts_close(&contexts);
    replay->references = calloc((size_t)replay->tree.node_count + 1, sizeof *replay->references);
    return !replay->tree.is_over && replay->references;
}

/* --- contexts by word ------------------------------------------------------------------------------- */

static uint32_t *slot_of(const struct replay *replay, uint64_t word)
{
    size_t at = (size_t)hcct_key_hash(word) & (replay->table_size - 1);
    while (replay->table[at] && replay->profile->rows.contexts[replay->table[at] - 1].word != word)
        at = (at + 1) & (replay->table_size - 1);
    return &replay->table[at];
}

static bool open_replay(struct replay *replay, const struct hcct_trace *trace)
{
    const struct hcct_profile *profile = replay->profile;
    size_t contexts = profile->rows.context_count;
    for (replay->table_size = 1024; replay->table_size < 2 * contexts;)
        replay->table_size *= 2;
    replay->table = calloc(replay->table_size, sizeof *replay->table);
    replay->node = calloc(contexts + 1, sizeof *replay->node);
    replay->count = calloc(contexts + 1, sizeof *replay->count);
    replay->stream_count = trace->stream_count;
    replay->entered = calloc((size_t)trace->stream_count + 1, sizeof *replay->entered);
    if (!replay->table || !replay->node || !replay->count || !replay->entered || !make_tree(replay))
        return false;
    for (uint32_t i = 0; i < profile->rows.context_count; i++)
        *slot_of(replay, profile->rows.contexts[i].word) = i + 1;
    replay->sampling.options = &replay->options->sampling;
    return hcct_sampling_open(&replay->sampling, trace->stream_count, replay->frames.frame_count + 1,
                              profile->rows.context_count);
}

static void open_algorithm(struct replay *replay)
{
    const struct hcct_replay_options *options = replay->options;
    if (!options->algorithm)
        return;
    double wanted = ceil(1 / options->epsilon);
    replay->summary = options->algorithm->open(&(struct hcct_demand){ (uint32_t)wanted, options->phi });
}

static void close_replay(struct replay *replay)
{
    hcct_frames_free(&replay->frames);
    hcct_tree_free(&replay->tree);
    free(replay->node);
    free(replay->references);
    free(replay->count);
    free(replay->table);
    for (uint32_t i = 0; replay->entered && i < replay->stream_count; i++)
        free(replay->entered[i]);
    free(replay->entered);
    if (replay->summary)
        replay->options->algorithm->close(replay->summary);
    hcct_sampling_close(&replay->sampling);
}

/* --- calls ------------------------------------------------------------------------------------------ */

/* The frame of a recorded context's function; those that are not known have one in common. */
static uint32_t function_of(const struct replay *replay, uint32_t found)
{
    uint32_t node = found ? replay->node[found - 1] : HCCT_NODE_NONE;
    return node == HCCT_NODE_NONE ? replay->frames.frame_count : replay->tree.nodes[node].frame;
}

/* Counts a call of a context; 0: there was no memory for it in the run. */
static void count(struct replay *replay, uint32_t found, uint64_t weight)
{
    const struct hcct_algorithm *algorithm = replay->options->algorithm;
    replay->sum += weight;
    if (!found) {
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
    algorithm->add(replay->summary, replay->profile->rows.contexts[found - 1].word, weight, found, &evicted,
                   &unused);
    hcct_prefix_release(unused);
    hcct_prefix_release(evicted);
}

/* Notes which call made the newest frame; a sample counts for the new frames above it, too. */
static void count_frames(struct replay *replay, uint32_t stream, uint32_t found, uint64_t weight)
{
    struct entered **of = &replay->entered[stream];
    uint32_t node = found ? replay->node[found - 1] : HCCT_NODE_NONE, last = replay->tree.node_count;
    if (!*of && !(*of = calloc((size_t)last + 1, sizeof **of))) {
        replay->sampling.failed = true;
        return;
    }
    struct entered *entered = *of, *sampled = &entered[last];
    if (node == HCCT_NODE_NONE)
        return;
    entered[node] = (struct entered){ replay->calls, found };
    if (!weight)
        return;
    uint32_t at = replay->tree.nodes[node].parent;
    for (uint32_t frames = 1; at != HCCT_NODE_NONE && frames < replay->options->frames;
         at = replay->tree.nodes[at].parent) {
        if (!is_context(replay, at))
            continue;
        if (entered[at].call <= sampled->call)
            break;
        count(replay, entered[at].entry, weight);
        frames++;
    }
    sampled->call = replay->calls;
}

static void play(void *context, uint32_t stream, uint64_t word, uint64_t ns)
{
    struct replay *replay = context;
    uint32_t found = *slot_of(replay, word);
    const struct hcct_sampling_call call = { stream, found, function_of(replay, found), ns };
    uint64_t weight = hcct_sampling_weigh(&replay->sampling, &call);
    replay->calls++;
    if (replay->options->frames > 1)
        count_frames(replay, stream, found, weight);
    if (!weight)
        return;
    replay->facts->counted++;
    count(replay, found, weight);
}

/* --- the profile ------------------------------------------------------------------------------------ */

/* The nodes of the contexts that were counted, and of their ancestors. */
static uint64_t count_cct_nodes(const struct replay *replay)
{
    uint8_t *needed = calloc((size_t)replay->tree.node_count + 1, 1);
    uint64_t count = 0;
    for (uint32_t i = 0; needed && i < replay->profile->rows.context_count; i++)
        for (uint32_t at = replay->count[i] ? replay->node[i] : HCCT_NODE_NONE;
             at != HCCT_NODE_NONE && !needed[at]; at = replay->tree.nodes[at].parent) {
            needed[at] = 1;
            count += is_context(replay, at);
        }
    free(needed);
    return count;
}

static struct hcct_file_cell cell_of(uint32_t context, uint64_t count, uint64_t error)
{
    return (struct hcct_file_cell){ .context = context, .count = count, .error = error };
}

/* In no order; of an algorithm each context once, as each key is. */
static uint32_t list_cells(const struct replay *replay, struct hcct_file_cell *cells, uint64_t factor)
{
    const struct hcct_algorithm *algorithm = replay->options->algorithm;
    uint64_t floor = algorithm ? algorithm->floor(replay->summary) : 0;
    uint32_t count = 0;
    for (uint32_t i = 0; !algorithm && i < replay->profile->rows.context_count; i++)
        if (replay->count[i])
            cells[count++] = cell_of(i, replay->count[i] * factor, 0);
    for (uint32_t place = 0; algorithm && place < algorithm->size(replay->summary); place++) {
        struct hcct_entry entry = algorithm->entry(replay->summary, place);
        uint32_t found = entry.count > floor ? *slot_of(replay, entry.key) : 0;
        if (found)
            cells[count++] = cell_of(found - 1, entry.count * factor, entry.error * factor);
    }
    return count;
}

static int by_context(const void *left, const void *right)
{
    const struct hcct_file_cell *a = left, *b = right;
    return a->context < b->context ? -1 : a->context > b->context;
}

/* What the run would have said of itself. */
static struct hcct_file_run make_run(const struct replay *replay)
{
    const struct hcct_replay_options *options = replay->options;
    const struct hcct_algorithm *algorithm = options->algorithm;
    struct hcct_file_run run = *replay->profile->run;
    run.mode = algorithm ? HCCT_MODE_HCCT : HCCT_MODE_CCT;
    run.phi = options->phi;
    if (algorithm) {
        run.algorithm = (uint16_t)algorithm->number;
        run.delta = (uint16_t)algorithm->delta;
        run.epsilon = options->epsilon;
        run.capacity = (uint64_t)(1 / options->epsilon);
        run.memory_bytes = replay->facts->algorithm_bytes;
    }
    return run;
}

static struct hcct_file_column make_column(const struct replay *replay, const struct hcct_trace *trace,
                                           uint64_t factor)
{
    const struct hcct_algorithm *algorithm = replay->options->algorithm;
    struct hcct_file_column column = *hcct_profile_main(&trace->profile);
    column.total = replay->sum * factor + trace->left_out;
    if (algorithm) {
        column.guarantee = (uint16_t)algorithm->guarantee;
        column.floor = algorithm->floor(replay->summary) * factor;
    }
    if (replay->options->sampling.kind)
        column.guarantee = HCCT_GUARANTEE_PROBABILISTIC;
    return column;
}

/* What the recorded run could not do, and what the replay does not know. */
static uint32_t make_notes(const struct replay *replay, const struct hcct_trace *trace, uint64_t factor,
                           uint64_t chainless, struct hcct_file_note notes[HCCT_NOTE_COUNT])
{
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < HCCT_NOTE_COUNT; kind++) {
        uint64_t amount = kind == HCCT_NOTE_DROPPED_MEMORY  ? replay->unknown * factor + trace->left_out
                          : kind == HCCT_NOTE_DROPPED_CHAIN ? chainless
                          : kind == HCCT_NOTE_DROPPED_INTERRUPTED
                              ? 0
                              : hcct_profile_note(&trace->profile, (enum hcct_file_note_kind)kind);
        if (amount)
            notes[count++] = (struct hcct_file_note){ .kind = kind, .amount = amount };
    }
    return count;
}

static unsigned char *make_profile(struct replay *replay, const struct hcct_trace *trace, size_t *length)
{
    const struct hcct_replay_options *options = replay->options;
    const struct hcct_algorithm *algorithm = options->algorithm;
    uint64_t factor = hcct_sampling_factor(&options->sampling);
    struct hcct_replay_facts *facts = replay->facts;
    facts->algorithm_bytes = algorithm ? algorithm->bytes(replay->summary) : 0;
    struct hcct_profile out = trace->profile;
    struct hcct_file_run run = make_run(replay);
    struct hcct_file_column column = make_column(replay, trace, factor);
    struct hcct_file_note notes[HCCT_NOTE_COUNT];
    struct hcct_file_cell *cells = malloc(((size_t)out.rows.context_count + 1) * sizeof *cells);
    uint64_t chainless = 0;
    if (!cells)
        return NULL;
    hcct_sampling_end(&replay->sampling);
    column.count = list_cells(replay, cells, factor);
    if (column.count)
        qsort(cells, column.count, sizeof *cells, by_context);
    for (uint32_t i = 0; i < column.count; i++)
        if (out.rows.contexts[cells[i].context].prefix == HCCT_FILE_NONE)
            chainless += cells[i].count - cells[i].error;
    out.run = &run;
    out.rows.columns = &column; /* a trace does not tell which call was in which phase */
    out.rows.column_count = 1;
    out.rows.cells = cells;
    out.rows.cell_count = column.count;
    out.notes = notes;
    out.note_count = make_notes(replay, trace, factor, chainless, notes);
    out.estimate = options->sampling.kind ? &replay->sampling.observed : NULL;
    facts->monitored = algorithm ? algorithm->size(replay->summary) : facts->contexts;
    facts->nodes = replay->nodes_now;
    facts->cct_nodes = count_cct_nodes(replay);
    unsigned char *bytes = hcct_profile_pack(&out, length);
    free(cells);
    return bytes;
}

unsigned char *hcct_replay(const struct hcct_trace *trace, const struct hcct_replay_options *options,
                           struct hcct_replay_facts *facts, size_t *length, struct hcct_error *error)
{
    struct replay replay = { .profile = &trace->profile, .options = options, .facts = facts };
    unsigned char *bytes = NULL;
    *facts = (struct hcct_replay_facts){ .calls = trace->calls };
    now = &replay;
    bool done = open_replay(&replay, trace) || hcct_error_out_of_memory(error);
    if (done)
        open_algorithm(&replay);
    if (done && hcct_trace_play(trace, play, &replay, error) &&
        (replay.sampling.failed || !(bytes = make_profile(&replay, trace, length))))
        hcct_error_out_of_memory(error);
    close_replay(&replay);
    now = NULL;
    return bytes;
}
