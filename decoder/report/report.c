/* Prepares a report, see report.h: filters and groups the tree, makes names, selects, folds. */
#include "decoder/report/report.h"

#include <math.h>
#include <stdlib.h>

#include "decoder/query/callers.h"
#include "decoder/query/filter.h"
#include "decoder/query/functions.h"
#include "decoder/query/pattern.h"
#include "decoder/report/shown_names.h"
#include "decoder/report/thread_spread.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/tree/cycles.h"
#include "decoder/tree/other.h"
#include "decoder/tree/view.h"
#include "format/error.h"

static enum hcct_frames_by by_of(const struct hcct_report_options *options, bool loose)
{
    enum hcct_frames_by by = options->by_given ? options->by : options->format->by;
    if (options->format->shape == HCCT_SHAPE_PROGRAM)
        return HCCT_BY_SITE;
    if (loose && by == HCCT_BY_SITE)
        return HCCT_BY_LINE; /* builds have nothing more exact in common */
    return by == HCCT_BY_SITE && options->format->shape != HCCT_SHAPE_DATA ? HCCT_BY_PLACE : by;
}

/* In doubles, as readers of json compute it. */
uint64_t hcct_report_hot_count(double phi, uint64_t calls)
{
    double threshold = ceil(phi * (double)calls);
    return threshold >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)threshold;
}

/* The trees between the profiles and the output; each is made of the one before. */
struct stages {
    struct hcct_thread_spread threads;
    struct hcct_tree filtered, grouped, upside_down, folded;
    uint64_t *amount;    /* per node of upside_down */
    uint64_t told_apart; /* the least amount of a chain of callers that is shown */
};

/* --- the bottom-up tree ----------------------------------------------------------------------------- */

/* Per frame: the one that stands for its function, whose copies it may be. */
static uint32_t *one_frame_each(const struct hcct_report *report, const struct hcct_tree *tree)
{
    struct hcct_functions functions;
    uint32_t count = report->frames->frame_count;
    uint32_t *shown = hcct_memory_array(count, sizeof *shown);
    hcct_functions_open(&functions, tree, report->frames);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t function = functions.of_frame[i];
        shown[i] = function == HCCT_FUNCTION_NONE ? i : functions.functions[function].frame;
    }
    hcct_functions_close(&functions);
    return shown;
}

/* The callers of a function that a user names are told apart from a hundredth of its counts on, however cold
 * it is. */
static uint64_t least_told_apart(const struct hcct_report *report, const struct hcct_tree *tree,
                                 const bool *wanted)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; wanted && i < tree->node_count; i++)
        if (wanted[tree->nodes[i].frame] && tree->nodes[i].flags & HCCT_NODE_COUNTED)
            sum = hcct_sum(sum, hcct_tree_low(&tree->nodes[i]));
    return wanted && sum / 100 < report->hot_count ? sum / 100 : report->hot_count;
}

static bool turn_over(struct hcct_report *report, struct stages *stages, struct hcct_error *error)
{
    const struct hcct_report_options *options = report->options;
    bool *wanted =
        options->query.function ? hcct_pattern_function(options->query.function, report->frames) : NULL;
    uint32_t *shown = one_frame_each(report, &stages->grouped);
    stages->told_apart = least_told_apart(report, &stages->grouped, wanted);
    uint32_t depth = options->query.depth ? options->query.depth : options->max_depth;
    struct hcct_callers_options callers = {
        .wanted = wanted,
        .shown = shown,
        .inclusive = !report->summary->ground.noun->is_calls,
        .threshold = options->all ? 0 : stages->told_apart,
        .depth = depth ? depth : UINT32_MAX,
    };
    hcct_tree_limit(&stages->upside_down, report->file_bytes, 0);
    stages->upside_down.lookup_limit = 0; /* the depth limits them */
    stages->amount = hcct_callers_build(&stages->grouped, &callers, &stages->upside_down);
    free(wanted);
    free(shown);
    if (!hcct_tree_fits(&stages->upside_down, error))
        return false;
    if (options->query.function && !stages->upside_down.node_count)
        return hcct_pattern_not_found(options->query.function, report->frames, error);
    report->tree = &stages->upside_down;
    report->is_upside_down = true;
    return true;
}

