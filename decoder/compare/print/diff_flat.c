/* The difference by function, see diff_flat.h. A side that tells of the calls of a function that no context
 * has (struct hcct_file_function) has its count. Otherwise the function's value is the sum of its contexts'
 * values: so one that a side lacks is no change if it may have it. */
#include "decoder/compare/print/diff_flat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/compare/print/diff_json.h"
#include "decoder/names/symbol.h"
#include "decoder/query/functions.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/shown_names.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

#define NONE HCCT_FUNCTION_NONE

struct row {
    uint32_t function[2];       /* of each side, or NONE */
    struct hcct_range range[2]; /* of its own counts */
    uint64_t value[2];
    uint64_t change;
    uint64_t total_change; /* of its inclusive counts */
    bool falls, beyond;
};

struct flat {
    FILE *out;
    struct hcct_diff *diff;
    struct hcct_functions functions[2];
    uint32_t *order[2];  /* the functions that have no row yet */
    uint32_t left[2];    /* how many these are */
    uint32_t *row_of[2]; /* per function */
    struct row *rows;
    uint32_t row_count;
    uint32_t *ranked; /* the rows that changed, in the order of compare_rows */
    uint32_t ranked_count;
};

/* --- pairs ------------------------------------------------------------------------------------------ */

/* What two functions of one name have in common. */
enum {
    ALIKE_LINKAGE = 1, /* the linkage name, which tells copies of constructors and destructors apart */
    ALIKE_BASE = 2,    /* the last part of the file's path */
    ALIKE_PATH = 4,
};

/* Pairs are made in this order; those of one build have one linkage name. */
static const unsigned alike_in_order[] = { ALIKE_LINKAGE | ALIKE_PATH, ALIKE_LINKAGE | ALIKE_BASE,
                                           ALIKE_LINKAGE, ALIKE_BASE, 0 };

struct sorter {
    const struct flat *flat;
    int which;
    unsigned alike;
};

/* 0: they have one name, and `alike` in common. */
static int compare_keys(const struct flat *flat, int which_a, uint32_t a, int which_b, uint32_t b,
                        unsigned alike)
{
    uint32_t frame_a = flat->functions[which_a].functions[a].frame,
             frame_b = flat->functions[which_b].functions[b].frame;
    const struct hcct_diff_side *side_a = &flat->diff->side[which_a], *side_b = &flat->diff->side[which_b];
    const struct hcct_tree_frame *m = &side_a->merge.frames.frames[frame_a],
                                 *n = &side_b->merge.frames.frames[frame_b];
    size_t stem_a = hcct_symbol_stem(m->linkage), stem_b = hcct_symbol_stem(n->linkage);
    int by = hcct_tree_order(side_a->name[frame_a], side_b->name[frame_b]);
    if (!by && alike & ALIKE_LINKAGE)
        by = stem_a != stem_b ? hcct_tree_order(stem_a, stem_b) : memcmp(m->linkage, n->linkage, stem_a);
    if (!by && alike & ALIKE_BASE)
        by = strcmp(hcct_text_base_name(m->file), hcct_text_base_name(n->file));
    return by || !(alike & ALIKE_PATH) ? by : strcmp(m->file, n->file);
}

static int compare_functions(const void *left, const void *right, void *context)
{
    const struct sorter *sorter = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int by = compare_keys(sorter->flat, sorter->which, a, sorter->which, b, sorter->alike);
    by = by ? by : compare_keys(sorter->flat, sorter->which, a, sorter->which, b, ALIKE_PATH);
    return by ? by : a < b ? -1 : a > b;
}

static void add_row(struct flat *flat, uint32_t a, uint32_t b)
{
    if (a != NONE)
        flat->row_of[0][a] = flat->row_count;
    if (b != NONE)
        flat->row_of[1][b] = flat->row_count;
    flat->rows[flat->row_count++] = (struct row){ .function = { a, b } };
}

/* The end of the functions from `from` on that are alike with this one. */
static uint32_t end_of_run(const struct flat *flat, int which, uint32_t from, int first_which, uint32_t first,
                           unsigned alike)
{
    while (from < flat->left[which] &&
           !compare_keys(flat, which, flat->order[which][from], first_which, first, alike))
        from++;
    return from;
}

/* Makes pairs of what is left over and alike, and keeps the others in `order`. Where the files do not tell,
 * two are a pair only if no more are left over. */
