#include "decoder/compare/diff_join.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff_look.h"

struct joined_side {
    const struct hcct_diff_side *side;
    enum hcct_join_by by;
};

static int compare_places(const struct hcct_tree_site *s, const struct hcct_tree_site *t,
                          enum hcct_join_by how)
{
    int by = hcct_tree_order(s != NULL, t != NULL);
    if (by || !s)
        return by;
    if (how == HCCT_JOIN_BY_SITES) /* several inlined calls on one line differ in nothing else */
        return hcct_tree_order(s->id, t->id);
    by = strcmp(s->file, t->file);
    by = by ? by : hcct_tree_order(s->line, t->line);
    return by || s->line ? by : hcct_tree_order(s->id, t->id);
}

/* An order in which matching nodes of the two sides are equal: by class and name, then by what `how` asks
 * for. */
static int compare_keys(const struct hcct_diff_side *side_a, uint32_t a, const struct hcct_diff_side *side_b,
                        uint32_t b, enum hcct_join_by how)
{
    int by = hcct_tree_order(hcct_look_class(side_a, a), hcct_look_class(side_b, b));
    by = by ? by : hcct_tree_order(hcct_look_name(side_a, a), hcct_look_name(side_b, b));
    if (by || how == HCCT_JOIN_BY_NAMES)
        return by;
    by = strcmp(hcct_look_frame(side_a, a)->linkage, hcct_look_frame(side_b, b)->linkage);
    by = by ? by : strcmp(hcct_look_frame(side_a, a)->file, hcct_look_frame(side_b, b)->file);
    by = by ? by : hcct_tree_order(hcct_look_frame(side_a, a)->kind, hcct_look_frame(side_b, b)->kind);
    return by ? by : compare_places(hcct_look_site(side_a, a), hcct_look_site(side_b, b), how);
}

static int compare_own_keys(const void *left, const void *right, void *context)
{
    const struct joined_side *joined = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int by = compare_keys(joined->side, a, joined->side, b, joined->by);
    return by ? by : hcct_look_compare_sites(left, right, (void *)joined->side);
}

void hcct_join(struct hcct_matcher *matcher, enum hcct_join_by how)
{
    struct hcct_diff_side *side = matcher->side;
    uint32_t at[2] = { 0, 0 };
    for (int which = 0; which < 2; which++) {
        struct joined_side joined = { &side[which], how == HCCT_JOIN_BY_NAMES ? HCCT_JOIN_BY_LINES : how };
        if (matcher->left_count[which] > 1)
            qsort_r(matcher->left[which], matcher->left_count[which], sizeof(uint32_t), compare_own_keys,
                    &joined);
    }
    while (at[0] < matcher->left_count[0] && at[1] < matcher->left_count[1]) {
        uint32_t a = matcher->left[0][at[0]], b = matcher->left[1][at[1]];
        int by = compare_keys(&side[0], a, &side[1], b, how);
        if (!by)
            hcct_matcher_match(matcher, a, b);
        at[0] += by <= 0;
        at[1] += by >= 0;
    }
    hcct_matcher_drop_matched(matcher);
}
