#include "decoder/report/export.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/bursts.h"
#include "decoder/text/text.h"
#include "decoder/tree/walk.h"

#ifndef HCCT_VERSION
#define HCCT_VERSION "0.1.0"
#endif

const char *const hcct_mode_names[] = { "hcct", "cct" };
const char *const hcct_estimate_names[] = { "bursts", "calls", "calls-per-function", "timer", "several" };
const char *const hcct_algorithm_names[] = { "exact",          "space-saving",    "space-saving-bucket",
                                             "lossy-counting", "sticky-sampling", "frequent-items",
                                             "several" };
const char *const hcct_guarantee_names[] = { "exact", "deterministic", "probabilistic" };
const char *const hcct_metric_names[] = { "calls", "weight", "time", "wall", "clock" };
const char *const hcct_metric_titles[] = { "Calls", "Weight", "Time", "Time", "Clock" };
const char *const hcct_kind_names[] = { "function", "inlined", "external", "signal", "unknown", "repeat" };

/* --- facts ---------------------------------------------------------------------------------------- */

static void fact(struct hcct_facts *facts, int *at, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void fact(struct hcct_facts *facts, int *at, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(facts->texts[*at], sizeof facts->texts[*at], format, arguments);
    va_end(arguments);
    facts->items[*at] = (struct hcct_fact){ key, facts->texts[*at] };
    ++*at;
}

void hcct_facts_make(struct hcct_facts *facts, const struct hcct_report *report)
{
    const struct hcct_summary *it = report->summary;
    int at = 0;
    facts->items[at++] = (struct hcct_fact){ "program", it->program };
    if (report->frames->loose)
        fact(facts, &at, "build", "several");
    else
        fact(facts, &at, "build", "%016" PRIx64, it->build_id);
    fact(facts, &at, "runs", "%u", it->file_count);
    fact(facts, &at, "mode", "%s", hcct_mode_names[it->mode]);
    fact(facts, &at, "algorithm", "%s", hcct_algorithm_names[it->algorithm]);
    if (it->is_estimate)
        fact(facts, &at, "guarantee",
             "probabilistic, estimates from %" PRIu64 " %s, %" PRIu64 " calls counted", it->bursts.bursts,
             hcct_bursts_name(&it->bursts), it->bursts.calls);
    else if (it->guarantee == HCCT_GUARANTEE_PROBABILISTIC)
        fact(facts, &at, "guarantee", "probabilistic, delta %g", it->delta);
    else
        fact(facts, &at, "guarantee", "%s%s", hcct_guarantee_names[it->guarantee],
             it->guarantee == HCCT_GUARANTEE_EXACT && !hcct_summary_is_sound(it)
                 ? ", but for what was dropped"
                 : "");
    fact(facts, &at, "recursion", "%s", hcct_recursion_name(it));
    fact(facts, &at, "metric", it->metric ? "%s in %s" : "%s", hcct_metric_names[it->metric], it->unit);
    if (it->metric == HCCT_METRIC_CALLS)
        fact(facts, &at, "calls", "%" PRIu64, it->calls);
    else
        fact(facts, &at, "total", "%" PRIu64 " %s", it->calls, it->unit);
    fact(facts, &at, "contexts", "%" PRIu64 " monitored, %" PRIu64 " hot", it->context_count,
         report->hot_contexts);
    fact(facts, &at, "phi", "%g", report->phi);
    fact(facts, &at, "epsilon", "%g", it->epsilon);
    fact(facts, &at, "dropped",
         "memory %" PRIu64 ", chain %" PRIu64 ", interrupted %" PRIu64 ", undecodable %" PRIu64
         ", unaccounted %" PRIu64,
         it->dropped_memory, it->dropped_chain, it->dropped_interrupted, it->undecodable, it->unaccounted);
    fact(facts, &at, "misplaced", "stale %" PRIu64 ", overflowed %" PRIu64 ", lost_pushes %" PRIu64,
         it->stale, it->overflowed, it->lost_count);
    fact(facts, &at, "writer", "hcct-decode %s", HCCT_VERSION);
}

void hcct_facts_write(struct hcct_json *json, const char *key, const struct hcct_facts *facts)
{
    hcct_json_object(json, key, HCCT_JSON_WORDS);
    for (int i = 0; i < HCCT_FACT_COUNT; i++)
        hcct_json_text(json, facts->items[i].key, facts->items[i].text);
    hcct_json_end(json);
}

const char *hcct_recursion_name(const struct hcct_summary *summary)
{
    return summary->folded ? "fold" : "keep";
}

/* --- the tree, laid out --------------------------------------------------------------------------- */

struct sorter {
    const struct hcct_layout *layout;
    struct hcct_walk names; /* compares siblings; its walk is not used */
};

static int compare_siblings(const void *left, const void *right, void *context)
{
    const struct sorter *sorter = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const uint64_t *inclusive = sorter->layout->inclusive;
    if (inclusive[a] != inclusive[b])
        return inclusive[a] > inclusive[b] ? -1 : 1;
    return hcct_walk_compare(&sorter->names, a, b);
}

static void sum_up(struct hcct_layout *layout, const struct hcct_tree *tree)
{
    for (uint32_t i = tree->node_count; i--;) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        layout->inclusive[i] = hcct_sum(layout->inclusive[i], hcct_node_count(node));
        uint64_t *into = node->parent == HCCT_NODE_NONE ? &layout->total : &layout->inclusive[node->parent];
        *into = hcct_sum(*into, layout->inclusive[i]);
    }
    for (uint32_t i = 0; i < tree->node_count; i++) {
        uint32_t parent = tree->nodes[i].parent;
        layout->depth[i] = parent == HCCT_NODE_NONE ? 0 : layout->depth[parent] + 1;
        if (layout->depth[i] >= layout->deepest)
            layout->deepest = layout->depth[i] + 1;
    }
}

