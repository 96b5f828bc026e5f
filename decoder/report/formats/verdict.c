/* See verdict.h. Functions are summed up over the whole tree, as --view=flat does. Contexts are those of the
 * tree that is shown, which has all hot ones. Lines are those of all samples. */
#include "decoder/report/formats/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/claim/claim.h"
#include "decoder/query/functions.h"
#include "decoder/report/line_table.h"
#include "decoder/report/node.h"
#include "decoder/report/shown_names.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/text/terminal.h"

#define SHORT 20         /* lines of a tree that needs no verdict */
#define LINE_COLUMNS 110 /* where no terminal has another width */

enum { FUNCTIONS = 5, CONTEXTS = 3 };

/* One line. `place` is the number of what it is of. */
struct entry {
    uint64_t low, missing; /* at least so many, and at most so many more */
    uint32_t place;
};

struct verdict {
    FILE *out;
    const struct hcct_report *report;
    struct entry entries[FUNCTIONS];
    uint32_t count, limit;
    int number_width, missing_width; /* 0: no such column */
};

static bool is_other(const struct hcct_report *report, uint32_t frame)
{
    return report->frames->frames[frame].kind == HCCT_FRAME_OTHER;
}

/* Keeps the `limit` largest. Of equal ones the one that came first stays in front. */
static void offer(struct verdict *verdict, struct entry entry)
{
    uint32_t at = verdict->count;
    while (at && entry.low > verdict->entries[at - 1].low)
        at--;
    if (at == verdict->limit || !entry.low)
        return;
    verdict->count += verdict->count < verdict->limit;
    memmove(&verdict->entries[at + 1], &verdict->entries[at],
            (verdict->count - 1 - at) * sizeof *verdict->entries);
    verdict->entries[at] = entry;
}

static void widen(int *width, const char *text)
{
    *width = *width < (int)strlen(text) ? (int)strlen(text) : *width;
}

static void begin(struct verdict *verdict, const char *title, const char *behind)
{
    const struct hcct_report *report = verdict->report;
    char text[HCCT_AMOUNT_BYTES];
    verdict->number_width = verdict->missing_width = 0;
    for (uint32_t i = 0; i < verdict->count; i++) {
        widen(&verdict->number_width,
              hcct_amount_number(&report->summary->ground, verdict->entries[i].low, text));
        if (verdict->entries[i].missing)
            widen(&verdict->missing_width,
                  hcct_amount_number(&report->summary->ground, verdict->entries[i].missing, text));
    }
    fprintf(verdict->out, "%s%s%s\n", title, hcct_amount_all(&report->summary->ground), behind);
}

/* The numbers of a line. Returns the columns that they take. */
static size_t print_numbers(const struct verdict *verdict, const struct entry *entry)
{
    const struct hcct_ground *ground = &verdict->report->summary->ground;
    char share[HCCT_AMOUNT_BYTES], number[HCCT_AMOUNT_BYTES];
    int used = fprintf(verdict->out, "  %7s  %*s", hcct_amount_share(ground, entry->low, share),
                       verdict->number_width, hcct_amount_number(ground, entry->low, number));
    if (verdict->missing_width)
        used += fprintf(verdict->out, " %s%-*s", entry->missing ? "+" : " ", verdict->missing_width,
                        entry->missing ? hcct_amount_number(ground, entry->missing, number) : "");
    return (size_t)used + (size_t)fprintf(verdict->out, "  ");
}

/* `without`: what no line can be of, as it is not known which. */
static void end(const struct verdict *verdict, const char *noun, uint64_t of, uint64_t without)
{
    const struct hcct_ground *ground = &verdict->report->summary->ground;
    char share[HCCT_AMOUNT_BYTES];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < verdict->count; i++)
        sum = hcct_sum(sum, verdict->entries[i].low);
    if (verdict->count > 1)
        fprintf(verdict->out, "  %7s  of the %s in these %" PRIu32 " of %" PRIu64 " %ss\n",
                hcct_amount_share(ground, sum, share), hcct_amount_all(ground), verdict->count, of, noun);
    if (without)
        fprintf(verdict->out, "  %7s  has no %s\n", hcct_amount_share(ground, without, share), noun);
    putc('\n', verdict->out);
}

