/* The format `source`, for people: of samples the lines of source that they were taken in; then the call
 * sites of the program by how often they were passed (or by what else was counted behind them). Each stands
 * with its line of source.
 *
 *     share    calls  call site
 *   * 47.68%  1000000  sort.c:24:13  sort -> partition, in 3 contexts
 *                      int middle = partition(items, low, high);
 *
 *     share   secs  line
 *   * 71.20%  0.890  util.h:31  swap, inlined in partition at sort.c:12
 *                    *a = *b;
 *
 * The count of a site is the sum over all monitored contexts that end in a call from it. What a function
 * that is not instrumented calls back has no call site: it belongs to the site that called that function.
 * What has no such caller either, and what is not shown, is in the row [other]. Here hot and --top are
 * about sites. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/claim/claim.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/heading.h"
#include "decoder/report/line_table.h"
#include "decoder/report/node.h"
#include "decoder/report/shown_names.h"
#include "decoder/report/source_file.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"

/* A call site and what it called. The last three are frames; HCCT_FRAMES_NONE: none. */
struct call {
    uint64_t count, error, context_count;
    uint32_t site, callee, caller;
    uint32_t through; /* what the site called, if that called the callee back */
};

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct call *calls;
    uint32_t call_count, call_capacity;
    struct hcct_table table;
    struct hcct_source_file source; /* the next call is often in the same file */
    struct hcct_text text;
};

/* --- the calls ------------------------------------------------------------------------------------ */

static bool same_call(const void *array, uint32_t index, const void *key)
{
    const struct call *a = (const struct call *)array + index, *b = key;
    return a->site == b->site && a->callee == b->callee && a->through == b->through;
}

static void add_node(struct printer *printer, const struct hcct_tree_node *node)
{
    const struct hcct_tree_node *nodes = printer->report->tree->nodes, *called = node;
    if (!(node->flags & HCCT_NODE_COUNTED))
        return;
    while (!hcct_node_site(printer->report, called)) {
        if (called->parent == HCCT_NODE_NONE)
            return;
        called = &nodes[called->parent];
    }
    struct call key = { .site = called->site,
                        .callee = node->frame,
                        .caller =
                            called->parent == HCCT_NODE_NONE ? HCCT_FRAMES_NONE : nodes[called->parent].frame,
                        .through = called == node ? HCCT_FRAMES_NONE : called->frame };
    uint32_t hash = (uint32_t)hcct_hash_step(hcct_hash_step(key.site, key.callee), key.through);
    uint32_t found = hcct_table_find(&printer->table, hash, same_call, printer->calls, &key);
    if (found == HCCT_TABLE_NONE) {
        hcct_memory_grow(&printer->calls, &printer->call_capacity, printer->call_count, sizeof key);
        hcct_memory_add(&printer->table, hash, printer->call_count);
        found = printer->call_count++;
        printer->calls[found] = key;
    }
    struct call *call = &printer->calls[found];
    call->count = hcct_sum(call->count, hcct_tree_low(node));
    call->error = hcct_sum(call->error, node->error);
    call->context_count++;
}

static const char *name_of(const struct hcct_frames *frames, uint32_t frame)
{
    return frame == HCCT_FRAMES_NONE ? "" : frames->frames[frame].name;
}

/* By count, then by place, so that the order does not depend on the order in the profile. */
static int compare_calls(const void *left, const void *right, void *context)
{
    const struct call *a = left, *b = right;
    const struct hcct_frames *frames = context;
    const struct hcct_tree_site *s = &frames->sites[a->site], *t = &frames->sites[b->site];
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    int by = strcmp(s->file, t->file);
    by = by ? by : s->line < t->line ? -1 : s->line > t->line;
    by = by ? by : s->column < t->column ? -1 : s->column > t->column;
    by = by ? by : s->ordinal < t->ordinal ? -1 : s->ordinal > t->ordinal;
    by = by ? by : strcmp(frames->frames[a->callee].name, frames->frames[b->callee].name);
    by = by ? by : strcmp(name_of(frames, a->through), name_of(frames, b->through));
    return by ? by : s->id < t->id ? -1 : s->id > t->id;
}

