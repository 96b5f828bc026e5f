/* The three outputs of a metrics, see print.h. Text and figure tell the same numbers in the same
 * order. */
#include "lab/metrics/print.h"

#include <inttypes.h>
#include <math.h>

#include "decoder/text/escape.h"
#include "decoder/text/json_writer.h"

/* --- text ----------------------------------------------------------------------------------------- */

static void print_percent(FILE *out, const char *name, double percent, const char *of)
{
    if (isnan(percent))
        fprintf(out, "%-28s %12s%s%s\n", name, "none", *of ? "  " : "", of);
    else
        fprintf(out, "%-28s %11.4f%%%s%s\n", name, percent, *of ? "  " : "", of);
}

static void print_count(FILE *out, const char *name, uint64_t count, const char *what)
{
    fprintf(out, "%-28s %12" PRIu64 "  %s\n", name, count, what);
}

static void print_file(FILE *out, const char *role, const char *name, uint64_t calls, const char *unit)
{
    fprintf(out, "%-6s %" PRIu64 " %s  ", role, calls, unit);
    hcct_escape_line(out, name);
    putc('\n', out);
}

void hcct_metrics_print_text(FILE *out, const struct hcct_metrics *metrics,
                             const struct hcct_metrics_options *options, const char *exact, const char *hot)
{
    print_file(out, "EXACT", exact, metrics->calls_exact, metrics->unit);
    print_file(out, "HOT", hot, metrics->calls_hot, metrics->unit);
    if (metrics->scale != 1)
        fprintf(out, "HOT's counts are estimates: errors are of counts times %.4g, EXACT's %s by HOT's\n",
                metrics->scale, metrics->unit);
    if (options->low)
        fprintf(out, "HOT's counts are the least that they may be, and hot from %g%% on (phi - epsilon)\n",
                100 * metrics->phi_hot);
    fprintf(out, "hot: at least %g%% of the %s of its file (phi %g), rounded up; the paper rounds down\n\n",
            100 * metrics->phi, metrics->unit, metrics->phi);
    print_percent(out, "degree of overlap", 100 * metrics->degree_of_overlap,
                  "of EXACT's calls, without those of roots, are to contexts in HOT's tree");
    for (uint32_t i = 0; i < options->tau_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "hot edge coverage, tau %g", options->tau[i]);
        print_percent(out, name, 100 * metrics->hot_edge_coverage[i],
                      i ? "" : "of the contexts with at least tau times the hottest one's calls");
    }
    print_percent(out, "uncovered, hottest", metrics->max_uncovered_hotness, "of the hottest context");
    print_percent(out, "uncovered, average", metrics->avg_uncovered_hotness, "of the hottest context");
    print_count(out, "hot contexts", metrics->hot, "in EXACT");
    print_count(out, "false positives", metrics->false_positives, "hot in HOT alone");
    print_count(out, "false negatives", metrics->false_negatives, "hot in EXACT alone");
    print_count(out, "cold contexts", metrics->cold, "in HOT's tree, above hot ones");
    print_percent(out, "counter error, largest", metrics->max_counter_error,
                  "among the contexts hot in both");
    print_percent(out, "counter error, average", metrics->avg_counter_error,
                  "among the contexts hot in both (the paper's figure 11)");
    print_percent(out, "counter error, tree, largest", metrics->max_tree_counter_error,
                  "among all counters in HOT's tree");
    print_percent(out, "counter error, tree, average", metrics->avg_tree_counter_error,
                  "among all counters in HOT's tree (the paper's metric 5)");
}

/* --- json ----------------------------------------------------------------------------------------- */

static void write_numbers(struct hcct_json *json, const char *key, const double *values, uint32_t count)
{
    hcct_json_array(json, key, HCCT_JSON_WORDS);
    for (uint32_t i = 0; i < count; i++)
        hcct_json_number(json, NULL, values[i]);
    hcct_json_end(json);
}

void hcct_metrics_print_json(FILE *out, const struct hcct_metrics *metrics,
                             const struct hcct_metrics_options *options)
{
    struct hcct_json json = { .out = out, .text = HCCT_TEXT_JSON };
    hcct_json_object(&json, NULL, HCCT_JSON_LINES);
    hcct_json_unsigned(&json, "calls_exact", metrics->calls_exact);
    hcct_json_unsigned(&json, "calls_hot", metrics->calls_hot);
    hcct_json_number(&json, "phi", metrics->phi);
    write_numbers(&json, "tau", options->tau, options->tau_count);
    hcct_json_number(&json, "degree_of_overlap", metrics->degree_of_overlap);
    write_numbers(&json, "hot_edge_coverage", metrics->hot_edge_coverage, options->tau_count);
    hcct_json_number(&json, "max_uncovered_hotness", metrics->max_uncovered_hotness);
    hcct_json_number(&json, "avg_uncovered_hotness", metrics->avg_uncovered_hotness);
    hcct_json_unsigned(&json, "hot", metrics->hot);
    hcct_json_unsigned(&json, "false_positives", metrics->false_positives);
    hcct_json_unsigned(&json, "false_negatives", metrics->false_negatives);
    hcct_json_unsigned(&json, "cold", metrics->cold);
    hcct_json_number(&json, "max_counter_error", metrics->max_counter_error);
    hcct_json_number(&json, "avg_counter_error", metrics->avg_counter_error);
    hcct_json_number(&json, "max_tree_counter_error", metrics->max_tree_counter_error);
    hcct_json_number(&json, "avg_tree_counter_error", metrics->avg_tree_counter_error);
    hcct_json_end(&json);
    putc('\n', out);
}

