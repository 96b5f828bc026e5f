/* Prints a difference as text, see diff_text.h. */
#include "decoder/compare/print/diff_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/words.h"
#include "decoder/compare/print/diff_paths.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/shown_names.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"

/* A path that many callers don't tell apart is printed with this many frames at its ends. */
enum { PATH_HEAD = 4, PATH_TAIL = 16 };

enum column { COLUMN_CHANGE, COLUMN_PERCENT, COLUMN_A, COLUMN_B, COLUMN_COUNT };

/* A row's numbers. */
struct row {
    char text[COLUMN_COUNT][HCCT_AMOUNT_BYTES + 1];
    bool beyond;
};

struct printer {
    FILE *out;
    const struct hcct_diff *diff;
    struct row *rows;
    uint32_t *frames; /* per change: how many of its path are shown */
    int width[COLUMN_COUNT];
    size_t indent, wrap; /* the columns where paths begin, and that they may reach */
    size_t column;       /* where the next piece of a path goes */
};

/* --- numbers ---------------------------------------------------------------------------------------- */

void hcct_diff_text_percent(char text[16], uint64_t a, uint64_t b)
{
    double percent = a ? 100 * ((double)b - (double)a) / (double)a : 0;
    if (a == b)
        strcpy(text, "");
    else if (!a || !b)
        strcpy(text, a ? "gone" : "new");
    else if (percent >= 99999)
        snprintf(text, 16, "x%.3g", (double)b / (double)a);
    else
        snprintf(text, 16, "%+.1f%%", percent);
}

void hcct_diff_text_change(char text[HCCT_AMOUNT_BYTES + 1], const struct hcct_ground *ground,
                           uint64_t change, bool falls)
{
    text[0] = falls ? '-' : '+';
    hcct_amount_number(ground, change, text + 1);
}

static const struct hcct_ground *ground_of(const struct printer *printer)
{
    return &printer->diff->side[0].merge.summary.ground;
}

static void fill_row(const struct printer *printer, const struct hcct_diff_node *node, struct row *row)
{
    uint64_t value[2];
    for (int which = 0; which < 2; which++) {
        const struct hcct_diff_side *side = &printer->diff->side[which];
        value[which] = hcct_diff_value(printer->diff, node, which);
        strcpy(row->text[COLUMN_A + which], "-");
        if (hcct_diff_is_counted(side, node->side[which]))
            hcct_amount_number(ground_of(printer), value[which], row->text[COLUMN_A + which]);
    }
    row->beyond = node->beyond;
    hcct_diff_text_change(row->text[COLUMN_CHANGE], ground_of(printer), node->change, node->falls);
    hcct_diff_text_percent(row->text[COLUMN_PERCENT], value[0], value[1]);
}

/* What the rows leave of each profile. */
static void fill_other(const struct printer *printer, uint32_t shown, struct row *row)
{
    const struct hcct_diff *diff = printer->diff;
    uint64_t left[2];
    for (int which = 0; which < 2; which++) {
        const struct hcct_diff_side *side = &diff->side[which];
        uint64_t sum = 0;
        for (uint32_t i = 0; i < shown; i++) {
            uint32_t at = diff->nodes[diff->ranked[i]].side[which];
            if (hcct_diff_is_counted(side, at))
                sum = hcct_sum(sum, side->tree.nodes[at].count);
        }
        left[which] = side->merge.summary.ground.total > sum ? side->merge.summary.ground.total - sum : 0;
        hcct_amount_number(ground_of(printer), left[which], row->text[COLUMN_A + which]);
    }
    bool falls = left[0] > left[1];
    hcct_diff_text_change(row->text[COLUMN_CHANGE], ground_of(printer),
                          falls ? left[0] - left[1] : left[1] - left[0], falls);
    hcct_diff_text_percent(row->text[COLUMN_PERCENT], left[0], left[1]);
}

/* --- paths ------------------------------------------------------------------------------------------ */

/* Prints a piece of a row's path. On a terminal one that does not fit behind the others begins a new line,
 * below the row's first piece. */
static void print_piece(struct printer *printer, const char *piece)
{
    size_t columns = hcct_terminal_columns(piece);
    if (printer->column > printer->indent && printer->column + columns > printer->wrap) {
        fprintf(printer->out, "\n%*s", (int)printer->indent, "");
        piece += strspn(piece, " ");
        columns = hcct_terminal_columns(piece);
        printer->column = printer->indent;
    }
    printer->column += columns;
    fputs(piece, printer->out);
}