/* Depth first: a node's place is behind its parent and what stands below its elder siblings. */
static bool put_in_order(struct hcct_layout *layout, const struct hcct_tree *tree)
{
    const uint32_t *first = layout->children.first;
    uint32_t *stack = malloc(((size_t)tree->node_count + 1) * sizeof *stack);
    uint32_t depth = 0, placed = 0;
    if (!stack)
        return false;
    for (uint32_t i = first[tree->node_count + 1]; i-- > first[tree->node_count];)
        stack[depth++] = layout->children.child[i];
    while (depth) {
        uint32_t node = stack[--depth];
        layout->order[placed++] = node;
        for (uint32_t i = first[node + 1]; i-- > first[node];)
            stack[depth++] = layout->children.child[i];
    }
    free(stack);
    return true;
}

bool hcct_layout_open(struct hcct_layout *layout, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    size_t room = (size_t)tree->node_count + 1;
    *layout = (struct hcct_layout){ 0 };
    layout->inclusive = calloc(room, sizeof *layout->inclusive);
    layout->order = malloc(room * sizeof *layout->order);
    layout->depth = malloc(room * sizeof *layout->depth);
    if (!layout->inclusive || !layout->order || !layout->depth ||
        !hcct_tree_children_build(tree, &layout->children))
        return false;
    sum_up(layout, tree);
    struct sorter sorter = { .layout = layout, .names = { .tree = tree, .frames = report->frames } };
    const uint32_t *first = layout->children.first;
    for (uint32_t i = 0; i <= tree->node_count; i++)
        if (first[i + 1] - first[i] > 1)
            qsort_r(layout->children.child + first[i], first[i + 1] - first[i], sizeof(uint32_t),
                    compare_siblings, &sorter);
    return put_in_order(layout, tree);
}

void hcct_layout_close(struct hcct_layout *layout)
{
    free(layout->inclusive);
    free(layout->order);
    free(layout->depth);
    hcct_tree_children_free(&layout->children);
}

/* --- the frames of a tree, numbered ---------------------------------------------------------------- */

