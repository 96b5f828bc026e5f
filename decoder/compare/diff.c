/* The difference, see diff.h: checks that both profiles are of one program, has the sides prepared and
 * matched, joins both trees into one, and measures and ranks the changes. */
#include "decoder/compare/diff.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff_lines.h"
#include "decoder/compare/diff_match.h"
#include "decoder/store/run.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "format/error.h"

#define SAME_PROGRAM 0.5 /* builds of one program have at least this share of functions in common */

/* --- one program? ---------------------------------------------------------------------------------- */

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of the profile's functions, also inlined ones but without main, sorted, each once. */
static const char **function_names(const struct hcct_profile *profile, uint32_t *count)
{
    size_t room = (size_t)profile->code.function_count + profile->code.inlined_count, all = 0;
    const char **names = hcct_memory_array(room + 1, sizeof *names);
    for (size_t i = 0; i < room; i++) {
        uint32_t name = i < profile->code.function_count
                            ? profile->code.functions[i].linkage_name
                            : profile->code.inlined[i - profile->code.function_count].linkage_name;
        names[all] = hcct_profile_string(profile, name);
        all += *names[all] && strcmp(names[all], "main") != 0;
    }
    *count = 0;
    if (all)
        qsort(names, all, sizeof *names, compare_names);
    for (size_t i = 0; i < all; i++)
        if (!*count || strcmp(names[*count - 1], names[i]))
            names[(*count)++] = names[i];
    return names;
}

/* The source file that main is in, without its folder; empty: there is no main. */
static const char *main_file(const struct hcct_profile *profile)
{
    for (uint32_t i = 0; i < profile->code.function_count; i++)
        if (!strcmp(hcct_profile_string(profile, profile->code.functions[i].linkage_name), "main"))
            return hcct_text_base_name(hcct_profile_string(profile, profile->code.functions[i].file));
    return "";
}

/* The functions that both have, as a share of all functions, and of those of the profile with fewer. */
struct common {
    double of_all, of_fewer;
};

/* How many of these names the other profile's program has. */
static uint32_t count_known(const char **names, uint32_t count, const char **others, uint32_t other_count,
                            const struct hcct_profile *other)
{
    uint32_t known = 0, at = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (at < other_count && strcmp(others[at], names[i]) < 0)
            at++;
        known += (at < other_count && !strcmp(others[at], names[i])) ||
                 (other->code.name_count && hcct_layout_names_have(other->code.names, other->code.name_count,
                                                                   hcct_layout_name_hash(names[i])));
    }
    return known;
}

/* A profile may lack functions that its program has. So each one's names are looked up in the other. */
static struct common functions_in_common(const struct hcct_profile *a, const struct hcct_profile *b)
{
    uint32_t counts[2];
    const char **names[2] = { function_names(a, &counts[0]), function_names(b, &counts[1]) };
    double known[2] = { count_known(names[0], counts[0], names[1], counts[1], b),
                        count_known(names[1], counts[1], names[0], counts[0], a) };
    double in_a = counts[0] ? known[0] / counts[0] : 1, in_b = counts[1] ? known[1] / counts[1] : 1;
    double all = 2 * ((double)counts[0] + counts[1]) - known[0] - known[1];
    free(names[0]);
    free(names[1]);
    return (struct common){ all > 0 ? (known[0] + known[1]) / all : 1, in_a > in_b ? in_a : in_b };
}

/* Optimized code has far fewer functions than other code, but hardly any that the other code lacks: so main's
 * file, or the name of the executable, makes up for a low share. */
static bool is_one_program(const struct hcct_profile *a, const struct hcct_profile *b,
                           const struct common *common)
{
    const char *program = hcct_text_base_name(hcct_profile_string(a, a->run->program));
    bool same_executable = !strcmp(program, hcct_text_base_name(hcct_profile_string(b, b->run->program)));
    bool same_main = *main_file(a) && !strcmp(main_file(a), main_file(b));
    return common->of_all >= SAME_PROGRAM || (same_main && common->of_fewer >= SAME_PROGRAM) ||
           (same_executable && common->of_fewer > 0);
}

