/* The format `tree`: what a person reads. A heading, then a line per node, hottest first:
 *
 *       share    calls  context
 *                       main
 *     * 47.68%  1000000  ├─ partition  sort.c:24:13
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/bursts.h"
#include "decoder/report/export.h"
#include "decoder/report/report.h"
#include "decoder/text/escape.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"

/* Wider than any terminal; beyond it the depth is told as a number, or a path would be printed in its
 * square. */
#define GUIDES_LIMIT 4096
#define NAME_LEAST 16 /* columns that a name is left, whatever the width */

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    uint32_t *indent;                      /* per node: the bytes of guides in front of its children */
    struct hcct_text guides, label, place; /* of the line that is printed */
    uint32_t depth;                        /* of the node being printed; 0 for a root */
    int calls_width, error_width;          /* 0: no such column */
    bool total;                            /* a column of inclusive shares: of time */
    bool ordinals;                         /* a call site had no line */
    bool lines;                            /* one had */
};

/* --- heading -------------------------------------------------------------------------------------- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_amount(FILE *out, const struct hcct_summary *summary, uint64_t count)
{
    char text[HCCT_AMOUNT_BYTES];
    fprintf(out, "%s%s", hcct_amount_text(summary, count, text),
            summary->metric == HCCT_METRIC_TIME    ? " of CPU time"
            : hcct_metric_is_time(summary->metric) ? " of the threads' time"
                                                   : "");
}

static void print_lost(FILE *out, const struct hcct_summary *summary, uint64_t count, const char *what,
                       const char **separator)
{
    if (!count)
        return;
    fputs(*separator, out);
    print_amount(out, summary, count);
    fprintf(out, " %s", what);
    *separator = ", ";
}

static void print_part(FILE *out, uint64_t count, const char *noun, const char *what, const char **separator)
{
    if (!count)
        return;
    fprintf(out, "%s%" PRIu64 " %s%s %s", *separator, count, noun, plural(count), what);
    *separator = ", ";
}

/* What is missing or misplaced, in one line; nothing if the profile is sound. */
static bool print_not_exact(FILE *out, const struct hcct_summary *summary)
{
    const char *separator = "not exact: ";
    print_lost(out, summary, summary->dropped_memory, "dropped for lack of memory", &separator);
    print_lost(out, summary, summary->dropped_chain - summary->cold_chain,
               "without a recorded chain of callers", &separator);
    print_lost(out, summary, summary->dropped_interrupted,
               hcct_metric_is_sampled(summary->metric)
                   ? "lost: the samples came late, or where the context was not known"
                   : "dropped in signal handlers",
               &separator);
    print_lost(out, summary, summary->undecodable, "not decodable", &separator);
    print_lost(out, summary, summary->unaccounted, "not accounted for", &separator);
    print_lost(out, summary, summary->stale, "with lost callers", &separator);
    print_part(out, summary->overflowed, "call", "past the limit of the context stack", &separator);
    print_part(out, summary->bursts.untimed, "thread", "without a timer, not counted", &separator);
    print_part(out, summary->lost_count, "chain", "of callers not decodable", &separator);
    if (summary->calls == UINT64_MAX) { /* where sums end (hcct_sum) */
        fprintf(out, "%sthe sum has reached 2^64 - 1, and what came after that is missing", separator);
        separator = ", ";
    }
    bool any = *separator == ',';
    if (any)
        fputc('\n', out);
    return any;
}

static void print_sampled_calls(FILE *out, const struct hcct_file_bursts *bursts)
{
    fprintf(out, "estimates, from %" PRIu64 " sample%s", bursts->bursts, plural(bursts->bursts));
    if (bursts->kind == HCCT_ESTIMATE_TIMER)
        fputs(", each the call after a tick: counts are samples, not calls", out);
    else if (bursts->period)
        fprintf(out, ", one in %" PRIu64 " calls%s", bursts->period,
                bursts->kind == HCCT_ESTIMATE_CALLS ? "" : " of each function, and more of rare ones");
    fputs(":\n", out);
}

static void print_all_bursts(FILE *out, const struct hcct_file_bursts *bursts)
{
    fprintf(out, "estimates, from %" PRIu64 " burst%s", bursts->bursts, plural(bursts->bursts));
    if (bursts->interval_ns)
        fprintf(out, " of %.4g ms, one in %.4g ms of CPU time", (double)bursts->length_ns / 1e6,
                (double)bursts->interval_ns / 1e6);
    if (bursts->skipped)
        fprintf(out, ", and %" PRIu64 " left out", bursts->skipped);
    fprintf(out, ":\n%" PRIu64 " calls were counted; ", bursts->calls);
}

