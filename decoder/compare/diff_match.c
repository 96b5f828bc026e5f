/* Invariant: frames match frames of one class (hcct_look_class). A frame in brackets matches only its
 * like. */
#include "decoder/compare/diff_match.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff_join.h"
#include "decoder/compare/diff_look.h"
#include "decoder/compare/diff_matcher.h"
#include "decoder/compare/diff_namesakes.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

#define RENAME_ROUNDS 8

/* How well two nodes match; 0: not at all. */
typedef uint32_t scorer(const struct hcct_matcher *matcher, uint32_t a, uint32_t b);

static bool same_name(const struct hcct_matcher *matcher, uint32_t a, uint32_t b)
{
    return hcct_matcher_name_in_b(matcher, a) == hcct_look_name(&matcher->side[1], b);
}

/* How well two nodes match if their names do. Subtrees weigh more than lines. Say two calls of one function
 * have changed places: the alignment can match one pair with equal subtrees (500 or more), or two pairs with
 * only their lines in common (450 together at most). It takes the one pair, unless the two are alike by
 * half. */
static uint32_t score(const struct hcct_diff_side *side, uint32_t a, uint32_t b)
{
    if (hcct_look_class(&side[0], a) != hcct_look_class(&side[1], b))
        return 0;
    const char *files[2] = { hcct_look_frame(&side[0], a)->file, hcct_look_frame(&side[1], b)->file };
    uint32_t sum = 100 + (uint32_t)(400 * hcct_look_likeness(side, a, b, true));
    sum += hcct_look_same_place(side, a, b) ? 100 : 0;
    return sum + (strcmp(hcct_text_base_name(files[0]), hcct_text_base_name(files[1])) ? 0 : 25);
}

static uint32_t namesake_score(const struct hcct_matcher *matcher, uint32_t a, uint32_t b)
{
    return same_name(matcher, a, b) ? score(matcher->side, a, b) : 0;
}

static uint32_t stem_score(const struct hcct_matcher *matcher, uint32_t a, uint32_t b)
{
    const struct hcct_diff_side *side = matcher->side;
    return hcct_look_stem(&side[0], a) == hcct_look_stem(&side[1], b) ? score(side, a, b) : 0;
}

/* --- the alignment --------------------------------------------------------------------------------- */

/* Matches children in the order of lines so that the sum of scores is largest: dynamic programming over the
 * best sums of suffixes. */
static void align(struct hcct_matcher *matcher, scorer *score_of)
{
    const uint32_t *const *left = (const uint32_t *const *)matcher->left;
    size_t rows = matcher->left_count[0], columns = matcher->left_count[1], width = columns + 1;
    size_t cells = (rows + 1) * width;
    if (cells > matcher->best_capacity) {
        free(matcher->best);
        matcher->best_capacity = 2 * cells;
        matcher->best = hcct_memory_array(matcher->best_capacity, sizeof *matcher->best);
    }
    uint32_t *best = matcher->best;
    memset(best, 0, cells * sizeof *best);
    for (size_t i = rows; i--;)
        for (size_t j = columns; j--;) {
            uint32_t down = best[(i + 1) * width + j], right = best[i * width + j + 1],
                     most = down > right ? down : right;
            uint32_t with = score_of(matcher, left[0][i], left[1][j]);
            with = with > 0 ? with + best[(i + 1) * width + j + 1] : 0;
            best[i * width + j] = with > most ? with : most;
        }
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
        uint32_t with = score_of(matcher, left[0][i], left[1][j]), here = best[i * width + j];
        if (with > 0 && here == with + best[(i + 1) * width + j + 1])
            hcct_matcher_match(matcher, left[0][i++], left[1][j++]);
        else if (here == best[(i + 1) * width + j])
            i++;
        else
            j++;
    }
    hcct_matcher_drop_matched(matcher);
}

static int compare_scored(const void *left, const void *right)
{
    const struct hcct_matcher_scored *a = left, *b = right;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    int by = hcct_tree_order(a->at[0], b->at[0]);
    return by ? by : hcct_tree_order(a->at[1], b->at[1]);
}

/* Whether the name of a node is lost, or the other build has no such function. */
static bool may_be_renamed(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t class = hcct_look_class(side, node);
    return class == HCCT_FRAME_UNKNOWN ||
           (class == HCCT_FRAME_FUNCTION && side->gone[hcct_look_node(side, node)->frame]);
}

static uint32_t alike_score(const struct hcct_matcher *matcher, uint32_t a, uint32_t b)
{
    const struct hcct_diff_side *side = matcher->side;
    bool nameable = may_be_renamed(&side[0], a) && may_be_renamed(&side[1], b);
    if (!nameable || hcct_look_is_leaf(&side[0], a))
        return 0;
    float alike = hcct_look_likeness(side, a, b, false);
    return alike < (float)HCCT_MATCHER_ALIKE
               ? 0
               : (uint32_t)(400 * alike) + (hcct_look_same_place(side, a, b) ? 100 : 0);
}

/* Two functions with different names are a pair: from now on their names are equal. Not so if one of them is
 * in both builds: then it is not renamed, but something else is called here. */
