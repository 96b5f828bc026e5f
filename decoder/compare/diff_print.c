/* Prints a difference: for people, ranked; for programs, the whole tree and the ranking. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/diff.h"
#include "decoder/report/export.h"
#include "decoder/text/escape.h"

/* Of a long path that many frames at its beginning and its end are printed. */
enum { PATH_HEAD = 4, PATH_TAIL = 16 };

static const char *const kind_words[] = { "both", "moved", "only_a", "only_b" };
static const char *const frame_words[] = { "function", "inlined", "external", "signal", "unknown" };

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

/* --- text ----------------------------------------------------------------------------------------- */

/* main;run:12;walk:40 - each but the root with the line in which it is called. */
static bool print_path(FILE *out, const struct hcct_diff_side *side, uint32_t node, uint32_t **path,
                       uint32_t *capacity)
{
    uint32_t depth = 0;
    for (uint32_t at = node; at != HCCT_NODE_NONE; at = side->tree.nodes[at].parent) {
        void *room = hcct_vector_reserve(*path, capacity, depth, sizeof **path);
        if (!room)
            return false;
        *path = room;
        (*path)[depth++] = at;
    }
    for (uint32_t i = depth; i--;) {
        if (depth > PATH_HEAD + PATH_TAIL && i == depth - PATH_HEAD - 1) {
            fprintf(out, ";[%u more]", depth - PATH_HEAD - PATH_TAIL);
            i = PATH_TAIL;
            continue;
        }
        const struct hcct_tree_site *site = site_at(side, (*path)[i]);
        fputs(i == depth - 1 ? "" : ";", out);
        hcct_line_text(out, frame_at(side, (*path)[i])->name);
        if (site && site->line)
            fprintf(out, ":%u", site->line);
        else if (site && site->ordinal)
            fprintf(out, "#%u", site->ordinal);
    }
    return true;
}

static void print_count(FILE *out, const struct hcct_diff_side *side, uint32_t node)
{
    if (hcct_diff_is_counted(side, node))
        fprintf(out, " %14" PRIu64, side->tree.nodes[node].count);
    else
        fprintf(out, " %14s", "-");
}

static void print_side(FILE *out, const char *role, const struct hcct_diff_side *side, const char *name)
{
    fprintf(out, "%s  %" PRIu64 " %s  ", role, side->merge.summary.calls, side->merge.summary.unit);
    hcct_line_text(out, name);
    if (side->dropped)
        fprintf(out, "  (%" PRIu64 " %s dropped or misplaced: any context may have had them)", side->dropped,
                side->merge.summary.unit);
    putc('\n', out);
}

static bool print_change(FILE *out, const struct hcct_diff *diff, const struct hcct_diff_node *node,
                         uint32_t **path, uint32_t *capacity)
{
    int shown = node->side[1] != HCCT_NODE_NONE;
    char change[32];
    snprintf(change, sizeof change, "%c%" PRIu64, node->falls ? '-' : '+', node->change);
    fprintf(out, "%c %15s", node->beyond ? '*' : ' ', change);
    print_count(out, &diff->side[0], node->side[0]);
    print_count(out, &diff->side[1], node->side[1]);
    fputs("  ", out);
    if (!print_path(out, &diff->side[shown], node->side[shown], path, capacity))
        return false;
    if (node->kind == HCCT_DIFF_MOVED) {
        fputs("  (was ", out);
        if (!print_path(out, &diff->side[0], node->side[0], path, capacity))
            return false;
        putc(')', out);
    }
    putc('\n', out);
    return true;
}

bool hcct_diff_print_text(FILE *out, const struct hcct_diff *diff, const char *const names[2],
                          uint64_t top_count)
{
    const uint32_t *contexts = diff->context_count;
    uint32_t *path = NULL, capacity = 0;
    bool done = true;
    print_side(out, "A", &diff->side[0], names[0]);
    print_side(out, "B", &diff->side[1], names[1]);
    fprintf(out,
            "%s: %u contexts in both, %u moved, %u only in A, %u only in B\n"
            "%u changed: %u beyond both error bounds (*), %u within\n",
            diff->same_build ? "one build" : "two builds", contexts[HCCT_DIFF_BOTH],
            contexts[HCCT_DIFF_MOVED], contexts[HCCT_DIFF_ONLY_A], contexts[HCCT_DIFF_ONLY_B],
            diff->ranked_count, diff->beyond_count, diff->ranked_count - diff->beyond_count);
    uint64_t count = ranked_count(diff, top_count);
    if (count)
        fprintf(out, "\n  %15s %14s %14s  %s\n", "change", "A", "B", "context, with the lines of its calls");
    for (uint64_t i = 0; done && i < count && !ferror(out); i++)
        done = print_change(out, diff, &diff->nodes[diff->ranked[i]], &path, &capacity);
    if (done && count < diff->ranked_count)
        fprintf(out, "%" PRIu64 " more (--top)\n", diff->ranked_count - count);
    free(path);
    return done;
}

