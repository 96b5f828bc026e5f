/* The views `flat` and `peek`, see function_table.h. Both are lists of rows in sections; what differs is how
 * the rows are chosen. */
#include "decoder/report/formats/function_table.h"
#include "decoder/claim/claim.h"
#include "decoder/claim/json_members.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/query/functions.h"
#include "decoder/query/pattern.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/heading.h"
#include "decoder/report/line_table.h"
#include "decoder/report/shown_names.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/json_writer.h"
#include "decoder/text/memory.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"
#include "format/names.h"

enum section { SECTION_FUNCTIONS, SECTION_CALLERS, SECTION_FUNCTION, SECTION_CALLEES, SECTION_LINES };
static const char *const section_names[] = { "functions", "callers", "function", "callees", "lines" };
static const char other_label[] = "[other]"; /* what no other row of a section has */

struct row {
    uint64_t own, error, total, total_error;
    uint32_t frame; /* HCCT_FRAMES_NONE: what the label says */
    uint32_t context_count, caller_count;
    bool is_hot;
    enum section section;
    const char *label;
    const struct hcct_line *line; /* of SECTION_LINES */
};

struct table {
    FILE *out;
    struct hcct_report *report;
    struct hcct_functions functions;
    struct hcct_line_table lines; /* of peek */
    struct row *rows;
    uint32_t row_count, row_capacity;
    struct hcct_json json; /* of that format */
};

static void add_row(struct table *table, const struct row *row)
{
    hcct_memory_grow(&table->rows, &table->row_capacity, table->row_count, sizeof *row);
    table->rows[table->row_count++] = *row;
}

static const char *row_name(const struct table *table, const struct row *row)
{
    return row->frame == HCCT_FRAMES_NONE ? row->label : table->report->frames->frames[row->frame].name;
}

/* Sections in their order, each the hottest first and [other] last; then by name, so that the order does not
 * depend on that in the profile. Flat: by own count, else by inclusive one. */
static int compare_rows(const void *left, const void *right, void *context)
{
    const struct row *a = left, *b = right;
    const struct table *table = context;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    if ((a->label == other_label) != (b->label == other_label))
        return a->label == other_label ? 1 : -1;
    uint64_t by[4] = { a->own, b->own, a->total, b->total };
    bool flat = a->section == SECTION_FUNCTIONS;
    uint64_t first[2] = { by[flat ? 0 : 2], by[flat ? 1 : 3] },
             second[2] = { by[flat ? 2 : 0], by[flat ? 3 : 1] };
    if (first[0] != first[1])
        return first[0] > first[1] ? -1 : 1;
    if (second[0] != second[1])
        return second[0] > second[1] ? -1 : 1;
    return strcmp(row_name(table, a), row_name(table, b));
}

/* --- the rows --------------------------------------------------------------------------------------- */

static uint64_t missing(const struct hcct_report *report, uint64_t errors)
{
    return hcct_claim_missing(&report->summary->ground, errors, report->unassigned);
}

/* As a context is: by the largest count that its own contexts may have. Those that left may make any function
 * hot. */
static bool is_hot(const struct hcct_report *report, uint64_t low, uint64_t errors)
{
    return hcct_sum(low, errors) >= report->hot_count;
}

static bool is_shown(const struct hcct_report *report, const struct hcct_function_sum *function)
{
    const struct hcct_report_options *options = report->options;
    bool hot = is_hot(report, function->own, function->error) ||
               is_hot(report, function->total, function->total_error);
    return (options->all || hot) && hcct_sum(function->own, function->error) >= options->min_count;
}

static uint64_t less(uint64_t missing, uint64_t known)
{
    return missing > known ? missing - known : 0;
}

static void add_function(struct table *table, const struct hcct_function_sum *function, enum section section)
{
    add_row(table, &(struct row){ .own = function->own,
                                  .error = hcct_report_missing_of_function(table->report, function->error),
                                  .is_hot = is_hot(table->report, function->own, function->error),
                                  .total_error =
                                      less(missing(table->report, function->total_error), function->evicted),
                                  .total = function->total,
                                  .frame = function->frame,
                                  .context_count = function->context_count,
                                  .caller_count = function->caller_count,
                                  .section = section });
}

static void add_flat(struct table *table)
{
    for (uint32_t i = 0; i < table->functions.count; i++)
        if (is_shown(table->report, &table->functions.functions[i]))
            add_function(table, &table->functions.functions[i], SECTION_FUNCTIONS);
}

