/* The format `tree`, for people: a heading, then a line for each node, hottest first.
 *
 *         total    share    calls  context
 *       100.00%    0.01%        1  main
 *     *  47.68%   47.68%  1000000  ├─ partition  sort.c:24:13
 *
 * An inclusive total that may be much too low has its upper bound beside it. A long tree has a verdict above
 * it.
 *
 * On a terminal a line fits the width. The guides in front of a name give way first, then the middle of the
 * name, then the call site. A chain without branches stands in one line there, "main > run > parse". */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/claim/claim.h"
#include "decoder/names/symbol.h"
#include "decoder/query/pattern.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/function_table.h"
#include "decoder/report/formats/heading.h"
#include "decoder/report/formats/verdict.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/report/report.h"
#include "decoder/report/spread_columns.h"
#include "decoder/store/estimate.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"

/* In levels. Where lines are not cut to a terminal's width, deeper nodes tell their depth as a number: lines
 * would be longer than people read. */
#define GUIDES_LIMIT 64
#define NAME_LEAST 16 /* columns that a name gets, whatever the width */

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    uint32_t *indent;                      /* per node: the bytes of guides in front of its children */
    struct hcct_text guides, label, place; /* of the line that is printed */
    uint32_t depth;                        /* of the node being printed; 0 for a root */
    uint32_t *level;                       /* per node: the lines above it, up to its root */
    int calls_width, error_width;          /* 0: no such column */
    bool bounds;                           /* there is a column of the upper bounds of totals */
    struct hcct_spread_columns spread;
    bool ordinals; /* some call site had no line */
};

/* --- lines ---------------------------------------------------------------------------------------- */

static const char *colour(const struct printer *printer, const char *sequence)
{
    return printer->report->options->colour ? sequence : "";
}

static const char *column_title(const struct printer *printer)
{
    return hcct_amount_title(&printer->report->summary->ground);
}

static int digits(const struct printer *printer, uint64_t number)
{
    char text[HCCT_AMOUNT_BYTES];
    return (int)strlen(hcct_amount_number(&printer->report->summary->ground, number, text));
}

static size_t columns_width(const struct printer *printer)
{
    bool both = !printer->report->is_upside_down;
    return 2 + (both ? 9 : 0) + (printer->bounds ? 9 : 0) + 7 + 2 + (size_t)printer->calls_width +
           (printer->error_width ? 3 + (size_t)printer->error_width : 0) + 2 +
           hcct_spread_columns_width(&printer->spread);
}

/* What a line shows as the count, and the most by which that may be too high: of the context alone. Upside
 * down it is the sum of all paths that end as the line says, and the most by which that may be too low. */
static uint64_t shown_count(const struct printer *printer, uint32_t node)
{
    return printer->report->is_upside_down ? printer->layout.inclusive[node]
                                           : hcct_node_count(&printer->report->tree->nodes[node]);
}

static uint64_t shown_error(const struct printer *printer, uint32_t node)
{
    return printer->report->is_upside_down ? printer->layout.error[node]
                                           : hcct_node_error(&printer->report->tree->nodes[node]);
}

static bool is_loose(const struct printer *printer, uint32_t node)
{
    return !printer->report->is_upside_down &&
           hcct_claim_is_loose(printer->layout.inclusive[node], printer->layout.error[node]);
}

