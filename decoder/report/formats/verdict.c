/* See verdict.h. Functions are summed up over the whole tree, as --view=flat does. Contexts are those of the
 * tree that is shown, which has all hot ones. */
#include "decoder/report/formats/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/amount.h"
#include "decoder/claim/claim.h"
#include "decoder/query/functions.h"
#include "decoder/report/node.h"
#include "decoder/store/sum.h"
#include "decoder/text/terminal.h"

#define SHORT 20         /* lines of a tree that needs no verdict */
#define LINE_COLUMNS 110 /* where no terminal has another width */

enum { FUNCTIONS = 5, CONTEXTS = 3 };

/* One line. `place` is the function's, or the node's. */
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

/* Keeps the `limit` largest. Of equal ones the first by name stays in front; without names, the one that came
 * first. */
static void offer(struct verdict *verdict, struct entry entry, const char *name)
{
    uint32_t at = verdict->count;
    for (; at; at--) {
        const struct entry *before = &verdict->entries[at - 1];
        if (entry.low < before->low)
            break;
        if (entry.low == before->low &&
            (!name || strcmp(verdict->report->frames->frames[before->place].name, name) <= 0))
            break;
    }
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

static void end(const struct verdict *verdict, const char *noun, uint64_t of)
{
    const struct hcct_ground *ground = &verdict->report->summary->ground;
    char share[HCCT_AMOUNT_BYTES];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < verdict->count; i++)
        sum = hcct_sum(sum, verdict->entries[i].low);
    if (verdict->count > 1)
        fprintf(verdict->out, "  %7s  of the %s in these %" PRIu32 " of %" PRIu64 " %ss\n",
                hcct_amount_share(ground, sum, share), hcct_amount_all(ground), verdict->count, of, noun);
    putc('\n', verdict->out);
}

/* --- functions -------------------------------------------------------------------------------------- */

static bool print_functions(struct verdict *verdict)
{
    const struct hcct_report *report = verdict->report;
    const struct hcct_report_options *options = report->options;
    struct hcct_functions functions;
    uint32_t counted = 0;
    bool done = hcct_functions_open(&functions, report->whole, report->frames);
    verdict->count = 0;
    verdict->limit = FUNCTIONS;
    for (uint32_t i = 0; done && i < functions.count; i++) {
        const struct hcct_function_sum *function = &functions.functions[i];
        struct entry entry = {
            function->own, hcct_claim_missing(&report->summary->ground, function->error, report->unassigned),
            function->frame
        };
        if (is_other(report, function->frame))
            continue;
        counted += function->own != 0;
        offer(verdict, entry, report->frames->frames[function->frame].name);
    }
    hcct_functions_close(&functions);
    if (!done)
        return false;
    begin(verdict, "functions with most ", " of their own");
    for (uint32_t i = 0; done && i < verdict->count; i++) {
        struct hcct_text whole = { 0 }, cut = { 0 };
        size_t used = print_numbers(verdict, &verdict->entries[i]);
        size_t room = options->width > used + 16 ? options->width - used : options->width ? 16 : SIZE_MAX;
        done = hcct_terminal_add(&whole, report->frames->frames[verdict->entries[i].place].name) &&
               hcct_text_end(&whole) && hcct_terminal_add_cut(&cut, whole.bytes, room, options->utf8) &&
               hcct_text_end(&cut);
        if (done)
            fprintf(verdict->out, "%s\n", cut.bytes);
        free(whole.bytes);
        free(cut.bytes);
    }
    end(verdict, "function", counted);
    return done;
}

/* --- contexts --------------------------------------------------------------------------------------- */

/* Prints "main > … > parse > read  lexer.c:24:13": the root, as many of the innermost as fit, and where the
 * last one was called. */
static bool print_chain(const struct verdict *verdict, uint32_t node, size_t room)
{
    const struct hcct_report *report = verdict->report;
    const struct hcct_tree_node *nodes = report->tree->nodes;
    const char *ellipsis = report->options->utf8 ? "… > " : "... > ";
    struct hcct_text line = { 0 }, name = { 0 }, place = { 0 };
    char buffer[HCCT_TREE_TEXT_BYTES];
    uint32_t root = node, depth = 0;
    while (nodes[root].parent != HCCT_NODE_NONE) {
        root = nodes[root].parent;
        depth++;
    }
    uint32_t *path = malloc(((size_t)depth + 1) * sizeof *path);
    bool done = path;
    size_t *columns = calloc((size_t)depth + 1, sizeof *columns);
    done = done && columns && hcct_node_site_text(report, hcct_node_site(report, &nodes[node]), &place);
    for (uint32_t i = depth + 1, at = node; done && i--; at = nodes[at].parent) {
        path[i] = at;
        name.length = 0;
        done = hcct_terminal_add(&name, hcct_node_name(report, &nodes[at], buffer)) && hcct_text_end(&name);
        columns[i] = done ? hcct_terminal_columns(name.bytes) + 3 : 0;
    }
    uint32_t first = depth; /* of the innermost that are printed */
    size_t used = done ? columns[0] + 4 + columns[depth] + hcct_terminal_columns(place.bytes) : room;
    while (first > 1 && used + columns[first - 1] <= room)
        used += columns[--first];
    for (uint32_t i = 0; done && i <= depth; i++) {
        if (i == 1 && first > 1) {
            done = hcct_text_add_string(&line, ellipsis);
            i = first;
        }
        name.length = 0;
        done = done && hcct_terminal_add(&name, hcct_node_name(report, &nodes[path[i]], buffer)) &&
               hcct_text_end(&name) && hcct_text_add_string(&line, name.bytes) &&
               (i == depth || hcct_text_add_string(&line, " > "));
    }
    name.length = 0;
    done = done &&
           (!*place.bytes || (hcct_text_add_string(&line, "  ") && hcct_terminal_add(&line, place.bytes))) &&
           hcct_text_end(&line) &&
           hcct_terminal_add_cut(&name, line.bytes, report->options->width ? room : SIZE_MAX,
                                 report->options->utf8) &&
           hcct_text_end(&name);
    if (done)
        fprintf(verdict->out, "%s\n", name.bytes);
    free(path);
    free(columns);
    free(line.bytes);
    free(name.bytes);
    free(place.bytes);
    return done;
}

static bool print_contexts(struct verdict *verdict, const struct hcct_layout *layout)
{
    const struct hcct_report *report = verdict->report;
    verdict->count = 0;
    verdict->limit = CONTEXTS;
    for (uint32_t i = 0; i < report->tree->node_count; i++) {
        uint32_t at = layout->order[i];
        const struct hcct_tree_node *node = &report->tree->nodes[at];
        if (!is_other(report, node->frame))
            offer(verdict, (struct entry){ hcct_tree_low(node), hcct_node_error(node), at }, NULL);
    }
    if (!verdict->count)
        return true;
    begin(verdict, "contexts with most ", "");
    bool done = true;
    for (uint32_t i = 0; done && i < verdict->count; i++) {
        size_t used = print_numbers(verdict, &verdict->entries[i]),
               width = report->options->width ? report->options->width : LINE_COLUMNS;
        done = print_chain(verdict, verdict->entries[i].place, width > used + 16 ? width - used : 16);
    }
    end(verdict, "context", report->summary->context_count);
    return done;
}

bool hcct_verdict_print(FILE *out, const struct hcct_report *report, const struct hcct_layout *layout)
{
    struct verdict verdict = { .out = out, .report = report };
    if (report->is_upside_down || report->by == HCCT_BY_THREAD || report->tree->node_count <= SHORT)
        return true;
    return print_functions(&verdict) && print_contexts(&verdict, layout);
}