/* --- functions -------------------------------------------------------------------------------------- */

/* What a line is of: a function; or, if that tells more, what it called of a library, with all below it. */
struct line {
    const struct hcct_tree_frame *function, *called; /* called NULL: nothing, or it does not matter */
    uint64_t key;                                    /* of both */
    uint64_t own, error;
};

struct lines {
    struct line *items;
    uint32_t count, capacity;
};

static void add_line(struct lines *lines, struct line line)
{
    if (!line.own)
        return;
    hcct_memory_grow(&lines->items, &lines->capacity, lines->count, sizeof line);
    lines->items[lines->count++] = line;
}

static bool is_function(const struct hcct_tree_frame *frame)
{
    return frame->kind == HCCT_FRAME_FUNCTION || frame->kind == HCCT_FRAME_INLINED;
}

/* Of a node's own count. */
static struct line line_of_node(const struct hcct_report *report, const struct hcct_functions *functions,
                                uint32_t node)
{
    const struct hcct_tree_node *nodes = report->whole->nodes;
    const struct hcct_tree_frame *frames = report->frames->frames;
    uint32_t at = node, below = HCCT_NODE_NONE;
    for (; !is_function(&frames[nodes[at].frame]) && nodes[at].parent != HCCT_NODE_NONE;
         at = nodes[at].parent)
        below = at;
    struct line line = { .function = &frames[nodes[at].frame],
                         .key = (uint64_t)functions->of_frame[nodes[at].frame] << 32,
                         .own = hcct_tree_low(&nodes[node]),
                         .error = hcct_node_error(&nodes[node]) };
    if (below == HCCT_NODE_NONE)
        return line;
    line.called = &frames[nodes[below].frame];
    line.key |= functions->of_frame[nodes[below].frame] + 1;
    return line;
}

static int compare_keys(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Adds up the lines of one key. */
static void join_lines(struct lines *lines)
{
    uint32_t count = 0;
    if (lines->count)
        qsort(lines->items, lines->count, sizeof *lines->items, compare_keys);
    for (uint32_t i = 0; i < lines->count; i++) {
        struct line *last = count ? &lines->items[count - 1] : NULL;
        if (!last || last->key != lines->items[i].key) {
            lines->items[count++] = lines->items[i];
            continue;
        }
        last->own = hcct_sum(last->own, lines->items[i].own);
        last->error = hcct_sum(last->error, lines->items[i].error);
    }
    lines->count = count;
}

static struct lines find_lines(const struct hcct_report *report)
{
    struct lines lines = { 0 };
    struct hcct_functions functions;
    hcct_functions_open(&functions, report->whole, report->frames);
    if (report->summary->ground.noun->by_caller) {
        for (uint32_t i = 0; i < report->whole->node_count; i++)
            if (!is_other(report, report->whole->nodes[i].frame))
                add_line(&lines, line_of_node(report, &functions, i));
        join_lines(&lines);
    } else {
        for (uint32_t i = 0; i < functions.count; i++) {
            const struct hcct_function_sum *sum = &functions.functions[i];
            if (!is_other(report, sum->frame))
                add_line(&lines, (struct line){ .function = &report->frames->frames[sum->frame],
                                                .own = sum->own,
                                                .error = sum->error });
        }
    }
    hcct_functions_close(&functions);
    for (uint32_t i = 0; i < lines.count; i++)
        lines.items[i].error = hcct_report_missing_of_function(report, lines.items[i].error);
    return lines;
}

/* Of equal ones the first by name comes first. */
static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->own != y->own)
        return x->own < y->own ? 1 : -1;
    int order = strcmp(x->function->name, y->function->name);
    return order || !x->called || !y->called ? order : strcmp(x->called->name, y->called->name);
}

