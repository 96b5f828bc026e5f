/* The formats `callgrind` and `callgrind-graph`, for KCachegrind, QCachegrind and callgrind_annotate.
 *
 * All that callgrind's format holds is a call graph. `callgrind` therefore makes a function of each context
 * and names it as callgrind's own --separate-callers does: leaf'middle'main. A long name ends in the
 * context's number, or names would grow with the square of the depth; the callers that it leaves out stand in
 * the calls. `callgrind-graph` adds up all contexts of a function. The costs of a function are its count and
 * the error bound of that, at the function's line. The inclusive cost of a call is that of the callee and all
 * below it.
 *
 * Invariant: in the graph, a path counts for a function where the path enters it first. Recursive calls
 * further down have an inclusive cost of 0. So the costs of all calls of a function add up to its inclusive
 * cost, but for a thread's first function, which nothing calls.
 *
 * The format has no word for "not known": frames without a count (inlined ones, those in brackets) are called
 * once, and so are all where the metric does not count calls. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/profile/sum.h"
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/layout.h"
#include "decoder/report/node.h"
#include "decoder/text/escape.h"
#include "format/names.h"

struct cost {
    uint64_t calls, error;
};

/* A call from one function to another in one line. */
struct arc {
    uint32_t caller, callee, line; /* frames */
    uint32_t next;                 /* of the same caller; HCCT_TABLE_NONE ends the list */
    uint64_t call_count;
    struct cost cost;
};

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_layout layout;
    struct cost *cost;               /* per node: inclusive */
    bool *file_known, *object_known; /* per frame: it has been named */
    bool *name_known;                /* per node, or per frame of a graph */
    bool graph;
    /* Of a graph. */
    struct cost *own;    /* per frame */
    uint32_t *first_arc; /* per frame, HCCT_TABLE_NONE: none */
    uint32_t *active;    /* per frame: how often it is on the current path */
    uint32_t *path;      /* nodes */
    struct arc *arcs;
    uint32_t arc_count, arc_capacity;
    struct hcct_table arc_table;
};

static struct cost sum(struct cost a, struct cost b)
{
    return (struct cost){ hcct_sum(a.calls, b.calls), hcct_sum(a.error, b.error) };
}

static struct cost own_cost(const struct hcct_tree_node *node)
{
    return (struct cost){ hcct_tree_low(node), hcct_node_error(node) };
}

/* --- the head ------------------------------------------------------------------------------------- */

static void print_head(struct printer *printer)
{
    FILE *out = printer->out;
    const struct hcct_tree *tree = printer->report->tree;
    struct hcct_facts facts;
    struct cost total = { 0, 0 };
    hcct_facts_make(&facts, printer->report);
    fprintf(out, "# callgrind format\nversion: 1\ncreator: %s\ncmd: ", facts.items[HCCT_FACT_COUNT - 1].text);
    hcct_escape_line(out, facts.items[0].text);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(out, "\ndesc: %s: ", facts.items[i].key);
        hcct_escape_line(out, facts.items[i].text);
    }
    const char *unit = printer->report->summary->unit;
    const char *event = hcct_metric_titles[printer->report->summary->metric];
    fprintf(out,
            "\npositions: line\nevent: %s : %s\nevent: Error : most by which %s may be too low\nevents: %s "
            "Error\n",
            event, unit, unit, event);
    for (uint32_t i = 0; i < tree->node_count; i++)
        total = sum(total, own_cost(&tree->nodes[i]));
    fprintf(out, "summary: %" PRIu64 " %" PRIu64 "\n", total.calls, total.error);
}

/* --- one function --------------------------------------------------------------------------------- */

static void print_text(struct printer *printer, const char *key, uint32_t number, bool *known,
                       const char *text)
{
    fprintf(printer->out, "%s=(%u)%s", key, number + 1, *known ? "" : " ");
    if (!*known)
        hcct_escape_line(printer->out, text && *text ? text : "???");
    fputc('\n', printer->out);
    *known = true;
}

/* Objects and files take the numbers of their frames. An inlined frame is in the object of its function. */
static void print_place(struct printer *printer, const struct hcct_tree_node *node, const char *object_key,
                        const char *file_key)
{
    const struct hcct_tree_frame *frames = printer->report->frames->frames;
    uint32_t frame = node->frame;
    while (frames[node->frame].kind == HCCT_FRAME_INLINED && node->parent != HCCT_NODE_NONE)
        node = &printer->report->tree->nodes[node->parent];
    print_text(printer, object_key, node->frame, &printer->object_known[node->frame],
               frames[node->frame].object);
    print_text(printer, file_key, frame, &printer->file_known[frame], frames[frame].file);
}

#define PATH_BYTES 512 /* of a context's name; its last function is named in any case */