static void print_frame(struct printer *printer, const struct hcct_diff_side *side, uint32_t node,
                        uint32_t site, const char *before)
{
    struct hcct_text text = { 0 };
    const struct hcct_tree_site *at = site == HCCT_FRAMES_NONE ? NULL : &side->merge.frames.sites[site];
    hcct_text_add_string(&text, before);
    hcct_escape_add(&text, HCCT_TEXT_PLAIN, side->merge.frames.frames[side->tree.nodes[node].frame].name);
    if (at && at->line)
        hcct_text_print(&text, ":%u", at->line);
    if (at && at->line && at->column)
        hcct_text_print(&text, ":%u", at->column);
    if (at && !at->line && at->ordinal)
        hcct_text_print(&text, "#%u", at->ordinal);
    print_piece(printer, text.bytes);
    free(text.bytes);
}

/* "walk  <- run:12 <- main": a number is the line in which the caller calls. At most `count` frames. `before`
 * stands in front. */
static void print_path(struct printer *printer, const char *before, int which, uint32_t node, uint32_t count)
{
    const struct hcct_diff_side *side = &printer->diff->side[which];
    const struct hcct_tree_node *nodes = side->tree.nodes;
    uint32_t site = HCCT_FRAMES_NONE, length = 0;
    for (uint32_t at = node; at != HCCT_NODE_NONE && length < count; at = nodes[at].parent)
        length++;
    bool cut = length > HCCT_DIFF_PATH_LIMIT;
    for (uint32_t at = node, i = 0; i < length; i++, at = nodes[at].parent) {
        char more[32];
        snprintf(more, sizeof more, " <- [%u more]", length - PATH_HEAD - PATH_TAIL);
        if (cut && i == PATH_TAIL)
            print_piece(printer, more);
        if (!cut || i < PATH_TAIL || i >= length - PATH_HEAD)
            print_frame(printer, side, at, site, i == 0 ? before : i == 1 ? "  <- " : " <- ");
        site = nodes[at].site;
    }
}

/* The frames of a side's path of a context that moved, up to the nearest caller that both have. */
static uint32_t moved_length(const struct hcct_diff *diff, const struct hcct_diff_node *node, int which)
{
    const struct hcct_diff_side *side = &diff->side[which];
    uint32_t length = 1, at = side->tree.nodes[node->side[which]].parent;
    while (at != HCCT_NODE_NONE) {
        uint32_t joined = which ? at : diff->of_a[at];
        length++;
        if (diff->nodes[joined].kind == HCCT_DIFF_BOTH)
            break;
        at = side->tree.nodes[at].parent;
    }
    return length;
}

/* --- the whole -------------------------------------------------------------------------------------- */

/* Whether paths begin with threads: the run had threads=split, and no filter has hidden them. */
static bool has_threads(const struct hcct_diff_side *side)
{
    for (uint32_t i = 0; i < side->tree.node_count; i++)
        if (side->merge.frames.frames[side->tree.nodes[i].frame].kind == HCCT_FRAME_THREAD)
            return true;
    return false;
}

#define SPLIT(one, other)                                                                                    \
    one " was made with threads=split, " other " without: --hide='^\\[thread ' adds up the threads of " one

const char *hcct_diff_text_threads(const struct hcct_diff *diff)
{
    bool a = has_threads(&diff->side[0]), b = has_threads(&diff->side[1]);
    bool is_one = a != b && diff->side[0].tree.node_count && diff->side[1].tree.node_count;
    return !is_one ? NULL : a ? SPLIT("A", "B") : SPLIT("B", "A");
}

void hcct_diff_text_head(FILE *out, const struct hcct_diff *diff,
                         const struct hcct_diff_text_options *options)
{
    const uint32_t *contexts = diff->context_count;
    char amount[HCCT_AMOUNT_BYTES];
    for (int i = 0; i < 2; i++) {
        const struct hcct_diff_side *side = &diff->side[i];
        fprintf(out, "%c  %s  ", "AB"[i],
                hcct_amount_text(&side->merge.summary.ground, side->merge.summary.ground.total, amount));
        hcct_escape_line(out, options->name[i]);
        if (side->dropped)
            fprintf(out, "  (%s dropped or misplaced: any context may have had them)",
                    hcct_amount_text(&side->merge.summary.ground, side->dropped, amount));
        putc('\n', out);
    }
    fprintf(out, "%s: %u contexts in both, %u moved, %u only in A, %u only in B\n%u changed: ",
            diff->same_build ? "the same functions and call sites" : "two builds", contexts[HCCT_DIFF_BOTH],
            contexts[HCCT_DIFF_MOVED], contexts[HCCT_DIFF_ONLY_A], contexts[HCCT_DIFF_ONLY_B],
            diff->ranked_count);
    if (diff->sure == HCCT_SURE_NOTHING)
        fputs("none is marked: " HCCT_CAPPED "\n", out);
    else if (diff->sure == HCCT_SURE_CHANCE)
        fputs("the counts are estimates, so chance may have made any change, and none is marked\n", out);
    else
        fprintf(out, "%u beyond both error bounds (*), %u within\n", diff->beyond_count,
                diff->ranked_count - diff->beyond_count);
    const char *threads = hcct_diff_text_threads(diff);
    if (threads)
        fprintf(out, "%s\n", threads);
    if (diff->side[0].merge.summary.ground.noun->is_calls)
        fputs(HCCT_CALLS_SAY "\n", out);
}

