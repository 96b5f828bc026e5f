/* The metrics, see metrics.h. Both profiles are decoded into one tree, so that a context of both is one node.
 * Then each node gets its sets (H, A, T), and the metrics are sums over the nodes. */
#include "lab/metrics/metrics.h"

#include <math.h>
#include <stdlib.h>

#include "decoder/claim/ground.h"
#include "decoder/store/pool.h"
#include "decoder/store/run.h"
#include "decoder/store/sum.h"
#include "decoder/tree/contexts.h"
#include "format/error.h"

enum { IN_H = 1, IN_A = 2, IN_T = 4 };

/* The tree of both files. */
struct comparer {
    struct hcct_frames frames;
    struct hcct_tree tree;
    uint64_t *exact, *hot; /* w and c, by node */
    uint8_t *sets;
    uint64_t hottest;       /* h */
    uint64_t context_count; /* |E| */
};

/* --- both trees ----------------------------------------------------------------------------------- */

/* Adds the contexts that have counts to the tree. nodes[i] is the node of cell i; HCCT_NODE_NONE: not
 * decodable. */
static void find_nodes(struct comparer *comparer, const struct hcct_profile *profile, uint32_t *nodes)
{
    struct hcct_contexts contexts;
    hcct_contexts_open(&contexts, profile, &comparer->frames, &comparer->tree);
    const struct hcct_file_column *counts = hcct_profile_main(profile);
    for (uint32_t i = 0; i < counts->count && !comparer->tree.is_over; i++) {
        const struct hcct_file_context *context = &profile->rows.contexts[profile->rows.cells[i].context];
        nodes[i] = context->prefix == HCCT_FILE_NONE
                       ? HCCT_NODE_NONE
                       : hcct_contexts_node(&contexts, context->word, context->prefix);
    }
    hcct_contexts_close(&contexts);
}

static void add_counts(const struct hcct_profile *profile, const uint32_t *nodes, bool low, uint64_t *counts)
{
    for (uint32_t i = 0; i < hcct_profile_main(profile)->count; i++) {
        const struct hcct_file_cell *cell = &profile->rows.cells[i];
        if (nodes[i] != HCCT_NODE_NONE)
            counts[nodes[i]] = hcct_sum(counts[nodes[i]], cell->count - (low ? cell->error : 0));
    }
}

static bool build(struct comparer *comparer, const struct hcct_profile *exact, const struct hcct_profile *hot,
                  bool low)
{
    uint32_t *exact_nodes = malloc(((size_t)hcct_profile_main(exact)->count + 1) * sizeof *exact_nodes);
    uint32_t *hot_nodes = malloc(((size_t)hcct_profile_main(hot)->count + 1) * sizeof *hot_nodes);
    bool done = exact_nodes && hot_nodes;
    if (done) {
        find_nodes(comparer, exact, exact_nodes);
        find_nodes(comparer, hot, hot_nodes);
        done = !comparer->tree.is_over;
    }
    if (done) {
        size_t count = (size_t)comparer->tree.node_count + 1;
        comparer->exact = calloc(count, sizeof *comparer->exact);
        comparer->hot = calloc(count, sizeof *comparer->hot);
        comparer->sets = calloc(count, 1);
        done = comparer->exact && comparer->hot && comparer->sets;
    }
    if (done) {
        add_counts(exact, exact_nodes, false, comparer->exact);
        add_counts(hot, hot_nodes, low, comparer->hot);
    }
    free(exact_nodes);
    free(hot_nodes);
    return done;
}

/* --- sets ----------------------------------------------------------------------------------------- */

static bool is_context(const struct comparer *comparer, uint32_t node)
{
    const struct hcct_tree_node *at = &comparer->tree.nodes[node];
    return at->parent != HCCT_NODE_NONE && comparer->frames.frames[at->frame].kind == HCCT_FRAME_FUNCTION;
}

