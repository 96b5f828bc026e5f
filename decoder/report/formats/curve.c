/* The format `curve`: the heap over the run, as massif's ms_print shows it. Two charts, by the bytes that
 * were allocated and by time, then the largest contexts at the peak and at each detailed point.
 *
 * A column of a chart is as high as the most that was live in its part of the run. Of all columns, the first
 * of the highest is the peak's, drawn with #; those with a detailed point are drawn with @. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/heap.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/heading.h"
#include "decoder/report/node.h"
#include "decoder/text/escape.h"

enum { COLUMNS = 72, ROWS = 12, CONTEXTS = 5 };

struct chart {
    uint64_t high[COLUMNS];
    bool is_detailed[COLUMNS];
    uint64_t highest;
    uint32_t peak;
};

static uint64_t x_of(const struct hcct_file_curve *point, bool by_time)
{
    return by_time ? point->time_ns : point->allocated_bytes;
}

static uint32_t column_of(uint64_t x, uint64_t last)
{
    double part = last ? (double)x / (double)last : 1;
    return part < 1 ? (uint32_t)(part * COLUMNS) : COLUMNS - 1;
}

static void raise_column(struct chart *chart, uint32_t column, uint64_t bytes)
{
    if (bytes > chart->high[column])
        chart->high[column] = bytes;
    if (bytes > chart->highest) {
        chart->highest = bytes;
        chart->peak = column;
    }
}

/* Between two points the heap is as large as at the first one; what was more came with the second. */
static struct chart make_chart(const struct hcct_summary *summary, bool by_time)
{
    struct chart chart = { .highest = 0 };
    const struct hcct_file_curve *curve = summary->curve;
    uint64_t last = 0, live = 0;
    uint32_t column = 0;
    for (uint32_t i = 0; i < summary->curve_count; i++)
        if (curve[i].entry == HCCT_FILE_NONE)
            last = x_of(&curve[i], by_time);
    for (uint32_t i = 0; i < summary->curve_count; i++) {
        if (curve[i].entry != HCCT_FILE_NONE)
            continue;
        uint32_t to = column_of(x_of(&curve[i], by_time), last);
        for (; column < to; column++)
            raise_column(&chart, column, live);
        raise_column(&chart, to, curve[i].most_bytes);
        live = curve[i].live_bytes;
        chart.is_detailed[to] |= curve[i].is_detailed;
    }
    return chart;
}

/* "1.234 MB" */
static const char *size_text(uint64_t bytes, char text[32])
{
    static const char *const units[] = { "B", "KB", "MB", "GB", "TB" };
    double size = (double)bytes;
    int unit = 0;
    for (; size >= 1000 && unit < 4; unit++)
        size /= 1000;
    snprintf(text, 32, unit ? "%.3f %s" : "%.0f %s", size, units[unit]);
    return text;
}

static void print_chart(FILE *out, const struct hcct_report *report, bool by_time)
{
    struct chart chart = make_chart(report->summary, by_time);
    char size[32], end[32];
    const struct hcct_file_curve *last = hcct_summary_point(report->summary, UINT32_MAX);
    for (unsigned row = ROWS; row; row--) {
        fprintf(out, "%11s ", row == ROWS ? size_text(chart.highest, size) : "");
        char line[COLUMNS + 1] = "";
        uint32_t width = 0;
        for (uint32_t column = 0; column < COLUMNS; column++) {
            double height = chart.highest ? (double)chart.high[column] / (double)chart.highest * ROWS : 0;
            bool filled = height > row - 1 || (column == chart.peak && chart.highest);
            line[column] = filled ? (column == chart.peak && chart.highest ? '#'
                                     : chart.is_detailed[column]           ? '@'
                                                                           : ':')
                                  : ' ';
            if (filled)
                width = column + 1;
        }
        fprintf(out, "|%.*s\n", (int)width, line);
    }
    char *rule = memset((char[COLUMNS]){ 0 }, '-', COLUMNS);
    fprintf(out, "%11s +%.*s\n", "0", COLUMNS, rule);
    if (by_time)
        snprintf(end, sizeof end, "%.3f s", (double)last->time_ns / 1e9);
    else
        size_text(last->allocated_bytes, end);
    fprintf(out, "%11s 0%*s%s\n\n", "", COLUMNS - 1, end, by_time ? "" : " allocated");
}

