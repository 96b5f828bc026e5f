/* The page of a difference: both trees as one, as wide as the larger count of each context, changes told by
 * colours. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff.h"
#include "decoder/report/formats/html.h"
#include "decoder/text/escape.h"

/* Frames and sites of both sides in one, A's first; and the tree of the difference, as a report shows it. */
struct joined {
    struct hcct_frames frames;
    struct hcct_tree tree;
};

static const struct hcct_diff *diff_of(const struct hcct_html *page)
{
    return page->subject;
}

static const struct hcct_diff_node *node_of(const struct hcct_html *page, uint32_t node)
{
    return &diff_of(page)->nodes[node];
}

/* --- members about both profiles ------------------------------------------------------------------ */

static void print_side(FILE *out, const struct hcct_diff_side *side)
{
    struct hcct_merge merge = side->merge;
    struct hcct_report report = { .summary = &merge.summary,
                                  .frames = &merge.frames,
                                  .phi = merge.summary.phi };
    double hot = merge.summary.phi * (double)merge.summary.calls;
    for (uint32_t i = 0; i < merge.tree.node_count; i++) {
        const struct hcct_tree_node *node = &merge.tree.nodes[i];
        report.hot_contexts += node->flags & HCCT_NODE_COUNTED && (double)node->count >= hot;
    }
    hcct_html_facts(out, &report);
}

static void print_head(const struct hcct_html *page)
{
    const struct hcct_diff *diff = diff_of(page);
    const uint32_t *contexts = diff->context_count;
    FILE *out = page->out;
    fputs("\"facts\": ", out);
    print_side(out, &diff->side[1]);
    hcct_html_metric(out, &diff->side[1].merge.summary);
    fputs(",\n\"diff\": {\"facts\": ", out);
    print_side(out, &diff->side[0]);
    fprintf(
        out,
        ", \"same_build\": %s, \"both\": %u, \"moved\": %u, \"only_a\": %u, \"only_b\": %u, \"changed\": %u, "
        "\"beyond\": %u, \"calls\": [%" PRIu64 ", %" PRIu64 "], \"lost\": [%" PRIu64 ", %" PRIu64 "]},\n",
        diff->same_build ? "true" : "false", contexts[HCCT_DIFF_BOTH], contexts[HCCT_DIFF_MOVED],
        contexts[HCCT_DIFF_ONLY_A], contexts[HCCT_DIFF_ONLY_B], diff->ranked_count, diff->beyond_count,
        diff->side[0].merge.summary.calls, diff->side[1].merge.summary.calls, diff->side[0].dropped,
        diff->side[1].dropped);
    fputs("\"was\": {", out); /* of what moved: its parent in A, and its name there */
    const char *between = "";
    for (uint32_t i = 0; i < diff->node_count && !ferror(out); i++) {
        if (diff->nodes[i].kind != HCCT_DIFF_MOVED)
            continue;
        const struct hcct_diff_side *side = &diff->side[0];
        const struct hcct_tree_node *node = &side->tree.nodes[diff->nodes[i].side[0]];
        fprintf(out, "%s\"%u\": [%lld, ", between, page->line_of[i],
                node->parent == HCCT_NODE_NONE ? -1LL : (long long)page->line_of[diff->of_a[node->parent]]);
        hcct_json_string_in_html(out, side->merge.frames.frames[node->frame].name);
        putc(']', out);
        between = ", ";
    }
    fputs("},\n", out);
}

/* --- columns -------------------------------------------------------------------------------------- */

static void print_count(const struct hcct_html *page, uint32_t node, int which)
{
    const struct hcct_diff_side *side = &diff_of(page)->side[which];
    uint32_t at = node_of(page, node)->side[which];
    if (hcct_diff_is_counted(side, at))
        fprintf(page->out, "%" PRIu64, side->tree.nodes[at].count);
    else
        fputs("-1", page->out);
}

static void print_before(const struct hcct_html *page, uint32_t node)
{
    print_count(page, node, 0);
}

static void print_after(const struct hcct_html *page, uint32_t node)
{
    print_count(page, node, 1);
}

