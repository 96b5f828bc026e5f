/* The tree laid out, see layout.h. */
#include "decoder/report/layout.h"
#include "decoder/claim/claim.h"

#include <stdlib.h>

#include "decoder/report/node.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/tree/walk.h"

struct sorter {
    const struct hcct_layout *layout;
    struct hcct_walk names; /* compares siblings; nothing is walked */
};

static bool is_other(const struct sorter *sorter, uint32_t node)
{
    return sorter->names.frames->frames[sorter->names.tree->nodes[node].frame].kind == HCCT_FRAME_OTHER;
}

static int compare_siblings(const void *left, const void *right, void *context)
{
    const struct sorter *sorter = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const uint64_t *inclusive = sorter->layout->inclusive;
    bool a_other = is_other(sorter, a), b_other = is_other(sorter, b);
    if (a_other != b_other)
        return a_other ? 1 : -1;
    if (inclusive[a] != inclusive[b])
        return inclusive[a] > inclusive[b] ? -1 : 1;
    return hcct_walk_compare(&sorter->names, a, b);
}

static void sum_up(struct hcct_layout *layout, const struct hcct_tree *tree, const struct hcct_report *report)
{
    for (uint32_t i = tree->node_count; i--;) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        layout->inclusive[i] = hcct_sum(layout->inclusive[i], hcct_tree_low(node));
        layout->error[i] = hcct_sum(layout->error[i], hcct_node_error(node));
        uint64_t *into = node->parent == HCCT_NODE_NONE ? &layout->total : &layout->inclusive[node->parent];
        *into = hcct_sum(*into, layout->inclusive[i]);
        if (node->parent != HCCT_NODE_NONE)
            layout->error[node->parent] = hcct_sum(layout->error[node->parent], layout->error[i]);
    }
    for (uint32_t i = 0; i < tree->node_count; i++) {
        uint32_t parent = tree->nodes[i].parent;
        bool is_rest =
            report->frames->frames[tree->nodes[i].frame].kind == HCCT_FRAME_OTHER; /* of N itself */
        layout->error[i] =
            is_rest ? 0 : hcct_claim_missing(&report->summary->ground, layout->error[i], report->unassigned);
        layout->depth[i] = parent == HCCT_NODE_NONE ? 0 : layout->depth[parent] + 1;
        if (layout->depth[i] >= layout->deepest)
            layout->deepest = layout->depth[i] + 1;
    }
}

/* Depth first: a node stands behind its parent, and behind all that is below the siblings in front of it. */
static void put_in_order(struct hcct_layout *layout, const struct hcct_tree *tree)
{
    const uint32_t *first = layout->children.first;
    uint32_t *stack = hcct_memory_array(tree->node_count, sizeof *stack);
    uint32_t depth = 0, placed = 0;
    for (uint32_t i = first[tree->node_count + 1]; i-- > first[tree->node_count];)
        stack[depth++] = layout->children.child[i];
    while (depth) {
        uint32_t node = stack[--depth];
        layout->order[placed++] = node;
        for (uint32_t i = first[node + 1]; i-- > first[node];)
            stack[depth++] = layout->children.child[i];
    }
    free(stack);
}

void hcct_layout_open(struct hcct_layout *layout, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    *layout = (struct hcct_layout){ 0 };
    layout->inclusive = hcct_memory_zeros(tree->node_count, sizeof *layout->inclusive);
    layout->error = hcct_memory_zeros(tree->node_count, sizeof *layout->error);
    layout->order = hcct_memory_array(tree->node_count, sizeof *layout->order);
    layout->depth = hcct_memory_array(tree->node_count, sizeof *layout->depth);
    hcct_tree_children_build(tree, &layout->children);
    sum_up(layout, tree, report);
    struct sorter sorter = { .layout = layout, .names = { .tree = tree, .frames = report->frames } };
    const uint32_t *first = layout->children.first;
    for (uint32_t i = 0; i <= tree->node_count; i++)
        if (first[i + 1] - first[i] > 1)
            qsort_r(layout->children.child + first[i], first[i + 1] - first[i], sizeof(uint32_t),
                    compare_siblings, &sorter);
    put_in_order(layout, tree);
}

void hcct_layout_close(struct hcct_layout *layout)
{
    free(layout->inclusive);
    free(layout->error);
    free(layout->order);
    free(layout->depth);
    hcct_tree_children_free(&layout->children);
}

const char *hcct_layout_text(const struct hcct_layout *layout, const struct hcct_report *report,
                             uint32_t node, char buffer[2 * HCCT_AMOUNT_BYTES])
{
    const struct hcct_ground *ground = &report->summary->ground;
    uint64_t total = layout->inclusive[node], error = layout->error[node];
    char number[HCCT_AMOUNT_BYTES], text[HCCT_AMOUNT_BYTES];
    bool is_loose = hcct_claim_is_loose(total, error);
    snprintf(buffer, 2 * HCCT_AMOUNT_BYTES, "%s%s%s",
             is_loose ? hcct_amount_number(ground, total, number) : "", is_loose ? " to " : "",
             hcct_amount_text(ground, is_loose ? hcct_sum(total, error) : total, text));
    return buffer;
}