/* Of the first node of a line its inclusive total, of the last one the rest. */
static void print_columns(const struct printer *printer, uint32_t first, const struct hcct_tree_node *node)
{
    FILE *out = printer->out;
    char share[HCCT_AMOUNT_BYTES], text[HCCT_AMOUNT_BYTES];
    const struct hcct_summary *summary = printer->report->summary;
    bool inverted = printer->report->is_upside_down, hot = node->flags & HCCT_NODE_HOT;
    bool counted = node->flags & HCCT_NODE_COUNTED || inverted;
    uint32_t index = (uint32_t)(node - printer->report->tree->nodes);
    uint64_t count = shown_count(printer, index), error = shown_error(printer, index);
    fputs(colour(printer, hot ? "\033[1m" : "\033[2m"), out);
    fputs(hot ? "* " : "  ", out);
    uint64_t total = printer->layout.inclusive[first];
    if (!inverted)
        fprintf(out, "%7s  ", hcct_amount_share(&summary->ground, total, share));
    if (printer->bounds)
        fprintf(
            out, "%7s  ",
            is_loose(printer, first)
                ? hcct_amount_share(&summary->ground, hcct_sum(total, printer->layout.error[first]), share)
                : "");
    fprintf(out, "%7s  %*s",
            counted ? hcct_amount_share(&summary->ground, inverted ? count : hcct_tree_low(node), share) : "",
            printer->calls_width, counted ? hcct_amount_number(&summary->ground, count, text) : "");
    if (printer->error_width && error)
        fprintf(out, " %c%-*s ", inverted ? '+' : '-', printer->error_width,
                hcct_amount_number(&summary->ground, error, text));
    else if (printer->error_width)
        fprintf(out, "%*s", printer->error_width + 3, "");
    fputs("  ", out);
    hcct_spread_columns_print(out, &printer->spread, node);
    fputs(colour(printer, "\033[0m"), out);
}

/* "sort.c:24:13", "#3" or nothing, into `place`. */
static void make_place(struct printer *printer, const struct hcct_tree_node *node)
{
    const struct hcct_tree_site *site = hcct_node_site(printer->report, node);
    struct hcct_text plain = { 0 };
    printer->ordinals |= site && !site->line && site->ordinal;
    printer->place.length = 0;
    hcct_node_site_text(printer->report, site, &plain);
    hcct_terminal_add(&printer->place, plain.bytes);
    free(plain.bytes);
}

/* Puts the names of a line into `text`. */
static void add_names(const struct printer *printer, uint32_t first, uint32_t last, struct hcct_text *text)
{
    char buffer[HCCT_TREE_TEXT_BYTES];
    const struct hcct_tree_node *nodes = printer->report->tree->nodes;
    hcct_terminal_add(text, hcct_node_name(printer->report, &nodes[first], buffer));
    for (uint32_t i = first; i != last;) {
        i = printer->layout.children.child[printer->layout.children.first[i]];
        hcct_text_add_string(text, " > ");
        hcct_terminal_add(text, hcct_node_name(printer->report, &nodes[i], buffer));
    }
}

/* Puts the names into `label`, cut to what the terminal leaves of the line. Where that is too little for
 * both, the place is dropped. */
static void make_label(struct printer *printer, uint32_t first, uint32_t last, size_t used)
{
    const struct hcct_report_options *options = printer->report->options;
    struct hcct_text whole = { 0 };
    printer->label.length = 0;
    add_names(printer, first, last, &whole);
    size_t room = options->width > used ? options->width - used : 0;
    size_t place = hcct_terminal_columns(printer->place.bytes), name = SIZE_MAX;
    if (options->width) {
        name = room > NAME_LEAST + place + 2 ? room - place - 2 : room > NAME_LEAST ? room : NAME_LEAST;
        if (room <= NAME_LEAST + place + 2 && hcct_terminal_columns(whole.bytes) + place + 2 > room)
            printer->place.bytes[0] = 0;
    }
    hcct_terminal_add_cut(&printer->label, whole.bytes, name, options->utf8);
    free(whole.bytes);
}

/* Prints the guides: the lines of the tree in front of a name. On a terminal they take half of the width at
 * most, and leave the name its least room; their number replaces the outermost ones. Returns the columns they
 * take. */