static void pair_alike(struct flat *flat, unsigned alike)
{
    uint32_t from[2] = { 0, 0 }, kept[2] = { 0, 0 };
    for (int which = 0; which < 2; which++) {
        struct sorter sorter = { flat, which, alike };
        if (flat->left[which])
            qsort_r(flat->order[which], flat->left[which], sizeof **flat->order, compare_functions, &sorter);
    }
    while (from[0] < flat->left[0] || from[1] < flat->left[1]) {
        int first = from[0] == flat->left[0] ||
                    (from[1] < flat->left[1] &&
                     compare_keys(flat, 0, flat->order[0][from[0]], 1, flat->order[1][from[1]], alike) > 0);
        uint32_t key = flat->order[first][from[first]], to[2];
        for (int which = 0; which < 2; which++)
            to[which] = end_of_run(flat, which, from[which], first, key, alike);
        uint32_t a = to[0] - from[0], b = to[1] - from[1], pairs = a < b ? a : b;
        if (!(alike & (ALIKE_BASE | ALIKE_PATH)) && (a > 1 || b > 1))
            pairs = 0;
        for (uint32_t i = 0; i < pairs; i++)
            add_row(flat, flat->order[0][from[0]++], flat->order[1][from[1]++]);
        for (int which = 0; which < 2; which++)
            while (from[which] < to[which])
                flat->order[which][kept[which]++] = flat->order[which][from[which]++];
    }
    memcpy(flat->left, kept, sizeof kept);
}

static void pair(struct flat *flat)
{
    size_t count = sizeof alike_in_order / sizeof alike_in_order[0];
    for (size_t i = 0; i < count; i++)
        if (!flat->diff->same_build || alike_in_order[i] & ALIKE_LINKAGE)
            pair_alike(flat, alike_in_order[i]);
    for (uint32_t i = 0; i < flat->left[0]; i++)
        add_row(flat, flat->order[0][i], NONE);
    for (uint32_t i = 0; i < flat->left[1]; i++)
        add_row(flat, NONE, flat->order[1][i]);
}

static void open_flat(struct flat *flat)
{
    for (int which = 0; which < 2; which++) {
        struct hcct_diff_side *side = &flat->diff->side[which];
        hcct_functions_open(&flat->functions[which], &side->tree, &side->merge.frames);
        uint32_t count = flat->functions[which].count;
        flat->order[which] = hcct_memory_array(count, sizeof **flat->order);
        flat->row_of[which] = hcct_memory_array(count, sizeof **flat->row_of);
        for (uint32_t i = 0; i < count; i++)
            flat->order[which][i] = i;
        flat->left[which] = count;
    }
    size_t room = (size_t)flat->functions[0].count + flat->functions[1].count;
    flat->rows = hcct_memory_array(room, sizeof *flat->rows);
    flat->ranked = hcct_memory_array(room, sizeof *flat->ranked);
    pair(flat);
}

static void close_flat(struct flat *flat)
{
    for (int which = 0; which < 2; which++) {
        hcct_functions_close(&flat->functions[which]);
        free(flat->order[which]);
        free(flat->row_of[which]);
    }
    free(flat->rows);
    free(flat->ranked);
}

/* --- changes ---------------------------------------------------------------------------------------- */

static struct row *row_of_node(struct flat *flat, const struct hcct_diff_node *node, int which)
{
    if (node->side[which] == HCCT_NODE_NONE)
        which = !which;
    uint32_t frame = flat->diff->side[which].tree.nodes[node->side[which]].frame;
    return &flat->rows[flat->row_of[which][flat->functions[which].of_frame[frame]]];
}

/* What a context adds to its function's sum: its lower bound. A side without a count takes what is nearest to
 * the other's, as hcct_diff_value does. */
static uint64_t value_of(const struct hcct_diff *diff, const struct hcct_diff_node *node, int which)
{
    if (hcct_diff_is_counted(&diff->side[which], node->side[which]))
        return node->range[which].low;
    return node->range[!which].low < node->range[which].high ? node->range[!which].low
                                                             : node->range[which].high;
}

/* Of a renamed function, one row gets what A has, the other what B has. */
static void add_node(struct flat *flat, const struct hcct_diff_node *node)
{
    for (int which = 0; which < 2; which++) {
        struct row *row = row_of_node(flat, node, which);
        row->value[which] = hcct_sum(row->value[which], value_of(flat->diff, node, which));
        row->range[which].low = hcct_sum(row->range[which].low, node->range[which].low);
    }
}

