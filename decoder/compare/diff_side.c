/* One side of a difference, prepared for matching: its tree, numbers for the names of
 * its frames, and for each node a sketch of the functions below it. */
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff.h"
#include "decoder/query/filter.h"
#include "decoder/store/sum.h"
#include "format/error.h"

/* --- the tree ------------------------------------------------------------------------------------- */

/* As hcct_view_regroup does it; also counts how many contexts become one. `counted` tells how many each node
 * stands for already; NULL: one. */
static bool group(struct hcct_diff_side *side, const uint32_t *counted, const uint32_t *frame_group,
                  const uint32_t *site_group)
{
    const struct hcct_tree *from = &side->merge.tree;
    uint32_t *map = malloc(((size_t)from->node_count + 1) * sizeof *map);
    bool done = map;
    for (uint32_t i = 0; done && i < from->node_count; i++) {
        const struct hcct_tree_node *node = &from->nodes[i];
        uint32_t parent = node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : map[node->parent];
        uint32_t site = node->site == HCCT_FRAMES_NONE ? HCCT_FRAMES_NONE : site_group[node->site];
        map[i] = hcct_tree_child(&side->tree, parent, frame_group[node->frame], site);
        done = map[i] != HCCT_NODE_NONE;
        if (!done)
            break;
        hcct_tree_add(&side->tree.nodes[map[i]], node);
        side->contexts[map[i]] += counted ? counted[i] : !!(node->flags & HCCT_NODE_COUNTED);
    }
    free(map);
    return done;
}

static bool open_tree(struct hcct_diff_side *side, const uint32_t *counted, enum hcct_frames_by by)
{
    const struct hcct_frames *frames = &side->merge.frames;
    size_t node_count = side->merge.tree.node_count;
    uint32_t *frame_group = malloc(((size_t)frames->frame_count + 1) * sizeof *frame_group);
    uint32_t *site_group = malloc(((size_t)frames->site_count + 1) * sizeof *site_group);
    side->contexts = calloc(node_count + 1, sizeof *side->contexts);
    side->match = malloc((node_count + 1) * sizeof *side->match);
    bool done = frame_group && site_group && side->contexts && side->match &&
                hcct_frames_group(frames, by, frame_group, site_group) &&
                group(side, counted, frame_group, site_group) &&
                hcct_tree_children_build(&side->tree, &side->children);
    for (size_t i = 0; done && i < node_count; i++)
        side->match[i] = HCCT_NODE_NONE;
    free(frame_group);
    free(site_group);
    return done;
}

/* *counted: see hcct_filter_apply; it stays NULL if there is no filter. */
static bool filter(struct hcct_decoded *merge, const struct hcct_query *query, uint32_t **counted,
                   struct hcct_error *error)
{
    struct hcct_tree filtered = { 0 };
    if (!query || !hcct_filter_is_needed(query))
        return true;
    *counted = calloc((size_t)merge->tree.node_count + 1, sizeof **counted);
    if (!*counted)
        return hcct_error_out_of_memory(error);
    bool done = hcct_filter_apply(&merge->tree, &merge->frames, query, &filtered, *counted, error);
    hcct_tree_free(&merge->tree);
    merge->tree = filtered;
    return done;
}

bool hcct_diff_open_side(struct hcct_diff_side *side, const struct hcct_profile *profile,
                         enum hcct_frames_by by, const struct hcct_diff_options *options,
                         const struct hcct_choice *choice, struct hcct_error *error)
{
    uint32_t *counted = NULL;
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
    bool done = filter(&side->merge, options->query, &counted, error) &&
                (open_tree(side, counted, by) || hcct_error_out_of_memory(error));
    free(counted);
    return done;
}

void hcct_diff_close_side(struct hcct_diff_side *side)
{
    free(side->contexts);
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

/* The number of a text: equal texts have the same. HCCT_TABLE_NONE when memory is out. */
static uint32_t number_of(struct texts *texts, const char *bytes, size_t length)
{
    struct text text = { bytes, length };
    uint32_t hash = (uint32_t)hcct_hash_text(0, bytes, length);
    uint32_t found = hcct_table_find(&texts->table, hash, same_text, texts->array, &text);
    if (found != HCCT_TABLE_NONE)
        return found;
    if (!hcct_vector_grow(&texts->array, &texts->capacity, texts->count, sizeof text))
        return HCCT_TABLE_NONE;
    if (!hcct_table_add(&texts->table, hash, texts->count))
        return HCCT_TABLE_NONE;
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

static bool name_side(struct hcct_diff_side *side, struct texts *texts)
{
    struct hcct_frames *frames = &side->merge.frames;
    side->name = malloc(((size_t)frames->frame_count + 1) * sizeof *side->name);
    side->stem = malloc(((size_t)frames->frame_count + 1) * sizeof *side->stem);
    if (!side->name || !side->stem)
        return false;
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        const char *name = hcct_frames_name(frames, i, HCCT_NAMES_FULL);
        if (!name)
            return false;
        side->name[i] = number_of(texts, name, strlen(name));
        side->stem[i] = number_of(texts, name, stem_length(name));
        if (side->name[i] == HCCT_TABLE_NONE || side->stem[i] == HCCT_TABLE_NONE)
            return false;
    }
    return true;
}

bool hcct_diff_name_sides(struct hcct_diff_side side[2])
{
    struct texts texts = { 0 };
    bool done = name_side(&side[0], &texts) && name_side(&side[1], &texts);
    free(texts.array);
    hcct_table_free(&texts.table);
    return done;
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

bool hcct_diff_sketch_side(struct hcct_diff_side *side)
{
    uint32_t count = side->tree.node_count;
    side->sketches = calloc((size_t)count + 1, sizeof *side->sketches);
    if (!side->sketches)
        return false;
    for (uint32_t i = count; i--;) { /* children first */
        const struct hcct_tree_node *node = &side->tree.nodes[i];
        if (node->parent == HCCT_NODE_NONE)
            continue;
        struct hcct_diff_sketch own = { .count = 1, .least = { hash_name(side->stem[node->frame]) } };
        add_sketch(&side->sketches[node->parent], &own);
        add_sketch(&side->sketches[node->parent], &side->sketches[i]);
    }
    return true;
}