/* Marks the nodes that are to be shown, by what they stand for together with the nodes below them. --top
 * chooses whole chains of callers. */
static void select_chains(const struct hcct_report *report, struct stages *stages)
{
    const struct hcct_report_options *options = report->options;
    struct hcct_tree *tree = &stages->upside_down;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node *node = &tree->nodes[i];
        uint64_t amount = stages->amount[i];
        if (amount >= report->hot_count)
            node->flags |= HCCT_NODE_HOT;
        if ((options->all || amount >= stages->told_apart) && amount >= options->min_count)
            node->flags |= options->top_count && !(node->flags & HCCT_NODE_COUNTED) ? 0 : HCCT_NODE_SELECTED;
    }
    if (options->top_count)
        hcct_view_top(tree, report->frames, NULL, options->top_count);
    hcct_view_keep(tree);
}

/* --- the tree --------------------------------------------------------------------------------------- */

/* Takes what is deeper than --depth out of what is shown. Nodes that were kept for its sake stay. */
static void cut_depth(struct hcct_tree *tree, uint32_t limit)
{
    uint32_t *depth = hcct_memory_array(tree->node_count, sizeof *depth);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct hcct_tree_node *node = &tree->nodes[i];
        depth[i] = node->parent == HCCT_NODE_NONE ? 1 : depth[node->parent] + 1;
        if (depth[i] > limit)
            node->flags &= ~(uint32_t)(HCCT_NODE_SELECTED | HCCT_NODE_KEPT);
    }
    free(depth);
}

/* Exchanges the counts for the value that is shown first, and back. Allocated is the count already. */
static void exchange(struct hcct_tree *tree, int value)
{
    for (uint32_t i = 0; i < tree->node_count && tree->value_count && value != HCCT_HEAP_ALLOCATED; i++) {
        uint64_t count = tree->nodes[i].count, *place = &hcct_tree_values(tree, i)[value];
        tree->nodes[i].count = *place;
        *place = count;
    }
}

/* Where --top counts lines, which the printer chooses. */
static bool chooses_lines(const struct hcct_report_format *format)
{
    return format->shape == HCCT_SHAPE_PATHS || format->shape == HCCT_SHAPE_SITES;
}

static void select_nodes(struct hcct_report *report, struct stages *stages)
{
    const struct hcct_report_options *options = report->options;
    struct hcct_tree *tree = &stages->grouped;
    uint64_t hot_values[HCCT_TREE_VALUES];
    for (uint32_t i = 0; i < tree->value_count; i++) {
        uint64_t hot = hcct_report_hot_count(report->phi, report->value_totals[i]);
        hot_values[i] = hot ? hot : 1; /* nobody is hot for nothing */
    }
    struct hcct_view_selection selection = {
        .hot_count = report->hot_count,
        .min_count = options->min_count,
        .top_count = chooses_lines(options->format) ? 0 : options->top_count,
        .all = options->all,
        .hot_values = tree->value_count ? hot_values : NULL,
    };
    if (tree->value_count) {
        selection.hot_count = hot_values[options->value];
        hot_values[options->value] = report->hot_count;
    }
    exchange(tree, options->value);
    hcct_view_select(tree, report->frames, &selection);
    exchange(tree, options->value);
}

/* What the tree lacks becomes leaves, where the format can show them. */
static void add_other(struct hcct_report *report, struct hcct_tree *tree)
{
    const struct hcct_report_format *format = report->options->format;
    if (hcct_report_is_whole(format) || format->shape == HCCT_SHAPE_PROGRAM)
        return;
    enum hcct_other_shown shown = format->shape == HCCT_SHAPE_PATHS    ? HCCT_OTHER_BELOW_SELECTED
                                  : report->is_upside_down             ? HCCT_OTHER_OF_CALLERS
                                  : format->shape == HCCT_SHAPE_SUMMED ? HCCT_OTHER_BY_FUNCTION
                                                                       : HCCT_OTHER_BELOW_KEPT;
    struct hcct_other_totals totals = { report->summary->ground.total, report->value_totals };
    hcct_other_add(tree, report->frames, totals, shown);
}

