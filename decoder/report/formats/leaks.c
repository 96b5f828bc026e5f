/* The format `leaks`: which contexts allocated what is lost: it was never freed, and no pointer leads to it
 * (heap_scan=on). What is still reachable is no leak. A context is shown as debuggers show a stack: the
 * allocating call first, below it its callers, each with the place of the call. */
#include <inttypes.h>
#include <stdlib.h>

#include "decoder/claim/amount.h"
#include "decoder/query/filter.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/node.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

struct sum {
    uint64_t bytes, blocks, contexts;
};

struct leak {
    uint32_t node;
    uint64_t bytes, blocks;
};

struct leaks {
    struct leak *list;
    uint32_t count, capacity;
    struct sum all;
};

static void add(struct sum *sum, uint64_t bytes, uint64_t blocks)
{
    sum->bytes += bytes;
    sum->blocks += blocks;
    sum->contexts++;
}

static int compare_leaks(const void *left, const void *right)
{
    const struct leak *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static void find(struct leaks *leaks, struct sum *reachable, const struct hcct_tree *tree)
{
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const uint64_t *values = hcct_tree_values(tree, i);
        struct leak leak = { i, values[HCCT_HEAP_LOST], values[HCCT_HEAP_LOST_BLOCKS] };
        if (values[HCCT_HEAP_LIVE_BLOCKS] > leak.blocks)
            add(reachable, values[HCCT_HEAP_LIVE] - leak.bytes, values[HCCT_HEAP_LIVE_BLOCKS] - leak.blocks);
        if (!leak.blocks)
            continue;
        hcct_memory_grow(&leaks->list, &leaks->capacity, leaks->count, sizeof leak);
        leaks->list[leaks->count++] = leak;
        add(&leaks->all, leak.bytes, leak.blocks);
    }
    if (leaks->count)
        qsort(leaks->list, leaks->count, sizeof *leaks->list, compare_leaks);
}

static void print_sum(FILE *out, uint64_t bytes, uint64_t blocks)
{
    fprintf(out, "%" PRIu64 " byte%s in %" PRIu64 " block%s", bytes, hcct_amount_plural(bytes), blocks,
            hcct_amount_plural(blocks));
}

/* A frame, and where it made the call that leads to the frame above. */
static void print_frame(FILE *out, const struct hcct_report *report, uint32_t node, uint32_t callee)
{
    const struct hcct_tree_node *nodes = report->tree->nodes;
    char buffer[HCCT_TREE_TEXT_BYTES];
    struct hcct_text place = { 0 };
    const struct hcct_tree_site *site =
        callee == HCCT_NODE_NONE ? NULL : hcct_node_site(report, &nodes[callee]);
    hcct_node_site_text(report, site, &place);
    fputs("    ", out);
    hcct_escape_line(out, hcct_node_name(report, &nodes[node], buffer));
    if (*place.bytes) {
        fputs("  ", out);
        hcct_escape_line(out, place.bytes);
    }
    putc('\n', out);
    free(place.bytes);
}

static void print_leaks(FILE *out, const struct hcct_report *report, const struct leaks *leaks)
{
    uint64_t limit = report->options->top_count;
    struct sum hidden = { 0 };
    for (uint32_t i = 0; i < leaks->count && !ferror(out); i++) {
        const struct leak *leak = &leaks->list[i];
        if (limit && i >= limit) {
            add(&hidden, leak->bytes, leak->blocks);
            continue;
        }
        fputs("lost: ", out);
        print_sum(out, leak->bytes, leak->blocks);
        putc('\n', out);
        for (uint32_t node = leak->node, callee = HCCT_NODE_NONE; node != HCCT_NODE_NONE;
             callee = node, node = report->tree->nodes[node].parent)
            print_frame(out, report, node, callee);
        putc('\n', out);
    }
    if (!hidden.contexts)
        return;
    fputs("lost: ", out);
    print_sum(out, hidden.bytes, hidden.blocks);
    fprintf(out, " in %" PRIu64 " other context%s\n\n", hidden.contexts, hcct_amount_plural(hidden.contexts));
}

/* What is lost in contexts that the tree lacks. A filter leaves contexts out: then it is not known. */
static void add_rest(FILE *out, const struct hcct_report *report, struct leaks *lost)
{
    uint64_t bytes = report->summary->values[HCCT_HEAP_LOST].rest;
    uint64_t blocks = report->summary->values[HCCT_HEAP_LOST_BLOCKS].rest;
    if (!blocks || hcct_filter_is_needed(&report->options->query))
        return;
    fputs("lost: ", out);
    print_sum(out, bytes, blocks);
    fputs("\n    in contexts that were not kept: HCCT_OPTIONS=mode=cct keeps all\n\n", out);
    add(&lost->all, bytes, blocks);
}

static void print_summary(FILE *out, const struct leaks *lost, const struct sum *reachable)
{
    if (lost->all.blocks) {
        fputs("leaked: ", out);
        print_sum(out, lost->all.bytes, lost->all.blocks);
        fprintf(out, " by %" PRIu64 " context%s", lost->all.contexts, hcct_amount_plural(lost->all.contexts));
    } else {
        fputs("no leaks", out);
    }
    fputs("; still reachable: ", out);
    print_sum(out, reachable->bytes, reachable->blocks);
    putc('\n', out);
}

static void print(FILE *out, const struct hcct_report *report)
{
    struct leaks lost = { .list = NULL };
    struct sum reachable = { 0 };
    find(&lost, &reachable, report->tree);
    print_leaks(out, report, &lost);
    add_rest(out, report, &lost);
    print_summary(out, &lost, &reachable);
    if (report->options->leaked)
        *report->options->leaked = lost.all.blocks != 0;
    free(lost.list);
}

const struct hcct_report_format hcct_format_leaks = {
    .name = "leaks",
    .print = print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_SHORT,
    .shape = HCCT_SHAPE_MARKED,
    .medium = HCCT_MEDIUM_TERMINAL,
    .values = HCCT_VALUES_LOST,
};
