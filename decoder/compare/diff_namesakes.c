#include "decoder/compare/diff_namesakes.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff_look.h"
#include "decoder/text/memory.h"

#define CANDIDATE_LIMIT 64 /* nodes of equal name that are compared with a node left over */
#define ANCESTOR_LIMIT 32  /* how far up a matched ancestor is looked for */

/* The nearest ancestor with a counterpart. HCCT_NODE_NONE: there is none; HCCT_NODE_NONE - 1: none is
 * near. */
static uint32_t matched_ancestor(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t at = hcct_look_node(side, node)->parent, steps = 0;
    while (at != HCCT_NODE_NONE && side->match[at] == HCCT_NODE_NONE) {
        at = hcct_look_node(side, at)->parent;
        if (++steps == ANCESTOR_LIMIT)
            return HCCT_NODE_NONE - 1;
    }
    return at;
}

void hcct_namesakes_gather(const struct hcct_diff_side *side, struct hcct_namesakes *namesakes)
{
    for (uint32_t i = 0; i < side->merge.frames.frame_count; i++)
        if (side->name[i] >= namesakes->name_count)
            namesakes->name_count = side->name[i] + 1;
    namesakes->first = hcct_memory_zeros((size_t)namesakes->name_count + 2, sizeof *namesakes->first);
    namesakes->node = hcct_memory_array(side->tree.node_count, sizeof *namesakes->node);
    namesakes->next = hcct_memory_array(namesakes->name_count, sizeof *namesakes->next);
    uint32_t *first = namesakes->first; /* a counting sort, as in tree.c */
    for (uint32_t i = 0; i < side->tree.node_count; i++)
        first[hcct_look_name(side, i) + 1] += side->match[i] == HCCT_NODE_NONE;
    uint32_t before = 0;
    for (uint32_t i = 1; i < namesakes->name_count + 2; i++) {
        uint32_t own = first[i];
        first[i] = before;
        before += own;
    }
    for (uint32_t i = 0; i < side->tree.node_count; i++)
        if (side->match[i] == HCCT_NODE_NONE)
            namesakes->node[first[hcct_look_name(side, i) + 1]++] = i;
    memcpy(namesakes->next, first, namesakes->name_count * sizeof *first);
}

uint32_t hcct_namesakes_find(const struct hcct_matcher *matcher, const struct hcct_namesakes *namesakes,
                             uint32_t a)
{
    const struct hcct_diff_side *side = matcher->side;
    uint32_t name = hcct_matcher_name_in_b(matcher, a), best = HCCT_NODE_NONE;
    if (name >= namesakes->name_count)
        return HCCT_NODE_NONE;
    uint32_t *next = &namesakes->next[name], end = namesakes->first[name + 1];
    while (*next < end && side[1].match[namesakes->node[*next]] != HCCT_NODE_NONE)
        ++*next;
    uint32_t above = matched_ancestor(&side[0], a);
    uint32_t wanted = above < HCCT_NODE_NONE - 1 ? side[0].match[above] : above;
    uint32_t best_score = 0;
    for (uint32_t i = *next; i < end && i - *next < CANDIDATE_LIMIT; i++) {
        uint32_t b = namesakes->node[i];
        if (side[1].match[b] != HCCT_NODE_NONE ||
            hcct_look_class(&side[0], a) != hcct_look_class(&side[1], b))
            continue;
        bool below_pair = wanted != HCCT_NODE_NONE - 1 && matched_ancestor(&side[1], b) == wanted;
        float alike = hcct_look_likeness(side, a, b, false);
        if (!below_pair && (alike < (float)HCCT_MATCHER_ALIKE || hcct_look_is_leaf(&side[0], a)))
            continue;
        uint32_t sum = 100 + (uint32_t)(400 * alike) + (below_pair ? 200 : 0) +
                       (hcct_look_same_place(side, a, b) ? 100 : 0);
        if (sum > best_score) {
            best_score = sum;
            best = b;
        }
    }
    return best;
}

void hcct_namesakes_free(struct hcct_namesakes *namesakes)
{
    free(namesakes->first);
    free(namesakes->next);
    free(namesakes->node);
}