static void add_other(struct table *table, enum section section, uint64_t own, uint64_t total)
{
    if (own || total)
        add_row(table, &(struct row){ .own = own,
                                      .total = total,
                                      .frame = HCCT_FRAMES_NONE,
                                      .label = other_label,
                                      .section = section });
}

/* What is left of all calls. `shown` is more only where a file lies. */
static uint64_t rest(const struct table *table, uint64_t shown)
{
    uint64_t calls = table->report->summary->ground.total;
    return calls > shown ? calls - shown : 0;
}

/* Keeps the hottest rows, and adds what no row has. */
static void add_flat_other(struct table *table)
{
    uint64_t top = table->report->options->top_count, sum = 0;
    if (top && top < table->row_count)
        table->row_count = (uint32_t)top;
    for (uint32_t i = 0; i < table->row_count; i++)
        sum = hcct_sum(sum, table->rows[i].own);
    add_other(table, SECTION_FUNCTIONS, rest(table, sum), rest(table, sum));
}

static void add_call(struct table *table, const struct hcct_function_call *call, enum section section)
{
    uint32_t shown = section == SECTION_CALLERS ? call->caller : call->callee;
    bool none = shown == HCCT_FUNCTION_NONE;
    add_row(table, &(struct row){ .own = call->count,
                                  .error = missing(table->report, call->error),
                                  .is_hot = is_hot(table->report, call->count, call->error),
                                  .total = section == SECTION_CALLERS ? call->entered : call->total,
                                  .frame = none ? HCCT_FRAMES_NONE : table->functions.functions[shown].frame,
                                  .label = "(no caller: a path begins here)",
                                  .section = section });
}

/* Where in the function samples were taken. */
static void add_lines(struct table *table, const struct hcct_tree_frame *function)
{
    for (uint32_t i = 0; i < table->lines.count; i++) {
        const struct hcct_line *line = &table->lines.lines[i];
        if (!strcmp(line->function->linkage, function->linkage) &&
            !strcmp(line->function->file, function->file))
            add_row(table, &(struct row){ .own = line->count,
                                          .error = missing(table->report, line->error),
                                          .total = line->count,
                                          .total_error = missing(table->report, line->error),
                                          .is_hot = is_hot(table->report, line->count, line->error),
                                          .section = SECTION_LINES,
                                          .frame = HCCT_FRAMES_NONE,
                                          .label = line->label,
                                          .line = line });
    }
}

/* The rows of one function: its callers, itself, what it calls. Beside it stands the rest of the profile:
 * what is no call of it, and what is not below it either. */
static void add_peek(struct table *table, uint32_t index)
{
    const struct hcct_function_sum *function = &table->functions.functions[index];
    add_function(table, function, SECTION_FUNCTION);
    for (uint32_t i = 0; i < table->functions.call_count; i++) {
        const struct hcct_function_call *call = &table->functions.calls[i];
        if (call->callee == index)
            add_call(table, call, SECTION_CALLERS);
        if (call->caller == index)
            add_call(table, call, SECTION_CALLEES);
    }
    add_other(table, SECTION_FUNCTION, rest(table, function->own), rest(table, function->total));
    add_lines(table, &table->report->frames->frames[function->frame]);
}

/* Keeps the hottest callers and callees, and adds up the others of each. */
static void cut_calls(struct table *table)
{
    uint64_t top = table->report->options->top_count, in_section = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; top && i < table->row_count; i++) {
        const struct row row = table->rows[i];
        in_section = i && row.section == table->rows[kept - 1].section ? in_section + 1 : 1;
        if (row.section == SECTION_FUNCTION || in_section <= top) {
            table->rows[kept++] = row;
            continue;
        }
        if (!row.own && !row.total)
            continue;
        if (table->rows[kept - 1].label != other_label)
            table->rows[kept++] =
                (struct row){ .frame = HCCT_FRAMES_NONE, .label = other_label, .section = row.section };
        struct row *other = &table->rows[kept - 1];
        other->own = hcct_sum(other->own, row.own);
        other->error = missing(table->report, hcct_sum(other->error, row.error));
        other->total = hcct_sum(other->total, row.total);
    }
    table->row_count = top ? kept : table->row_count;
}

