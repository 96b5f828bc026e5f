/* See spread_columns.h. A bound that is not exact is printed as both ends: 0..12. */
#include "decoder/report/spread_columns.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/report/node.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"

#define CELL_BYTES (2 * HCCT_AMOUNT_BYTES + 3)
#define NAME_COLUMNS 24 /* of a name; a character has up to four bytes */

_Static_assert(4 * NAME_COLUMNS < CELL_BYTES, "a name fits into a cell");

enum column { LEAST, MEAN, MOST, ABSENT, LEAST_AT, MOST_AT };

static const char *const titles[HCCT_SPREAD_COLUMNS] = {
    [LEAST] = "min",   [MEAN] = "mean",       [MOST] = "max",
    [ABSENT] = "lack", [LEAST_AT] = "min in", [MOST_AT] = "max in",
};

static void print_bounds(const struct hcct_summary *summary, uint64_t low, uint64_t high,
                         char text[CELL_BYTES])
{
    char one[HCCT_AMOUNT_BYTES], other[HCCT_AMOUNT_BYTES];
    hcct_amount_number(&summary->ground, low, one);
    hcct_amount_number(&summary->ground, high, other);
    snprintf(text, CELL_BYTES, strcmp(one, other) ? "%s..%s" : "%s", one, other);
}

/* The last part of a path, and of a long name its end: that is where numbers of processes stand. */
static void print_name(const struct hcct_report *report, const char *name, char text[CELL_BYTES])
{
    struct hcct_text shown = { 0 };
    if (report->options->spread == HCCT_SPREAD_PROFILES) /* a thread's name is no path */
        name = hcct_text_base_name(name);
    hcct_terminal_add(&shown, name);
    snprintf(text, CELL_BYTES, "%s", hcct_terminal_end_of(shown.bytes, NAME_COLUMNS));
    free(shown.bytes);
}

static void print_mean(const struct hcct_report *report, uint64_t count, const struct hcct_spread *spread,
                       char text[CELL_BYTES])
{
    double mean = (double)count / (spread->present + spread->absent);
    int decimals = hcct_amount_decimals(&report->summary->ground);
    snprintf(text, CELL_BYTES, "%.*f", decimals ? decimals : 1, decimals ? mean / 1e9 : mean);
}

static void make_cells(const struct hcct_report *report, const struct hcct_tree_node *node,
                       char cells[HCCT_SPREAD_COLUMNS][CELL_BYTES])
{
    struct hcct_spread spread;
    for (int i = 0; i < HCCT_SPREAD_COLUMNS; i++)
        cells[i][0] = 0;
    if (!hcct_node_spread(report, node, &spread))
        return;
    print_bounds(report->summary, spread.least_low, spread.least_high, cells[LEAST]);
    print_mean(report, node->count, &spread, cells[MEAN]);
    print_bounds(report->summary, spread.most_low, spread.most_high, cells[MOST]);
    if (spread.absent)
        snprintf(cells[ABSENT], CELL_BYTES, "%" PRIu32, spread.absent);
    if (spread.least_low == spread.most_high) /* the same everywhere */
        return;
    print_name(report, spread.least_at, cells[LEAST_AT]);
    print_name(report, spread.most_at, cells[MOST_AT]);
}

void hcct_spread_columns_open(struct hcct_spread_columns *columns, const struct hcct_report *report)
{
    char cells[HCCT_SPREAD_COLUMNS][CELL_BYTES];
    *columns = (struct hcct_spread_columns){ .report = NULL };
    if (!report->spread || !report->options->spread || report->is_upside_down)
        return;
    columns->report = report;
    for (int i = 0; i < HCCT_SPREAD_COLUMNS; i++)
        columns->width[i] = (int)strlen(titles[i]);
    for (uint32_t i = 0; i < report->tree->node_count; i++) {
        make_cells(report, &report->tree->nodes[i], cells);
        for (int j = 0; j < HCCT_SPREAD_COLUMNS; j++)
            if ((int)hcct_terminal_columns(cells[j]) > columns->width[j])
                columns->width[j] = (int)hcct_terminal_columns(cells[j]);
    }
}

size_t hcct_spread_columns_width(const struct hcct_spread_columns *columns)
{
    size_t width = 0;
    for (int i = 0; columns->report && i < HCCT_SPREAD_COLUMNS; i++)
        width += (size_t)columns->width[i] + 2;
    return width;
}

/* Numbers to the right, names to the left. */
static void print_cell(FILE *out, const struct hcct_spread_columns *columns, int column, const char *text)
{
    int blanks = columns->width[column] - (int)hcct_terminal_columns(text);
    bool is_name = column >= LEAST_AT;
    fprintf(out, "%*s%s%*s  ", is_name ? 0 : blanks, "", text, is_name ? blanks : 0, "");
}

void hcct_spread_columns_titles(FILE *out, const struct hcct_spread_columns *columns)
{
    for (int i = 0; columns->report && i < HCCT_SPREAD_COLUMNS; i++)
        print_cell(out, columns, i, titles[i]);
}

void hcct_spread_columns_print(FILE *out, const struct hcct_spread_columns *columns,
                               const struct hcct_tree_node *node)
{
    char cells[HCCT_SPREAD_COLUMNS][CELL_BYTES];
    if (!columns->report)
        return;
    make_cells(columns->report, node, cells);
    for (int i = 0; i < HCCT_SPREAD_COLUMNS; i++)
        print_cell(out, columns, i, cells[i]);
}