static void learn_name(struct hcct_matcher *matcher, uint32_t a, uint32_t b)
{
    const struct hcct_diff_side *side = matcher->side;
    if (hcct_look_class(&side[0], a) != HCCT_FRAME_FUNCTION ||
        hcct_look_class(&side[1], b) != HCCT_FRAME_FUNCTION || !may_be_renamed(&side[0], a) ||
        !may_be_renamed(&side[1], b) || same_name(matcher, a, b) ||
        matcher->renamed[hcct_look_name(&side[0], a)])
        return;
    matcher->renamed[hcct_look_name(&side[0], a)] = hcct_look_name(&side[1], b) + 1;
    matcher->learned = true;
}

/* Matches what is left in any order, the best score first. */
static void match_best(struct hcct_matcher *matcher, scorer *score_of)
{
    struct hcct_diff_side *side = matcher->side;
    matcher->scored_count = 0;
    for (uint32_t i = 0; i < matcher->left_count[0]; i++)
        for (uint32_t j = 0; j < matcher->left_count[1]; j++) {
            struct hcct_matcher_scored scored = { score_of(matcher, matcher->left[0][i], matcher->left[1][j]),
                                                  { i, j } };
            if (!scored.score)
                continue;
            hcct_memory_grow(&matcher->scored, &matcher->scored_capacity, matcher->scored_count,
                             sizeof scored);
            matcher->scored[matcher->scored_count++] = scored;
        }
    if (matcher->scored_count > 1)
        qsort(matcher->scored, matcher->scored_count, sizeof *matcher->scored, compare_scored);
    for (uint32_t i = 0; i < matcher->scored_count; i++) {
        uint32_t a = matcher->left[0][matcher->scored[i].at[0]],
                 b = matcher->left[1][matcher->scored[i].at[1]];
        if (side[0].match[a] != HCCT_NODE_NONE || side[1].match[b] != HCCT_NODE_NONE)
            continue;
        hcct_matcher_match(matcher, a, b);
        learn_name(matcher, a, b);
    }
    hcct_matcher_drop_matched(matcher);
}

static void match_children(struct hcct_matcher *matcher, struct hcct_matcher_pair pair)
{
    hcct_matcher_gather(matcher, 0, pair.node[0]);
    hcct_matcher_gather(matcher, 1, pair.node[1]);
    if (matcher->same_build) {
        hcct_join(matcher, HCCT_JOIN_BY_SITES);
    } else if ((uint64_t)matcher->left_count[0] * matcher->left_count[1] > HCCT_DIFF_ALIGN_LIMIT) {
        hcct_join(matcher, HCCT_JOIN_BY_LINES);
        hcct_join(matcher, HCCT_JOIN_BY_NAMES);
    } else {
        /* Overloads, and instances of one template, often differ in their names only. So all pairs with equal
         * names come first. */
        align(matcher, namesake_score);
        match_best(matcher, namesake_score);
        align(matcher, stem_score);
        match_best(matcher, stem_score);
        match_best(matcher, alike_score);
    }
}

static void work_off(struct hcct_matcher *matcher)
{
    while (matcher->work_count)
        match_children(matcher, matcher->work[--matcher->work_count]);
}

/* --- what is left over anywhere --------------------------------------------------------------------- */

static void match_moved(struct hcct_matcher *matcher)
{
    struct hcct_namesakes namesakes = { 0 };
    hcct_namesakes_gather(&matcher->side[1], &namesakes);
    for (uint32_t a = 0; a < matcher->side[0].tree.node_count; a++) { /* parents first */
        if (matcher->side[0].match[a] != HCCT_NODE_NONE ||
            hcct_look_class(&matcher->side[0], a) != HCCT_FRAME_FUNCTION)
            continue;
        uint32_t b = hcct_namesakes_find(matcher, &namesakes, a);
        if (b != HCCT_NODE_NONE)
            hcct_matcher_match(matcher, a, b);
        work_off(matcher);
    }
    hcct_namesakes_free(&namesakes);
}

/* Matches below all pairs once more, as long as new names are found. */
static void match_renamed(struct hcct_matcher *matcher)
{
    const struct hcct_diff_side *side = matcher->side;
    for (int round = 0; matcher->learned && round < RENAME_ROUNDS; round++) {
        matcher->learned = false;
        hcct_matcher_add_work(matcher, side[0].tree.node_count, side[1].tree.node_count);
        for (uint32_t a = 0; a < side[0].tree.node_count; a++)
            if (side[0].match[a] != HCCT_NODE_NONE)
                hcct_matcher_add_work(matcher, a, side[0].match[a]);
        work_off(matcher);
    }
}

static void make_renamed(struct hcct_matcher *matcher)
{
    uint32_t most = 0;
    for (int which = 0; which < 2; which++)
        for (uint32_t i = 0; i < matcher->side[which].merge.frames.frame_count; i++)
            if (matcher->side[which].name[i] > most)
                most = matcher->side[which].name[i];
    matcher->renamed = hcct_memory_zeros((size_t)most + 1, sizeof *matcher->renamed);
}

void hcct_diff_match(struct hcct_diff_side side[2], bool same_build)
{
    struct hcct_matcher matcher = { .side = side, .same_build = same_build };
    make_renamed(&matcher);
    hcct_matcher_add_work(&matcher, side[0].tree.node_count, side[1].tree.node_count);
    work_off(&matcher);
    if (!same_build) {
        match_renamed(&matcher);
        match_moved(&matcher);
    }
    free(matcher.renamed);
    free(matcher.work);
    free(matcher.left[0]);
    free(matcher.left[1]);
    free(matcher.best);
    free(matcher.scored);
}