/* --- contexts ------------------------------------------------------------------------------------- */

/* The path, root first. Names that are long are the reader's to cut. */
static void print_path(FILE *out, const struct hcct_report *report, uint32_t node)
{
    const struct hcct_tree_node *nodes = report->tree->nodes;
    uint32_t path[256], length = 0;
    uint32_t at = node;
    for (; at != HCCT_NODE_NONE && length < 256; at = nodes[at].parent)
        path[length++] = at;
    if (at != HCCT_NODE_NONE)
        fputs("...;", out);
    while (length--) {
        char buffer[HCCT_TREE_TEXT_BYTES];
        hcct_escape_print(out, HCCT_TEXT_FOLDED, hcct_node_name(report, &nodes[path[length]], buffer));
        fputs(length ? ";" : "\n", out);
    }
}

/* The largest node of the value that is smaller than `before`, or as large and behind it. */
static uint32_t next_largest(const struct hcct_tree *tree, uint32_t value, uint32_t before)
{
    uint32_t best = HCCT_NODE_NONE;
    uint64_t limit = before == HCCT_NODE_NONE ? UINT64_MAX : hcct_tree_values(tree, before)[value], most = 0;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        uint64_t own = hcct_tree_values(tree, i)[value];
        bool is_left = own < limit || (own == limit && (before == HCCT_NODE_NONE || i > before));
        if (is_left && own > most) {
            most = own;
            best = i;
        }
    }
    return best;
}

static void print_contexts(FILE *out, const struct hcct_report *report, uint32_t value, uint64_t total)
{
    uint64_t limit = report->options->top_count ? report->options->top_count : CONTEXTS;
    uint32_t node = HCCT_NODE_NONE;
    for (uint64_t i = 0; i < limit; i++) {
        node = next_largest(report->tree, value, node);
        if (node == HCCT_NODE_NONE)
            break;
        uint64_t bytes = hcct_tree_values(report->tree, node)[value];
        fprintf(out, "%14" PRIu64 "  %6.2f%%  ", bytes, total ? 100 * (double)bytes / (double)total : 0);
        print_path(out, report, node);
    }
    putc('\n', out);
}

static bool print(FILE *out, const struct hcct_report *report)
{
    const struct hcct_summary *summary = report->summary;
    hcct_heading_print(out, report);
    print_chart(out, report, false);
    print_chart(out, report, true);
    uint64_t peak = hcct_heap_value(&summary->heap, HCCT_HEAP_PEAK);
    fprintf(out, "%" PRIu64 " bytes live at the peak (#)\n", peak);
    print_contexts(out, report, HCCT_HEAP_PEAK, peak);
    for (uint32_t i = 0; i < summary->detail_count; i++) {
        const struct hcct_file_curve *point = hcct_summary_point(summary, i);
        fprintf(out, "%" PRIu64 " bytes live when %" PRIu64 " were allocated, at %.3f s (@)\n",
                point->live_bytes, point->allocated_bytes, (double)point->time_ns / 1e9);
        print_contexts(out, report, HCCT_HEAP_VALUE_COUNT + i, point->live_bytes);
    }
    return true;
}

const struct hcct_report_format hcct_format_curve = {
    .name = "curve",
    .print = print,
    .by = HCCT_BY_FUNCTION,
    .names = HCCT_NAMES_SHORT,
    .folds = true,
    .is_for_people = true,
    .has_values = true,
    .has_curve = true,
    .chooses_values = true,
};
