/* Prepares a report, see report.h: groups the tree, makes names, selects, folds. */
#include "decoder/report/report.h"

#include <math.h>
#include <stdlib.h>

#include "decoder/tree/fold.h"
#include "decoder/tree/view.h"
#include "format/error.h"

static enum hcct_frames_by view_of(const struct hcct_report_options *options, bool loose)
{
    enum hcct_frames_by by = options->by_given ? options->by : options->format->by;
    if (options->format->is_for_compilers)
        return HCCT_BY_SITE;
    if (loose && by == HCCT_BY_SITE)
        return HCCT_BY_LINE; /* builds have nothing more exact in common */
    return by == HCCT_BY_SITE && !options->format->is_for_programs ? HCCT_BY_PLACE : by;
}

/* The smallest count with count >= phi * N, in doubles, as readers of json compute it. */
static uint64_t hot_count(double phi, uint64_t calls)
{
    double threshold = ceil(phi * (double)calls);
    return threshold >= 18446744073709551615.0 ? UINT64_MAX : (uint64_t)threshold;
}

/* Narrows `used` to the frames that share a name with another frame in one place of the tree, where two paths
 * would be one text. With --no-demangle only these get their file appended: programs look linkage names up
 * elsewhere. */
static bool keep_ambiguous(const struct hcct_tree *tree, const struct hcct_frames *frames,
                           const uint32_t *by_name, bool *used)
{
    struct hcct_tree texts = { 0 };
    uint32_t *map = malloc(((size_t)tree->node_count + 1) * sizeof *map);
    bool *meet = calloc((size_t)frames->frame_count + 1, sizeof *meet), done = map && meet; /* by name */
    for (uint32_t i = 0; done && i < tree->node_count; i++) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        uint32_t parent = node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : map[node->parent],
                 before = texts.node_count;
        map[i] = hcct_tree_child(&texts, parent, by_name[node->frame], HCCT_FRAMES_NONE);
        done = map[i] != HCCT_NODE_NONE;
        if (done && map[i] == before)
            texts.nodes[before].count = node->frame;
        else if (done && texts.nodes[map[i]].count != node->frame)
            meet[by_name[node->frame]] = true;
    }
    for (uint32_t i = 0; done && i < frames->frame_count; i++)
        used[i] = used[i] && meet[by_name[i]];
    hcct_tree_free(&texts);
    free(map);
    free(meet);
    return done;
}

static bool make_names(struct hcct_frames *frames, const struct hcct_tree *tree,
                       const struct hcct_report_options *options)
{
    bool *used = calloc((size_t)frames->frame_count + 1, sizeof *used);
    bool done = used;
    for (uint32_t i = 0; done && i < tree->node_count; i++) {
        uint32_t frame = tree->nodes[i].frame;
        if (!used[frame])
            done = hcct_frames_name(frames, frame, options->demangle);
        used[frame] = true;
    }
    uint32_t *by_name = malloc(((size_t)frames->frame_count + 1) * sizeof *by_name);
    if (done && !options->format->is_for_programs)
        done = by_name && hcct_frames_group_by_name(frames, by_name) &&
               (options->demangle || keep_ambiguous(tree, frames, by_name, used)) &&
               hcct_frames_tell_apart(frames, used, by_name);
    free(by_name);
    free(used);
    return done;
}

static bool prepare(struct hcct_report *report, struct hcct_merge *merge, struct hcct_tree *view,
                    struct hcct_tree *folded)
{
    const struct hcct_report_options *options = report->options;
    bool inlines = options->inlines || options->format->is_for_compilers;
    struct hcct_view_selection selection = {
        .hot_count = report->hot_count,
        .min_count = options->min_count,
        .top_count = options->format->is_lines ? 0 : options->top_count,
        .all = options->all,
    };
    if (!hcct_view_regroup(&merge->tree, &merge->frames, report->by, inlines, view) ||
        !make_names(&merge->frames, view, options) || !hcct_view_select(view, &merge->frames, &selection))
        return false;
    for (uint32_t i = 0; i < view->node_count; i++)
        report->hot_contexts += !!(view->nodes[i].flags & HCCT_NODE_HOT);
    if (options->format->is_whole)
        return true;
    report->tree = folded;
    uint32_t depth_limit = options->format->folds ? options->max_depth : 0;
    return hcct_fold_tree(view, &merge->frames, depth_limit, !options->format->is_lines, folded);
}

bool hcct_report_print(FILE *out, struct hcct_merge *merge, const struct hcct_report_options *options,
                       struct hcct_error *error)
{
    struct hcct_tree view = { 0 }, folded = { 0 };
    double phi = options->phi < 0 ? merge->summary.phi : options->phi;
    struct hcct_report report = {
        .summary = &merge->summary,
        .options = options,
        .frames = &merge->frames,
        .tree = &view,
        .by = view_of(options, merge->frames.loose),
        .phi = phi,
        .hot_count = hot_count(phi, merge->summary.calls),
    };
    struct hcct_limit limit;
    FILE *limited = hcct_limit_open(&limit, out, merge->file_bytes);
    report.limit = &limit;
    bool done =
        limited && prepare(&report, merge, &view, &folded) && options->format->print(limited, &report);
    hcct_tree_free(&view);
    hcct_tree_free(&folded);
    if (!limited || hcct_limit_close(&limit, limited))
        return done || hcct_error_out_of_memory(error);
    return hcct_error_set(error, HCCT_ERROR_LIMIT, HCCT_ERROR_NOWHERE,
                          "cut off: more would be written than profiles of %llu bytes may mean "
                          "(docs/format.md tells the limits); json writes each context once, and "
                          "--top=N or --phi=X chooses fewer",
                          (unsigned long long)merge->file_bytes);
}