static void print_functions(struct verdict *verdict)
{
    const struct hcct_report_options *options = verdict->report->options;
    struct lines lines = find_lines(verdict->report);
    if (lines.count)
        qsort(lines.items, lines.count, sizeof *lines.items, compare_lines);
    verdict->count = lines.count < FUNCTIONS ? lines.count : FUNCTIONS;
    for (uint32_t i = 0; i < verdict->count; i++)
        verdict->entries[i] = (struct entry){ lines.items[i].own, lines.items[i].error, i };
    begin(verdict, "functions with most ", " of their own");
    for (uint32_t i = 0; i < verdict->count; i++) {
        struct hcct_text name = { 0 };
        hcct_text_add_string(&name, lines.items[i].function->name);
        if (lines.items[i].called) {
            hcct_text_add_string(&name, " > ");
            hcct_text_add_string(&name, lines.items[i].called->name);
        }
        size_t used = print_numbers(verdict, &verdict->entries[i]);
        hcct_terminal_print(verdict->out, name.bytes, options->width, used, options->utf8);
        putc('\n', verdict->out);
        free(name.bytes);
    }
    end(verdict, "function", lines.count, 0);
    free(lines.items);
}

/* --- contexts --------------------------------------------------------------------------------------- */

static void add_name(const struct hcct_report *report, uint32_t node, struct hcct_text *to)
{
    char buffer[HCCT_TREE_TEXT_BYTES];
    hcct_terminal_add(to, hcct_node_name(report, &report->tree->nodes[node], buffer));
}

/* With what stands between it and the next one. */
static size_t columns_of(const struct hcct_report *report, uint32_t node)
{
    struct hcct_text name = { 0 };
    add_name(report, node, &name);
    hcct_text_add_string(&name, " > ");
    size_t columns = hcct_terminal_columns(name.bytes);
    free(name.bytes);
    return columns;
}

static size_t less(size_t room, size_t taken)
{
    return room > taken ? room - taken : 0;
}

/* Adds "main > … > parse > read": the root, and as many of the innermost as fit into `room`. Of what is left
 * out, `fork` is named: "main > … > load > … > parse > read". HCCT_NODE_NONE: nothing. */
static void add_path(const struct hcct_report *report, uint32_t node, size_t room, uint32_t fork,
                     struct hcct_text *to)
{
    enum { NAMES = 32 };
    const char *dots = report->options->utf8 ? " > …" : " > ...";
    const struct hcct_tree_node *nodes = report->tree->nodes;
    uint32_t path[NAMES], count = 0, root = node, at = node;
    while (nodes[root].parent != HCCT_NODE_NONE)
        root = nodes[root].parent;
    size_t left = less(room, columns_of(report, root) + 4);
    if (fork != HCCT_NODE_NONE)
        left = less(left, columns_of(report, fork) + 4);
    for (; at != root && count < NAMES; at = nodes[at].parent) {
        size_t columns = columns_of(report, at);
        if (count && columns > left)
            break;
        left = less(left, columns);
        path[count++] = at;
        if (at == fork)
            fork = HCCT_NODE_NONE;
    }
    add_name(report, root, to);
    if (at != root)
        hcct_text_add_string(to, dots);
    if (fork != HCCT_NODE_NONE && fork != root) {
        hcct_text_add_string(to, " > ");
        add_name(report, fork, to);
        if (at != fork)
            hcct_text_add_string(to, dots);
    }
    while (count) {
        hcct_text_add_string(to, " > ");
        add_name(report, path[--count], to);
    }
}

/* The path, and where its last function was called: "main > … > parse > read  lexer.c:24:13". */
static struct hcct_text chain(const struct hcct_report *report, uint32_t node, size_t room, uint32_t fork)
{
    struct hcct_text line = { 0 }, cut = { 0 }, place = { 0 };
    hcct_node_site_text(report, hcct_node_site(report, &report->tree->nodes[node]), &place);
    size_t taken = *place.bytes ? hcct_terminal_columns(place.bytes) + 2 : 0;
    add_path(report, node, less(room, taken), fork, &line);
    if (taken) {
        hcct_text_add_string(&line, "  ");
        hcct_terminal_add(&line, place.bytes);
    }
    hcct_terminal_add_cut(&cut, line.bytes, report->options->width ? room : SIZE_MAX, report->options->utf8);
    free(line.bytes);
    free(place.bytes);
    return cut;
}