/* --- json ----------------------------------------------------------------------------------------- */

static void print_frame(FILE *out, const struct hcct_diff_side *side, uint32_t node, const char *suffix)
{
    const struct hcct_tree_frame *frame = frame_at(side, node);
    const struct hcct_tree_site *site = site_at(side, node);
    fprintf(out, "\"function%s\": ", suffix);
    hcct_json_string(out, frame->name);
    fprintf(out, ", \"kind%s\": \"%s\", \"site%s\": ", suffix, frame_words[frame->kind], suffix);
    if (!site) {
        fputs("null", out);
        return;
    }
    fputs("{\"file\": ", out);
    hcct_json_string(out, site->file);
    fprintf(out, ", \"line\": %u}", site->line);
}

static void print_json_count(FILE *out, const char *key, const struct hcct_diff_side *side, uint32_t node)
{
    if (hcct_diff_is_counted(side, node))
        fprintf(out, ", \"count_%s\": %" PRIu64, key, side->tree.nodes[node].count);
    else
        fprintf(out, ", \"count_%s\": null", key);
}

static void print_index(FILE *out, const char *key, uint32_t index)
{
    fprintf(out, "\"%s\": %lld, ", key, index == HCCT_NODE_NONE ? -1 : (long long)index);
}

static void print_node(FILE *out, const struct hcct_diff *diff, const struct hcct_diff_node *node)
{
    int shown = node->side[1] != HCCT_NODE_NONE;
    fputs("{", out);
    print_index(out, "parent", node->parent);
    print_frame(out, &diff->side[shown], node->side[shown], "");
    fprintf(out, ", \"match\": \"%s\"", kind_words[node->kind]);
    print_json_count(out, "a", &diff->side[0], node->side[0]);
    print_json_count(out, "b", &diff->side[1], node->side[1]);
    if (node->is_context)
        fprintf(out,
                ", \"low_a\": %" PRIu64 ", \"high_a\": %" PRIu64 ", \"low_b\": %" PRIu64
                ", \"high_b\": %" PRIu64 ", \"change\": %s%" PRIu64 ", \"beyond\": %s",
                node->low[0], node->high[0], node->low[1], node->high[1], node->falls ? "-" : "",
                node->change, node->beyond ? "true" : "false");
    if (node->side[0] != HCCT_NODE_NONE && node->side[1] != HCCT_NODE_NONE) {
        uint32_t parent = diff->side[0].tree.nodes[node->side[0]].parent;
        fputs(", ", out);
        print_index(out, "parent_a", parent == HCCT_NODE_NONE ? parent : diff->of_a[parent]);
        print_frame(out, &diff->side[0], node->side[0], "_a");
    }
    putc('}', out);
}

bool hcct_diff_print_json(FILE *out, const struct hcct_diff *diff, uint64_t top_count)
{
    const struct hcct_summary *summaries[2] = { &diff->side[0].merge.summary, &diff->side[1].merge.summary };
    fputs("{\n\"program_a\": ", out);
    hcct_json_string(out, summaries[0]->program);
    fputs(",\n\"program_b\": ", out);
    hcct_json_string(out, summaries[1]->program);
    fprintf(
        out,
        ",\n\"same_build\": %s,\n\"metric\": \"%s\",\n\"unit\": \"%s\",\n\"calls_a\": %" PRIu64
        ",\n\"calls_b\": %" PRIu64
        ",\n\"contexts\": {\"both\": %u, \"moved\": %u, \"only_a\": %u, \"only_b\": %u},\n\"changed\": %u,\n"
        "\"beyond\": %u,\n\"nodes\": [",
        diff->same_build ? "true" : "false", hcct_metric_names[summaries[0]->metric], summaries[0]->unit,
        summaries[0]->calls, summaries[1]->calls, diff->context_count[HCCT_DIFF_BOTH],
        diff->context_count[HCCT_DIFF_MOVED], diff->context_count[HCCT_DIFF_ONLY_A],
        diff->context_count[HCCT_DIFF_ONLY_B], diff->ranked_count, diff->beyond_count);
    for (uint32_t i = 0; i < diff->node_count && !ferror(out); i++) {
        fputs(i ? ",\n" : "\n", out);
        print_node(out, diff, &diff->nodes[i]);
    }
    fputs("\n],\n\"changes\": [", out);
    for (uint64_t i = 0; i < ranked_count(diff, top_count) && !ferror(out); i++)
        fprintf(out, "%s%u", i ? ", " : "", diff->ranked[i]);
    fputs("]\n}\n", out);
    return true;
}
