#include "decoder/compare/diff_matcher.h"

#include <stdlib.h>

#include "decoder/compare/diff_look.h"
#include "decoder/text/memory.h"

uint32_t hcct_matcher_name_in_b(const struct hcct_matcher *matcher, uint32_t a)
{
    uint32_t name = hcct_look_name(&matcher->side[0], a), renamed = matcher->renamed[name];
    return renamed ? renamed - 1 : name;
}

void hcct_matcher_add_work(struct hcct_matcher *matcher, uint32_t a, uint32_t b)
{
    hcct_memory_grow(&matcher->work, &matcher->work_capacity, matcher->work_count, sizeof *matcher->work);
    matcher->work[matcher->work_count++] = (struct hcct_matcher_pair){ { a, b } };
}

void hcct_matcher_match(struct hcct_matcher *matcher, uint32_t a, uint32_t b)
{
    matcher->side[0].match[a] = b;
    matcher->side[1].match[b] = a;
    hcct_matcher_add_work(matcher, a, b);
}

void hcct_matcher_gather(struct hcct_matcher *matcher, int which, uint32_t parent)
{
    struct hcct_diff_side *side = &matcher->side[which];
    matcher->left_count[which] = 0;
    for (uint32_t i = side->children.first[parent]; i < side->children.first[parent + 1]; i++) {
        uint32_t child = side->children.child[i];
        if (side->match[child] != HCCT_NODE_NONE)
            continue;
        hcct_memory_grow(&matcher->left[which], &matcher->left_capacity[which], matcher->left_count[which],
                         sizeof child);
        matcher->left[which][matcher->left_count[which]++] = child;
    }
    if (matcher->left_count[which] > 1)
        qsort_r(matcher->left[which], matcher->left_count[which], sizeof(uint32_t), hcct_look_compare_sites,
                side);
}

void hcct_matcher_drop_matched(struct hcct_matcher *matcher)
{
    for (int which = 0; which < 2; which++) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < matcher->left_count[which]; i++)
            if (matcher->side[which].match[matcher->left[which][i]] == HCCT_NODE_NONE)
                matcher->left[which][kept++] = matcher->left[which][i];
        matcher->left_count[which] = kept;
    }
}
