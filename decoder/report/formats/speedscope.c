/* The format `speedscope`: JSON by the file format schema of speedscope, a profile of open and close events.
 * Its "time" is counted in calls: a frame is open for as many as were made in it and below it. Facts about
 * the profile are in the member "hcct", which speedscope ignores; its title tells the most important ones.
 * A sample knows its place: what is inlined there is open for the samples that were taken there. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/words.h"
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/frame_list.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/report/place_lines.h"
#include "decoder/report/shown_names.h"
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
    struct hcct_place_lines places;
    /* The frames that are inlined at places: their indices, and by index their numbers in the list of frames,
     * behind those of nodes; NULL: there are none. */
    uint32_t *inlined, inlined_count;
    uint32_t inlined_capacity, *inlined_number;
};

/* --- what is inlined ------------------------------------------------------------------------------ */

static uint32_t keep_inlined(struct printer *printer, const struct hcct_source_frame *from)
{
    return hcct_place_lines_keep(printer->report->frames, from, hcct_names_of(printer->report->options));
}

/* The number of that function among the frames of nodes, if it is inlined there, too: else it would be listed
 * twice. */
static uint32_t number_in_list(const struct printer *printer, uint32_t index)
{
    const struct hcct_tree_frame *frames = printer->report->frames->frames;
    for (uint32_t i = 0; i < printer->frames.count; i++) {
        const struct hcct_tree_frame *frame =
            &frames[printer->report->tree->nodes[printer->frames.node[i]].frame];
        if (frame->kind == HCCT_FRAME_INLINED && !strcmp(frame->linkage, frames[index].linkage) &&
            !strcmp(frame->file, frames[index].file))
            return i;
    }
    return HCCT_FRAMES_NONE;
}

/* Numbers what is inlined at the places of the tree. */
static void open_inlined(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    hcct_place_lines_open(&printer->places, tree, printer->report->frames);
    for (uint32_t i = 0; i < tree->spot_count; i++) {
        const struct hcct_source_line *place = &printer->places.lines[tree->spots[i].place];
        for (uint32_t j = 0; j < place->inlined_count; j++) {
            hcct_memory_grow(&printer->inlined, &printer->inlined_capacity, printer->inlined_count,
                             sizeof *printer->inlined);
            printer->inlined[printer->inlined_count++] = keep_inlined(printer, &place->inlined[j]);
        }
    }
    if (!printer->inlined_count)
        return;
    uint32_t kept = 0;
    printer->inlined_number =
        hcct_memory_array(printer->report->frames->frame_count, sizeof *printer->inlined_number);
    memset(printer->inlined_number, 0xff,
           printer->report->frames->frame_count * sizeof *printer->inlined_number);
    for (uint32_t i = 0; i < printer->inlined_count; i++) {
        uint32_t index = printer->inlined[i];
        if (printer->inlined_number[index] != HCCT_FRAMES_NONE)
            continue;
        printer->inlined_number[index] = number_in_list(printer, index);
        if (printer->inlined_number[index] != HCCT_FRAMES_NONE)
            continue;
        printer->inlined_number[index] = printer->frames.count + kept;
        printer->inlined[kept++] = index;
    }
    printer->inlined_count = kept;
}

static void close_inlined(struct printer *printer)
{
    hcct_place_lines_close(&printer->places);
    free(printer->inlined);
    free(printer->inlined_number);
}

static bool is_same_inlined(const struct hcct_source_line *a, const struct hcct_source_line *b)
{
    bool is_same = a->inlined_count == b->inlined_count;
    for (uint32_t i = 0; is_same && i < a->inlined_count; i++)
        is_same = !strcmp(a->inlined[i].linkage, b->inlined[i].linkage) &&
                  !strcmp(a->inlined[i].source, b->inlined[i].source);
    return is_same;
}

/* --- frames ---------------------------------------------------------------------------------------- */

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