static size_t print_guides(struct printer *printer, size_t used)
{
    FILE *out = printer->out;
    const struct hcct_report_options *options = printer->report->options;
    const struct hcct_text *guides = &printer->guides;
    size_t units = printer->depth ? printer->depth - 1 : 0, from = 0;
    size_t left = options->width > used + 3 + NAME_LEAST ? options->width - used : 3 + NAME_LEAST;
    size_t room = left / 2 < left - 3 - NAME_LEAST ? left / 6 : (left - 3 - NAME_LEAST) / 3; /* in units */
    if (!options->width && units > GUIDES_LIMIT)
        return (size_t)fprintf(out, "(%u levels) ", printer->depth);
    if (options->width && units > room) {
        size_t left_out = units - (room > 2 ? room - 2 : 0); /* the number takes the room of two */
        fprintf(out, "%s%-5zu", options->utf8 ? "…" : "~", left_out);
        units -= left_out;
        used = 6;
        while (left_out--)
            /* a space or a bar, or a box character */
            from += (unsigned char)guides->bytes[from] < 0x80 ? 3 : 5;
    } else {
        used = 0;
    }
    if (guides->length)
        fwrite(guides->bytes + from, 1, guides->length - from, out);
    return used + 3 * units;
}

/* The nodes from `first` down to `end`, each the only child of the one before. */
static void print_line(struct printer *printer, uint32_t first, uint32_t end, bool last)
{
    const struct hcct_report *report = printer->report;
    const struct hcct_tree_node *node = &report->tree->nodes[end];
    FILE *out = printer->out;
    bool utf8 = report->options->utf8, hot = node->flags & HCCT_NODE_HOT;
    size_t used = columns_width(printer);
    print_columns(printer, first, node);
    if (report->tree->nodes[first].parent != HCCT_NODE_NONE) {
        const char *branch = utf8 ? (last ? "└─ " : "├─ ") : (last ? "`- " : "|- ");
        fputs(colour(printer, "\033[2m"), out);
        used += print_guides(printer, used) + 3;
        fprintf(out, "%s%s", branch, colour(printer, "\033[0m"));
    }
    make_place(printer, node);
    make_label(printer, first, end, used);
    fprintf(out, "%s%s%s", colour(printer, hot ? "\033[1;31m" : "\033[36m"), printer->label.bytes,
            colour(printer, "\033[0m"));
    if (printer->place.bytes[0])
        fprintf(out, "  %s%s%s", colour(printer, "\033[2m"), printer->place.bytes,
                colour(printer, "\033[0m"));
    fputc('\n', out);
}

/* --- the walk ------------------------------------------------------------------------------------- */

static void prepare(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    printer->indent = hcct_memory_array(tree->node_count, sizeof *printer->indent);
    printer->level = hcct_memory_array(tree->node_count, sizeof *printer->level);
    hcct_layout_open(&printer->layout, printer->report);
    printer->calls_width = (int)strlen(column_title(printer));
    for (uint32_t i = tree->node_count; i--;) {
        uint64_t count = shown_count(printer, i), error = shown_error(printer, i);
        if (digits(printer, count) > printer->calls_width)
            printer->calls_width = digits(printer, count);
        if (error && digits(printer, error) > printer->error_width)
            printer->error_width = digits(printer, error);
        printer->bounds |= is_loose(printer, i);
    }
    if (printer->error_width && printer->error_width < 4)
        printer->error_width = 4;
    hcct_spread_columns_open(&printer->spread, printer->report);
}

/* The last node of the line that begins with `node`: on a terminal cold nodes stand with their only child.
 * Upside down those do that have no more than it. */
static uint32_t end_of_line(const struct printer *printer, uint32_t node)
{
    const struct hcct_tree *tree = printer->report->tree;
    const struct hcct_tree_children *children = &printer->layout.children;
    const struct hcct_report_options *options = printer->report->options;
    while (options->width && !options->all && !options->spread &&
           children->first[node + 1] == children->first[node] + 1) {
        uint32_t child = children->child[children->first[node]];
        bool tells_more = printer->report->is_upside_down
                              ? shown_count(printer, node) != shown_count(printer, child)
                              : tree->nodes[node].flags & HCCT_NODE_HOT;
        if (tells_more || printer->report->frames->frames[tree->nodes[child].frame].kind == HCCT_FRAME_OTHER)
            break;
        node = child;
    }
    return node;
}

/* Prints the nodes in depth-first order. `guides` holds the lines to the left of the current node's children;
 * its first indent[node] bytes stay the same while the nodes below `node` are printed. */
