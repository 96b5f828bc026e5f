/* Decoding, see decoded.h. The contexts go into a tree by site, each with its cell of the chosen column.
 * Where two of them are one node there (recursion is folded), their cells are added. */
#include "decoder/tree/decoded.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/store/run.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/text/progress.h"
#include "decoder/tree/contexts.h"
#include "format/names.h"

static_assert(HCCT_HEAP_VALUE_COUNT + HCCT_FILE_CURVE_DETAILS <= HCCT_TREE_VALUES,
              "a tree has room for the values");

/* A column, and the next of its cells: contexts are decoded in order. */
struct reading {
    const struct hcct_file_column *column; /* NULL: there is none */
    const struct hcct_file_cell *next, *end;
};

struct decoding {
    struct hcct_decoded *to;
    const struct hcct_profile *profile;
    const struct hcct_choice *choice;
    const struct hcct_file_column *column;
    struct reading cells, is_new, present, least, most, values[HCCT_TREE_VALUES];
    uint32_t spread_room;
};

static struct reading reading_of(const struct hcct_profile *profile, const struct hcct_file_column *column)
{
    if (!column)
        return (struct reading){ .column = NULL };
    const struct hcct_file_cell *cells = hcct_profile_cells(profile, column);
    return (struct reading){ column, cells, cells + column->count };
}

static const struct hcct_file_cell *read_cell(struct reading *reading, uint32_t context)
{
    while (reading->next < reading->end && reading->next->context < context)
        reading->next++;
    bool has = reading->next < reading->end && reading->next->context == context;
    return has ? reading->next : NULL;
}

/* --- contexts --------------------------------------------------------------------------------------- */

/* In mode=hcct only a context that may have phi of the calls needs a chain. A colder one without a chain is
 * as good as one below the floor. In any other case a chain was lost. */
static void tell_chainless(struct decoding *it, const struct hcct_file_cell *cell)
{
    struct hcct_summary *summary = &it->to->summary;
    bool is_cold =
        summary->ground.is_bounded && (double)cell->count < summary->phi * (double)summary->ground.total;
    summary->dropped_chain = hcct_sum(summary->dropped_chain, cell->count - cell->error);
    summary->chainless = summary->dropped_chain;
    if (cell->count > summary->most_chainless)
        summary->most_chainless = cell->count;
    if (is_cold)
        summary->cold_chain = hcct_sum(summary->cold_chain, cell->count - cell->error);
}

static void add_values(struct decoding *it, uint32_t node, uint32_t context)
{
    struct hcct_tree *tree = &it->to->tree;
    uint64_t values[HCCT_TREE_VALUES] = { 0 };
    bool any = false;
    if (!tree->value_count)
        return;
    for (uint32_t i = 0; i < tree->value_count; i++) {
        const struct hcct_file_cell *cell = read_cell(&it->values[i], context);
        values[i] = !cell ? 0 : i == HCCT_HEAP_ALLOCATED ? cell->count - cell->error : cell->count;
        any |= cell != NULL;
    }
    if (any) /* of the first value it may have nothing */
        tree->nodes[node].flags |= HCCT_NODE_COUNTED;
    hcct_tree_add_values(tree, node, values);
}

/* The bounds of a cell, or of a context without one. */
static void tell_bounds(struct reading *reading, uint32_t context, uint64_t *low, uint64_t *high,
                        uint32_t *mark)
{
    const struct hcct_file_cell *cell = read_cell(reading, context);
    *high = cell ? cell->count : reading->column->floor;
    *low = cell ? cell->count - cell->error : 0;
    *mark = cell ? cell->mark : reading->column->mark;
}

static void tell_spread(struct decoding *it, uint32_t node, uint32_t context, bool again)
{
    struct hcct_tree *tree = &it->to->tree;
    if (!it->present.column)
        return;
    while (it->spread_room <= node)
        hcct_memory_grow(&it->to->spread, &it->spread_room, it->spread_room, sizeof *it->to->spread);
    struct hcct_spread *spread = &it->to->spread[node];
    uint64_t low, high;
    uint32_t mark;
    tell_bounds(&it->present, context, &low, &high, &mark);
    spread->present = low < it->profile->run->profiles ? (uint32_t)low : it->profile->run->profiles;
    spread->absent = it->profile->run->profiles - spread->present;
    tell_bounds(&it->least, context, &spread->least_low, &spread->least_high, &mark);
    spread->least_at = hcct_profile_string(it->profile, mark);
    tell_bounds(&it->most, context, &spread->most_low, &spread->most_high, &mark);
    spread->most_at = hcct_profile_string(it->profile, mark);
    tree->nodes[node].spread = again ? 0 : node + 1;
}