static void write_frame(struct printer *printer, const struct hcct_tree_node *node)
{
    const struct hcct_report *report = printer->report;
    struct hcct_json *json = &printer->json;
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

static void write_frames(struct printer *printer)
{
    const struct hcct_report *report = printer->report;
    struct hcct_json *json = &printer->json;
    hcct_json_object(json, "shared", HCCT_JSON_WORDS);
    hcct_json_array(json, "frames", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < printer->frames.count && !ferror(json->out); i++)
        write_frame(printer, &report->tree->nodes[printer->frames.node[i]]);
    for (uint32_t i = 0; i < printer->inlined_count && !ferror(json->out); i++)
        write_frame(printer, &(struct hcct_tree_node){ .frame = printer->inlined[i] });
    hcct_json_end(json);
    hcct_json_end(json);
}

/* --- events ---------------------------------------------------------------------------------------- */

static void write_event(struct printer *printer, const char *type, uint32_t number)
{
    hcct_json_object(&printer->json, NULL, HCCT_JSON_WORDS);
    hcct_json_text(&printer->json, "type", type);
    hcct_json_unsigned(&printer->json, "frame", number);
    hcct_json_unsigned(&printer->json, "at", printer->at);
    hcct_json_end(&printer->json);
}

static void write_node_event(struct printer *printer, const char *type, uint32_t node)
{
    write_event(printer, type, printer->frames.number[node]);
}

/* Opens what is inlined at the place, for `count`. A call that leaves is made there: then `node` is the
 * function that is called. */
static void write_inlined(struct printer *printer, const struct hcct_source_line *place, uint64_t count,
                          uint32_t node)
{
    for (uint32_t i = place->inlined_count; i--;)
        write_event(printer, "O", printer->inlined_number[keep_inlined(printer, &place->inlined[i])]);
    if (node != HCCT_NODE_NONE)
        write_node_event(printer, "O", node);
    printer->at = hcct_sum(printer->at, count);
    if (node != HCCT_NODE_NONE)
        write_node_event(printer, "C", node);
    for (uint32_t i = 0; i < place->inlined_count; i++)
        write_event(printer, "C", printer->inlined_number[keep_inlined(printer, &place->inlined[i])]);
}

/* Writes what the node has at places where something is inlined, once for all places where that is the same.
 * Returns how much. */
static uint64_t write_places(struct printer *printer, uint32_t index, uint32_t called)
{
    const struct hcct_tree *tree = printer->report->tree;
    uint32_t first = hcct_tree_first_spot(tree, index), end = first;
    uint64_t own = hcct_tree_low(&tree->nodes[index]), written = 0;
    while (end < tree->spot_count && tree->spots[end].node == index)
        end++;
    for (uint32_t i = first; i < end; i++) {
        const struct hcct_source_line *place = &printer->places.lines[tree->spots[i].place], *other;
        uint64_t count = 0;
        bool is_first = place->inlined_count != 0;
        for (uint32_t j = first; j < end && is_first; j++) {
            other = &printer->places.lines[tree->spots[j].place];
            bool is_same = is_same_inlined(place, other);
            is_first = j >= i || !is_same;
            if (is_same)
                count = hcct_sum(count, hcct_claim_low(tree->spots[j].count, tree->spots[j].error));
        }
        count = count < own - written ? count : own - written;
        if (!is_first || !count)
            continue;
        write_inlined(printer, place, count, called);
        written += count;
    }
    return written;
}

/* Opens the node. What it has at places where something is inlined comes first: below the node, or, if that
 * is a function that is called there, around it. */
static void open_node(struct printer *printer, uint32_t index)
{
    const struct hcct_tree_node *node = &printer->report->tree->nodes[index];
    bool is_called = printer->report->frames->frames[node->frame].kind == HCCT_FRAME_EXTERNAL;
    uint64_t own = hcct_tree_low(node), written = 0;
    if (is_called && printer->inlined_number)
        written = write_places(printer, index, index);
    write_node_event(printer, "O", index);
    if (!is_called && printer->inlined_number)
        written = write_places(printer, index, HCCT_NODE_NONE);
    printer->at = hcct_sum(printer->at, own - written);
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
            write_node_event(printer, "C", printer->open[--depth]);
        open_node(printer, node);
        printer->open[depth++] = node;
    }
    while (depth)
        write_node_event(printer, "C", printer->open[--depth]);
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
    open_inlined(&printer);
    hcct_json_object(&printer.json, NULL, HCCT_JSON_LINES);
    write_head(&printer.json, report);
    write_frames(&printer);
    write_profile(&printer);
    hcct_json_end(&printer.json);
    putc('\n', out);
    hcct_layout_close(&printer.layout);
    close_inlined(&printer);
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