static bool check_programs(struct hcct_diff *diff, const struct hcct_profile *a, const struct hcct_profile *b,
                           bool force, struct hcct_error *error)
{
    if (!hcct_run_check_metric(a, b, error))
        return false;
    diff->same_build = a->run->build_id == b->run->build_id && hcct_profile_is_same_program(a, b);
    if (diff->same_build || force)
        return true;
    struct common common = functions_in_common(a, b);
    if (is_one_program(a, b, &common))
        return true;
    return hcct_error_set(
        error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
        "of another program (%.40s) than the first file (%.40s): %.0f%% of their functions are in "
        "both (--force compares them)",
        hcct_text_base_name(hcct_profile_string(b, b->run->program)),
        hcct_text_base_name(hcct_profile_string(a, a->run->program)), 100 * common.of_all);
}

/* --- both trees as one ----------------------------------------------------------------------------- */

static uint32_t index_of(const struct hcct_diff *diff, int which, uint32_t node)
{
    return node == HCCT_NODE_NONE || which == 1 ? node : diff->of_a[node];
}

/* Whether the path to a matched node has changed: its parents are no pair, or its names differ. */
static bool is_moved(const struct hcct_diff *diff, const struct hcct_diff_node *node)
{
    const struct hcct_diff_side *side = diff->side;
    const struct hcct_tree_node *a = &side[0].tree.nodes[node->side[0]],
                                *b = &side[1].tree.nodes[node->side[1]];
    uint32_t wanted = a->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : side[0].match[a->parent];
    return side[0].name[a->frame] != side[1].name[b->frame] || b->parent != wanted ||
           (a->parent != HCCT_NODE_NONE && wanted == HCCT_NODE_NONE);
}

static void join_trees(struct hcct_diff *diff)
{
    uint32_t counts[2] = { diff->side[0].tree.node_count, diff->side[1].tree.node_count };
    size_t room = (size_t)counts[0] + counts[1];
    diff->nodes = hcct_memory_zeros(room, sizeof *diff->nodes);
    diff->ranked = hcct_memory_array(room, sizeof *diff->ranked);
    diff->of_a = hcct_memory_array(counts[0], sizeof *diff->of_a);
    for (uint32_t i = 0; i < counts[1]; i++) {
        struct hcct_diff_node *node = &diff->nodes[i];
        *node = (struct hcct_diff_node){ .parent = diff->side[1].tree.nodes[i].parent,
                                         .side = { diff->side[1].match[i], i },
                                         .kind = HCCT_DIFF_ONLY_B };
        if (node->side[0] != HCCT_NODE_NONE)
            node->kind = is_moved(diff, node) ? HCCT_DIFF_MOVED : HCCT_DIFF_BOTH;
    }
    diff->node_count = counts[1];
    for (uint32_t i = 0; i < counts[0]; i++) {
        diff->of_a[i] = diff->side[0].match[i];
        if (diff->of_a[i] != HCCT_NODE_NONE)
            continue;
        diff->of_a[i] = diff->node_count;
        diff->nodes[diff->node_count++] =
            (struct hcct_diff_node){ .parent = index_of(diff, 0, diff->side[0].tree.nodes[i].parent),
                                     .side = { i, HCCT_NODE_NONE },
                                     .kind = HCCT_DIFF_ONLY_A };
    }
}

/* --- changes --------------------------------------------------------------------------------------- */

static uint64_t times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* The range of a context's true count on one side. */
static void bound(const struct hcct_diff *diff, struct hcct_diff_node *node, int which)
{
    const struct hcct_diff_side *side = &diff->side[which], *other = &diff->side[!which];
    uint32_t at = node->side[which], across = node->side[!which];
    uint32_t own = at == HCCT_NODE_NONE ? 0 : side->tree.nodes[at].contexts;
    uint32_t wanted = across == HCCT_NODE_NONE ? 0 : other->tree.nodes[across].contexts;
    uint64_t unseen = wanted > own ? times(side->floor, wanted - own) : 0;
    uint64_t count = own ? side->tree.nodes[at].count : 0;
    uint64_t error = own ? side->tree.nodes[at].error : 0;
    bool has_stopped = side->merge.summary.ground.sure == HCCT_SURE_NOTHING;
    node->range[which] = (struct hcct_range){
        hcct_claim_low(count, error),
        has_stopped ? UINT64_MAX : hcct_sum(hcct_sum(count, unseen), side->dropped),
    };
}