bool hcct_frame_list_open(struct hcct_frame_list *list, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    const struct hcct_frames *frames = report->frames;
    uint32_t *known = malloc(((size_t)frames->frame_count + 1) * sizeof *known);
    *list = (struct hcct_frame_list){ 0 };
    list->number = malloc(((size_t)tree->node_count + 1) * sizeof *list->number);
    list->node = malloc(((size_t)tree->node_count + 1) * sizeof *list->node);
    bool done = known && list->number && list->node;
    for (uint32_t i = 0; done && i < frames->frame_count; i++)
        known[i] = HCCT_FRAMES_NONE;
    for (uint32_t i = 0; done && i < tree->node_count; i++) {
        uint32_t frame = tree->nodes[i].frame;
        if (known[frame] == HCCT_FRAMES_NONE || frames->frames[frame].kind == HCCT_FRAME_REPEAT) {
            known[frame] = list->count;
            list->node[list->count++] = i;
        }
        list->number[i] = known[frame];
    }
    free(known);
    return done;
}

void hcct_frame_list_close(struct hcct_frame_list *list)
{
    free(list->number);
    free(list->node);
}

/* --- a node's texts ------------------------------------------------------------------------------- */

const char *hcct_node_name(const struct hcct_report *report, const struct hcct_tree_node *node,
                           char buffer[HCCT_NODE_NAME_BYTES])
{
    const struct hcct_tree_frame *frame = &report->frames->frames[node->frame];
    if (frame->kind != HCCT_FRAME_REPEAT)
        return frame->name;
    snprintf(buffer, HCCT_NODE_NAME_BYTES, "[x%u]", node->site);
    return buffer;
}

const char *hcct_count_text(const struct hcct_summary *summary, uint64_t count, char buffer[HCCT_COUNT_BYTES])
{
    if (hcct_metric_is_time(summary->metric))
        snprintf(buffer, HCCT_COUNT_BYTES, summary->metric == HCCT_METRIC_CLOCK ? "%.6f" : "%.3f",
                 (double)count / 1e9);
    else
        snprintf(buffer, HCCT_COUNT_BYTES, "%" PRIu64, count);
    return buffer;
}

const char *hcct_count_title(const struct hcct_summary *summary)
{
    return hcct_metric_is_time(summary->metric) ? "secs" : summary->unit;
}

const char *hcct_amount_text(const struct hcct_summary *summary, uint64_t count,
                             char buffer[HCCT_AMOUNT_BYTES])
{
    char number[HCCT_COUNT_BYTES];
    bool one_call = summary->metric == HCCT_METRIC_CALLS && count == 1;
    snprintf(buffer, HCCT_AMOUNT_BYTES, "%s %s", hcct_count_text(summary, count, number),
             hcct_metric_is_time(summary->metric) ? "s"
             : one_call                           ? "call"
                                                  : summary->unit);
    return buffer;
}

const char *hcct_share_text(const struct hcct_report *report, uint64_t count, char buffer[HCCT_SHARE_BYTES])
{
    uint64_t calls = report->summary->calls;
    double percent = calls ? 100 * (double)count / (double)calls : 0;
    snprintf(buffer, HCCT_SHARE_BYTES, count && percent < 0.005 ? "<0.01%%" : "%.2f%%", percent);
    return buffer;
}

const struct hcct_tree_site *hcct_node_site(const struct hcct_report *report,
                                            const struct hcct_tree_node *node)
{
    bool none =
        node->site == HCCT_FRAMES_NONE || report->frames->frames[node->frame].kind == HCCT_FRAME_REPEAT;
    return none ? NULL : &report->frames->sites[node->site];
}

bool hcct_site_text(const struct hcct_report *report, const struct hcct_tree_site *site,
                    struct hcct_text *text)
{
    char number[32] = "";
    text->length = 0;
    if (site && site->line) {
        const char *file = hcct_text_base_name(site->file);
        bool column = site->column && report->by < HCCT_BY_LINE;
        snprintf(number, sizeof number, column ? ":%u:%u" : ":%u", site->line, site->column);
        if (!hcct_text_add_string(text, file))
            return false;
    } else if (site && site->ordinal) {
        snprintf(number, sizeof number, "#%u", site->ordinal);
    }
    return hcct_text_add_string(text, number) && hcct_text_end(text);
}