static void add_context(struct decoding *it, uint32_t node, uint32_t context,
                        const struct hcct_file_cell *cell)
{
    struct hcct_tree_node *to = &it->to->tree.nodes[node];
    bool again = to->flags & HCCT_NODE_COUNTED;
    if (cell) {
        to->flags |= HCCT_NODE_COUNTED;
        to->count = hcct_sum(to->count, cell->count);
        to->error = hcct_sum(to->error, cell->error);
        to->trials = (again                           ? 0
                      : cell->mark < HCCT_NODE_TRIALS ? cell->mark
                                                      : HCCT_NODE_TRIALS) &
                     HCCT_NODE_TRIALS;
    }
    add_values(it, node, context);
    if (!(to->flags & HCCT_NODE_COUNTED))
        return;
    to->contexts = 1;
    tell_spread(it, node, context, again);
}

/* Where samples of the context were taken. */
static void add_spot(struct decoding *it, struct hcct_contexts *contexts, uint32_t node, uint32_t prefix,
                     const struct hcct_file_cell *cell)
{
    uint32_t place = cell ? hcct_contexts_place(contexts, prefix) : HCCT_FRAMES_NONE;
    if (place != HCCT_FRAMES_NONE)
        hcct_tree_add_spot(&it->to->tree,
                           &(struct hcct_tree_spot){
                               .count = cell->count, .error = cell->error, .node = node, .place = place });
}

static bool is_left_out(struct decoding *it, uint32_t context)
{
    return it->choice->only_new && !read_cell(&it->is_new, context);
}

/* Whether what is shown are the calls of whole runs, of which alone functions tell. */
static bool tells_functions(const struct decoding *it)
{
    return it->column == hcct_profile_main(it->profile) && !it->choice->only_new;
}

static void add_contexts(struct decoding *it)
{
    struct hcct_contexts contexts;
    const struct hcct_profile *profile = it->profile;
    struct hcct_summary *summary = &it->to->summary;
    hcct_contexts_open(&contexts, profile, &it->to->frames, &it->to->tree);
    for (uint32_t i = 0; i < profile->rows.context_count && !it->to->tree.is_over; i++) {
        const struct hcct_file_context *context = &profile->rows.contexts[i];
        const struct hcct_file_cell *cell = read_cell(&it->cells, i);
        hcct_progress.done++;
        if ((!cell && !it->to->tree.value_count) || is_left_out(it, i))
            continue;
        if (context->prefix == HCCT_FILE_NONE) {
            if (cell)
                tell_chainless(it, cell);
            continue;
        }
        uint32_t node = hcct_contexts_node(&contexts, context->word, context->prefix);
        if (node != HCCT_NODE_NONE) {
            add_context(it, node, i, cell);
            add_spot(it, &contexts, node, context->prefix, cell);
        } else if (cell) {
            summary->undecodable = hcct_sum(summary->undecodable, cell->count - cell->error);
        }
    }
    if (tells_functions(it))
        hcct_contexts_add_evicted(&contexts);
    summary->lost_count = hcct_sum(contexts.lost_count, hcct_profile_note(profile, HCCT_NOTE_LOST));
    hcct_contexts_close(&contexts);
}

/* --- the values of a heap --------------------------------------------------------------------------- */

static const struct hcct_file_column *column_of_point(const struct hcct_profile *profile, uint32_t detail)
{
    char part[12];
    snprintf(part, sizeof part, "%u", detail);
    return hcct_profile_column(profile, HCCT_COLUMN_POINT, part);
}

const struct hcct_file_curve *hcct_summary_point(const struct hcct_summary *summary, uint32_t detail)
{
    const struct hcct_file_curve *point = summary->curve;
    while (point->detail != detail + 1)
        point++;
    return point;
}

static void tell_value(struct decoding *it, uint32_t value, const struct hcct_file_column *column)
{
    it->values[value] = reading_of(it->profile, column);
    if (column)
        it->to->summary.values[value] = (struct hcct_value_total){ true, column->total, column->missing };
}

static void tell_heap(struct decoding *it)
{
    const struct hcct_profile *profile = it->profile;
    struct hcct_summary *summary = &it->to->summary;
    for (int i = 0; i < HCCT_HEAP_VALUE_COUNT; i++)
        tell_value(it, (uint32_t)i, hcct_choice_value(profile, i));
    for (uint32_t i = 0; i < HCCT_HEAP_SIZES; i++) {
        char part[12];
        snprintf(part, sizeof part, "%u", i);
        const struct hcct_file_column *size = hcct_profile_column(profile, HCCT_COLUMN_SIZES, part);
        summary->sizes[i] = size ? size->total : 0;
    }
    const struct hcct_file_column *life = hcct_profile_column(profile, HCCT_COLUMN_LIFE, "");
    const struct hcct_file_column *mapped = hcct_profile_column(profile, HCCT_COLUMN_MAPPED, "");
    summary->mapped = mapped ? mapped->total : 0;
    summary->mean_life = life ? life->total : 0;
    if (profile->curve_count) {
        summary->curve = profile->curve;
        summary->curve_count = profile->curve_count;
    }
    bool has_all = !it->choice->is_one_value && !it->choice->only_new && !it->choice->phase;
    if (!has_all)
        return;
    for (uint32_t i = 0; i < profile->curve_count; i++) {
        uint32_t detail = profile->curve[i].detail;
        if (detail)
            tell_value(it, HCCT_HEAP_VALUE_COUNT + detail - 1, column_of_point(profile, detail));
        summary->detail_count += detail != 0;
    }
    it->to->tree.value_count = HCCT_HEAP_VALUE_COUNT + summary->detail_count;
}

