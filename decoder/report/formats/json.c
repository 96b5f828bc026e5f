/* The format `json`: one object with everything that the decoder knows of the contexts, for programs. Counts
 * are exact integers, names are valid UTF-8 whatever the profile holds. hcct-decode(1) describes the members.
 *
 * The object is written as a stream: frames are numbered in the order in which the nodes name them first, and
 * a node's parent always stands before it. */
#include <inttypes.h>
#include <stdlib.h>

#include "decoder/claim/json_members.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/function_table.h"
#include "decoder/report/frame_list.h"
#include "decoder/report/node.h"
#include "decoder/report/place_lines.h"
#include "decoder/store/sum.h"
#include "decoder/text/json_writer.h"
#include "decoder/text/memory.h"
#include "decoder/tree/frames.h"
#include "format/names.h"

/* --- about the profile ------------------------------------------------------------------------------ */

/* [bytes allocated, live, most since the point before, seconds] */
static void write_curve(struct hcct_json *json, const struct hcct_summary *summary)
{
    hcct_json_array(json, "curve", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < summary->curve_count; i++) {
        const struct hcct_file_curve *point = &summary->curve[i];
        hcct_json_array(json, NULL, HCCT_JSON_WORDS);
        hcct_json_unsigned(json, NULL, point->allocated_bytes);
        hcct_json_unsigned(json, NULL, point->live_bytes);
        hcct_json_unsigned(json, NULL, point->most_bytes);
        hcct_json_printf(json, NULL, "%.9f", (double)point->time_ns / 1e9);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

static void write_heap(struct hcct_json *json, const struct hcct_summary *summary)
{
    if (!summary->ground.noun->is_heap)
        return;
    hcct_json_text(json, "value", hcct_heap_value_names[summary->ground.value]);
    hcct_json_object(json, "heap", HCCT_JSON_WORDS);
    hcct_claim_json_samples(json, &summary->ground);
    for (int i = 0; i < HCCT_HEAP_VALUE_COUNT; i++)
        if (summary->values[i].is_known)
            hcct_json_unsigned(json, hcct_heap_value_names[i], summary->values[i].total);
    hcct_json_unsigned(json, "mean-life", summary->mean_life);
    hcct_json_array(json, "sizes", HCCT_JSON_WORDS);
    for (int i = 0; i < HCCT_HEAP_SIZES; i++)
        hcct_json_unsigned(json, NULL, summary->sizes[i]);
    hcct_json_end(json);
    if (summary->curve)
        write_curve(json, summary);
    hcct_json_end(json);
}

static void write_new(struct hcct_json *json, const struct hcct_summary *summary)
{
    if (!summary->has_new)
        return;
    hcct_json_object(json, "new", HCCT_JSON_WORDS);
    hcct_json_unsigned(json, "known", summary->known);
    hcct_json_unsigned(json, "found", summary->found);
    hcct_json_unsigned(json, "unnoted", summary->unnoted);
    hcct_json_end(json);
}

static void write_phases(struct hcct_json *json, const struct hcct_summary *summary)
{
    if (!summary->phase_count)
        return;
    if (summary->ground.phase)
        hcct_json_text(json, "phase", summary->ground.phase);
    hcct_json_array(json, "phases", HCCT_JSON_WORDS);
    for (uint32_t i = 0; i < summary->phase_count; i++) {
        hcct_json_object(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, "name", summary->phases[i].name);
        hcct_json_unsigned(json, "calls", summary->phases[i].calls);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

static void write_lost(struct hcct_json *json, const struct hcct_summary *summary)
{
    hcct_json_object(json, "dropped", HCCT_JSON_WORDS);
    hcct_json_unsigned(json, "memory", summary->dropped_memory);
    hcct_json_unsigned(json, "chain", summary->dropped_chain);
    hcct_json_unsigned(json, "interrupted", summary->dropped_interrupted);
    hcct_json_unsigned(json, "undecodable", summary->undecodable);
    hcct_json_unsigned(json, "unaccounted", summary->unaccounted);
    hcct_json_end(json);
    hcct_json_object(json, "misplaced", HCCT_JSON_WORDS);
    hcct_json_unsigned(json, "stale", summary->stale);
    hcct_json_unsigned(json, "overflowed", summary->overflowed);
    hcct_json_unsigned(json, "lost_pushes", summary->lost_count);
    hcct_json_end(json);
    hcct_json_unsigned(json, "cold_chain", summary->cold_chain);
}

/* What no node has, so that lower bounds and this add up to the calls. */
static uint64_t not_shown(const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].flags & HCCT_NODE_KEPT)
            sum = hcct_sum(sum, hcct_tree_low(&tree->nodes[i]));
    return sum < report->summary->ground.total ? report->summary->ground.total - sum : 0;
}

static void write_head(struct hcct_json *json, const struct hcct_report *report)
{
    const struct hcct_summary *summary = report->summary;
    hcct_json_text(json, "program", summary->program);
    if (!summary->build_id)
        hcct_json_text(json, "build", "several");
    else
        hcct_json_printf(json, "build", "\"%016" PRIx64 "\"", summary->build_id);
    hcct_json_text(json, "version", HCCT_VERSION);
    hcct_claim_json_kind(json, &summary->ground);
    hcct_json_text(json, "recursion", hcct_recursion_names[summary->folded]);
    hcct_json_text(json, "metric", summary->ground.metric);
    hcct_json_text(json, "unit", summary->ground.unit);
    write_heap(json, summary);
    hcct_json_number(json, "phi", report->phi);
    hcct_claim_json_bound(json, &summary->ground, hcct_report_may_lack_hot(report));
    hcct_json_unsigned(json, "calls", summary->ground.total);
    hcct_json_unsigned(json, "other", not_shown(report));
    if (report->spread && report->options->spread != HCCT_SPREAD_THREADS)
        hcct_json_unsigned(json, "profiles", summary->profile_count);
    write_new(json, summary);
    write_phases(json, summary);
    write_lost(json, summary);
    hcct_claim_json_estimate(json, &summary->ground);
}

/* --- frames and nodes ------------------------------------------------------------------------------- */

static void write_frame(struct hcct_json *json, const struct hcct_tree_frame *frame)
{
    hcct_json_object(json, NULL, HCCT_JSON_WORDS);
    hcct_json_text(json, "function", frame->name);
    hcct_json_text(json, "linkage", frame->linkage);
    hcct_json_text(json, "file", frame->file);
    hcct_json_unsigned(json, "line", frame->line);
    hcct_json_text(json, "kind", hcct_kind_names[frame->kind]);
    hcct_json_end(json);
}

static void write_site(struct hcct_json *json, const struct hcct_report *report, uint32_t index)
{
    if (index == HCCT_FRAMES_NONE) {
        hcct_json_null(json, "site");
        return;
    }
    const struct hcct_tree_site *site = &report->frames->sites[index];
    /* By line a site stands for several, so that it has neither column nor id. Without a line, only the id
     * tells sites apart. */
    bool is_one = report->by == HCCT_BY_SITE || !site->line;
    hcct_json_object(json, "site", HCCT_JSON_WORDS);
    hcct_json_text(json, "file", site->file);
    hcct_json_unsigned(json, "line", site->line);
    hcct_json_unsigned(json, "column", is_one ? site->column : 0);
    if (is_one)
        hcct_json_printf(json, "id", "\"0x%016" PRIx64 "\"", site->id);
    else
        hcct_json_null(json, "id");
    hcct_json_end(json);
}

/* How the counts in the single profiles differ. */
static void write_spread(struct hcct_json *json, const struct hcct_report *report,
                         const struct hcct_tree_node *node)
{
    struct hcct_spread spread;
    if (!report->spread)
        return;
    if (!hcct_node_spread(report, node, &spread)) {
        hcct_json_null(json, "spread");
        return;
    }
    double profiles = (double)spread.present + spread.absent;
    hcct_json_object(json, "spread", HCCT_JSON_WORDS);
    hcct_json_unsigned(json, "min_low", spread.least_low);
    hcct_json_unsigned(json, "min_high", spread.least_high);
    hcct_json_text(json, "min_at", spread.least_at);
    hcct_json_number(json, "mean_low", (double)(node->count - node->error) / profiles);
    hcct_json_number(json, "mean_high", (double)node->count / profiles);
    hcct_json_unsigned(json, "max_low", spread.most_low);
    hcct_json_unsigned(json, "max_high", spread.most_high);
    hcct_json_text(json, "max_at", spread.most_at);
    hcct_json_unsigned(json, "present", spread.present);
    hcct_json_unsigned(json, "absent", spread.absent);
    hcct_json_end(json);
}

/* Where the node's samples were taken, each place by itself. */
static void write_lines(struct hcct_json *json, const struct hcct_report *report, uint32_t index,
                        const struct hcct_source_line *places)
{
    const struct hcct_tree *tree = report->tree;
    uint32_t i = hcct_tree_first_spot(tree, index);
    if (i == tree->spot_count || tree->spots[i].node != index)
        return;
    hcct_json_array(json, "lines", HCCT_JSON_WORDS);
    for (; i < tree->spot_count && tree->spots[i].node == index; i++) {
        const struct hcct_source_line *place = &places[tree->spots[i].place];
        hcct_json_object(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, "file", place->file);
        hcct_json_unsigned(json, "line", place->line);
        hcct_json_printf(json, "address", "\"0x%" PRIx64 "\"",
                         hcct_layout_place_address(report->frames->places[tree->spots[i].place].site));
        hcct_json_array(json, "inlined", HCCT_JSON_WORDS);
        for (uint32_t k = 0; k < place->inlined_count; k++) {
            const struct hcct_source_frame *inlined = &place->inlined[k];
            hcct_json_text(json, NULL, *inlined->linkage ? inlined->linkage : inlined->source);
        }
        hcct_json_end(json);
        hcct_json_unsigned(json, "count", tree->spots[i].count);
        hcct_json_unsigned(json, "error", tree->spots[i].error);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

static void write_node(struct hcct_json *json, const struct hcct_report *report, uint32_t index,
                       uint32_t frame_number, const uint32_t *node_number,
                       const struct hcct_source_line *places)
{
    const struct hcct_tree_node *node = &report->tree->nodes[index];
    hcct_json_object(json, NULL, HCCT_JSON_WORDS);
    hcct_json_index(json, "parent",
                    node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : node_number[node->parent]);
    hcct_json_unsigned(json, "frame", frame_number);
    write_site(json, report, node->site);
    if (node->flags & HCCT_NODE_COUNTED)
        hcct_json_unsigned(json, "count", node->count);
    else
        hcct_json_null(json, "count");
    hcct_json_unsigned(json, "error", hcct_node_error(node));
    if (node->flags & HCCT_NODE_COUNTED)
        hcct_claim_json_range(json, &report->summary->ground, node->count, node->error, node->trials);
    write_spread(json, report, node);
    hcct_json_bool(json, "hot", node->flags & HCCT_NODE_HOT);
    if (places)
        write_lines(json, report, index, places);
    hcct_json_end(json);
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct hcct_json json = { .out = out, .text = HCCT_TEXT_JSON };
    const struct hcct_tree *tree = report->tree;
    struct hcct_frame_list list;
    struct hcct_place_lines places;
    uint32_t *node_number = hcct_memory_array(tree->node_count, sizeof *node_number), node_count = 0;
    hcct_frame_list_open(&list, report);
    hcct_place_lines_open(&places, tree, report->frames);
    hcct_json_object(&json, NULL, HCCT_JSON_LINES);
    write_head(&json, report);
    hcct_json_array(&json, "frames", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < list.count && !ferror(out); i++)
        write_frame(&json, &report->frames->frames[tree->nodes[list.node[i]].frame]);
    hcct_json_end(&json);
    hcct_json_array(&json, "nodes", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < tree->node_count && !ferror(out); i++) {
        if (!(tree->nodes[i].flags & HCCT_NODE_KEPT))
            continue;
        node_number[i] = node_count++;
        write_node(&json, report, i, list.number[i], node_number, places.lines);
    }
    hcct_json_end(&json);
    hcct_json_end(&json);
    putc('\n', out);
    hcct_frame_list_close(&list);
    hcct_place_lines_close(&places);
    free(node_number);
}

const struct hcct_report_format hcct_format_json = {
    .name = "json",
    .print = print,
    .print_table = hcct_function_table_print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_FULL,
    .shape = HCCT_SHAPE_DATA,
};
