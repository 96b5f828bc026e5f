/* The format `callgrind`, for KCachegrind, QCachegrind and callgrind_annotate.
 *
 * All that callgrind's format holds is a call graph. So each context is a function, named as callgrind's
 * own --separate-callers does: leaf'middle'main. A long name ends in the context's number, or names would
 * grow with the square of the depth; the callers that it leaves out stand in the calls. The costs of a
 * function are its count and the error bound of that, at the function's line; of samples, at the lines where
 * they were taken (fi= names the file of code that is inlined). The inclusive cost of a call is that of the
 * callee and all below it; of a library's function, at the lines that called it.
 *
 * The format has no word for "not known": frames without a count (inlined ones, those in brackets) are called
 * once, and so are all where the metric does not count calls. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/report/place_lines.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "format/names.h"

struct cost {
    uint64_t calls, error;
};

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    struct cost *cost;               /* per node: inclusive */
    bool *file_known, *object_known; /* per frame: it has been named */
    bool *name_known;                /* per node */
    struct hcct_place_lines places;
    const char **line_files; /* of code that is inlined; their numbers follow those of frames */
    uint32_t line_file_count, line_file_capacity;
};

static struct cost sum(struct cost a, struct cost b)
{
    return (struct cost){ hcct_sum(a.calls, b.calls), hcct_sum(a.error, b.error) };
}

static struct cost own_cost(const struct hcct_tree_node *node)
{
    return (struct cost){ hcct_tree_low(node), hcct_node_error(node) };
}

/* --- the head ------------------------------------------------------------------------------------- */

static void print_head(struct printer *printer)
{
    FILE *out = printer->out;
    const struct hcct_tree *tree = printer->report->tree;
    struct hcct_facts facts;
    struct cost total = { 0, 0 };
    hcct_facts_make(&facts, printer->report);
    fprintf(out, "# callgrind format\nversion: 1\ncreator: %s\ncmd: ", facts.items[HCCT_FACT_COUNT - 1].text);
    hcct_escape_line(out, facts.items[0].text);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(out, "\ndesc: %s: ", facts.items[i].key);
        hcct_escape_line(out, facts.items[i].text);
    }
    const char *unit = printer->report->summary->ground.unit;
    const char *event = printer->report->summary->ground.title;
    fprintf(out,
            "\npositions: line\nevent: %s : %s\nevent: Error : most by which %s may be too low\nevents: %s "
            "Error\n",
            event, unit, unit, event);
    for (uint32_t i = 0; i < tree->node_count; i++)
        total = sum(total, own_cost(&tree->nodes[i]));
    fprintf(out, "summary: %" PRIu64 " %" PRIu64 "\n", total.calls, total.error);
}

/* --- one function --------------------------------------------------------------------------------- */

static void print_text(struct printer *printer, const char *key, uint32_t number, bool *known,
                       const char *text)
{
    fprintf(printer->out, "%s=(%u)%s", key, number + 1, *known ? "" : " ");
    if (!*known)
        hcct_escape_line(printer->out, text && *text ? text : "???");
    fputc('\n', printer->out);
    *known = true;
}

/* Objects and files take the numbers of their frames. An inlined frame is in the object of its function. */
static void print_place(struct printer *printer, const struct hcct_tree_node *node, const char *object_key,
                        const char *file_key)
{
    const struct hcct_tree_frame *frames = printer->report->frames->frames;
    uint32_t frame = node->frame;
    while (frames[node->frame].kind == HCCT_FRAME_INLINED && node->parent != HCCT_NODE_NONE)
        node = &printer->report->tree->nodes[node->parent];
    print_text(printer, object_key, node->frame, &printer->object_known[node->frame],
               frames[node->frame].object);
    print_text(printer, file_key, frame, &printer->file_known[frame], frames[frame].file);
}

#define PATH_BYTES 512 /* of a context's name; its last function is named in any case */

/* leaf'middle'main */
static void print_path(struct printer *printer, uint32_t index)
{
    const struct hcct_tree_node *nodes = printer->report->tree->nodes;
    char buffer[HCCT_TREE_TEXT_BYTES];
    size_t length = 0;
    for (uint32_t at = index; at != HCCT_NODE_NONE; at = nodes[at].parent) {
        const char *name = hcct_node_name(printer->report, &nodes[at], buffer);
        length += strlen(name) + 1;
        if (at != index && length > PATH_BYTES) {
            fprintf(printer->out, "'[context %u]", index + 1);
            return;
        }
        fputs(at == index ? "" : "'", printer->out);
        hcct_escape_line(printer->out, name);
    }
}

/* fn= or cfn=. The name stands behind its number the first time. */
static void print_name(struct printer *printer, const char *key, uint32_t index)
{
    fprintf(printer->out, "%s=(%u)", key, index + 1);
    if (!printer->name_known[index]) {
        fputc(' ', printer->out);
        print_path(printer, index);
    }
    fputc('\n', printer->out);
    printer->name_known[index] = true;
}

/* --- lines ---------------------------------------------------------------------------------------- */

static void print_cost(struct printer *printer, uint32_t line, struct cost cost)
{
    fprintf(printer->out, "%u %" PRIu64 " %" PRIu64 "\n", line, cost.calls, cost.error);
}

/* The next costs are of lines in that file. */
static void print_file(struct printer *printer, const char *file)
{
    uint32_t number = 0;
    while (number < printer->line_file_count && strcmp(printer->line_files[number], file) != 0)
        number++;
    bool is_known = number < printer->line_file_count;
    if (!is_known) {
        hcct_memory_grow(&printer->line_files, &printer->line_file_capacity, number,
                         sizeof *printer->line_files);
        printer->line_files[printer->line_file_count++] = file;
    }
    print_text(printer, "fi", printer->report->frames->frame_count + number, &is_known, file);
}