/* --- what is said of the whole ---------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* What the run dropped is not told by phase: with mode=cct it is what the phase's counts lack, otherwise the
 * whole run's, and what was in contexts that a sum left out, up to the phase's N. */
static void tell_phase(struct decoding *it)
{
    struct hcct_summary *summary = &it->to->summary;
    uint64_t calls = it->column->total, counted = 0;
    const struct hcct_file_cell *cells = hcct_profile_cells(it->profile, it->column);
    for (uint32_t i = 0; i < it->column->count; i++)
        counted = hcct_sum(counted, cells[i].count);
    bool has_all = !summary->ground.is_bounded && summary->ground.sure != HCCT_SURE_NOTHING;
    uint64_t dropped = hcct_sum(summary->dropped_memory, it->column->missing);
    summary->dropped_memory = has_all ? calls - smaller(counted, calls) : smaller(dropped, calls);
    summary->dropped_interrupted = has_all ? 0 : smaller(summary->dropped_interrupted, calls);
    summary->stale = smaller(summary->stale, calls);
}

/* Another value than the first one is exact for the time that its context was kept, and each context may have
 * up to so much more as belongs to none. */
static void tell_other_value(struct decoding *it)
{
    struct hcct_summary *summary = &it->to->summary;
    summary->dropped_memory = it->column->missing;
    summary->dropped_interrupted = summary->stale = 0;
}

static void tell_phases(struct hcct_summary *summary, const struct hcct_profile *profile)
{
    for (uint32_t i = 0; i < profile->rows.column_count; i++)
        if (hcct_profile_is_phase(profile, &profile->rows.columns[i]))
            summary->phases[summary->phase_count++] =
                (struct hcct_phase_total){ hcct_profile_string(profile, profile->rows.columns[i].part),
                                           profile->rows.columns[i].total };
}

static void tell_run(struct hcct_summary *summary, const struct hcct_profile *profile)
{
    const struct hcct_file_run *run = profile->run;
    bool is_one = run->profiles == 1;
    summary->program = hcct_profile_string(profile, run->program);
    summary->command = hcct_profile_string(profile, run->command);
    summary->host = hcct_profile_string(profile, run->host);
    summary->pid = is_one ? run->pid : 0;
    summary->start = run->start;
    summary->end = run->end;
    summary->profile_count = run->profiles;
    summary->phi = run->phi;
    summary->memory_bytes = run->memory_bytes;
    summary->folded = profile->folded;
    for (uint32_t i = 0; i < profile->rows.prefix_count; i++)
        summary->has_threads |= profile->rows.prefixes[i].kind == HCCT_PREFIX_THREAD;
    summary->has_object_limit = profile->code.object_count >= HCCT_OBJECT_LIMIT;
    summary->has_new = hcct_profile_column(profile, HCCT_COLUMN_NEW, "");
    summary->known = hcct_profile_note(profile, HCCT_NOTE_KNOWN);
    summary->found = hcct_profile_note(profile, HCCT_NOTE_FOUND);
    summary->unnoted = hcct_profile_note(profile, HCCT_NOTE_UNNOTED);
    summary->dropped_memory = hcct_profile_note(profile, HCCT_NOTE_DROPPED_MEMORY);
    summary->dropped_interrupted = hcct_profile_note(profile, HCCT_NOTE_DROPPED_INTERRUPTED);
    summary->stale = hcct_profile_note(profile, HCCT_NOTE_STALE);
    summary->overflowed = hcct_profile_note(profile, HCCT_NOTE_OVERFLOWED);
    tell_phases(summary, profile);
}

static void summarize(struct decoding *it)
{
    struct hcct_summary *summary = &it->to->summary;
    const struct hcct_profile *profile = it->profile;
    tell_run(summary, profile);
    summary->several_builds = it->to->frames.loose;
    summary->build_id = it->to->frames.loose || it->to->frames.objects ? 0 : profile->run->build_id;
    summary->only_new = it->choice->only_new;
    hcct_ground_make(&summary->ground, profile, it->choice, it->column);
    if (summary->ground.noun->is_heap)
        tell_heap(it);
    if (it->choice->phase)
        tell_phase(it);
    else if (it->choice->value)
        tell_other_value(it);
}

