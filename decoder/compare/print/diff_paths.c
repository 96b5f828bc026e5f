/* How much of a path is shown, see diff_paths.h. In step k each change has a hash of the first k frames of
 * its row. Those whose hash nobody shares are done; the others take one frame more. Frames in brackets get
 * their caller afterwards, which tells no two rows less apart. Two rows that differ have
 * one hash once in 2^64 pairs; one of them is then shown too short. */
#include "decoder/compare/print/diff_paths.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/text/memory.h"

struct row {
    uint64_t hash;
    uint32_t ranked; /* its index in diff->ranked */
    uint32_t node;   /* of its side: the outermost frame in `hash`; HCCT_NODE_NONE: the root is in it */
};

static int shown_side(const struct hcct_diff_node *node)
{
    return node->side[1] != HCCT_NODE_NONE;
}

static uint64_t hash_name(const struct hcct_diff_side *side, uint32_t node, uint64_t hash)
{
    const char *name = side->merge.frames.frames[side->tree.nodes[node].frame].name;
    return hcct_hash_text(hash, name, strlen(name));
}

/* One caller more, with the place of its call. */
static void extend(const struct hcct_diff *diff, struct row *row)
{
    const struct hcct_diff_side *side = &diff->side[shown_side(&diff->nodes[diff->ranked[row->ranked]])];
    const struct hcct_tree_node *node = &side->tree.nodes[row->node];
    if (node->site != HCCT_FRAMES_NONE) {
        const struct hcct_tree_site *site = &side->merge.frames.sites[node->site];
        row->hash = hcct_hash_step(row->hash, site->line ? site->line : site->ordinal);
        row->hash = hcct_hash_step(row->hash, site->line ? site->column : 0);
    }
    row->node = node->parent;
    row->hash =
        row->node == HCCT_NODE_NONE ? hcct_hash_step(row->hash, 1) : hash_name(side, row->node, row->hash);
}

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->ranked < b->ranked ? -1 : a->ranked > b->ranked;
}

static bool has_twin(const struct row *rows, uint32_t count, uint32_t i)
{
    return (i && rows[i - 1].hash == rows[i].hash) || (i + 1 < count && rows[i + 1].hash == rows[i].hash);
}

/* The frames up to the first one that is not in brackets, or to the root. */
static uint32_t least_frames(const struct hcct_diff *diff, const struct hcct_diff_node *node)
{
    const struct hcct_diff_side *side = &diff->side[shown_side(node)];
    const struct hcct_tree_node *nodes = side->tree.nodes;
    uint32_t length = 1;
    for (uint32_t at = node->side[shown_side(node)]; nodes[at].parent != HCCT_NODE_NONE; length++) {
        enum hcct_frame_kind kind = side->merge.frames.frames[nodes[at].frame].kind;
        if (kind == HCCT_FRAME_FUNCTION || kind == HCCT_FRAME_INLINED)
            break;
        at = nodes[at].parent;
    }
    return length;
}

void hcct_diff_paths(const struct hcct_diff *diff, uint32_t *frames)
{
    uint32_t count = diff->ranked_count;
    struct row *rows = hcct_memory_array(count, sizeof *rows);
    bool *twin = hcct_memory_array(count, sizeof *twin);
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_diff_node *node = &diff->nodes[diff->ranked[i]];
        int side = shown_side(node);
        rows[i] = (struct row){ .ranked = i, .node = node->side[side] };
        rows[i].hash = hash_name(&diff->side[side], rows[i].node, 0);
    }
    for (uint32_t length = 1; count; length++) {
        uint32_t left = 0;
        qsort(rows, count, sizeof *rows, compare_rows);
        for (uint32_t i = 0; i < count; i++)
            twin[i] = has_twin(rows, count, i);
        for (uint32_t i = 0; i < count; i++) {
            bool is_whole = rows[i].node == HCCT_NODE_NONE;
            frames[rows[i].ranked] = is_whole ? length - 1 : length;
            if (!twin[i] || is_whole)
                continue;
            if (length == HCCT_DIFF_PATH_LIMIT) {
                frames[rows[i].ranked] = UINT32_MAX;
                continue;
            }
            rows[left] = rows[i];
            extend(diff, &rows[left++]);
        }
        count = left;
    }
    for (uint32_t i = 0; i < diff->ranked_count; i++) {
        uint32_t least = least_frames(diff, &diff->nodes[diff->ranked[i]]);
        frames[i] = frames[i] > least ? frames[i] : least;
    }
    free(rows);
    free(twin);
}