uint64_t hcct_diff_value(const struct hcct_diff *diff, const struct hcct_diff_node *node, int which)
{
    const struct hcct_diff_side *other = &diff->side[!which];
    if (hcct_diff_is_counted(&diff->side[which], node->side[which]))
        return diff->side[which].tree.nodes[node->side[which]].count;
    uint64_t count = other->tree.nodes[node->side[!which]].count;
    return count < node->range[which].high ? count : node->range[which].high;
}

static bool is_function(const struct hcct_diff_side *side, uint32_t node)
{
    if (node == HCCT_NODE_NONE)
        return true;
    uint8_t kind = side->merge.frames.frames[side->tree.nodes[node].frame].kind;
    return kind != HCCT_FRAME_INLINED && kind != HCCT_FRAME_OTHER;
}

static void measure(struct hcct_diff *diff, struct hcct_diff_node *node)
{
    const struct hcct_diff_side *side = diff->side;
    bool counted =
        hcct_diff_is_counted(&side[0], node->side[0]) || hcct_diff_is_counted(&side[1], node->side[1]);
    node->is_context =
        counted && is_function(&side[0], node->side[0]) && is_function(&side[1], node->side[1]);
    if (!node->is_context)
        return;
    bound(diff, node, 0);
    bound(diff, node, 1);
    uint64_t a = hcct_diff_value(diff, node, 0), b = hcct_diff_value(diff, node, 1);
    node->falls = a > b;
    node->change = a > b ? a - b : b - a;
    node->beyond = hcct_claim_differs(diff->sure, node->range[0], node->range[1]);
    diff->context_count[node->kind]++;
    diff->beyond_count += node->beyond;
}

static int compare_changes(const void *left, const void *right, void *context)
{
    const struct hcct_diff *diff = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct hcct_diff_node *m = &diff->nodes[a], *n = &diff->nodes[b];
    if (m->change != n->change)
        return m->change > n->change ? -1 : 1;
    if (m->beyond != n->beyond)
        return m->beyond ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void rank(struct hcct_diff *diff)
{
    for (uint32_t i = 0; i < diff->node_count; i++) {
        measure(diff, &diff->nodes[i]);
        if (diff->nodes[i].change || diff->nodes[i].beyond)
            diff->ranked[diff->ranked_count++] = i;
    }
    if (diff->ranked_count > 1)
        qsort_r(diff->ranked, diff->ranked_count, sizeof *diff->ranked, compare_changes, diff);
}

/* --- the whole ------------------------------------------------------------------------------------ */

bool hcct_diff_build(struct hcct_diff *diff, const struct hcct_profile *a, const struct hcct_profile *b,
                     const struct hcct_diff_options *options, struct hcct_error *error)
{
    struct hcct_diff_side *side = diff->side;
    memset(diff, 0, sizeof *diff);
    if (!check_programs(diff, a, b, options->force, error))
        return false;
    const struct hcct_profile *const profiles[2] = { a, b };
    bool done = !diff->same_build || /* one of the two may know lines that the other does not */
                (hcct_pool_join(&diff->pools[0], profiles, 0, &diff->joined[0], error) &&
                 hcct_pool_join(&diff->pools[1], profiles, 1, &diff->joined[1], error));
    for (int i = 0; done && i < 2; i++)
        done = hcct_diff_open_side(&side[i], diff->same_build ? &diff->joined[i] : profiles[i],
                                   diff->same_build ? HCCT_BY_SITE : HCCT_BY_LINE, options,
                                   &options->choice[i], error);
    if (!done) {
        hcct_diff_free(diff);
        return false;
    }
    diff->sure = hcct_claim_weaker(side[0].merge.summary.ground.sure, side[1].merge.summary.ground.sure);
    hcct_diff_name_sides(side);
    if (!diff->same_build) {
        hcct_diff_place_sides(side, a, b);
        hcct_diff_sketch_side(&side[0]);
        hcct_diff_sketch_side(&side[1]);
    }
    hcct_diff_match(side, diff->same_build);
    join_trees(diff);
    rank(diff);
    return true;
}

void hcct_diff_free(struct hcct_diff *diff)
{
    hcct_diff_close_side(&diff->side[0]);
    hcct_diff_close_side(&diff->side[1]);
    for (int i = 0; i < 2; i++) {
        hcct_profile_close(&diff->joined[i]);
        hcct_pool_free(&diff->pools[i]);
    }
    free(diff->nodes);
    free(diff->of_a);
    free(diff->ranked);
    memset(diff, 0, sizeof *diff);
}
