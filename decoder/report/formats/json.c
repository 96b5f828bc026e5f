/* The format `json`, written as a stream: numbers exact, text valid UTF-8 whatever the names hold. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/bursts.h"
#include "decoder/report/export.h"
#include "decoder/text/escape.h"

#ifndef HCCT_VERSION
#define HCCT_VERSION "0.1.0"
#endif

static void print_string_member(FILE *out, const char *key, const char *text)
{
    fprintf(out, "\"%s\": ", key);
    hcct_json_string(out, text);
}

static void print_interval(FILE *out, const char *low, const char *high, struct hcct_interval interval)
{
    fprintf(out, "\"%s\": %.0f, \"%s\": ", low, floor(interval.low), high);
    if (isfinite(interval.high))
        fprintf(out, "%.0f", ceil(interval.high));
    else
        fputs("null", out);
}

static void print_estimate(FILE *out, const struct hcct_summary *summary)
{
    const struct hcct_file_bursts *bursts = &summary->bursts;
    if (!summary->is_estimate)
        return;
    fprintf(out,
            "\"estimate\": {\"kind\": \"%s\", \"period\": %" PRIu64
            ", \"confidence\": %g, \"interval\": %" PRIu64 ", \"length\": %" PRIu64
            ", \"adaptive\": %s, \"units\": %" PRIu64 ", \"bursts\": %" PRIu64 ", \"skipped\": %" PRIu64
            ", \"untimed\": %" PRIu64 ", \"observed\": %" PRIu64 ", \"effective_bursts\": %.6g, ",
            hcct_estimate_names[bursts->kind], bursts->period, HCCT_BURSTS_CONFIDENCE, bursts->interval_ns,
            bursts->length_ns, bursts->is_adaptive ? "true" : "false", bursts->units, bursts->bursts,
            bursts->skipped, bursts->untimed, bursts->calls, hcct_bursts_effective(bursts));
    print_interval(out, "calls_low", "calls_high", hcct_bursts_calls(bursts, summary->calls));
    fputs("},\n", out);
}

/* Of its share, and of its count where N is known. */
static void print_bounds(FILE *out, const struct hcct_summary *summary, const struct hcct_tree_node *node)
{
    double calls = summary->calls ? (double)summary->calls : 1;
    struct hcct_interval share = hcct_bursts_share(
        &summary->bursts, (double)(node->count - node->error) / calls, (double)node->count / calls);
    fputs(", ", out);
    if (hcct_bursts_are_calls(&summary->bursts))
        print_interval(out, "low", "high", (struct hcct_interval){ share.low * calls, share.high * calls });
    else
        fprintf(out, "\"share_low\": %.6g, \"share_high\": %.6g", share.low, share.high);
}

static void print_head(FILE *out, const struct hcct_report *report)
{
    const struct hcct_summary *summary = report->summary;
    fputs("{\n", out);
    print_string_member(out, "program", summary->program);
    if (report->frames->loose)
        fputs(",\n\"build\": \"several\"", out);
    else
        fprintf(out, ",\n\"build\": \"%016" PRIx64 "\"", summary->build_id);
    fprintf(out,
            ",\n\"version\": \"%s\",\n\"mode\": \"%s\",\n\"algorithm\": \"%s\",\n\"guarantee\": \"%s\",\n"
            "\"recursion\": \"%s\",\n\"metric\": \"%s\",\n\"unit\": \"%s\",\n\"phi\": ",
            HCCT_VERSION, hcct_mode_names[summary->mode], hcct_algorithm_names[summary->algorithm],
            hcct_guarantee_names[summary->guarantee], hcct_recursion_name(summary),
            hcct_metric_names[summary->metric], summary->unit);
    hcct_json_number(out, report->phi);
    fputs(",\n\"epsilon\": ", out);
    hcct_json_number(out, summary->epsilon);
    if (summary->guarantee == HCCT_GUARANTEE_PROBABILISTIC) {
        fputs(",\n\"delta\": ", out);
        hcct_json_number(out, summary->delta);
    }
    fprintf(out,
            ",\n\"calls\": %" PRIu64 ",\n\"dropped\": {\"memory\": %" PRIu64 ", \"chain\": %" PRIu64
            ", \"interrupted\": %" PRIu64 ", \"undecodable\": %" PRIu64 ", \"unaccounted\": %" PRIu64 "},\n",
            summary->calls, summary->dropped_memory, summary->dropped_chain, summary->dropped_interrupted,
            summary->undecodable, summary->unaccounted);
    fprintf(out,
            "\"misplaced\": {\"stale\": %" PRIu64 ", \"overflowed\": %" PRIu64 ", \"lost_pushes\": %" PRIu64
            "},\n"
            "\"cold_chain\": %" PRIu64 ",\n",
            summary->stale, summary->overflowed, summary->lost_count, summary->cold_chain);
    print_estimate(out, summary);
}