/* The smallest count with count >= share * whole, at least 1. */
static uint64_t threshold(double share, uint64_t whole)
{
    double least = ceil(share * (double)whole);
    if (least >= 18446744073709551615.0)
        return UINT64_MAX;
    return least < 1 ? 1 : (uint64_t)least;
}

static void mark_sets(struct comparer *comparer, uint64_t exact_hot, uint64_t hot_hot)
{
    const struct hcct_tree_node *nodes = comparer->tree.nodes;
    for (uint32_t i = comparer->tree.node_count; i--;) { /* children first */
        uint8_t *set = &comparer->sets[i];
        if (is_context(comparer, i)) {
            uint64_t w = comparer->exact[i];
            if (w >= exact_hot)
                *set |= IN_H;
            if (comparer->hot[i] >= hot_hot)
                *set |= IN_A | IN_T;
            comparer->context_count += w > 0;
            comparer->hottest = w > comparer->hottest ? w : comparer->hottest;
        }
        if (*set & IN_T && nodes[i].parent != HCCT_NODE_NONE)
            comparer->sets[nodes[i].parent] |= IN_T;
    }
}

/* --- metrics -------------------------------------------------------------------------------------- */

static double quotient(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static void count_sets(const struct comparer *comparer, struct hcct_metrics *out)
{
    for (uint32_t i = 0; i < comparer->tree.node_count; i++) {
        uint8_t set = comparer->sets[i];
        if (!is_context(comparer, i))
            continue;
        out->hot += !!(set & IN_H);
        out->false_positives += (set & IN_A) && !(set & IN_H);
        out->false_negatives += (set & IN_H) && !(set & IN_A);
        out->cold += (set & IN_T) && !(set & (IN_H | IN_A));
    }
}

static void measure_cover(const struct comparer *comparer, struct hcct_metrics *out)
{
    uint64_t covered = 0, uncovered = 0, uncovered_count = 0, uncovered_max = 0, without_arc = 0;
    for (uint32_t i = 0; i < comparer->tree.node_count; i++) {
        uint64_t w = comparer->exact[i];
        if (!is_context(comparer, i)) {
            without_arc = hcct_sum(without_arc, w);
            continue;
        }
        if (!w)
            continue;
        if (comparer->sets[i] & IN_T) {
            covered = hcct_sum(covered, w);
            continue;
        }
        uncovered = hcct_sum(uncovered, w);
        uncovered_count++;
        uncovered_max = w > uncovered_max ? w : uncovered_max;
    }
    uint64_t calls = out->calls_exact > without_arc ? out->calls_exact - without_arc : 0;
    out->degree_of_overlap = quotient((double)covered, (double)calls);
    double mean = uncovered_count ? (double)uncovered / (double)uncovered_count : 0;
    out->max_uncovered_hotness = 100 * quotient((double)uncovered_max, (double)comparer->hottest);
    out->avg_uncovered_hotness = 100 * quotient(mean, (double)comparer->hottest);
}

static double edge_coverage(const struct comparer *comparer, double tau)
{
    uint64_t least = threshold(tau, comparer->hottest), all = 0, covered = 0;
    for (uint32_t i = 0; i < comparer->tree.node_count; i++)
        if (is_context(comparer, i) && comparer->exact[i] >= least) {
            all++;
            covered += !!(comparer->sets[i] & IN_T);
        }
    return quotient((double)covered, (double)all);
}

/* Of the contexts of EXACT that HOT counted and that are in all of `sets`. HOT's counts are multiplied by
 * `scale` first. */
static void measure_error(const struct comparer *comparer, uint8_t sets, double scale, double *largest,
                          double *mean)
{
    double sum = 0, max = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < comparer->tree.node_count; i++) {
        uint64_t w = comparer->exact[i], c = comparer->hot[i];
        if ((comparer->sets[i] & sets) != sets || !w || !c || !is_context(comparer, i))
            continue;
        double apart = scale != 1 ? fabs((double)c * scale - (double)w) : (double)(c > w ? c - w : w - c);
        double error = 100 * (apart / (double)w);
        sum += error;
        max = error > max ? error : max;
        count++;
    }
    *mean = quotient(sum, (double)count);
    *largest = count ? max : NAN;
}