static void print_change(const struct hcct_html *page, uint32_t node)
{
    const struct hcct_diff_node *it = node_of(page, node);
    fprintf(page->out, "%s%" PRIu64, it->falls && it->change ? "-" : "", it->change);
}

static void print_bounds(const struct hcct_html *page, uint32_t node)
{
    const struct hcct_diff_node *it = node_of(page, node);
    if (it->is_context)
        fprintf(page->out, "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]", it->low[0], it->high[0],
                it->low[1], it->high[1]);
    else
        fputs("0", page->out); /* does not compare */
}

static void print_kind(const struct hcct_html *page, uint32_t node)
{
    fprintf(page->out, "%d", node_of(page, node)->kind);
}

static void print_beyond(const struct hcct_html *page, uint32_t node)
{
    fputc(node_of(page, node)->beyond ? '1' : '0', page->out);
}

/* --- both trees as one ---------------------------------------------------------------------------- */

/* A side without any has no array. */
static void copy(void *to, const void *from, size_t count, size_t element_bytes)
{
    if (count)
        memcpy(to, from, count * element_bytes);
}

static bool join_frames(struct joined *joined, const struct hcct_diff *diff)
{
    const struct hcct_frames *a = &diff->side[0].merge.frames, *b = &diff->side[1].merge.frames;
    struct hcct_frames *to = &joined->frames;
    to->frames = malloc(((size_t)a->frame_count + b->frame_count + 1) * sizeof *to->frames);
    to->sites = malloc(((size_t)a->site_count + b->site_count + 1) * sizeof *to->sites);
    if (!to->frames || !to->sites)
        return false;
    copy(to->frames, a->frames, a->frame_count, sizeof *to->frames);
    copy(to->frames + a->frame_count, b->frames, b->frame_count, sizeof *to->frames);
    copy(to->sites, a->sites, a->site_count, sizeof *to->sites);
    copy(to->sites + a->site_count, b->sites, b->site_count, sizeof *to->sites);
    to->frame_count = a->frame_count + b->frame_count;
    to->site_count = a->site_count + b->site_count;
    return true;
}

/* A node as B has it, or A where B does not. */
static struct hcct_tree_node join_node(const struct hcct_diff *diff, const struct hcct_diff_node *node)
{
    int shown = node->side[1] != HCCT_NODE_NONE;
    const struct hcct_frames *a = &diff->side[0].merge.frames;
    struct hcct_tree_node it = diff->side[shown].tree.nodes[node->side[shown]];
    it.parent = node->parent;
    it.frame += shown ? a->frame_count : 0;
    it.site += shown && it.site != HCCT_FRAMES_NONE ? a->site_count : 0;
    it.count = 0;
    for (int which = 0; which < 2; which++) {
        const struct hcct_diff_side *side = &diff->side[which];
        if (hcct_diff_is_counted(side, node->side[which]) &&
            side->tree.nodes[node->side[which]].count > it.count)
            it.count = side->tree.nodes[node->side[which]].count;
    }
    it.flags = HCCT_NODE_COUNTED;
    return it;
}

static bool join(struct joined *joined, const struct hcct_diff *diff)
{
    struct hcct_tree *tree = &joined->tree;
    tree->nodes = malloc(((size_t)diff->node_count + 1) * sizeof *tree->nodes);
    if (!tree->nodes || !join_frames(joined, diff))
        return false;
    for (uint32_t i = 0; i < diff->node_count; i++)
        tree->nodes[i] = join_node(diff, &diff->nodes[i]);
    tree->node_count = diff->node_count;
    return true;
}

bool hcct_diff_print_html(FILE *out, const struct hcct_diff *diff)
{
    static const struct hcct_html_column columns[] = {
        { "count", print_after },
        { "before", print_before },
        { "change", print_change },
        { "bounds", print_bounds },
        { "match", print_kind },
        { "hot", print_beyond },
        { NULL, NULL },
    };
    struct joined joined = { 0 };
    struct hcct_report report = { .frames = &joined.frames, .tree = &joined.tree, .by = HCCT_BY_LINE };
    bool done = join(&joined, diff) && hcct_html_page(out, &report, diff, print_head, columns);
    free(joined.frames.frames); /* their names are the sides' */
    free(joined.frames.sites);
    hcct_tree_free(&joined.tree);
    return done;
}
