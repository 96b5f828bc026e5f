/* The tree, see tree.h: an array of nodes, and a hash table that finds a node by parent, frame and site. */
#include "decoder/tree/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"

struct node_key {
    uint32_t parent, frame, site;
};

static bool same_node(const void *array, uint32_t index, const void *key)
{
    const struct hcct_tree_node *node = &((const struct hcct_tree_node *)array)[index];
    const struct node_key *with = key;
    return node->parent == with->parent && node->frame == with->frame && node->site == with->site;
}

/* In real profiles a context takes 30 bytes of the file or more. */
#define LIMIT_LEAST 65536
#define LIMIT_PER_BYTE 2
#define LOOKUPS_PER_NODE 4

void hcct_tree_limit(struct hcct_tree *tree, uint64_t file_bytes, uint32_t node_limit)
{
    uint64_t nodes = LIMIT_LEAST + LIMIT_PER_BYTE * file_bytes;
    tree->node_limit = node_limit ? node_limit : nodes < HCCT_NODE_LIMIT ? (uint32_t)nodes : HCCT_NODE_LIMIT;
    tree->lookup_limit = LOOKUPS_PER_NODE * (uint64_t)tree->node_limit;
}

bool hcct_tree_fits(const struct hcct_tree *tree, struct hcct_error *error)
{
    return !tree->is_over ||
           hcct_error_set(error, HCCT_ERROR_LIMIT, HCCT_ERROR_NOWHERE,
                          "its contexts would make a tree of more than %u nodes, too many for its size "
                          "(docs/format.md tells the limits)",
                          tree->node_limit);
}

uint32_t hcct_tree_append(struct hcct_tree *tree, uint32_t parent, uint32_t frame, uint32_t site)
{
    if (tree->node_count == HCCT_NODE_LIMIT)
        hcct_memory_end();
    hcct_memory_grow(&tree->nodes, &tree->node_capacity, tree->node_count, sizeof *tree->nodes);
    size_t value_bytes = tree->value_count * sizeof *tree->values;
    if (value_bytes) {
        hcct_memory_grow(&tree->values, &tree->value_capacity, tree->node_count, value_bytes);
        memset(hcct_tree_values(tree, tree->node_count), 0, value_bytes);
    }
    tree->nodes[tree->node_count] = (struct hcct_tree_node){ .parent = parent, .frame = frame, .site = site };
    return tree->node_count++;
}

static uint32_t hash_of(const struct node_key *key)
{
    return (uint32_t)hcct_hash_step(hcct_hash_step(key->parent, key->frame), key->site);
}

uint32_t hcct_tree_child(struct hcct_tree *tree, uint32_t parent, uint32_t frame, uint32_t site)
{
    struct node_key key = { parent, frame, site };
    uint32_t hash = hash_of(&key), found = hcct_table_find(&tree->table, hash, same_node, tree->nodes, &key);
    tree->is_over |= tree->lookup_limit && tree->lookup_count++ >= tree->lookup_limit;
    if (found != HCCT_TABLE_NONE)
        return found;
    tree->is_over |= tree->node_limit && tree->node_count >= tree->node_limit;
    if (tree->is_over)
        return 0;
    found = hcct_tree_append(tree, parent, frame, site);
    hcct_memory_add(&tree->table, hash, found);
    return found;
}

void hcct_tree_finish(struct hcct_tree *tree)
{
    tree->node_capacity = tree->node_count + 1;
    tree->nodes = hcct_memory_got(reallocarray(tree->nodes, tree->node_capacity, sizeof *tree->nodes));
    hcct_table_free(&tree->table);
    hcct_tree_order_spots(tree);
}

void hcct_tree_reopen(struct hcct_tree *tree, uint32_t frame)
{
    hcct_table_free(&tree->table);
    tree->node_limit = 0;
    tree->lookup_limit = 0;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        struct node_key key = { node->parent, node->frame, node->site };
        bool is_below = node->parent != HCCT_NODE_NONE && tree->nodes[node->parent].frame == frame;
        if (node->frame == frame || is_below)
            hcct_memory_add(&tree->table, hash_of(&key), i);
    }
}

const char *hcct_tree_text(const struct hcct_frames *frames, const struct hcct_tree_node *node,
                           const char *const *texts, char buffer[HCCT_TREE_TEXT_BYTES])
{
    const struct hcct_tree_frame *frame = &frames->frames[node->frame];
    if (frame->kind != HCCT_FRAME_REPEAT)
        return texts ? texts[node->frame] : frame->name;
    snprintf(buffer, HCCT_TREE_TEXT_BYTES, "[x%u]", node->site);
    return buffer;
}