/* --- the source ----------------------------------------------------------------------------------- */

/* Puts a line (from 1) into `text`, without the blanks in front. False if there is none, or it is empty. */
static bool find_line(const struct hcct_source_file *source, uint32_t line, struct hcct_text *text)
{
    size_t length = 0;
    const char *at = hcct_source_file_line(source, line, &length), *end = at ? at + length : NULL;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    text->length = 0;
    for (; at < end && *at && *at != '\r'; at++)
        hcct_text_add(text, *at == '\t' ? " " : at, 1);
    return text->length;
}

/* --- printing ------------------------------------------------------------------------------------- */

static const char *colour(const struct printer *printer, const char *sequence)
{
    return printer->report->options->colour ? sequence : "";
}

/* Prints `text`, cut to what `used` columns leave of a terminal's line. */
static void print_cut(struct printer *printer, size_t used)
{
    const struct hcct_report_options *options = printer->report->options;
    hcct_terminal_print(printer->out, printer->text.bytes, options->width, used, options->utf8);
}

/* The columns. */
static void print_amount(struct printer *printer, uint64_t amount, bool hot, int width)
{
    const struct hcct_summary *summary = printer->report->summary;
    char share[HCCT_AMOUNT_BYTES], count[HCCT_AMOUNT_BYTES];
    fprintf(printer->out, "%s%c %7s  %*s%s  ", colour(printer, hot ? "\033[1m" : "\033[2m"), hot ? '*' : ' ',
            hcct_amount_share(&summary->ground, amount, share), width,
            hcct_amount_number(&summary->ground, amount, count), colour(printer, "\033[0m"));
}

static bool is_hot(const struct hcct_report *report, uint64_t count, uint64_t error)
{
    uint64_t missing = hcct_claim_missing(&report->summary->ground, error, report->unassigned);
    return hcct_sum(count, missing) >= report->hot_count;
}

static bool find_source(struct printer *printer, const char *file, uint32_t line)
{
    if (!line)
        return false;
    hcct_source_file_read(&printer->source, file);
    return find_line(&printer->source, line, &printer->text);
}

/* A row: the columns, printer->text, and the line of source below it. */
static void print_row(struct printer *printer, uint64_t amount, uint64_t error, const char *file,
                      uint32_t line, int width)
{
    const struct hcct_report *report = printer->report;
    FILE *out = printer->out;
    char count[HCCT_AMOUNT_BYTES];
    print_amount(printer, amount, is_hot(report, amount, error), width);
    print_cut(printer, 13 + (size_t)width);
    uint64_t missing = hcct_claim_missing(&report->summary->ground, error, report->unassigned);
    if (missing)
        fprintf(out, "  (at most %s too low)", hcct_amount_number(&report->summary->ground, missing, count));
    fputc('\n', out);
    if (find_source(printer, file, line)) {
        fprintf(out, "%*s%s", 13 + width, "", colour(printer, "\033[36m"));
        print_cut(printer, 13 + (size_t)width);
        fprintf(out, "%s\n", colour(printer, "\033[0m"));
    }
}

static void print_call(struct printer *printer, const struct call *call, int width)
{
    const struct hcct_report *report = printer->report;
    const struct hcct_tree_site *site = &report->frames->sites[call->site];
    const char *caller = call->caller == HCCT_FRAMES_NONE ? "?" : name_of(report->frames, call->caller);
    const char *through = name_of(report->frames, call->through);
    hcct_node_site_text(report, site, &printer->text);
    hcct_text_print(&printer->text, "  %s -> %s%s%s, in %" PRIu64 " context%s", caller, through,
                    *through ? " -> " : "", name_of(report->frames, call->callee), call->context_count,
                    hcct_amount_plural(call->context_count));
    print_row(printer, call->count, call->error, site->file, site->line, width);
}