static void print_bursts(FILE *out, const struct hcct_summary *summary)
{
    const struct hcct_file_bursts *bursts = &summary->bursts;
    struct hcct_interval calls = hcct_bursts_calls(bursts, summary->calls);
    struct hcct_interval tenth = hcct_bursts_share(bursts, 0.1, 0.1),
                         hundredth = hcct_bursts_share(bursts, 0.01, 0.01);
    if (bursts->kind == HCCT_ESTIMATE_BURSTS || bursts->kind == HCCT_ESTIMATE_SEVERAL)
        print_all_bursts(out, bursts);
    else
        print_sampled_calls(out, bursts);
    if (bursts->kind != HCCT_ESTIMATE_TIMER && isfinite(calls.high))
        fprintf(out, "there were %.3g to %.3g; ", calls.low, calls.high);
    else if (bursts->kind != HCCT_ESTIMATE_TIMER)
        fputs("N is an estimate without bounds; ", out);
    fprintf(out, "10%% mean %.2g%% to %.2g%%, 1%% mean %.2g%% to %.2g%%, at the worst (95%% confidence)\n",
            100 * tenth.low, 100 * tenth.high, 100 * hundredth.low, 100 * hundredth.high);
}

void hcct_tree_text_heading(FILE *out, const struct hcct_report *report)
{
    const struct hcct_summary *summary = report->summary;
    hcct_escape_line(out, *summary->program ? summary->program : "(unknown program)");
    if (summary->file_count > 1)
        fprintf(out, ", %u runs", summary->file_count);
    putc('\n', out);
    print_amount(out, summary, summary->calls);
    bool time = hcct_metric_is_time(summary->metric), samples = hcct_metric_is_sampled(summary->metric);
    const char *all = time ? "time" : summary->unit;
    fprintf(out, " in %" PRIu64 " %scontext%s", summary->context_count,
            summary->mode == HCCT_MODE_CCT ? "" : "monitored ", plural(summary->context_count));
    if (summary->folded)
        fputs(", recursion folded", out);
    if (samples)
        fputs(", by samples", out);
    else if (time)
        fputs(", by the clock", out);
    else if (summary->guarantee == HCCT_GUARANTEE_EXACT && summary->calls < UINT64_MAX &&
             hcct_summary_is_sound(summary))
        fputs(", every count exact", out);
    if (summary->epsilon > 0)
        fprintf(out, ", counts at most %.4g%% of the %s too high (epsilon %g)", summary->epsilon * 100, all,
                summary->epsilon);
    if (summary->delta > 0)
        fprintf(out, ",\nfor all hot contexts with a probability of %g (delta %g)", 1 - summary->delta,
                summary->delta);
    fprintf(out, "\n%" PRIu64 " hot context%s (*): at least %.4g%% of the %s each (phi %g)\n",
            report->hot_contexts, plural(report->hot_contexts), report->phi * 100, all, report->phi);
    if (summary->floor && summary->floor >= report->hot_count) {
        char text[HCCT_AMOUNT_BYTES];
        fprintf(out, "of those with up to %s some may be missing\n",
                hcct_amount_text(summary, summary->floor, text));
    }
    if (summary->cold_chain) {
        print_amount(out, summary, summary->cold_chain);
        fprintf(out, " in contexts too cold for a record of their callers: below phi each, and not shown\n");
    }
    if (summary->is_estimate)
        print_bursts(out, summary);
    if (summary->live_count)
        fprintf(out, "the program was killed, or is running (continuous=1): up to one call of each thread is "
                     "missing\n");
    if (!print_not_exact(out, summary))
        fputs("sound: nothing dropped, nothing lost\n", out);
    if (report->options->width)
        fprintf(out, "%.1f MB of memory for the profile\n", (double)summary->memory_bytes / 1e6);
    fputc('\n', out);
}

/* --- lines ---------------------------------------------------------------------------------------- */

static const char *colour(const struct printer *printer, const char *sequence)
{
    return printer->report->options->colour ? sequence : "";
}