void hcct_tree_add(struct hcct_tree_node *to, const struct hcct_tree_node *from)
{
    if (from->flags & HCCT_NODE_COUNTED) {
        to->trials = to->flags & HCCT_NODE_COUNTED ? 0 : from->trials;
        to->spread = to->flags & HCCT_NODE_COUNTED ? 0 : from->spread;
    }
    to->count = hcct_sum(to->count, from->count);
    to->error = hcct_sum(to->error, from->error);
    to->flags |= from->flags;
    to->contexts += from->contexts;
}

void hcct_tree_add_values(struct hcct_tree *tree, uint32_t node, const uint64_t *values)
{
    if (!tree->value_count)
        return;
    uint64_t *to = hcct_tree_values(tree, node);
    for (uint32_t i = 0; i < tree->value_count; i++)
        to[i] = hcct_sum(to[i], values[i]);
}

void hcct_tree_take(struct hcct_tree *to, uint32_t node, const struct hcct_tree *from, uint32_t taken)
{
    hcct_tree_add(&to->nodes[node], &from->nodes[taken]);
    if (from->value_count)
        hcct_tree_add_values(to, node, hcct_tree_values(from, taken));
    if (!from->spot_count)
        return;
    for (uint32_t i = hcct_tree_first_spot(from, taken); i < from->spot_count; i++) {
        struct hcct_tree_spot spot = from->spots[i];
        if (spot.node != taken)
            break;
        spot.node = node;
        hcct_tree_add_spot(to, &spot);
    }
}

/* --- spots ------------------------------------------------------------------------------------------- */

void hcct_tree_add_spot(struct hcct_tree *tree, const struct hcct_tree_spot *spot)
{
    hcct_memory_grow(&tree->spots, &tree->spot_capacity, tree->spot_count, sizeof *spot);
    tree->spots[tree->spot_count++] = *spot;
}

uint32_t hcct_tree_first_spot(const struct hcct_tree *tree, uint32_t node)
{
    uint32_t low = 0, high = tree->spot_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tree->spots[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_spots(const void *left, const void *right)
{
    const struct hcct_tree_spot *a = left, *b = right;
    return a->node != b->node ? hcct_tree_order(a->node, b->node) : hcct_tree_order(a->place, b->place);
}

void hcct_tree_order_spots(struct hcct_tree *tree)
{
    uint32_t kept = 0;
    if (tree->spot_count)
        qsort(tree->spots, tree->spot_count, sizeof *tree->spots, compare_spots);
    for (uint32_t i = 0; i < tree->spot_count; i++) {
        struct hcct_tree_spot *last = kept ? &tree->spots[kept - 1] : NULL, *spot = &tree->spots[i];
        if (!last || compare_spots(last, spot)) {
            tree->spots[kept++] = *spot;
            continue;
        }
        last->count = hcct_sum(last->count, spot->count);
        last->error = hcct_sum(last->error, spot->error);
    }
    tree->spot_count = kept;
}

void hcct_tree_drop_values(struct hcct_tree *tree)
{
    free(tree->values);
    tree->values = NULL;
    tree->value_count = tree->value_capacity = 0;
}

void hcct_tree_free(struct hcct_tree *tree)
{
    free(tree->nodes);
    free(tree->values);
    free(tree->spots);
    hcct_table_free(&tree->table);
    *tree = (struct hcct_tree){ 0 };
}

void hcct_tree_children_build(const struct hcct_tree *tree, struct hcct_tree_children *children)
{
    size_t node_count = tree->node_count;
    children->first = hcct_memory_zeros(node_count + 2, sizeof *children->first);
    children->child = hcct_memory_array(node_count, sizeof *children->child);
    /* Counting sort by parent: first[p + 1] is where the next child of p goes, and in the end where p's
     * end. */
    uint32_t *first = children->first;
    for (size_t i = 0; i < node_count; i++) {
        uint32_t parent =
            tree->nodes[i].parent == HCCT_NODE_NONE ? (uint32_t)node_count : tree->nodes[i].parent;
        first[parent + 1]++;
    }
    uint32_t before = 0;
    for (size_t i = 1; i < node_count + 2; i++) {
        uint32_t own = first[i];
        first[i] = before;
        before += own;
    }
    for (size_t i = 0; i < node_count; i++) {
        uint32_t parent =
            tree->nodes[i].parent == HCCT_NODE_NONE ? (uint32_t)node_count : tree->nodes[i].parent;
        children->child[first[parent + 1]++] = (uint32_t)i;
    }
}

void hcct_tree_children_free(struct hcct_tree_children *children)
{
    free(children->first);
    free(children->child);
    *children = (struct hcct_tree_children){ 0 };
}