/* The width of the column of counts. */
static int find_width(const struct printer *printer)
{
    char count[HCCT_AMOUNT_BYTES];
    const struct hcct_summary *summary = printer->report->summary;
    int width = (int)strlen(hcct_amount_title(&summary->ground));
    int widest = (int)strlen(hcct_amount_number(&summary->ground, summary->ground.total, count));
    return width < widest ? widest : width;
}

static bool is_shown(const struct hcct_report *report, uint64_t count, uint64_t error)
{
    const struct hcct_report_options *options = report->options;
    return (options->all || is_hot(report, count, error)) && count >= options->min_count;
}

/* What the rows lack. */
static void print_other(struct printer *printer, uint64_t sum, int width)
{
    uint64_t total = printer->report->summary->ground.total;
    if (sum >= total)
        return;
    print_amount(printer, total - sum, false, width);
    fputs("[other]\n", printer->out);
}

static void print_lines(struct printer *printer, int width)
{
    const struct hcct_report *report = printer->report;
    struct hcct_line_table lines;
    uint64_t sum = 0, printed = 0;
    hcct_line_table_open(&lines, report->tree, report->frames, hcct_names_of(report->options),
                         report->summary->ground.noun->by_caller);
    fprintf(printer->out, "    share  %*s  line\n", width, hcct_amount_title(&report->summary->ground));
    for (uint32_t i = 0; i < lines.count && !ferror(printer->out); i++) {
        const struct hcct_line *line = &lines.lines[i];
        if (report->options->top_count && printed >= report->options->top_count)
            break;
        if (!is_shown(report, line->count, line->error))
            continue;
        /* of a library's line that was inlined the source may not be there */
        bool shows_own = line->own_line && !find_source(printer, line->file, line->line);
        printer->text.length = 0;
        hcct_text_add_string(&printer->text, line->label);
        print_row(printer, line->count, line->error, shows_own ? line->own_file : line->file,
                  shows_own ? line->own_line : line->line, width);
        sum = hcct_sum(sum, line->count);
        printed++;
    }
    print_other(printer, sum, width);
    hcct_place_lines_print_gap(printer->out, &lines.places, "\n", "");
    fputc('\n', printer->out);
    hcct_source_file_close(&printer->source); /* its path is the table's */
    hcct_line_table_close(&lines);
}

static void print_calls(struct printer *printer)
{
    const struct hcct_report *report = printer->report;
    const struct hcct_report_options *options = report->options;
    uint64_t printed = 0, sum = 0;
    int width = find_width(printer);
    hcct_heading_print(printer->out, report);
    if (report->tree->spot_count)
        print_lines(printer, width);
    fprintf(printer->out, "    share  %*s  call site\n", width, hcct_amount_title(&report->summary->ground));
    for (uint32_t i = 0; i < printer->call_count && !ferror(printer->out); i++) {
        const struct call *call = &printer->calls[i];
        if (options->top_count && printed >= options->top_count)
            break;
        if (!is_shown(report, call->count, call->error))
            continue;
        print_call(printer, call, width);
        sum = hcct_sum(sum, call->count);
        printed++;
    }
    print_other(printer, sum, width);
    if (!printed)
        fputs("Nothing to show: try --all, or a smaller --phi.\n", printer->out);
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    for (uint32_t i = 0; i < report->tree->node_count; i++)
        add_node(&printer, &report->tree->nodes[i]);
    if (printer.call_count)
        qsort_r(printer.calls, printer.call_count, sizeof *printer.calls, compare_calls, report->frames);
    print_calls(&printer);
    free(printer.calls);
    free(printer.text.bytes);
    hcct_source_file_close(&printer.source);
    hcct_table_free(&printer.table);
}

const struct hcct_report_format hcct_format_source = {
    .name = "source",
    .print = print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_SHORT,
    .shape = HCCT_SHAPE_SITES,
    .medium = HCCT_MEDIUM_TERMINAL,
};