static const char *column_title(const struct printer *printer)
{
    return hcct_count_title(printer->report->summary);
}

static int digits(const struct printer *printer, uint64_t number)
{
    char text[HCCT_COUNT_BYTES];
    return (int)strlen(hcct_count_text(printer->report->summary, number, text));
}

static size_t columns_width(const struct printer *printer)
{
    return 2 + (printer->total ? 9 : 0) + 7 + 2 + (size_t)printer->calls_width +
           (printer->error_width ? 3 + (size_t)printer->error_width : 0) + 2;
}

static void print_columns(const struct printer *printer, const struct hcct_tree_node *node)
{
    FILE *out = printer->out;
    char share[HCCT_SHARE_BYTES], text[HCCT_COUNT_BYTES];
    bool hot = node->flags & HCCT_NODE_HOT, counted = node->flags & HCCT_NODE_COUNTED;
    if (!counted && !printer->total) {
        fprintf(out, "%*s", (int)columns_width(printer), "");
        return;
    }
    fputs(colour(printer, hot ? "\033[1m" : "\033[2m"), out);
    fputs(hot ? "* " : "  ", out);
    if (printer->total)
        fprintf(out, "%7s  ",
                hcct_share_text(printer->report,
                                printer->layout.inclusive[node - printer->report->tree->nodes], share));
    fprintf(out, "%7s  %*s", counted ? hcct_share_text(printer->report, node->count, share) : "",
            printer->calls_width,
            counted ? hcct_count_text(printer->report->summary, node->count, text) : "");
    if (printer->error_width && node->error)
        fprintf(out, " -%-*s ", printer->error_width,
                hcct_count_text(printer->report->summary, node->error, text));
    else if (printer->error_width)
        fprintf(out, "%*s", printer->error_width + 3, "");
    fprintf(out, "%s  ", colour(printer, "\033[0m"));
}

/* "sort.c:24:13", "#3" or nothing, into `place`. */
static bool make_place(struct printer *printer, const struct hcct_tree_node *node)
{
    const struct hcct_tree_site *site = hcct_node_site(printer->report, node);
    struct hcct_text plain = { 0 };
    printer->lines |= site && site->line;
    printer->ordinals |= site && !site->line && site->ordinal;
    printer->place.length = 0;
    bool done = hcct_site_text(printer->report, site, &plain) &&
                hcct_terminal_add(&printer->place, plain.bytes) && hcct_text_end(&printer->place);
    free(plain.bytes);
    return done;
}

/* The name into `label`, cut to what the terminal's width leaves of the line: a long name gives way first,
 * then the place goes. */
static bool make_label(struct printer *printer, const struct hcct_tree_node *node, size_t used)
{
    const struct hcct_report_options *options = printer->report->options;
    struct hcct_text whole = { 0 };
    char name_buffer[HCCT_NODE_NAME_BYTES];
    printer->label.length = 0;
    bool done = hcct_terminal_add(&whole, hcct_node_name(printer->report, node, name_buffer)) &&
                hcct_text_end(&whole);
    size_t room = options->width > used ? options->width - used : 0;
    size_t place = hcct_terminal_columns(printer->place.bytes), name = SIZE_MAX;
    if (options->width) {
        name = room > NAME_LEAST + place + 2 ? room - place - 2 : room > NAME_LEAST ? room : NAME_LEAST;
        if (room <= NAME_LEAST + place + 2 && done && hcct_terminal_columns(whole.bytes) + place + 2 > room)
            printer->place.bytes[0] = 0;
    }
    done = done && hcct_terminal_add_cut(&printer->label, whole.bytes, name, options->utf8) &&
           hcct_text_end(&printer->label);
    free(whole.bytes);
    return done;
}

/* The lines of the tree in front of a name, at most half of a terminal: then the outermost ones are left out.
 * Returns the columns. */