static bool prepare_tree(struct hcct_report *report, struct stages *stages, struct hcct_error *error)
{
    const struct hcct_report_options *options = report->options;
    if (options->query.view == HCCT_VIEW_CALLERS && !turn_over(report, stages, error))
        return false;
    struct hcct_tree *tree = report->is_upside_down ? &stages->upside_down : &stages->grouped;
    report->tree = report->whole = tree;
    hcct_names_make(report->frames, tree, options);
    if (report->is_upside_down)
        select_chains(report, stages);
    else
        select_nodes(report, stages);
    if (options->query.depth)
        cut_depth(tree, options->query.depth);
    for (uint32_t i = 0; i < tree->node_count; i++)
        report->hot_contexts +=
            tree->nodes[i].flags & HCCT_NODE_HOT && tree->nodes[i].flags & HCCT_NODE_COUNTED;
    add_other(report, tree);
    if (!hcct_report_is_whole(options->format)) {
        uint32_t depth = options->format->shape == HCCT_SHAPE_PROGRAM ? 0 : options->max_depth;
        bool joins = options->format->shape != HCCT_SHAPE_PATHS;
        report->tree = &stages->folded;
        hcct_cycles_shorten(tree, report->frames, depth, joins, &stages->folded);
    }
    return true;
}

/* Moves all counts to the roots: threads, where the run told them apart, and handlers. */
static void join_threads(struct stages *stages)
{
    const struct hcct_tree *from = &stages->grouped;
    struct hcct_tree to = { .value_count = from->value_count };
    uint32_t *root = hcct_memory_array(from->node_count, sizeof *root);
    for (uint32_t i = 0; i < from->node_count; i++) {
        const struct hcct_tree_node *node = &from->nodes[i];
        root[i] = node->parent == HCCT_NODE_NONE
                      ? hcct_tree_child(&to, HCCT_NODE_NONE, node->frame, HCCT_FRAMES_NONE)
                      : root[node->parent];
        hcct_tree_take(&to, root[i], from, i);
    }
    free(root);
    hcct_tree_order_spots(&to);
    hcct_tree_free(&stages->grouped);
    stages->grouped = to;
}

static bool is_given(const char *pattern)
{
    return pattern && *pattern;
}

/* The hot contexts as json and the flat view tell them apart. Other filters than --fold choose contexts. */
static uint64_t hot_by_site(const struct hcct_report *report, const struct hcct_tree *tree)
{
    const struct hcct_query *query = &report->options->query;
    if (report->by != HCCT_BY_PLACE || query->view != HCCT_VIEW_TREE || tree->value_count ||
        is_given(query->ignore) || is_given(query->focus) || is_given(query->root) || is_given(query->hide))
        return 0;
    uint64_t hot = 0;
    for (uint32_t i = 0; i < tree->node_count; i++)
        hot += tree->nodes[i].flags & HCCT_NODE_COUNTED && tree->nodes[i].count >= report->hot_count;
    return hot;
}

static bool is_table(const struct hcct_report_options *options)
{
    return options->query.view == HCCT_VIEW_FLAT || options->query.view == HCCT_VIEW_PEEK;
}