static void walk(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    const struct hcct_tree_children *children = &printer->layout.children;
    bool utf8 = printer->report->options->utf8;
    for (uint32_t i = 0; i < tree->node_count && !ferror(printer->out); i++) {
        uint32_t node = printer->layout.order[i], parent = tree->nodes[node].parent;
        bool root = parent == HCCT_NODE_NONE;
        bool last = children->child[children->first[(root ? tree->node_count : parent) + 1] - 1] == node;
        uint32_t end = end_of_line(printer, node);
        printer->depth = root ? 0 : printer->level[parent] + 1;
        printer->guides.length = root ? 0 : printer->indent[parent];
        print_line(printer, node, end, last);
        hcct_text_add_string(&printer->guides, root ? "" : last ? "   " : utf8 ? "│  " : "|  ");
        printer->indent[end] = (uint32_t)printer->guides.length;
        printer->level[end] = printer->depth;
        while (printer->layout.order[i] != end)
            i++;
    }
}

/* Whether there is more than [other]. */
static bool has_contexts(const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    return tree->node_count > 1 ||
           (tree->node_count && report->frames->frames[tree->nodes[0].frame].kind != HCCT_FRAME_OTHER);
}

static void print_titles(const struct printer *printer)
{
    FILE *out = printer->out;
    bool is_upside_down = printer->report->is_upside_down;
    const char *error_title = printer->error_width ? "error" : "";
    int error_width = printer->error_width ? printer->error_width + 2 : 0;
    fprintf(out, "  %s%s  share  %*s%s%*s  ", is_upside_down ? "" : "  total  ",
            printer->bounds ? "  up to  " : "", printer->calls_width, column_title(printer),
            printer->error_width ? " " : "", -error_width, error_title);
    hcct_spread_columns_titles(out, &printer->spread);
    fputs(is_upside_down ? "function, with its callers below\n" : "context\n", out);
}

/* Why a call has no line: "; ...". Rust's own libraries have lines in any build. */
static const char *lines_advice(const struct hcct_frames *frames)
{
    bool is_rust = false;
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        const struct hcct_tree_frame *frame = &frames->frames[i];
        if (frame->kind == HCCT_FRAME_FUNCTION && frame->line &&
            !hcct_symbol_is_of_rust_library(frame->linkage))
            return "; the compiler gave it no line";
        is_rust |= frame->linkage && hcct_symbol_is_rust(frame->linkage);
    }
    return is_rust ? "; debug = \"line-tables-only\" in the profile of Cargo.toml shows lines"
                   : "; compile with -gline-tables-only to see lines";
}

/* The filter that leaves nothing, as no function matches it; NULL: there is none. */
static const char *find_unmatched(const struct hcct_report *report)
{
    const struct hcct_query *query = &report->options->query;
    const char *const patterns[] = { query->focus, query->root };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (!patterns[i] || !*patterns[i])
            continue;
        bool *match = hcct_pattern_match(patterns[i], report->frames), any = false;
        for (uint32_t frame = 0; frame < report->frames->frame_count; frame++)
            any |= match[frame];
        free(match);
        if (!any)
            return patterns[i];
    }
    return NULL;
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    prepare(&printer);
    hcct_heading_print(out, report);
    hcct_verdict_print(out, report, &printer.layout);
    if (report->tree->node_count)
        print_titles(&printer);
    walk(&printer);
    const char *unmatched = find_unmatched(report);
    if (unmatched)
        fprintf(out, "\nNo function matches %s.\n", unmatched);
    else if (!has_contexts(report))
        fputs("\nNo context alone is hot. Try --view=flat, which sums up by function, --all, or a smaller "
              "--phi.\n",
              out);
    if (printer.ordinals)
        fprintf(out, "\n#N is the N-th call in its function%s.\n", lines_advice(report->frames));
    free(printer.indent);
    free(printer.level);
    free(printer.guides.bytes);
    free(printer.label.bytes);
    free(printer.place.bytes);
    hcct_layout_close(&printer.layout);
}

const struct hcct_report_format hcct_format_tree = {
    .name = "tree",
    .print = print,
    .print_table = hcct_function_table_print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_SHORT,
    .medium = HCCT_MEDIUM_TERMINAL,
};