/* --- the whole ------------------------------------------------------------------------------------ */

/* Whether the files are to be compared. */
static bool check_files(struct comparer *comparer, const struct hcct_profile *exact,
                        const struct hcct_profile *hot, bool force, struct hcct_error *error)
{
    if (!hcct_run_check_metric(exact, hot, error))
        return false;
    comparer->frames.loose = exact->run->build_id != hot->run->build_id;
    return !comparer->frames.loose || force ||
           hcct_run_refuse_build("--force matches by function and line; hcct-compare compares builds", error);
}

static bool find(struct comparer comparer, const struct hcct_profile *exact, const struct hcct_profile *hot,
                 const struct hcct_metrics_options *options, struct hcct_metrics *metrics,
                 struct hcct_error *error)
{
    struct hcct_ground ground;
    hcct_ground_make(&ground, exact, &(struct hcct_choice){ 0 }, hcct_profile_main(exact));
    hcct_tree_limit(&comparer.tree, (uint64_t)exact->length + hot->length, options->node_limit);
    *metrics = (struct hcct_metrics){
        .calls_exact = hcct_profile_main(exact)->total,
        .calls_hot = hcct_profile_main(hot)->total,
        .unit = hcct_profile_string(exact, hcct_profile_main(exact)->unit),
        .phi = options->phi < 0 ? hot->run->phi : options->phi,
        .scale = 1,
        .exact_is_exact = ground.sure == HCCT_SURE_EXACT,
    };
    metrics->phi_hot = metrics->phi - (options->low ? hot->run->epsilon : 0);
    if (hot->estimate && metrics->calls_hot)
        metrics->scale = (double)metrics->calls_exact / (double)metrics->calls_hot;
    bool done = build(&comparer, exact, hot, options->low);
    if (done) {
        mark_sets(&comparer, threshold(metrics->phi, metrics->calls_exact),
                  threshold(metrics->phi_hot, metrics->calls_hot));
        count_sets(&comparer, metrics);
        measure_cover(&comparer, metrics);
        measure_error(&comparer, IN_H | IN_A, metrics->scale, &metrics->max_counter_error,
                      &metrics->avg_counter_error);
        measure_error(&comparer, IN_T, metrics->scale, &metrics->max_tree_counter_error,
                      &metrics->avg_tree_counter_error);
        for (uint32_t i = 0; i < options->tau_count; i++)
            metrics->hot_edge_coverage[i] = edge_coverage(&comparer, options->tau[i]);
    }
    if (!done && hcct_tree_fits(&comparer.tree, error))
        hcct_error_out_of_memory(error);
    free(comparer.exact);
    free(comparer.hot);
    free(comparer.sets);
    hcct_frames_free(&comparer.frames);
    hcct_tree_free(&comparer.tree);
    return done;
}

bool hcct_metrics_find(const struct hcct_profile *exact, const struct hcct_profile *hot,
                       const struct hcct_metrics_options *options, struct hcct_metrics *metrics,
                       struct hcct_error *error)
{
    struct comparer comparer = { 0 };
    const struct hcct_profile *const both[2] = { exact, hot };
    struct hcct_pool pools[2] = { 0 };
    struct hcct_profile joined[2] = { 0 };
    if (!check_files(&comparer, exact, hot, options->force, error))
        return false;
    bool done = comparer.frames.loose ? find(comparer, exact, hot, options, metrics, error)
                                      : hcct_pool_join(&pools[0], both, 0, &joined[0], error) &&
                                            hcct_pool_join(&pools[1], both, 1, &joined[1], error) &&
                                            find(comparer, &joined[0], &joined[1], options, metrics, error);
    if (done) /* that of the pool goes */
        metrics->unit = hcct_profile_string(exact, hcct_profile_main(exact)->unit);
    for (int i = 0; i < 2; i++) {
        hcct_profile_close(&joined[i]);
        hcct_pool_free(&pools[i]);
    }
    return done;
}
