/* The format `flamegraph`: a static SVG with a box for each node, roots at the bottom. A box is as wide as
 * the calls made in it and below it.
 *
 * The title of a box says what it stands for; browsers show it under the pointer, and screen readers read it.
 * There is no script, so that the picture can stand in a document. Boxes too narrow to be seen are left out,
 * and the caption says how many. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/claim/words.h"
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "format/names.h"

#define WIDTH 1200.0
#define MARGIN 10.0
#define ROW 18
#define HEAD 66        /* above the boxes */
#define NARROWEST 0.15 /* width of a box that is still drawn, in pixels */
#define CHARACTER 6.7  /* the width of one, in pixels */

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    uint64_t *start; /* per node: the calls to the left of it */
    uint64_t *next;  /* per node: where its next child starts */
    uint32_t rows, left_out;
    double scale;
};

static double width_of(const struct printer *printer, uint32_t node)
{
    return (double)printer->layout.inclusive[node] * printer->scale;
}

static void place(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    uint64_t root_next = 0;
    printer->start = hcct_memory_array(tree->node_count, sizeof *printer->start);
    printer->next = hcct_memory_array(tree->node_count, sizeof *printer->next);
    hcct_layout_open(&printer->layout, printer->report);
    printer->scale = printer->layout.total ? (WIDTH - 2 * MARGIN) / (double)printer->layout.total : 0;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        uint32_t node = printer->layout.order[i], parent = tree->nodes[node].parent;
        uint64_t *next = parent == HCCT_NODE_NONE ? &root_next : &printer->next[parent];
        printer->start[node] = printer->next[node] = *next;
        *next = hcct_sum(*next, printer->layout.inclusive[node]);
        if (width_of(printer, node) < NARROWEST)
            printer->left_out++;
        else if (printer->layout.depth[node] >= printer->rows)
            printer->rows = printer->layout.depth[node] + 1;
    }
}

static void print_head(const struct printer *printer, double height)
{
    static const char style[] =
        "<style>\n"
        "svg { background: #fff; font: 11px ui-monospace, Menlo, Consolas, monospace; color-scheme: light "
        "dark }\n"
        "text { fill: #111 } rect { stroke: #fff; stroke-width: .5 } g:hover > rect { stroke: #000; "
        "stroke-width: 1.5 }\n"
        ".h { fill: #f0a24b } .c { fill: #a9d3ee } .n { fill: #dcdcdc }\n"
        ".t { font: bold 15px sans-serif } .s { font: 12px sans-serif }\n"
        "@media (prefers-color-scheme: dark) { svg { background: #181a1f } text { fill: #f2f2f2 }\n"
        "rect { stroke: #181a1f } g:hover > rect { stroke: #fff }\n"
        ".h { fill: #a85f00 } .c { fill: #245d85 } .n { fill: #4a4d55 } }\n"
        "</style>\n";
    FILE *out = printer->out;
    const struct hcct_summary *summary = printer->report->summary;
    struct hcct_facts facts;
    char number[HCCT_AMOUNT_BYTES], amount[HCCT_AMOUNT_BYTES], claim[HCCT_CLAIM_BYTES];
    hcct_claim_say_shortly(&summary->ground, claim);
    hcct_facts_make(&facts, printer->report);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"group\" aria-labelledby=\"title\" "
            "aria-describedby=\"facts\">\n<title id=\"title\">%s of ",
            WIDTH, height, WIDTH, height, summary->ground.title);
    hcct_escape_xml(out, *facts.items[0].text ? facts.items[0].text : "a program");
    fputs("</title>\n<desc id=\"facts\">", out);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(out, "%s%s: ", i ? "; " : "", facts.items[i].key);
        hcct_escape_xml(out, facts.items[i].text);
    }
    fprintf(out, "</desc>\n%s<text class=\"t\" x=\"%.0f\" y=\"22\">%s of ", style, MARGIN,
            summary->ground.title);
    hcct_escape_xml(out, *facts.items[0].text ? hcct_text_base_name(facts.items[0].text) : "a program");
    fprintf(out, "</text>\n<text class=\"s\" x=\"%.0f\" y=\"40\">%s of %s, phi %g, %s", MARGIN,
            hcct_amount_number(&summary->ground, printer->layout.total, number),
            hcct_amount_text(&summary->ground, summary->ground.total, amount), printer->report->phi, claim);
    if (printer->left_out)
        fprintf(out, "; %u boxes are too narrow to be drawn", printer->left_out);
    fputs("</text>\n", out);
}

static void print_legend(const struct printer *printer)
{
    static const struct {
        const char *class, *text;
    } kinds[] = { { "h", "hot" }, { "c", "cold" }, { "n", "no count of its own" } };
    for (int i = 0; i < 3; i++)
        fprintf(printer->out,
                "<rect class=\"%s\" x=\"%d\" y=\"47\" width=\"12\" height=\"12\"/>"
                "<text class=\"s\" x=\"%d\" y=\"57\">%s</text>\n",
                kinds[i].class, (int)MARGIN + 70 * i, (int)MARGIN + 70 * i + 17, kinds[i].text);
}

