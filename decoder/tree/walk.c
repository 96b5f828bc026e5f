/* The walk in the order of path texts, see walk.h. */
#include "decoder/tree/walk.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/text/memory.h"

static const char *text_of(const struct hcct_walk *walk, uint32_t node, char buffer[HCCT_TREE_TEXT_BYTES])
{
    return hcct_tree_text(walk->frames, &walk->tree->nodes[node], walk->texts, buffer);
}

/* The order of siblings with equal names: by the functions' files, by call site, and at last as in the
 * tree. */
static int compare_places(const struct hcct_walk *walk, uint32_t left, uint32_t right)
{
    const struct hcct_tree_node *a = &walk->tree->nodes[left], *b = &walk->tree->nodes[right];
    const struct hcct_tree_frame *f = &walk->frames->frames[a->frame], *g = &walk->frames->frames[b->frame];
    int by = strcmp(f->file, g->file);
    bool sites = a->site < walk->frames->site_count && b->site < walk->frames->site_count &&
                 f->kind != HCCT_FRAME_REPEAT && g->kind != HCCT_FRAME_REPEAT;
    if (!by && sites) {
        const struct hcct_tree_site *s = &walk->frames->sites[a->site], *t = &walk->frames->sites[b->site];
        by = strcmp(s->file, t->file);
        by = by ? by : hcct_tree_order(s->line, t->line);
        by = by ? by : hcct_tree_order(s->column, t->column);
        by = by ? by : hcct_tree_order(s->ordinal, t->ordinal);
        by = by ? by : hcct_tree_order(s->id, t->id);
    }
    return by ? by : hcct_tree_order(left, right);
}

int hcct_walk_compare(const struct hcct_walk *walk, uint32_t a, uint32_t b)
{
    char a_buffer[HCCT_TREE_TEXT_BYTES], b_buffer[HCCT_TREE_TEXT_BYTES];
    int by = strcmp(text_of(walk, a, a_buffer), text_of(walk, b, b_buffer));
    return by ? by : compare_places(walk, a, b);
}

static int compare_events(const void *left, const void *right, void *context)
{
    const struct hcct_walk *walk = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    char a_buffer[HCCT_TREE_TEXT_BYTES], b_buffer[HCCT_TREE_TEXT_BYTES];
    const char *a_text = text_of(walk, a / 2, a_buffer), *b_text = text_of(walk, b / 2, b_buffer);
    size_t same = 0;
    while (a_text[same] && a_text[same] == b_text[same])
        same++;
    int a_next = (unsigned char)a_text[same], b_next = (unsigned char)b_text[same];
    if (a_next == b_next) {
        if (a % 2 != b % 2)
            return a % 2 ? 1 : -1;
        return compare_places(walk, a / 2, b / 2);
    }
    if (!a_next && a % 2)
        a_next = ';';
    if (!b_next && b % 2)
        b_next = ';';
    /* These are equal only where a name itself holds ';': then the shorter one comes first. */
    return a_next != b_next ? a_next - b_next : a_text[same] ? 1 : -1;
}

void hcct_walk_open(struct hcct_walk *walk, const struct hcct_tree *tree, const struct hcct_frames *frames,
                    const char *const *texts)
{
    uint32_t node_count = tree->node_count;
    *walk = (struct hcct_walk){ .tree = tree, .frames = frames, .texts = texts, .at = node_count };
    walk->events = hcct_memory_array(2 * (size_t)node_count, sizeof *walk->events);
    walk->cursor = hcct_memory_array((size_t)node_count + 1, sizeof *walk->cursor);
    hcct_tree_children_build(tree, &walk->children);
    for (size_t i = 0; i < node_count; i++) {
        walk->events[2 * i] = 2 * walk->children.child[i];
        walk->events[2 * i + 1] = 2 * walk->children.child[i] + 1;
    }
    for (uint32_t i = 0; i <= node_count; i++) {
        uint32_t first = walk->children.first[i], count = walk->children.first[i + 1] - first;
        walk->cursor[i] = 2 * first;
        if (count > 1)
            qsort_r(walk->events + 2 * (size_t)first, 2 * (size_t)count, sizeof *walk->events, compare_events,
                    walk);
    }
}

enum hcct_walk_step hcct_walk_next(struct hcct_walk *walk, uint32_t *node)
{
    uint32_t root = walk->tree->node_count, at = walk->at;
    if (walk->cursor[at] < 2 * walk->children.first[at + 1]) {
        uint32_t event = walk->events[walk->cursor[at]++];
        *node = event / 2;
        if (event % 2 == 0)
            return HCCT_WALK_NODE;
        walk->at = *node;
        return HCCT_WALK_ENTER;
    }
    if (at == root)
        return HCCT_WALK_END;
    *node = at;
    walk->at = walk->tree->nodes[at].parent == HCCT_NODE_NONE ? root : walk->tree->nodes[at].parent;
    return HCCT_WALK_LEAVE;
}

void hcct_walk_close(struct hcct_walk *walk)
{
    free(walk->events);
    free(walk->cursor);
    hcct_tree_children_free(&walk->children);
    *walk = (struct hcct_walk){ 0 };
}