void hcct_diff_text_tell_apart(struct hcct_frames *frames, const uint32_t *list, uint32_t count,
                               enum hcct_names names)
{
    const struct hcct_report_options report = { .format = &hcct_format_tree,
                                                .names = names,
                                                .names_given = true };
    hcct_names_make_list(frames, list, count, &report);
}

/* Short names for all frames; those of the functions that changed tell these apart. */
static void make_names(struct hcct_diff *diff, const struct hcct_diff_text_options *options)
{
    for (int which = 0; which < 2; which++) {
        struct hcct_diff_side *side = &diff->side[which];
        struct hcct_frames *frames = &side->merge.frames;
        uint32_t *list = hcct_memory_array(diff->ranked_count, sizeof *list), count = 0;
        frames->ellipsis = options->ellipsis;
        for (uint32_t i = 0; i < frames->frame_count; i++)
            hcct_frames_rename(frames, i, options->names);
        for (uint32_t i = 0; i < diff->ranked_count; i++) {
            uint32_t node = diff->nodes[diff->ranked[i]].side[which];
            if (node != HCCT_NODE_NONE)
                list[count++] = side->tree.nodes[node].frame;
        }
        hcct_diff_text_tell_apart(frames, list, count, options->names);
        free(list);
    }
}

static void print_row(struct printer *printer, const struct row *row)
{
    putc(row->beyond ? '*' : ' ', printer->out);
    for (int i = 0; i < COLUMN_COUNT; i++)
        fprintf(printer->out, "  %*s", printer->width[i], row->text[i]);
    fputs("  ", printer->out);
}

/* The path of a change, and where it was if it moved. */
static void print_change(struct printer *printer, uint32_t change)
{
    const struct hcct_diff *diff = printer->diff;
    const struct hcct_diff_node *node = &diff->nodes[diff->ranked[change]];
    bool has_moved = node->kind == HCCT_DIFF_MOVED;
    int shown = node->side[1] != HCCT_NODE_NONE;
    uint32_t frames = printer->frames[change], moved = has_moved ? moved_length(diff, node, 1) : 0;
    printer->column = printer->indent;
    print_path(printer, "", shown, node->side[shown], frames > moved ? frames : moved);
    if (has_moved) {
        print_path(printer, "  (was ", 0, node->side[0], moved_length(diff, node, 0));
        putc(')', printer->out);
    }
    putc('\n', printer->out);
}

static void print_rows(struct printer *printer, uint32_t count)
{
    static const struct row title = { .text = { "change", "%", "A", "B" } };
    const struct hcct_diff *diff = printer->diff;
    for (uint32_t i = 0; i <= count; i++)
        for (int k = 0; k < COLUMN_COUNT; k++)
            if ((int)strlen(printer->rows[i].text[k]) > printer->width[k])
                printer->width[k] = (int)strlen(printer->rows[i].text[k]);
    printer->indent = 1 + 2;
    for (int k = 0; k < COLUMN_COUNT; k++)
        printer->indent += 2 + (size_t)printer->width[k];
    putc('\n', printer->out);
    print_row(printer, &title);
    fputs("context: the function, <- its callers as far as they tell it apart\n", printer->out);
    for (uint32_t i = 0; i < count && !ferror(printer->out); i++) {
        print_row(printer, &printer->rows[i]);
        print_change(printer, i);
    }
    print_row(printer, &printer->rows[count]);
    fputs("[other]\n", printer->out);
    if (count < diff->ranked_count)
        fprintf(printer->out, "%u more changes (--top)\n", diff->ranked_count - count);
}

void hcct_diff_print_text(FILE *out, struct hcct_diff *diff, const struct hcct_diff_text_options *options)
{
    struct printer printer = { .out = out, .diff = diff, .width = { 10, 7, 7, 7 } };
    /* a closing bracket may follow the last piece */
    printer.wrap = options->width ? options->width - 1 : SIZE_MAX;
    uint32_t count = diff->ranked_count;
    if (options->top_count && options->top_count < count)
        count = (uint32_t)options->top_count;
    printer.rows = hcct_memory_zeros((size_t)count + 1, sizeof *printer.rows);
    printer.frames = hcct_memory_zeros(diff->ranked_count, sizeof *printer.frames);
    make_names(diff, options);
    hcct_diff_paths(diff, printer.frames);
    hcct_diff_text_head(out, diff, options);
    for (uint32_t i = 0; i < count; i++)
        fill_row(&printer, &diff->nodes[diff->ranked[i]], &printer.rows[i]);
    fill_other(&printer, count, &printer.rows[count]);
    if (hcct_diff_text_has_table(diff, count))
        print_rows(&printer, count);
    free(printer.rows);
    free(printer.frames);
}