/* leaf'middle'main */
static void print_path(struct printer *printer, uint32_t index)
{
    const struct hcct_tree_node *nodes = printer->report->tree->nodes;
    char buffer[HCCT_TREE_TEXT_BYTES];
    size_t length = 0;
    for (uint32_t at = index; at != HCCT_NODE_NONE; at = nodes[at].parent) {
        const char *name = hcct_node_name(printer->report, &nodes[at], buffer);
        length += strlen(name) + 1;
        if (at != index && length > PATH_BYTES) {
            fprintf(printer->out, "'[context %u]", index + 1);
            return;
        }
        fputs(at == index ? "" : "'", printer->out);
        hcct_escape_line(printer->out, name);
    }
}

/* fn= or cfn=: a node's context, or in a graph its function. The name stands behind its number the first
 * time. */
static void print_name(struct printer *printer, const char *key, uint32_t index)
{
    const struct hcct_tree_node *node = &printer->report->tree->nodes[index];
    uint32_t number = printer->graph ? node->frame : index;
    char name[HCCT_TREE_TEXT_BYTES];
    fprintf(printer->out, "%s=(%u)", key, number + 1);
    if (!printer->name_known[number]) {
        fputc(' ', printer->out);
        if (printer->graph)
            hcct_escape_line(printer->out, hcct_node_name(printer->report, node, name));
        else
            print_path(printer, index);
    }
    fputc('\n', printer->out);
    printer->name_known[number] = true;
}

/* The head of a function: a node's context, or in a graph its function. */
static void print_function(struct printer *printer, uint32_t index, struct cost own)
{
    const struct hcct_tree_node *node = &printer->report->tree->nodes[index];
    const struct hcct_tree_frame *frame = &printer->report->frames->frames[node->frame];
    fputc('\n', printer->out);
    print_place(printer, node, "ob", "fl");
    print_name(printer, "fn", index);
    fprintf(printer->out, "%u %" PRIu64 " %" PRIu64 "\n", frame->kind == HCCT_FRAME_REPEAT ? 0 : frame->line,
            own.calls, own.error);
}

static void print_call(struct printer *printer, uint32_t callee, uint32_t line, uint64_t call_count,
                       struct cost cost)
{
    const struct hcct_tree_node *node = &printer->report->tree->nodes[callee];
    if (printer->report->summary->metric != HCCT_METRIC_CALLS)
        call_count = 1;
    print_place(printer, node, "cob", "cfi");
    print_name(printer, "cfn", callee);
    fprintf(printer->out, "calls=%" PRIu64 " %u\n%u %" PRIu64 " %" PRIu64 "\n", call_count ? call_count : 1,
            printer->report->frames->frames[node->frame].line, line, cost.calls, cost.error);
}

static uint32_t line_of_call(const struct printer *printer, uint32_t index)
{
    const struct hcct_tree_site *site = hcct_node_site(printer->report, &printer->report->tree->nodes[index]);
    return site ? site->line : 0;
}

/* --- contexts ------------------------------------------------------------------------------------- */

static void print_contexts(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    const struct hcct_tree_children *children = &printer->layout.children;
    for (uint32_t i = 0; i < tree->node_count && !ferror(printer->out); i++) {
        uint32_t node = printer->layout.order[i];
        print_function(printer, node, own_cost(&tree->nodes[node]));
        for (uint32_t at = children->first[node]; at < children->first[node + 1]; at++) {
            uint32_t child = children->child[at];
            print_call(printer, child, line_of_call(printer, child), hcct_tree_low(&tree->nodes[child]),
                       printer->cost[child]);
        }
    }
}

/* --- the graph ------------------------------------------------------------------------------------ */

static bool same_arc(const void *array, uint32_t index, const void *key)
{
    const struct arc *a = (const struct arc *)array + index, *b = key;
    return a->caller == b->caller && a->callee == b->callee && a->line == b->line;
}

/* NULL when memory is out. */
static struct arc *find_arc(struct printer *printer, const struct arc *key)
{
    uint32_t hash = (uint32_t)hcct_hash_step(hcct_hash_step(key->caller, key->callee), key->line);
    uint32_t found = hcct_table_find(&printer->arc_table, hash, same_arc, printer->arcs, key);
    if (found != HCCT_TABLE_NONE)
        return &printer->arcs[found];
    if (!hcct_vector_grow(&printer->arcs, &printer->arc_capacity, printer->arc_count, sizeof *key))
        return NULL;
    if (!hcct_table_add(&printer->arc_table, hash, printer->arc_count))
        return NULL;
    struct arc *arc = &printer->arcs[printer->arc_count];
    *arc = *key;
    arc->next = printer->first_arc[key->caller];
    printer->first_arc[key->caller] = printer->arc_count++;
    return arc;
}

static bool add_to_graph(struct printer *printer, uint32_t index)
{
    const struct hcct_tree_node *nodes = printer->report->tree->nodes, *node = &nodes[index];
    printer->own[node->frame] = sum(printer->own[node->frame], own_cost(node));
    if (node->parent == HCCT_NODE_NONE)
        return true;
    struct arc *arc = find_arc(printer, &(struct arc){ .caller = nodes[node->parent].frame,
                                                       .callee = node->frame,
                                                       .line = line_of_call(printer, index) });
    if (!arc)
        return false;
    arc->call_count = hcct_sum(arc->call_count, hcct_tree_low(node));
    if (!printer->active[node->frame])
        arc->cost = sum(arc->cost, printer->cost[index]);
    return true;
}

