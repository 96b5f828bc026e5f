/* The format `dot`: the tree as a graph for graphviz, a box for each context. Hot boxes are orange with a
 * thick border, cold ones blue, those without a count grey. Colour-blind people can tell these apart. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "decoder/claim/amount.h"
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/text/escape.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"

#define LABEL_CHARACTERS 1000 /* graphviz reads strings of 16,384 bytes at most; a character may take 7 */

static void print_text(FILE *out, const char *text)
{
    struct hcct_text cut = { 0 };
    hcct_terminal_add_cut(&cut, text, LABEL_CHARACTERS, true);
    hcct_escape_dot(out, cut.bytes);
    free(cut.bytes);
}

/* The facts as one label. In graphviz `\l` ends a line that is set to the left. */
static void print_facts(FILE *out, const struct hcct_report *report)
{
    struct hcct_facts facts;
    hcct_facts_make(&facts, report);
    fputs("  label = \"\"", out);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(out, " +\n    \"%s: \" + ", facts.items[i].key);
        print_text(out, facts.items[i].text);
        fputs(" + \"\\l\"", out);
    }
    fputs("\n  labelloc = t\n  labeljust = l\n", out);
}

static void print_node(FILE *out, const struct hcct_report *report, const struct hcct_layout *layout,
                       uint32_t index)
{
    const struct hcct_tree_node *node = &report->tree->nodes[index];
    const struct hcct_tree_frame *frame = &report->frames->frames[node->frame];
    const struct hcct_summary *summary = report->summary;
    char name[HCCT_TREE_TEXT_BYTES];
    char share[HCCT_AMOUNT_BYTES];
    char amount[HCCT_AMOUNT_BYTES], number[HCCT_AMOUNT_BYTES], total[2 * HCCT_AMOUNT_BYTES];
    bool hot = node->flags & HCCT_NODE_HOT;
    fprintf(out, "  n%u [label = ", index);
    print_text(out, hcct_node_name(report, node, name));
    if (node->flags & HCCT_NODE_COUNTED) {
        fprintf(out, " + \"\\n%s (%s)",
                summary->ground.noun->is_calls ? hcct_amount_number(&summary->ground, node->count, number)
                                               : hcct_amount_text(&summary->ground, node->count, amount),
                hcct_amount_share(&report->summary->ground, hcct_tree_low(node), share));
        if (node->error)
            fprintf(out, "\\nat most %s too high", hcct_amount_number(&summary->ground, node->error, number));
        fprintf(out, "\", fillcolor = \"%s\"", hot ? "#f5b971" : "#cfe6f5");
    } else {
        fputs(", fillcolor = \"#e8e8e8\"", out);
    }
    if (hot)
        fputs(", penwidth = 2", out);
    fprintf(out, ", tooltip = \"%s with those below; \" + ", hcct_layout_text(layout, report, index, total));
    print_text(out, frame->file);
    fprintf(out, " + \":%u\"]\n", frame->line);
}

static void print_edge(FILE *out, const struct hcct_report *report, const struct hcct_layout *layout,
                       uint32_t index, struct hcct_text *site)
{
    const struct hcct_tree_node *node = &report->tree->nodes[index];
    hcct_node_site_text(report, hcct_node_site(report, node), site);
    double share = layout->total ? (double)layout->inclusive[index] / (double)layout->total : 0;
    fprintf(out, "  n%u -> n%u [label = ", node->parent, index);
    print_text(out, site->bytes);
    fprintf(out, ", penwidth = %.2f]\n", 0.5 + 4.5 * share);
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct hcct_layout layout;
    struct hcct_text site = { 0 };
    hcct_layout_open(&layout, report);
    fputs("digraph hcct {\n", out);
    print_facts(out, report);
    fputs("  fontname = \"sans-serif\"\n"
          "  node [shape = box, style = \"filled,rounded\", fontname = \"sans-serif\", fontsize = 11]\n"
          "  edge [fontname = \"sans-serif\", fontsize = 9, arrowsize = 0.6]\n",
          out);
    for (uint32_t i = 0; i < report->tree->node_count && !ferror(out); i++) {
        uint32_t node = layout.order[i];
        print_node(out, report, &layout, node);
        if (report->tree->nodes[node].parent != HCCT_NODE_NONE)
            print_edge(out, report, &layout, node, &site);
    }
    fputs("}\n", out);
    hcct_layout_close(&layout);
    free(site.bytes);
}

const struct hcct_report_format hcct_format_dot = {
    .name = "dot",
    .print = print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_FULL,
};