/* --- svg ------------------------------------------------------------------------------------------ */

enum { MARGIN = 24, WIDTH = 640, BAR_LEFT = 200, BAR_WIDTH = 330, ROW = 22 };

static void svg_text(FILE *out, int x, int y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    hcct_escape_xml(out, text);
    fputs("</text>\n", out);
}

/* A row: a name, a bar of which `share` is filled, and the value as text. */
static void svg_row(FILE *out, int y, const char *name, double share, const char *colour, const char *value)
{
    svg_text(out, BAR_LEFT - 10, y + 12, "end", name);
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"15\" fill=\"#eee\"/>\n", BAR_LEFT, y,
            BAR_WIDTH);
    if (share > 0)
        fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"15\" fill=\"%s\"/>\n", BAR_LEFT, y,
                BAR_WIDTH * (share < 1 ? share : 1), colour);
    svg_text(out, BAR_LEFT + BAR_WIDTH + 8, y + 12, "start", value);
}

static void svg_percent(FILE *out, int y, const char *name, double percent, const char *colour)
{
    char value[32] = "none";
    if (!isnan(percent))
        snprintf(value, sizeof value, "%.4g%%", percent);
    svg_row(out, y, name, isnan(percent) ? 0 : percent / 100, colour, value);
}

static void svg_count(FILE *out, int y, const char *name, uint64_t count, uint64_t all, const char *colour)
{
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, count);
    svg_row(out, y, name, all ? (double)count / (double)all : 0, colour, value);
}

static void svg_head(FILE *out, const struct hcct_metrics *metrics, int height, const char *exact,
                     const char *hot)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n<text x=\"%d\" y=\"30\" font-size=\"15\">",
            WIDTH, height, WIDTH, height, WIDTH, height, MARGIN);
    hcct_escape_xml(out, hot);
    fputs(" as a picture of ", out);
    hcct_escape_xml(out, exact);
    fprintf(out,
            "</text>\n<text x=\"%d\" y=\"50\" fill=\"#555\">%" PRIu64 " and %" PRIu64 " %s, phi %g</text>\n",
            MARGIN, metrics->calls_hot, metrics->calls_exact, metrics->unit, metrics->phi);
}

void hcct_metrics_print_svg(FILE *out, const struct hcct_metrics *metrics,
                            const struct hcct_metrics_options *options, const char *exact, const char *hot)
{
    static const char blue[] = "#0072b2", orange[] = "#d55e00",
                      grey[] = "#999999"; /* colour-blind people can tell them apart */
    uint64_t found = metrics->hot - metrics->false_negatives;
    uint64_t all = found + metrics->cold + metrics->false_positives;
    int y = 70;
    svg_head(out, metrics, 70 + ROW * (15 + (int)options->tau_count), exact, hot);
    svg_percent(out, y, "degree of overlap", 100 * metrics->degree_of_overlap, blue);
    y += ROW;
    for (uint32_t i = 0; i < options->tau_count; i++, y += ROW) {
        char name[64];
        snprintf(name, sizeof name, "edge coverage, tau %g", options->tau[i]);
        svg_percent(out, y, name, 100 * metrics->hot_edge_coverage[i], blue);
    }
    y += ROW;
    svg_percent(out, y, "uncovered, hottest", metrics->max_uncovered_hotness, orange);
    svg_percent(out, y += ROW, "uncovered, average", metrics->avg_uncovered_hotness, orange);
    svg_percent(out, y += ROW, "counter error, largest", metrics->max_counter_error, orange);
    svg_percent(out, y += ROW, "counter error, average", metrics->avg_counter_error, orange);
    svg_percent(out, y += ROW, "tree's, largest", metrics->max_tree_counter_error, orange);
    svg_percent(out, y += ROW, "tree's, average", metrics->avg_tree_counter_error, orange);
    y += 2 * ROW;
    svg_count(out, y, "hot in both", found, all, blue);
    svg_count(out, y += ROW, "cold, above hot ones", metrics->cold, all, grey);
    svg_count(out, y += ROW, "false positives", metrics->false_positives, all, orange);
    svg_count(out, y += ROW, "false negatives", metrics->false_negatives, metrics->hot, orange);
    fputs("</svg>\n", out);
}