static bool build_graph(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        uint32_t node = printer->layout.order[i];
        while (depth > printer->layout.depth[node])
            printer->active[tree->nodes[printer->path[--depth]].frame]--;
        if (!add_to_graph(printer, node))
            return false;
        printer->active[tree->nodes[node].frame]++;
        printer->path[depth++] = node;
    }
    return true;
}

static bool print_graph(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    uint32_t frame_count = printer->report->frames->frame_count;
    uint32_t *node_of = malloc(((size_t)frame_count + 1) * sizeof *node_of);
    for (uint32_t i = 0; node_of && i < frame_count; i++)
        node_of[i] = HCCT_NODE_NONE;
    for (uint32_t i = tree->node_count; node_of && i--;)
        node_of[tree->nodes[i].frame] = i;
    for (uint32_t i = 0; node_of && i < frame_count && !ferror(printer->out); i++) {
        if (node_of[i] == HCCT_NODE_NONE)
            continue;
        print_function(printer, node_of[i], printer->own[i]);
        for (uint32_t at = printer->first_arc[i]; at != HCCT_TABLE_NONE; at = printer->arcs[at].next)
            print_call(printer, node_of[printer->arcs[at].callee], printer->arcs[at].line,
                       printer->arcs[at].call_count, printer->arcs[at].cost);
    }
    free(node_of);
    return node_of;
}

/* --- both ----------------------------------------------------------------------------------------- */

static bool prepare(struct printer *printer)
{
    const struct hcct_tree *tree = printer->report->tree;
    size_t node_room = (size_t)tree->node_count + 1,
           frame_room = (size_t)printer->report->frames->frame_count + 1;
    printer->cost = calloc(node_room, sizeof *printer->cost);
    printer->path = malloc(node_room * sizeof *printer->path);
    printer->file_known = calloc(frame_room, sizeof *printer->file_known);
    printer->object_known = calloc(frame_room, sizeof *printer->object_known);
    printer->name_known = calloc(printer->graph ? frame_room : node_room, sizeof *printer->name_known);
    printer->own = calloc(frame_room, sizeof *printer->own);
    printer->active = calloc(frame_room, sizeof *printer->active);
    printer->first_arc = malloc(frame_room * sizeof *printer->first_arc);
    if (!hcct_layout_open(&printer->layout, printer->report) || !printer->cost || !printer->path ||
        !printer->file_known || !printer->object_known || !printer->name_known || !printer->own ||
        !printer->active || !printer->first_arc)
        return false;
    for (size_t i = 0; i < frame_room; i++)
        printer->first_arc[i] = HCCT_TABLE_NONE;
    for (uint32_t i = tree->node_count; i--;) {
        uint32_t parent = tree->nodes[i].parent;
        printer->cost[i] = sum(printer->cost[i], own_cost(&tree->nodes[i]));
        if (parent != HCCT_NODE_NONE)
            printer->cost[parent] = sum(printer->cost[parent], printer->cost[i]);
    }
    return true;
}

static void close_printer(struct printer *printer)
{
    hcct_layout_close(&printer->layout);
    hcct_table_free(&printer->arc_table);
    free(printer->cost);
    free(printer->path);
    free(printer->file_known);
    free(printer->object_known);
    free(printer->name_known);
    free(printer->own);
    free(printer->active);
    free(printer->first_arc);
    free(printer->arcs);
}

static bool print_callgrind(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report };
    bool done = prepare(&printer);
    if (done) {
        print_head(&printer);
        print_contexts(&printer);
    }
    close_printer(&printer);
    return done;
}

static bool print_callgrind_graph(FILE *out, const struct hcct_report *report)
{
    struct printer printer = { .out = out, .report = report, .graph = true };
    bool done = prepare(&printer) && build_graph(&printer);
    if (done) {
        print_head(&printer);
        done = print_graph(&printer);
    }
    close_printer(&printer);
    return done;
}

const struct hcct_report_format hcct_format_callgrind = {
    .name = "callgrind",
    .audience = HCCT_REPORT_FOR_VIEWERS,
    .print = print_callgrind,
    .by = HCCT_BY_LINE,
    .names = HCCT_NAMES_FULL,
    .folds = true,
    .is_document = true,
    .sums_functions = true,
};

const struct hcct_report_format hcct_format_callgrind_graph = {
    .name = "callgrind-graph",
    .audience = HCCT_REPORT_FOR_VIEWERS,
    .print = print_callgrind_graph,
    .by = HCCT_BY_LINE,
    .names = HCCT_NAMES_FULL,
    .is_document = true,
    .sums_functions = true,
};