/* The innermost node of the path of `a` that has another function than `b` has there. */
static uint32_t fork_of(const struct hcct_report *report, uint32_t a, uint32_t b)
{
    const struct hcct_tree_node *nodes = report->tree->nodes;
    while (a != HCCT_NODE_NONE && b != HCCT_NODE_NONE && nodes[a].frame == nodes[b].frame) {
        a = nodes[a].parent;
        b = nodes[b].parent;
    }
    return a;
}

static void print_contexts(struct verdict *verdict, const struct hcct_layout *layout)
{
    const struct hcct_report *report = verdict->report;
    verdict->count = 0;
    verdict->limit = CONTEXTS;
    for (uint32_t i = 0; i < report->tree->node_count; i++) {
        uint32_t at = layout->order[i];
        const struct hcct_tree_node *node = &report->tree->nodes[at];
        if (!is_other(report, node->frame))
            offer(verdict, (struct entry){ hcct_tree_low(node), hcct_node_error(node), at });
    }
    if (!verdict->count)
        return;
    begin(verdict, "contexts with most ", "");
    for (uint32_t i = 0; i < verdict->count; i++) {
        uint32_t node = verdict->entries[i].place;
        size_t used = print_numbers(verdict, &verdict->entries[i]),
               width = report->options->width ? report->options->width : LINE_COLUMNS,
               room = width > used + 16 ? width - used : 16;
        struct hcct_text line = chain(report, node, room, HCCT_NODE_NONE);
        for (uint32_t other = 0; other < verdict->count; other++) {
            struct hcct_text its = chain(report, verdict->entries[other].place, room, HCCT_NODE_NONE);
            if (other != i && !strcmp(line.bytes, its.bytes)) {
                free(line.bytes);
                line = chain(report, node, room, fork_of(report, node, verdict->entries[other].place));
            }
            free(its.bytes);
        }
        fprintf(verdict->out, "%s\n", line.bytes);
        free(line.bytes);
    }
    end(verdict, "context", report->summary->context_count, 0);
}

/* --- lines ------------------------------------------------------------------------------------------ */

/* Of samples; or why none is known. */
static void print_lines(struct verdict *verdict)
{
    const struct hcct_report *report = verdict->report;
    const struct hcct_report_options *options = report->options;
    struct hcct_line_table lines;
    uint64_t known = 0, without = 0;
    hcct_line_table_open(&lines, report->whole, report->frames, hcct_names_of(options),
                         report->summary->ground.noun->by_caller);
    verdict->count = 0;
    verdict->limit = FUNCTIONS;
    for (uint32_t i = 0; i < lines.count; i++) {
        const struct hcct_line *line = &lines.lines[i];
        known += line->line != 0;
        if (line->line)
            offer(verdict, (struct entry){ line->count, line->error, i });
        else
            without = hcct_sum(without, line->count);
    }
    if (verdict->count)
        begin(verdict, "lines with most ", "");
    for (uint32_t i = 0; i < verdict->count; i++) {
        size_t used = print_numbers(verdict, &verdict->entries[i]);
        const char *label = lines.lines[verdict->entries[i].place].label;
        hcct_terminal_print(verdict->out, label, options->width, used, options->utf8);
        putc('\n', verdict->out);
    }
    if (verdict->count)
        end(verdict, "line", known, without);
    else
        hcct_place_lines_print_gap(verdict->out, &lines.places, "no lines: ", "\n");
    hcct_line_table_close(&lines);
}

void hcct_verdict_print(FILE *out, const struct hcct_report *report, const struct hcct_layout *layout)
{
    struct verdict verdict = { .out = out, .report = report };
    const struct hcct_report_options *options = report->options;
    bool shows_half = !options->cold || options->folds_unasked;
    if (report->is_upside_down || report->by == HCCT_BY_THREAD ||
        (report->tree->node_count <= SHORT && shows_half))
        return;
    print_functions(&verdict);
    print_contexts(&verdict, layout);
    if (report->whole->spot_count || report->summary->ground.noun->by_caller)
        print_lines(&verdict);
}
