/* Prints a difference as JSON: the whole tree and the ranking. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/print/diff_json.h"
#include "decoder/text/json_writer.h"
#include "decoder/tree/frames.h"
#include "format/names.h"

static const char *const kind_words[] = { "both", "moved", "only_a", "only_b" };

static const struct hcct_tree_frame *frame_at(const struct hcct_diff_side *side, uint32_t node)
{
    return &side->merge.frames.frames[side->tree.nodes[node].frame];
}

static const struct hcct_tree_site *site_at(const struct hcct_diff_side *side, uint32_t node)
{
    uint32_t site = side->tree.nodes[node].site;
    return site == HCCT_FRAMES_NONE ? NULL : &side->merge.frames.sites[site];
}

static uint64_t ranked_count(const struct hcct_diff *diff, uint64_t top_count)
{
    return top_count && top_count < diff->ranked_count ? top_count : diff->ranked_count;
}

static void write_frame(struct hcct_json *json, const struct hcct_diff_side *side, uint32_t node,
                        const char *const keys[3])
{
    const struct hcct_tree_frame *frame = frame_at(side, node);
    const struct hcct_tree_site *site = site_at(side, node);
    hcct_json_text(json, keys[0], frame->name);
    hcct_json_text(json, keys[1], hcct_kind_names[frame->kind]);
    if (!site) {
        hcct_json_null(json, keys[2]);
        return;
    }
    hcct_json_object(json, keys[2], HCCT_JSON_WORDS);
    hcct_json_text(json, "file", site->file);
    hcct_json_unsigned(json, "line", site->line);
    hcct_json_end(json);
}

static void write_count(struct hcct_json *json, const char *key, const struct hcct_diff_side *side,
                        uint32_t node)
{
    if (hcct_diff_is_counted(side, node))
        hcct_json_unsigned(json, key, side->tree.nodes[node].count);
    else
        hcct_json_null(json, key);
}

static void write_node(struct hcct_json *json, const struct hcct_diff *diff,
                       const struct hcct_diff_node *node)
{
    static const char *const keys[] = { "function", "kind", "site" };
    static const char *const keys_a[] = { "function_a", "kind_a", "site_a" };
    const struct hcct_diff_side *side = diff->side;
    int shown = node->side[1] != HCCT_NODE_NONE;
    hcct_json_object(json, NULL, HCCT_JSON_WORDS);
    hcct_json_index(json, "parent", node->parent);
    write_frame(json, &side[shown], node->side[shown], keys);
    hcct_json_text(json, "match", kind_words[node->kind]);
    write_count(json, "count_a", &side[0], node->side[0]);
    write_count(json, "count_b", &side[1], node->side[1]);
    if (node->is_context) {
        hcct_json_unsigned(json, "low_a", node->range[0].low);
        hcct_json_unsigned(json, "high_a", node->range[0].high);
        hcct_json_unsigned(json, "low_b", node->range[1].low);
        hcct_json_unsigned(json, "high_b", node->range[1].high);
        hcct_json_printf(json, "change", "%s%" PRIu64, node->falls ? "-" : "", node->change);
        hcct_json_bool(json, "beyond", node->beyond);
    }
    if (node->side[0] != HCCT_NODE_NONE && node->side[1] != HCCT_NODE_NONE) {
        uint32_t parent = side[0].tree.nodes[node->side[0]].parent;
        hcct_json_index(json, "parent_a", parent == HCCT_NODE_NONE ? parent : diff->of_a[parent]);
        write_frame(json, &side[0], node->side[0], keys_a);
    }
    hcct_json_end(json);
}

void hcct_diff_write_head(struct hcct_json *json, const struct hcct_diff *diff)
{
    const struct hcct_summary *a = &diff->side[0].merge.summary, *b = &diff->side[1].merge.summary;
    hcct_json_text(json, "program_a", a->program);
    hcct_json_text(json, "program_b", b->program);
    hcct_json_bool(json, "same_build", diff->same_build);
    hcct_json_bool(json, "estimate", diff->sure == HCCT_SURE_CHANCE);
    if (diff->sure == HCCT_SURE_NOTHING)
        hcct_json_bool(json, "saturated", true);
    hcct_json_text(json, "metric", a->ground.metric);
    hcct_json_text(json, "unit", a->ground.unit);
    hcct_json_unsigned(json, "calls_a", a->ground.total);
    hcct_json_unsigned(json, "calls_b", b->ground.total);
    hcct_json_object(json, "contexts", HCCT_JSON_WORDS);
    for (int kind = 0; kind < 4; kind++)
        hcct_json_unsigned(json, kind_words[kind], diff->context_count[kind]);
    hcct_json_end(json);
    hcct_json_unsigned(json, "changed", diff->ranked_count);
    hcct_json_unsigned(json, "beyond", diff->beyond_count);
}

void hcct_diff_print_json(FILE *out, const struct hcct_diff *diff, uint64_t top_count)
{
    struct hcct_json json = { .out = out, .text = HCCT_TEXT_JSON };
    hcct_json_object(&json, NULL, HCCT_JSON_LINES);
    hcct_diff_write_head(&json, diff);
    hcct_json_array(&json, "nodes", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < diff->node_count && !ferror(out); i++)
        write_node(&json, diff, &diff->nodes[i]);
    hcct_json_end(&json);
    hcct_json_array(&json, "changes", HCCT_JSON_WORDS);
    for (uint64_t i = 0; i < ranked_count(diff, top_count) && !ferror(out); i++)
        hcct_json_unsigned(&json, NULL, diff->ranked[i]);
    hcct_json_end(&json);
    hcct_json_end(&json);
    putc('\n', out);
}