static void name_rows(struct table *table)
{
    uint32_t *list = hcct_memory_array(table->row_count, sizeof *list), count = 0;
    for (uint32_t i = 0; i < table->row_count; i++)
        if (table->rows[i].frame != HCCT_FRAMES_NONE)
            list[count++] = table->rows[i].frame;
    hcct_names_make_list(table->report->frames, list, count, table->report->options);
    free(list);
}

static void finish_rows(struct table *table)
{
    name_rows(table);
    if (table->row_count)
        qsort_r(table->rows, table->row_count, sizeof *table->rows, compare_rows, table);
    if (table->report->options->query.view == HCCT_VIEW_FLAT)
        add_flat_other(table);
    else
        cut_calls(table);
}

/* --- text ------------------------------------------------------------------------------------------- */

/* 0: no such column */
struct widths {
    int own, error, total, most, contexts, callers;
};

static void widen(int *width, int to)
{
    *width = *width < to ? to : *width;
}

static uint64_t most(const struct row *row)
{
    return hcct_sum(row->total, row->total_error);
}

static struct widths measure(const struct table *table)
{
    char text[HCCT_AMOUNT_BYTES];
    const struct hcct_summary *summary = table->report->summary;
    struct widths widths = {
        .own = (int)strlen(hcct_amount_title(&summary->ground)), .total = 5, .contexts = 8, .callers = 7
    };
    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct row *row = &table->rows[i];
        widen(&widths.own, (int)strlen(hcct_amount_number(&summary->ground, row->own, text)));
        widen(&widths.total, (int)strlen(hcct_amount_number(&summary->ground, row->total, text)));
        if (row->error)
            widen(&widths.error, (int)strlen(hcct_amount_number(&summary->ground, row->error, text)));
        if (hcct_claim_is_loose(row->total, row->total_error))
            widen(&widths.most, (int)strlen(hcct_amount_number(&summary->ground, most(row), text)));
    }
    return widths;
}

static void print_label(const struct table *table, const struct row *row, size_t used)
{
    const struct hcct_report_options *options = table->report->options;
    const struct hcct_tree_frame *frame =
        row->frame == HCCT_FRAMES_NONE ? NULL : &table->report->frames->frames[row->frame];
    struct hcct_text label = { 0 };
    hcct_text_add_string(&label, row_name(table, row));
    if (frame && frame->line)
        hcct_text_print(&label, "  %s:%u", hcct_text_base_name(frame->file), frame->line);
    hcct_terminal_print(table->out, label.bytes, options->width, used, options->utf8);
    putc('\n', table->out);
    free(label.bytes);
}

static void print_row(const struct table *table, const struct row *row, const struct widths *widths)
{
    const struct hcct_report *report = table->report;
    FILE *out = table->out;
    char share[HCCT_AMOUNT_BYTES], text[HCCT_AMOUNT_BYTES];
    bool colour = report->options->colour, hot = row->is_hot && row->label == NULL;
    bool calls = row->section != SECTION_FUNCTIONS;
    int used =
        fprintf(out, "%s%c ", colour && hot ? "\033[1m" : "", hot ? '*' : ' ') - (colour && hot ? 4 : 0);
    used += fprintf(out, "%7s  %*s", hcct_amount_share(&report->summary->ground, row->own, share),
                    widths->own, hcct_amount_number(&report->summary->ground, row->own, text));
    if (widths->error)
        used += row->error ? fprintf(out, " +%-*s", widths->error,
                                     hcct_amount_number(&report->summary->ground, row->error, text))
                           : fprintf(out, "%*s", widths->error + 2, "");
    used += fprintf(out, "  %7s  %*s", hcct_amount_share(&report->summary->ground, row->total, share),
                    widths->total, hcct_amount_number(&report->summary->ground, row->total, text));
    if (widths->most)
        used += fprintf(out, "  %*s", widths->most,
                        hcct_claim_is_loose(row->total, row->total_error)
                            ? hcct_amount_number(&report->summary->ground, most(row), text)
                            : "");
    if (!calls && row->frame != HCCT_FRAMES_NONE)
        used += fprintf(out, "  %*u  %*u", widths->contexts, row->context_count, widths->callers,
                        row->caller_count);
    else if (!calls)
        used += fprintf(out, "%*s", widths->contexts + widths->callers + 4, "");
    used += fprintf(out, "%s%s", colour && hot ? "\033[0m" : "",
                    row->section == SECTION_FUNCTION ? "  "
                    : calls                          ? "    "
                                                     : "  ");
    print_label(table, row, (size_t)used);
}