static size_t print_guides(struct printer *printer, size_t used)
{
    FILE *out = printer->out;
    const struct hcct_report_options *options = printer->report->options;
    const struct hcct_text *guides = &printer->guides;
    size_t units = printer->depth ? printer->depth - 1 : 0, from = 0;
    size_t room = options->width > used ? (options->width - used) / 6 : 0; /* of 3 columns each, in a half */
    if (!options->width && guides->length > GUIDES_LIMIT)
        return (size_t)fprintf(out, "(%u levels) ", printer->depth);
    if (options->width && units > room) {
        size_t left_out = units - (room > 2 ? room - 2 : 0); /* two make room for their number */
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

static bool print_node(struct printer *printer, uint32_t index, bool last)
{
    const struct hcct_report *report = printer->report;
    const struct hcct_tree_node *node = &report->tree->nodes[index];
    FILE *out = printer->out;
    bool utf8 = report->options->utf8, hot = node->flags & HCCT_NODE_HOT;
    size_t used = columns_width(printer);
    print_columns(printer, node);
    if (node->parent != HCCT_NODE_NONE) {
        const char *branch = utf8 ? (last ? "└─ " : "├─ ") : (last ? "`- " : "|- ");
        fputs(colour(printer, "\033[2m"), out);
        used += print_guides(printer, used) + 3;
        fprintf(out, "%s%s", branch, colour(printer, "\033[0m"));
    }
    if (!make_place(printer, node) || !make_label(printer, node, used))
        return false;
    fprintf(out, "%s%s%s", colour(printer, hot ? "\033[1;31m" : "\033[36m"), printer->label.bytes,
            colour(printer, "\033[0m"));
    if (printer->place.bytes[0])
        fprintf(out, "  %s%s%s", colour(printer, "\033[2m"), printer->place.bytes,
                colour(printer, "\033[0m"));
    fputc('\n', out);
    return true;
}

/* --- the walk ------------------------------------------------------------------------------------- */

static bool prepare(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    printer->indent = malloc(((size_t)tree->node_count + 1) * sizeof *printer->indent);
    if (!hcct_layout_open(&printer->layout, printer->report) || !printer->indent)
        return false;
    printer->total = hcct_metric_is_time(printer->report->summary->metric);
    printer->calls_width = (int)strlen(column_title(printer));
    for (uint32_t i = tree->node_count; i--;) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        if (node->flags & HCCT_NODE_COUNTED && digits(printer, node->count) > printer->calls_width)
            printer->calls_width = digits(printer, node->count);
        if (node->error && digits(printer, node->error) > printer->error_width)
            printer->error_width = digits(printer, node->error);
    }
    if (printer->error_width && printer->error_width < 4)
        printer->error_width = 4;
    return true;
}

/* Prints the nodes in depth-first order; `guides` holds the lines to the left of the current node's children.
 * What is in it up to a node's indent stays there while the nodes below are printed. */
static bool walk(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    const struct hcct_tree_children *children = &printer->layout.children;
    bool utf8 = printer->report->options->utf8;
    for (uint32_t i = 0; i < tree->node_count && !ferror(printer->out); i++) {
        uint32_t node = printer->layout.order[i], parent = tree->nodes[node].parent;
        bool root = parent == HCCT_NODE_NONE;
        bool last = children->child[children->first[(root ? tree->node_count : parent) + 1] - 1] == node;
        printer->depth = printer->layout.depth[node];
        printer->guides.length = root ? 0 : printer->indent[parent];
        if (!print_node(printer, node, last))
            return false;
        const char *guide = root ? "" : last ? "   " : utf8 ? "│  " : "|  ";
        if (!hcct_text_add_string(&printer->guides, guide))
            return false;
        printer->indent[node] = (uint32_t)printer->guides.length;
    }
    return true;
}

bool hcct_tree_text_print(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    bool done = prepare(&printer);
    if (done) {
        hcct_tree_text_heading(out, report);
        if (report->tree->node_count) {
            const char *error_title = printer.error_width ? "error" : "";
            int error_width = printer.error_width ? printer.error_width + 2 : 0;
            fprintf(out, "  %s  share  %*s%s%*s  context\n", printer.total ? "  total  " : "",
                    printer.calls_width, column_title(&printer), printer.error_width ? " " : "", -error_width,
                    error_title);
            done = walk(&printer);
        }
        if (!report->tree->node_count)
            fputs("Nothing to show: try --all, or a smaller --phi.\n", out);
        if (done && printer.ordinals)
            fputs(printer.lines ? "\n#N is the N-th call in its function; the compiler gave it no line.\n"
                                : "\n#N is the N-th call in its function; compile with -gline-tables-only to "
                                  "see lines.\n",
                  out);
    }
    free(printer.indent);
    free(printer.guides.bytes);
    free(printer.label.bytes);
    free(printer.place.bytes);
    hcct_layout_close(&printer.layout);
    return done;
}