static bool print(FILE *out, struct hcct_report *report, struct hcct_decoded *merge, struct stages *stages,
                  struct hcct_error *error)
{
    const struct hcct_report_options *options = report->options;
    struct hcct_tree *all = &merge->tree;
    bool inlines = options->inlines || options->format->shape == HCCT_SHAPE_PROGRAM,
         by_thread = report->by == HCCT_BY_THREAD;
    if ((by_thread || options->spread == HCCT_SPREAD_THREADS) && !report->summary->has_threads)
        return hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE,
                              "the run did not tell threads apart: HCCT_OPTIONS=threads=split does");
    if (options->spread == HCCT_SPREAD_THREADS) {
        hcct_thread_spread_open(&stages->threads, all, &merge->frames, merge->summary.ground.floor);
        all = &stages->threads.tree;
        report->spread = stages->threads.values;
    }
    report->hot_by_site = hot_by_site(report, all);
    report->unassigned = hcct_tree_cold(all, report->summary->ground.total, 0);
    if (hcct_filter_has_effect(&options->query, &merge->frames)) {
        hcct_filter_apply(all, &merge->frames, &options->query, &stages->filtered);
        all = &stages->filtered;
    }
    report->evicted = hcct_frames_evicted(&merge->frames);
    report->evicted = report->evicted < report->unassigned ? report->evicted : report->unassigned;
    if (is_table(options) && !inlines) {
        hcct_view_regroup(all, &merge->frames, HCCT_BY_SITE, false, &stages->grouped);
        all = &stages->grouped;
    }
    if (is_table(options))
        return options->format->print_table(out, report, all, error);
    hcct_view_regroup(all, &merge->frames, by_thread ? HCCT_BY_FUNCTION : report->by, inlines,
                      &stages->grouped);
    if (by_thread)
        join_threads(stages);
    if (!prepare_tree(report, stages, error))
        return false;
    options->format->print(out, report);
    return true;
}

bool hcct_report_suits(const struct hcct_decoded *merge, const struct hcct_report_format *format,
                       struct hcct_error *error)
{
    const struct hcct_summary *summary = &merge->summary;
    bool has_lost = summary->values[HCCT_HEAP_LOST].is_known;
    if (format->values == HCCT_VALUES_LOST && !has_lost)
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "did not look for lost blocks: HCCT_OPTIONS=metric=heap:heap_scan=on, or "
                              "hcct-run --leaks, does");
    return true;
}

bool hcct_report_print(FILE *out, struct hcct_decoded *merge, const struct hcct_report_options *options,
                       struct hcct_error *error)
{
    struct stages stages = { .amount = NULL };
    if (!hcct_report_suits(merge, options->format, error))
        return false;
    double phi = options->phi < 0 ? merge->summary.phi : options->phi;
    struct hcct_report report = {
        .summary = &merge->summary,
        .options = options,
        .spread = merge->spread,
        .frames = &merge->frames,
        .by = by_of(options, merge->frames.loose),
        .phi = phi,
        .hot_count = hcct_report_hot_count(phi, merge->summary.ground.total),
        .file_bytes = merge->file_bytes,
    };
    for (int i = 0; i < HCCT_TREE_VALUES; i++)
        report.value_totals[i] = merge->summary.values[i].total;
    if (options->format->values == HCCT_VALUES_ONE)
        hcct_tree_drop_values(&merge->tree);
    struct hcct_limit limit;
    FILE *limited = hcct_limit_open(&limit, out, merge->file_bytes);
    report.limit = &limit;
    if (options->format->medium == HCCT_MEDIUM_TERMINAL && !options->utf8)
        merge->frames.ellipsis = "...";
    bool done = print(limited, &report, merge, &stages, error);
    hcct_thread_spread_close(&stages.threads);
    hcct_tree_free(&stages.filtered);
    hcct_tree_free(&stages.grouped);
    hcct_tree_free(&stages.upside_down);
    hcct_tree_free(&stages.folded);
    free(stages.amount);
    if (hcct_limit_close(&limit, limited))
        return done;
    return hcct_error_set(error, HCCT_ERROR_LIMIT, HCCT_ERROR_NOWHERE,
                          "cut off: more would be written than profiles of %llu bytes may mean "
                          "(docs/format.md tells the limits); json writes each context once, and "
                          "--top=N or --phi=X chooses fewer",
                          (unsigned long long)merge->file_bytes);
}