static void print_title(const struct table *table, const struct widths *widths)
{
    const char *title = hcct_amount_title(&table->report->summary->ground);
    fprintf(table->out, "    share  %*s", widths->own, title);
    if (widths->error)
        fprintf(table->out, " %-*s", widths->error + 1, "error");
    fprintf(table->out, "  %7s  %*s", "share", widths->total, "total");
    if (widths->most)
        fprintf(table->out, "  %*s", widths->most, "up to");
    if (table->report->options->query.view == HCCT_VIEW_FLAT)
        fprintf(table->out, "  contexts  callers");
    fputs("  function\n", table->out);
}

static void print_text(const struct table *table)
{
    const struct widths widths = measure(table);
    print_title(table, &widths);
    for (uint32_t i = 0; i < table->row_count && !ferror(table->out); i++) {
        enum section section = table->rows[i].section;
        if (section != SECTION_FUNCTIONS && section != SECTION_FUNCTION &&
            (!i || table->rows[i - 1].section != section))
            fprintf(table->out, "%s\n",
                    section == SECTION_CALLERS   ? "called by"
                    : section == SECTION_CALLEES ? "calls"
                                                 : "lines");
        print_row(table, &table->rows[i], &widths);
    }
}

/* --- csv and json ----------------------------------------------------------------------------------- */

static const char *function_of(const struct table *table, const struct row *row)
{
    return !row->line           ? row_name(table, row)
           : row->line->inlined ? row->line->inlined
                                : row->line->function->name;
}

static const char *file_of(const struct table *table, const struct row *row)
{
    return row->line                        ? row->line->file
           : row->frame == HCCT_FRAMES_NONE ? ""
                                            : table->report->frames->frames[row->frame].file;
}

static uint32_t line_of(const struct table *table, const struct row *row)
{
    return row->line                        ? row->line->line
           : row->frame == HCCT_FRAMES_NONE ? 0
                                            : table->report->frames->frames[row->frame].line;
}

static void print_csv_title(const struct table *table)
{
    fprintf(table->out, "section,function,%s,error,total,contexts,callers,linkage,file,line,total_error\r\n",
            table->report->summary->ground.metric);
}

static void print_csv(const struct table *table)
{
    for (uint32_t i = 0; i < table->row_count && !ferror(table->out); i++) {
        const struct row *row = &table->rows[i];
        bool none = row->frame == HCCT_FRAMES_NONE;
        const struct hcct_tree_frame *frame = none ? NULL : &table->report->frames->frames[row->frame];
        fprintf(table->out, "%s,", section_names[row->section]);
        hcct_escape_csv(table->out, function_of(table, row));
        fprintf(table->out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%u,", row->own, row->error, row->total,
                row->context_count, row->caller_count);
        hcct_escape_csv(table->out, none ? "" : frame->linkage);
        putc(',', table->out);
        hcct_escape_csv(table->out, file_of(table, row));
        fprintf(table->out, ",%.0u,%" PRIu64 "\r\n", line_of(table, row), row->total_error);
    }
}

static void write_rows(struct table *table)
{
    struct hcct_json *json = &table->json;
    for (uint32_t i = 0; i < table->row_count && !ferror(table->out); i++) {
        const struct row *row = &table->rows[i];
        bool none = row->frame == HCCT_FRAMES_NONE;
        const struct hcct_tree_frame *frame = none ? NULL : &table->report->frames->frames[row->frame];
        hcct_json_object(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, "section", section_names[row->section]);
        hcct_json_text(json, "function", function_of(table, row));
        hcct_json_text(json, "linkage", none ? "" : frame->linkage);
        hcct_json_text(json, "file", file_of(table, row));
        hcct_json_unsigned(json, "line", line_of(table, row));
        hcct_json_unsigned(json, "count", row->own);
        hcct_json_unsigned(json, "error", row->error);
        hcct_json_unsigned(json, "total", row->total);
        hcct_json_unsigned(json, "total_error", row->total_error);
        hcct_json_unsigned(json, "contexts", row->context_count);
        hcct_json_unsigned(json, "callers", row->caller_count);
        hcct_json_end(json);
    }
}

/* --- the whole -------------------------------------------------------------------------------------- */

