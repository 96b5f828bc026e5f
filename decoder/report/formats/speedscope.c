/* The format `speedscope`: JSON by the file format schema of speedscope, a profile of open and close events.
 * Its "time" is counted in calls: a frame is open for as many as were made in it and below it. Facts about
 * the profile are in the member "hcct", which speedscope ignores; its title tells the most important ones. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/words.h"
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/frame_list.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/store/sum.h"
#include "decoder/text/json_writer.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

struct printer {
    struct hcct_json json;
    const struct hcct_report *report;
    struct hcct_layout layout;
    struct hcct_frame_list frames;
    uint32_t *open; /* a stack of nodes */
    uint64_t at;
};

static void write_head(struct hcct_json *json, const struct hcct_report *report)
{
    struct hcct_facts facts;
    hcct_facts_make(&facts, report);
    hcct_json_text(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
    hcct_json_text(json, "exporter", facts.items[HCCT_FACT_COUNT - 1].text);
    hcct_json_text(json, "name",
                   *report->summary->program ? hcct_text_base_name(report->summary->program) : "calls");
    hcct_facts_write(json, "hcct", &facts);
}

static void write_frames(struct printer *printer)
{
    const struct hcct_report *report = printer->report;
    struct hcct_json *json = &printer->json;
    hcct_json_object(json, "shared", HCCT_JSON_WORDS);
    hcct_json_array(json, "frames", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < printer->frames.count && !ferror(json->out); i++) {
        const struct hcct_tree_node *node = &report->tree->nodes[printer->frames.node[i]];
        const struct hcct_tree_frame *frame = &report->frames->frames[node->frame];
        char name[HCCT_TREE_TEXT_BYTES];
        hcct_json_object(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, "name", hcct_node_name(report, node, name));
        if (*frame->file)
            hcct_json_text(json, "file", frame->file);
        if (frame->line && frame->kind != HCCT_FRAME_REPEAT)
            hcct_json_unsigned(json, "line", frame->line);
        hcct_json_end(json);
    }
    hcct_json_end(json);
    hcct_json_end(json);
}

static void write_event(struct printer *printer, const char *type, uint32_t index)
{
    hcct_json_object(&printer->json, NULL, HCCT_JSON_WORDS);
    hcct_json_text(&printer->json, "type", type);
    hcct_json_unsigned(&printer->json, "frame", printer->frames.number[index]);
    hcct_json_unsigned(&printer->json, "at", printer->at);
    hcct_json_end(&printer->json);
}

static void write_events(struct printer *printer)
{
    const struct hcct_layout *layout = &printer->layout;
    const struct hcct_tree *tree = printer->report->tree;
    uint32_t depth = 0;
    hcct_json_array(&printer->json, "events", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < tree->node_count && !ferror(printer->json.out); i++) {
        uint32_t node = layout->order[i];
        while (depth > layout->depth[node])
            write_event(printer, "C", printer->open[--depth]);
        write_event(printer, "O", node);
        printer->open[depth++] = node;
        printer->at = hcct_sum(printer->at, hcct_tree_low(&tree->nodes[node]));
    }
    while (depth)
        write_event(printer, "C", printer->open[--depth]);
    hcct_json_end(&printer->json);
}

static void write_profile(struct printer *printer)
{
    const struct hcct_summary *summary = printer->report->summary;
    struct hcct_json *json = &printer->json;
    uint64_t total = printer->layout.total;
    char claim[HCCT_CLAIM_BYTES];
    hcct_claim_say_shortly(&summary->ground, claim);
    hcct_json_array(json, "profiles", HCCT_JSON_WORDS);
    hcct_json_object(json, NULL, HCCT_JSON_WORDS);
    hcct_json_text(json, "type", "evented");
    hcct_json_printf(json, "name", "\"%" PRIu64 " of %" PRIu64 " %s, phi %g, %s\"", total,
                     summary->ground.total, summary->ground.unit, printer->report->phi, claim);
    hcct_json_text(json, "unit",
                   summary->ground.noun->decimals          ? "nanoseconds"
                   : strcmp(summary->ground.unit, "bytes") ? "none"
                                                           : summary->ground.unit);
    hcct_json_unsigned(json, "startValue", 0);
    hcct_json_unsigned(json, "endValue", total);
    write_events(printer);
    hcct_json_end(json);
    hcct_json_end(json);
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .json = { .out = out, .text = HCCT_TEXT_JSON }, .report = report };
    printer.open = hcct_memory_array(report->tree->node_count, sizeof *printer.open);
    hcct_layout_open(&printer.layout, report);
    hcct_frame_list_open(&printer.frames, report);
    hcct_json_object(&printer.json, NULL, HCCT_JSON_LINES);
    write_head(&printer.json, report);
    write_frames(&printer);
    write_profile(&printer);
    hcct_json_end(&printer.json);
    putc('\n', out);
    hcct_layout_close(&printer.layout);
    hcct_frame_list_close(&printer.frames);
    free(printer.open);
}

const struct hcct_report_format hcct_format_speedscope = {
    .name = "speedscope",
    .print = print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_FULL,
    .shape = HCCT_SHAPE_SUMMED,
};
