/* One side of a difference, prepared for matching: its tree, numbers for the names of
 * its frames, and for each node a sketch of the functions below it. */
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff.h"
#include "decoder/query/filter.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/tree/view.h"
#include "format/error.h"

/* --- the tree ------------------------------------------------------------------------------------- */

static void filter(struct hcct_decoded *merge, const struct hcct_query *query)
{
    struct hcct_tree filtered = { 0 };
    if (!query || !hcct_filter_is_needed(query))
        return;
    hcct_filter_apply(&merge->tree, &merge->frames, query, &filtered);
    hcct_tree_free(&merge->tree);
    merge->tree = filtered;
}

/* The hot ones of the contexts as they are in the file. */
static uint32_t count_hot(const struct hcct_decoded *merge)
{
    double hot = merge->summary.phi * (double)merge->summary.ground.total;
    uint32_t count = 0;
    for (uint32_t i = 0; i < merge->tree.node_count; i++) {
        const struct hcct_tree_node *node = &merge->tree.nodes[i];
        count += node->flags & HCCT_NODE_COUNTED && (double)node->count >= hot;
    }
    return count;
}

bool hcct_diff_open_side(struct hcct_diff_side *side, const struct hcct_profile *profile,
                         enum hcct_frames_by by, const struct hcct_diff_options *options,
                         const struct hcct_choice *choice, struct hcct_error *error)
{
    if (!hcct_decoded_open(&side->merge, profile, choice, options->node_limit, error))
        return false;
    const struct hcct_summary *summary = &side->merge.summary;
    /* a context that is not in the tree: the file lacks it, or has no chain for it */
    side->floor =
        summary->ground.floor > summary->most_chainless ? summary->ground.floor : summary->most_chainless;
    uint64_t lost_chain = summary->dropped_chain - summary->chainless;
    side->dropped = hcct_sum(hcct_sum(summary->dropped_memory, lost_chain),
                             hcct_sum(summary->dropped_interrupted, summary->undecodable));
    side->dropped = hcct_sum(side->dropped, summary->stale);
    hcct_tree_drop_values(&side->merge.tree);
    side->unassigned = hcct_tree_cold(&side->merge.tree, summary->ground.total, 0);
    filter(&side->merge, options->query);
    side->evicted = hcct_frames_evicted(&side->merge.frames);
    side->evicted = side->evicted < side->unassigned ? side->evicted : side->unassigned;
    side->hot_contexts = count_hot(&side->merge);
    hcct_view_regroup(&side->merge.tree, &side->merge.frames, by, true, &side->tree);
    hcct_tree_children_build(&side->tree, &side->children);
    side->match = hcct_memory_array(side->tree.node_count, sizeof *side->match);
    for (uint32_t i = 0; i < side->tree.node_count; i++)
        side->match[i] = HCCT_NODE_NONE;
    return true;
}

void hcct_diff_close_side(struct hcct_diff_side *side)
{
    free(side->name);
    free(side->stem);
    free(side->match);
    free(side->place);
    free(side->gone);
    free(side->sketches);
    hcct_tree_free(&side->tree);
    hcct_tree_children_free(&side->children);
    hcct_decoded_close(&side->merge);
}

/* --- names ---------------------------------------------------------------------------------------- */

struct text {
    const char *bytes;
    size_t length;
};

struct texts {
    struct text *array;
    uint32_t count, capacity;
    struct hcct_table table;
};

static bool same_text(const void *array, uint32_t index, const void *key)
{
    const struct text *a = &((const struct text *)array)[index], *b = key;
    return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

/* The number of a text: equal texts have the same. */
static uint32_t number_of(struct texts *texts, const char *bytes, size_t length)
{
    struct text text = { bytes, length };
    uint32_t hash = (uint32_t)hcct_hash_text(0, bytes, length);
    uint32_t found = hcct_table_find(&texts->table, hash, same_text, texts->array, &text);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_grow(&texts->array, &texts->capacity, texts->count, sizeof text);
    hcct_memory_add(&texts->table, hash, texts->count);
    texts->array[texts->count] = text;
    return texts->count++;
}

/* The length of a demangled name without its parameters and template arguments: it ends before the first '<'
 * or '(' that follows neither a blank, a colon nor `operator`. So "(anonymous namespace)::f(int)" ends behind
 * "f", and "operator<(T)" behind "<". */
static size_t stem_length(const char *name)
{
    static const char operator_[] = "operator";
    for (size_t i = 1; name[i]; i++) {
        bool opens = name[i] == '<' || name[i] == '(';
        bool is_operator = i >= sizeof operator_ - 1 &&
                           !strncmp(name + i - (sizeof operator_ - 1), operator_, sizeof operator_ - 1);
        if (opens && !is_operator && name[i - 1] != ':' && name[i - 1] != ' ')
            return i;
    }
    return strlen(name);
}

static void name_side(struct hcct_diff_side *side, struct texts *texts)
{
    struct hcct_frames *frames = &side->merge.frames;
    side->name = hcct_memory_array(frames->frame_count, sizeof *side->name);
    side->stem = hcct_memory_array(frames->frame_count, sizeof *side->stem);
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        const char *name = hcct_frames_name(frames, i, HCCT_NAMES_FULL);
        side->name[i] = number_of(texts, name, strlen(name));
        side->stem[i] = number_of(texts, name, stem_length(name));
    }
}

void hcct_diff_name_sides(struct hcct_diff_side side[2])
{
    struct texts texts = { 0 };
    name_side(&side[0], &texts);
    name_side(&side[1], &texts);
    free(texts.array);
    hcct_table_free(&texts.table);
}

/* --- what is below -------------------------------------------------------------------------------- */

/* The union of two sketches, into the first. */
static void add_sketch(struct hcct_diff_sketch *to, const struct hcct_diff_sketch *from)
{
    struct hcct_diff_sketch sum = { 0 };
    uint32_t i = 0, j = 0;
    while (sum.count < HCCT_DIFF_SKETCH && (i < to->count || j < from->count)) {
        bool left = j == from->count || (i < to->count && to->least[i] <= from->least[j]);
        uint32_t next = left ? to->least[i] : from->least[j];
        i += i < to->count && to->least[i] == next;
        j += j < from->count && from->least[j] == next;
        sum.least[sum.count++] = next;
    }
    *to = sum;
}

static uint32_t hash_name(uint32_t name)
{
    uint64_t hash = (name + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32); /* a bijection in the lower half of `name`: no two names meet */
}

void hcct_diff_sketch_side(struct hcct_diff_side *side)
{
    uint32_t count = side->tree.node_count;
    side->sketches = hcct_memory_zeros(count, sizeof *side->sketches);
    for (uint32_t i = count; i--;) { /* children first */
        const struct hcct_tree_node *node = &side->tree.nodes[i];
        if (node->parent == HCCT_NODE_NONE)
            continue;
        struct hcct_diff_sketch own = { .count = 1, .least = { hash_name(side->stem[node->frame]) } };
        add_sketch(&side->sketches[node->parent], &own);
        add_sketch(&side->sketches[node->parent], &side->sketches[i]);
    }
}