static const struct hcct_function_sum *sum_of(const struct flat *flat, const struct row *row, int which)
{
    return row->function[which] == NONE ? NULL : &flat->functions[which].functions[row->function[which]];
}

static uint64_t within(uint64_t value, struct hcct_range range)
{
    return value < range.low ? range.low : value > range.high ? range.high : value;
}

/* Adds the calls that no context has, and what the sum of the contexts may lack. */
static void complete(const struct flat *flat, struct row *row)
{
    bool is_known[2];
    for (int which = 0; which < 2; which++) {
        const struct hcct_diff_side *side = &flat->diff->side[which];
        const struct hcct_function_sum *sum = sum_of(flat, row, which);
        struct hcct_range *range = &row->range[which];
        uint64_t missing = hcct_claim_missing(&side->merge.summary.ground, sum ? sum->error : 0,
                                              side->unassigned - side->evicted);
        is_known[which] = side->evicted != 0;
        range->low = hcct_sum(range->low, sum ? sum->evicted : 0);
        range->high = hcct_sum(range->low, missing);
    }
    for (int which = 0; which < 2; which++)
        if (is_known[which])
            row->value[which] = row->range[which].low ? row->range[which].low
                                                      : within(row->range[!which].low, row->range[which]);
}

static uint64_t total_change(const struct flat *flat, const struct row *row)
{
    const struct hcct_function_sum *a = sum_of(flat, row, 0), *b = sum_of(flat, row, 1);
    uint64_t before = a ? a->total : 0, after = b ? b->total : 0;
    return before > after ? before - after : after - before;
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct flat *flat = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct row *m = &flat->rows[a], *n = &flat->rows[b];
    if (m->change != n->change)
        return m->change > n->change ? -1 : 1;
    if (m->beyond != n->beyond)
        return m->beyond ? -1 : 1;
    if (m->total_change != n->total_change)
        return m->total_change > n->total_change ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void rank(struct flat *flat)
{
    for (uint32_t i = 0; i < flat->diff->node_count; i++)
        if (flat->diff->nodes[i].is_context)
            add_node(flat, &flat->diff->nodes[i]);
    for (uint32_t i = 0; i < flat->row_count; i++) {
        struct row *row = &flat->rows[i];
        complete(flat, row);
        row->falls = row->value[0] > row->value[1];
        row->change = row->falls ? row->value[0] - row->value[1] : row->value[1] - row->value[0];
        row->beyond = hcct_claim_differs(flat->diff->sure, row->range[0], row->range[1]);
        row->total_change = total_change(flat, row);
        if (row->change || row->beyond || row->total_change)
            flat->ranked[flat->ranked_count++] = i;
    }
    if (flat->ranked_count)
        qsort_r(flat->ranked, flat->ranked_count, sizeof *flat->ranked, compare_rows, flat);
}

/* --- text ------------------------------------------------------------------------------------------- */

static const struct hcct_tree_frame *frame_of(const struct flat *flat, const struct row *row)
{
    int shown = row->function[1] != NONE;
    return &flat->diff->side[shown].merge.frames.frames[sum_of(flat, row, shown)->frame];
}

static void make_names(struct flat *flat, const struct hcct_diff_text_options *options)
{
    for (int which = 0; which < 2; which++) {
        struct hcct_frames *frames = &flat->diff->side[which].merge.frames;
        uint32_t *list = hcct_memory_array(flat->ranked_count, sizeof *list), count = 0;
        frames->ellipsis = options->ellipsis;
        for (uint32_t i = 0; i < flat->ranked_count; i++) {
            const struct hcct_function_sum *sum = sum_of(flat, &flat->rows[flat->ranked[i]], which);
            if (!sum)
                continue;
            list[count++] = sum->frame;
            hcct_frames_rename(frames, sum->frame, options->names);
        }
        hcct_diff_text_tell_apart(frames, list, count, options->names);
        free(list);
    }
}

/* Change and percent are of `value`. A function without a count on a side, but perhaps below what that side
 * monitors, has a value there, and no count is shown. */
static void print_amounts(const struct flat *flat, const uint64_t value[2], const uint64_t own[2],
                          const uint64_t total[2])
{
    const struct hcct_ground *ground = &flat->diff->side[0].merge.summary.ground;
    char changed[HCCT_AMOUNT_BYTES + 1], percent[16], text[4][HCCT_AMOUNT_BYTES];
    bool falls = value[0] > value[1];
    hcct_diff_text_change(changed, ground, falls ? value[0] - value[1] : value[1] - value[0], falls);
    hcct_diff_text_percent(percent, value[0], value[1]);
    for (int which = 0; which < 2; which++) {
        strcpy(text[which], "-");
        if (own[which] || !value[which])
            hcct_amount_number(ground, own[which], text[which]);
    }
    fprintf(flat->out, " %14s %8s %14s %14s %14s %14s  ", changed, percent, text[0], text[1],
            hcct_amount_number(ground, total[0], text[2]), hcct_amount_number(ground, total[1], text[3]));
}

static void print_text(const struct flat *flat, uint32_t count)
{
    uint64_t left[2];
    for (int which = 0; which < 2; which++)
        left[which] = flat->diff->side[which].merge.summary.ground.total;
    fprintf(flat->out, "\n  %14s %8s %14s %14s %14s %14s  function\n", "change", "%", "A", "B", "total A",
            "total B");
    for (uint32_t i = 0; i < count && !ferror(flat->out); i++) {
        const struct row *row = &flat->rows[flat->ranked[i]];
        uint64_t own[2], total[2];
        for (int which = 0; which < 2; which++) {
            const struct hcct_function_sum *sum = sum_of(flat, row, which);
            own[which] = sum ? sum->own : 0;
            total[which] = sum ? sum->total : 0;
            left[which] -= own[which] < left[which] ? own[which] : left[which];
        }
        putc(row->beyond ? '*' : ' ', flat->out);
        print_amounts(flat, row->value, own, total);
        hcct_escape_line(flat->out, frame_of(flat, row)->name);
        putc('\n', flat->out);
    }
    putc(' ', flat->out);
    print_amounts(flat, left, left, left);
    fputs("[other]\n", flat->out);
    if (count < flat->ranked_count)
        fprintf(flat->out, "%u more functions (--top)\n", flat->ranked_count - count);
}

/* --- json ------------------------------------------------------------------------------------------- */

static void write_sum(struct hcct_json *json, const char *const keys[4], const struct hcct_function_sum *sum,
                      const struct row *row, int which)
{
    hcct_json_unsigned(json, keys[0], sum ? sum->own : 0);
    hcct_json_unsigned(json, keys[1], sum ? sum->total : 0);
    hcct_json_unsigned(json, keys[2], row->range[which].low);
    hcct_json_unsigned(json, keys[3], row->range[which].high);
}

static void print_json(const struct flat *flat, uint32_t count)
{
    static const char *const keys_a[] = { "count_a", "total_a", "low_a", "high_a" };
    static const char *const keys_b[] = { "count_b", "total_b", "low_b", "high_b" };
    struct hcct_json json = { .out = flat->out, .text = HCCT_TEXT_JSON };
    hcct_json_object(&json, NULL, HCCT_JSON_LINES);
    hcct_diff_write_head(&json, flat->diff);
    hcct_json_array(&json, "functions", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < count && !ferror(flat->out); i++) {
        const struct row *row = &flat->rows[flat->ranked[i]];
        const struct hcct_tree_frame *frame = frame_of(flat, row);
        hcct_json_object(&json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(&json, "function", frame->name);
        hcct_json_text(&json, "linkage", frame->linkage);
        hcct_json_text(&json, "file", frame->file);
        hcct_json_unsigned(&json, "line", frame->line);
        write_sum(&json, keys_a, sum_of(flat, row, 0), row, 0);
        write_sum(&json, keys_b, sum_of(flat, row, 1), row, 1);
        hcct_json_printf(&json, "change", "%s%" PRIu64, row->falls ? "-" : "", row->change);
        hcct_json_bool(&json, "beyond", row->beyond);
        hcct_json_end(&json);
    }
    hcct_json_end(&json);
    hcct_json_end(&json);
    putc('\n', flat->out);
}

void hcct_diff_print_flat(FILE *out, struct hcct_diff *diff, const struct hcct_diff_text_options *options,
                          bool json)
{
    struct flat flat = { .out = out, .diff = diff };
    open_flat(&flat);
    rank(&flat);
    uint32_t count = flat.ranked_count;
    if (options->top_count && options->top_count < count)
        count = (uint32_t)options->top_count;
    if (json) {
        print_json(&flat, count);
    } else {
        make_names(&flat, options);
        hcct_diff_text_head(out, diff, options);
        if (hcct_diff_text_has_table(diff, count))
            print_text(&flat, count);
    }
    close_flat(&flat);
}
