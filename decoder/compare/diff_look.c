#include "decoder/compare/diff_look.h"

#include <string.h>

#include "decoder/text/text.h"

/* The likeness of an empty set and another one. With an equal line it scores higher than two empty sets in
 * different lines. */
#define EMPTY_PART 0.8

/* The line of a call, counted from the caller's first line, so that it stays when the caller moves as a
 * whole. */
static int64_t place_of(const struct hcct_diff_side *side, uint32_t node)
{
    const struct hcct_tree_site *site = hcct_look_site(side, node);
    uint32_t parent = hcct_look_node(side, node)->parent;
    if (!site || !site->line || parent == HCCT_NODE_NONE)
        return site ? site->line : 0;
    const struct hcct_tree_frame *caller = hcct_look_frame(side, parent);
    bool relative = caller->line && !strcmp(caller->file, site->file);
    return (int64_t)site->line - (relative ? caller->line : 0);
}

bool hcct_look_same_place(const struct hcct_diff_side *side, uint32_t a, uint32_t b)
{
    const struct hcct_tree_site *s = hcct_look_site(&side[0], a), *t = hcct_look_site(&side[1], b);
    if (!s || !t)
        return !s && !t;
    if (side[0].place[a] && side[1].place[b])
        return side[0].place[a] == side[1].place[b];
    if (!s->line || !t->line) /* no line is known: the id tells the ordinal within the function */
        return s->line == t->line && s->id == t->id;
    return place_of(&side[0], a) == place_of(&side[1], b) &&
           !strcmp(hcct_text_base_name(s->file), hcct_text_base_name(t->file));
}

bool hcct_look_is_leaf(const struct hcct_diff_side *side, uint32_t node)
{
    return side->sketches[node].count == 0;
}

/* The largest hash up to which a sketch has all elements of its set. */
static uint32_t whole_up_to(const struct hcct_diff_sketch *sketch)
{
    return sketch->count < HCCT_DIFF_SKETCH ? UINT32_MAX : sketch->least[HCCT_DIFF_SKETCH - 1];
}

float hcct_look_likeness(const struct hcct_diff_side *side, uint32_t a, uint32_t b, bool part)
{
    const struct hcct_diff_sketch *s = &side[0].sketches[a], *t = &side[1].sketches[b];
    uint32_t limit = whole_up_to(s) < whole_up_to(t) ? whole_up_to(s) : whole_up_to(t), i = 0, j = 0,
             both = 0;
    if (!s->count || !t->count)
        return s->count == t->count ? 1 : part ? (float)EMPTY_PART : 0;
    while ((i < s->count && s->least[i] <= limit) || (j < t->count && t->least[j] <= limit)) {
        uint64_t left = i < s->count ? s->least[i] : UINT64_MAX,
                 right = j < t->count ? t->least[j] : UINT64_MAX;
        both += left == right;
        i += left <= right;
        j += right <= left;
    }
    uint32_t smaller = i < j ? i : j;
    if (part)
        return smaller ? (float)both / (float)smaller : 0.5f; /* nothing is known of the smaller one */
    return (float)both / (float)(i + j - both);
}

int hcct_look_compare_sites(const void *left, const void *right, void *context)
{
    const struct hcct_diff_side *side = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct hcct_tree_site *s = hcct_look_site(side, a), *t = hcct_look_site(side, b);
    int by = hcct_tree_order(s != NULL, t != NULL);
    if (!by && s) {
        by = strcmp(s->file, t->file);
        by = by ? by : hcct_tree_order(s->line, t->line);
        by = by ? by : hcct_tree_order(s->ordinal, t->ordinal);
    }
    by = by ? by : hcct_tree_order(hcct_look_name(side, a), hcct_look_name(side, b));
    by = by ? by : strcmp(hcct_look_frame(side, a)->file, hcct_look_frame(side, b)->file);
    return by ? by : hcct_tree_order(a, b);
}