static void print_title(const struct printer *printer, uint32_t index, const char *name,
                        struct hcct_text *site)
{
    FILE *out = printer->out;
    const struct hcct_report *report = printer->report;
    const struct hcct_tree_node *node = &report->tree->nodes[index];
    const struct hcct_tree_frame *frame = &report->frames->frames[node->frame];
    char share[HCCT_AMOUNT_BYTES];
    char amount[HCCT_AMOUNT_BYTES], number[HCCT_AMOUNT_BYTES], total[2 * HCCT_AMOUNT_BYTES];
    hcct_node_site_text(report, hcct_node_site(report, node), site);
    fputs("<title>", out);
    hcct_escape_xml(out, name);
    if (node->flags & HCCT_NODE_COUNTED) {
        fprintf(out, "\n%s (", hcct_amount_text(&report->summary->ground, node->count, amount));
        hcct_escape_xml(out, hcct_amount_share(&report->summary->ground, hcct_tree_low(node), share));
        fputs(node->flags & HCCT_NODE_HOT ? "), hot" : ")", out);
    }
    if (node->flags & HCCT_NODE_COUNTED && node->error)
        fprintf(out, ", at most %s too high",
                hcct_amount_number(&report->summary->ground, node->error, number));
    fprintf(out, "\n%s with those below (", hcct_layout_text(&printer->layout, report, index, total));
    hcct_escape_xml(out,
                    hcct_amount_share(&report->summary->ground, printer->layout.inclusive[index], share));
    fputc(')', out);
    if (*frame->file) {
        fputc('\n', out);
        hcct_escape_xml(out, frame->file);
        if (frame->line)
            fprintf(out, ":%u", frame->line);
    }
    if (*site->bytes) {
        fputs("\ncalled at ", out);
        hcct_escape_xml(out, site->bytes);
    }
    fputs("</title>", out);
}

/* As much of the name as fits, at most 255 characters. */
static void print_label(FILE *out, const char *name, double x, double y, double width)
{
    char label[4 * 256];
    size_t room = width < 6 ? 0 : (size_t)((width - 6) / CHARACTER), used = 0, characters = 0;
    size_t length = 0;
    for (const char *at = name; *at; length++)
        at += hcct_escape_utf8_length(at) ? hcct_escape_utf8_length(at) : 1;
    bool cut = length > room;
    room = room > 255 ? 255 : room;
    if (room < 3)
        return;
    for (; name[used] && characters < room - cut; characters++)
        used += hcct_escape_utf8_length(name + used) ? hcct_escape_utf8_length(name + used) : 1;
    memcpy(label, name, used);
    label[used] = 0;
    fprintf(out, "<text aria-hidden=\"true\" x=\"%.2f\" y=\"%.0f\">", x + 3, y + 13);
    hcct_escape_xml(out, label);
    fputs(cut ? "…</text>" : "</text>", out);
}

static void print_box(const struct printer *printer, uint32_t index, double bottom, struct hcct_text *site)
{
    const struct hcct_tree_node *node = &printer->report->tree->nodes[index];
    char buffer[HCCT_TREE_TEXT_BYTES];
    const char *name = hcct_node_name(printer->report, node, buffer);
    double x = MARGIN + (double)printer->start[index] * printer->scale, width = width_of(printer, index);
    double y = bottom - ROW * (1.0 + printer->layout.depth[index]);
    char class = node->flags & HCCT_NODE_HOT ? 'h' : node->flags & HCCT_NODE_COUNTED ? 'c' : 'n';
    fputs("<g role=\"img\">", printer->out);
    print_title(printer, index, name, site);
    fprintf(printer->out,
            "<rect class=\"%c\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" rx=\"1.5\"/>", class, x, y,
            width, ROW - 1);
    print_label(printer->out, name, x, y, width);
    fputs("</g>\n", printer->out);
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    struct hcct_text site = { 0 };
    place(&printer);
    double bottom = HEAD + (double)ROW * printer.rows;
    print_head(&printer, bottom + MARGIN);
    print_legend(&printer);
    for (uint32_t i = 0; i < report->tree->node_count && !ferror(out); i++)
        if (width_of(&printer, printer.layout.order[i]) >= NARROWEST)
            print_box(&printer, printer.layout.order[i], bottom, &site);
    fputs("</svg>\n", out);
    hcct_layout_close(&printer.layout);
    free(printer.start);
    free(printer.next);
    free(site.bytes);
}

const struct hcct_report_format hcct_format_flamegraph = {
    .name = "flamegraph",
    .print = print,
    .by = HCCT_BY_FUNCTION,
    .names = HCCT_NAMES_FULL,
};