/* Adds up the calls that have lost their callers: all those below [unknown]. What [unknown] itself has may be
 * from outside all contexts; what is lost of it the file tells. */
static void add_stale(struct hcct_decoded *decoded)
{
    struct hcct_tree *tree = &decoded->tree;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node *node = &tree->nodes[i];
        bool is_below = node->parent != HCCT_NODE_NONE && tree->nodes[node->parent].flags & HCCT_NODE_LOST;
        if (!is_below && decoded->frames.frames[node->frame].kind != HCCT_FRAME_UNKNOWN)
            continue;
        node->flags |= HCCT_NODE_LOST;
        if (is_below)
            decoded->summary.stale = hcct_sum(decoded->summary.stale, hcct_tree_low(node));
    }
}

static void finish(struct decoding *it)
{
    struct hcct_summary *summary = &it->to->summary;
    const struct hcct_tree *tree = &it->to->tree;
    if (it->column == hcct_profile_main(it->profile)) { /* of others the file does not tell */
        uint64_t told = hcct_profile_note(it->profile, HCCT_NOTE_DROPPED_CHAIN);
        summary->dropped_chain = told > summary->dropped_chain ? told : summary->dropped_chain;
    }
    uint64_t sum = hcct_sum(hcct_sum(summary->dropped_memory, summary->dropped_chain),
                            hcct_sum(summary->dropped_interrupted, summary->undecodable));
    for (uint32_t i = 0; i < tree->node_count; i++) {
        if (!(tree->nodes[i].flags & HCCT_NODE_COUNTED))
            continue;
        summary->in_tree = hcct_sum(summary->in_tree, tree->nodes[i].count);
        summary->context_count++;
    }
    sum = hcct_sum(sum, summary->in_tree);
    bool has_all = !summary->ground.is_bounded && summary->ground.sure != HCCT_SURE_NOTHING;
    if (has_all && sum < summary->ground.total && !summary->only_new)
        summary->unaccounted = summary->ground.total - sum;
    add_stale(it->to);
}

/* --- the whole -------------------------------------------------------------------------------------- */

/* Chooses what tells frames and sites apart: by numbers in one build, by objects in one program. */
static void choose_frames(struct hcct_decoded *to, const struct hcct_profile *profile)
{
    to->frames.loose = profile->run->build_id == HCCT_FILE_BUILD_BY_NAMES;
    if (profile->run->build_id != HCCT_FILE_BUILD_BY_OBJECTS)
        return;
    to->frames.objects = &to->objects;
    hcct_objects_add(&to->objects, profile);
}

static void open_readings(struct decoding *it)
{
    const struct hcct_profile *profile = it->profile;
    it->cells = reading_of(profile, it->column);
    it->is_new = reading_of(profile, hcct_profile_column(profile, HCCT_COLUMN_NEW, ""));
    if (it->column != hcct_profile_main(profile)) /* they are of the first column */
        return;
    it->present = reading_of(profile, hcct_profile_column(profile, HCCT_COLUMN_PRESENT, ""));
    it->least = reading_of(profile, hcct_profile_column(profile, HCCT_COLUMN_LEAST, ""));
    it->most = reading_of(profile, hcct_profile_column(profile, HCCT_COLUMN_MOST, ""));
    if (!it->least.column || !it->most.column)
        it->present.column = NULL;
}

bool hcct_decoded_open(struct hcct_decoded *decoded, const struct hcct_profile *profile,
                       const struct hcct_choice *choice, uint32_t node_limit, struct hcct_error *error)
{
    struct decoding it = { .to = decoded, .profile = profile, .choice = choice };
    *decoded = (struct hcct_decoded){ .file_bytes = profile->length };
    if (!(it.column = hcct_choice_column(profile, choice, error)))
        return false;
    hcct_tree_limit(&decoded->tree, decoded->file_bytes, node_limit);
    hcct_progress_phase("decoding", profile->rows.context_count);
    choose_frames(decoded, profile);
    summarize(&it);
    open_readings(&it);
    add_contexts(&it);
    if (!hcct_tree_fits(&decoded->tree, error)) {
        hcct_decoded_close(decoded);
        return false;
    }
    finish(&it);
    hcct_tree_finish(&decoded->tree);
    return true;
}

void hcct_decoded_close(struct hcct_decoded *decoded)
{
    hcct_frames_free(&decoded->frames);
    hcct_objects_free(&decoded->objects);
    hcct_tree_free(&decoded->tree);
    free(decoded->spread);
    *decoded = (struct hcct_decoded){ 0 };
}