static void print_frame(FILE *out, const struct hcct_tree_frame *frame)
{
    fputc('{', out);
    print_string_member(out, "function", frame->name);
    fputs(", ", out);
    print_string_member(out, "linkage", frame->linkage);
    fputs(", ", out);
    print_string_member(out, "file", frame->file);
    fprintf(out, ", \"line\": %u, \"kind\": \"%s\"}", frame->line, hcct_kind_names[frame->kind]);
}

static void print_site(FILE *out, const struct hcct_report *report, uint32_t index)
{
    fputs(", \"site\": ", out);
    if (index == HCCT_FRAMES_NONE) {
        fputs("null", out);
        return;
    }
    const struct hcct_tree_site *site = &report->frames->sites[index];
    fputc('{', out);
    print_string_member(out, "file", site->file);
    if (report->by == HCCT_BY_SITE || !site->line) /* without a line the id tells sites apart */
        fprintf(out, ", \"line\": %u, \"column\": %u, \"id\": \"0x%016" PRIx64 "\"}", site->line,
                site->column, site->id);
    else /* several sites in one */
        fprintf(out, ", \"line\": %u, \"column\": 0, \"id\": null}", site->line);
}

static void print_node(FILE *out, const struct hcct_report *report, const struct hcct_tree_node *node,
                       const uint32_t *frame_number, const uint32_t *node_number)
{
    long long parent = node->parent == HCCT_NODE_NONE ? -1 : (long long)node_number[node->parent];
    fprintf(out, "{\"parent\": %lld, \"frame\": %u", parent, frame_number[node->frame]);
    print_site(out, report, node->site);
    if (node->flags & HCCT_NODE_COUNTED)
        fprintf(out, ", \"count\": %" PRIu64 ", \"error\": %" PRIu64, node->count, node->error);
    else
        fputs(", \"count\": null, \"error\": 0", out);
    if (report->summary->is_estimate && (node->flags & HCCT_NODE_COUNTED))
        print_bounds(out, report->summary, node);
    fprintf(out, ", \"hot\": %s}", node->flags & HCCT_NODE_HOT ? "true" : "false");
}

bool hcct_json_print(FILE *out, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    uint32_t *frame_number = malloc(((size_t)report->frames->frame_count + 1) * sizeof *frame_number);
    uint32_t *node_number = malloc(((size_t)tree->node_count + 1) * sizeof *node_number);
    bool done = frame_number && node_number;
    if (done) {
        uint32_t frame_count = 0, node_count = 0;
        for (uint32_t i = 0; i < report->frames->frame_count; i++)
            frame_number[i] = HCCT_FRAMES_NONE;
        print_head(out, report);
        fputs("\"frames\": [", out);
        for (uint32_t i = 0; i < tree->node_count && !ferror(out); i++) {
            uint32_t frame = tree->nodes[i].frame;
            if (!(tree->nodes[i].flags & HCCT_NODE_KEPT) || frame_number[frame] != HCCT_FRAMES_NONE)
                continue;
            fputs(frame_count ? ",\n" : "\n", out);
            print_frame(out, &report->frames->frames[frame]);
            frame_number[frame] = frame_count++;
        }
        fputs("\n],\n\"nodes\": [", out);
        for (uint32_t i = 0; i < tree->node_count && !ferror(out); i++) {
            if (!(tree->nodes[i].flags & HCCT_NODE_KEPT))
                continue;
            fputs(node_count ? ",\n" : "\n", out);
            node_number[i] = node_count++;
            print_node(out, report, &tree->nodes[i], frame_number, node_number);
        }
        fputs("\n]\n}\n", out);
    }
    free(frame_number);
    free(node_number);
    return done;
}