/* The part of `cost` that was sampled at the spot. Takes it away from *cost. */
static struct cost take_spot(struct cost *cost, const struct hcct_tree_spot *spot)
{
    struct cost part = { hcct_claim_low(spot->count, spot->error), spot->error };
    part.calls = part.calls < cost->calls ? part.calls : cost->calls;
    part.error = part.error < cost->error ? part.error : cost->error;
    cost->calls -= part.calls;
    cost->error -= part.error;
    return part;
}

/* The costs of a function's lines. Returns what is left of its cost. */
static struct cost print_lines(struct printer *printer, uint32_t index, const char *own_file,
                               struct cost cost)
{
    const struct hcct_tree *tree = printer->report->tree;
    const char *file = own_file;
    for (uint32_t i = hcct_tree_first_spot(tree, index); i < tree->spot_count && tree->spots[i].node == index;
         i++) {
        const struct hcct_source_line *place = &printer->places.lines[tree->spots[i].place];
        if (!place->line)
            continue;
        if (strcmp(place->file, file) != 0)
            print_file(printer, file = place->file);
        print_cost(printer, place->line, take_spot(&cost, &tree->spots[i]));
    }
    if (file != own_file)
        print_file(printer, own_file);
    return cost;
}

static void print_function(struct printer *printer, uint32_t index, struct cost own)
{
    const struct hcct_tree_node *node = &printer->report->tree->nodes[index];
    const struct hcct_tree_frame *frame = &printer->report->frames->frames[node->frame];
    fputc('\n', printer->out);
    print_place(printer, node, "ob", "fl");
    print_name(printer, "fn", index);
    if (frame->kind != HCCT_FRAME_EXTERNAL)
        own = print_lines(printer, index, frame->file, own);
    print_cost(printer, frame->kind == HCCT_FRAME_REPEAT ? 0 : frame->line, own);
}

static void print_call(struct printer *printer, uint32_t callee, uint32_t line, uint64_t call_count,
                       struct cost cost)
{
    const struct hcct_tree_node *node = &printer->report->tree->nodes[callee];
    if (!printer->report->summary->ground.noun->is_calls)
        call_count = 1;
    print_place(printer, node, "cob", "cfi");
    print_name(printer, "cfn", callee);
    fprintf(printer->out, "calls=%" PRIu64 " %u\n", call_count ? call_count : 1,
            printer->report->frames->frames[node->frame].line);
    print_cost(printer, line, cost);
}

/* The calls of a library's function, at the lines where it was sampled. */
static struct cost print_library_calls(struct printer *printer, uint32_t callee, struct cost cost)
{
    const struct hcct_tree *tree = printer->report->tree;
    bool is_library = printer->report->frames->frames[tree->nodes[callee].frame].kind == HCCT_FRAME_EXTERNAL;
    for (uint32_t i = hcct_tree_first_spot(tree, callee);
         is_library && i < tree->spot_count && tree->spots[i].node == callee; i++) {
        const struct hcct_source_line *place = &printer->places.lines[tree->spots[i].place];
        if (place->line && !place->inlined_count)
            print_call(printer, callee, place->line, 1, take_spot(&cost, &tree->spots[i]));
    }
    return cost;
}

static uint32_t line_of_call(const struct printer *printer, uint32_t index)
{
    const struct hcct_tree_site *site = hcct_node_site(printer->report, &printer->report->tree->nodes[index]);
    return site ? site->line : 0;
}

static void print_contexts(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    const struct hcct_tree_children *children = &printer->layout.children;
    for (uint32_t i = 0; i < tree->node_count && !ferror(printer->out); i++) {
        uint32_t node = printer->layout.order[i];
        print_function(printer, node, own_cost(&tree->nodes[node]));
        for (uint32_t at = children->first[node]; at < children->first[node + 1]; at++) {
            uint32_t child = children->child[at];
            struct cost left = print_library_calls(printer, child, printer->cost[child]);
            if (left.calls || left.error || !tree->spot_count)
                print_call(printer, child, line_of_call(printer, child), hcct_tree_low(&tree->nodes[child]),
                           left);
        }
    }
}

/* --- all of it ----------------------------------------------------------------------------------------- */

static void prepare(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    uint32_t frame_count = printer->report->frames->frame_count;
    printer->cost = hcct_memory_zeros(tree->node_count, sizeof *printer->cost);
    printer->file_known = hcct_memory_zeros(frame_count, sizeof *printer->file_known);
    printer->object_known = hcct_memory_zeros(frame_count, sizeof *printer->object_known);
    printer->name_known = hcct_memory_zeros(tree->node_count, sizeof *printer->name_known);
    hcct_layout_open(&printer->layout, printer->report);
    hcct_place_lines_open(&printer->places, tree, printer->report->frames);
    for (uint32_t i = tree->node_count; i--;) {
        uint32_t parent = tree->nodes[i].parent;
        printer->cost[i] = sum(printer->cost[i], own_cost(&tree->nodes[i]));
        if (parent != HCCT_NODE_NONE)
            printer->cost[parent] = sum(printer->cost[parent], printer->cost[i]);
    }
}

static void print_callgrind(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    prepare(&printer);
    print_head(&printer);
    print_contexts(&printer);
    hcct_layout_close(&printer.layout);
    hcct_place_lines_close(&printer.places);
    free(printer.line_files);
    free(printer.cost);
    free(printer.file_known);
    free(printer.object_known);
    free(printer.name_known);
}

const struct hcct_report_format hcct_format_callgrind = {
    .name = "callgrind",
    .print = print_callgrind,
    .by = HCCT_BY_LINE,
    .names = HCCT_NAMES_FULL,
    .shape = HCCT_SHAPE_SUMMED,
};