static void begin_json(struct table *table)
{
    const struct hcct_ground *ground = &table->report->summary->ground;
    table->json = (struct hcct_json){ .out = table->out, .text = HCCT_TEXT_JSON };
    hcct_json_object(&table->json, NULL, HCCT_JSON_LINES);
    hcct_json_text(&table->json, "program", table->report->summary->program);
    hcct_claim_json_kind(&table->json, ground);
    hcct_json_text(&table->json, "metric", ground->metric);
    hcct_json_text(&table->json, "unit", ground->unit);
    hcct_json_unsigned(&table->json, "calls", ground->total);
    hcct_json_array(&table->json, "rows", HCCT_JSON_LINES);
}

static void begin(struct table *table)
{
    const struct hcct_report_format *format = table->report->options->format;
    if (format == &hcct_format_json)
        begin_json(table);
    else if (format == &hcct_format_csv)
        print_csv_title(table);
    else
        hcct_heading_print(table->out, table->report);
}

/* Prints the rows, and drops them. */
static void print_rows(struct table *table)
{
    const struct hcct_report_format *format = table->report->options->format;
    finish_rows(table);
    if (format == &hcct_format_json)
        write_rows(table);
    else if (format == &hcct_format_csv)
        print_csv(table);
    else
        print_text(table);
    table->row_count = 0;
}

static void end(struct table *table)
{
    if (table->report->options->format != &hcct_format_json)
        return;
    hcct_json_end(&table->json);
    hcct_json_end(&table->json);
    putc('\n', table->out);
}

static int compare_totals(const void *left, const void *right, void *context)
{
    const struct hcct_function_sum *functions = context;
    const struct hcct_function_sum *a = &functions[*(const uint32_t *)left],
                                   *b = &functions[*(const uint32_t *)right];
    return a->total != b->total ? (a->total > b->total ? -1 : 1) : a < b ? -1 : a > b;
}

/* Tells the functions apart that have a table each. */
static void name_peeks(struct table *table, const uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_row(table, &(struct row){ .frame = table->functions.functions[list[i]].frame });
    name_rows(table);
    table->row_count = 0;
}

#define PEEKS_SHOWN 10

/* The functions that the user named, hottest first. */
static bool print_peeks(struct table *table, struct hcct_error *error)
{
    struct hcct_functions *functions = &table->functions;
    const struct hcct_report_options *options = table->report->options;
    bool is_text = options->format->medium == HCCT_MEDIUM_TERMINAL;
    bool *match = hcct_pattern_function(options->query.function, table->report->frames);
    uint32_t *list = hcct_memory_array(functions->count, sizeof *list), count = 0;
    for (uint32_t i = 0; i < functions->count; i++)
        if (match[functions->functions[i].frame])
            list[count++] = i;
    free(match);
    if (!count) {
        free(list);
        return hcct_pattern_not_found(options->query.function, table->report->frames, error);
    }
    qsort_r(list, count, sizeof *list, compare_totals, functions->functions);
    uint64_t top = options->top_count ? options->top_count : PEEKS_SHOWN;
    uint32_t left_out = top < count ? count - (uint32_t)top : 0;
    count = top < count ? (uint32_t)top : count;
    name_peeks(table, list, count);
    begin(table);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i && is_text ? "\n" : "", table->out);
        add_peek(table, list[i]);
        print_rows(table);
    }
    if (left_out && is_text)
        fprintf(table->out, "\n%u more function%s (--top)\n", left_out,
                left_out == 1 ? " matches" : "s match");
    end(table);
    free(list);
    return true;
}

bool hcct_function_table_print(FILE *out, struct hcct_report *report, const struct hcct_tree *tree,
                               struct hcct_error *error)
{
    struct table table = { .out = out, .report = report };
    bool done = true;
    hcct_functions_open(&table.functions, tree, report->frames);
    for (uint32_t i = 0; i < tree->node_count; i++)
        report->hot_contexts +=
            tree->nodes[i].flags & HCCT_NODE_COUNTED && tree->nodes[i].count >= report->hot_count;
    if (report->options->query.view == HCCT_VIEW_PEEK) {
        hcct_line_table_open(&table.lines, tree, report->frames, hcct_names_of(report->options),
                             report->summary->ground.noun->by_caller);
        done = print_peeks(&table, error);
        hcct_line_table_close(&table.lines);
    } else {
        begin(&table);
        add_flat(&table);
        print_rows(&table);
        end(&table);
    }
    hcct_functions_close(&table.functions);
    free(table.rows);
    return done;
}
