/* The format `llvm-sample`: a context-sensitive sample profile as text, for clang's -fprofile-sample-use= and
 * llvm-profdata.
 *
 *     # key: value                       facts about the profile
 *     [main:3 @ inl:1.2 @ foo]:15:10     a context: functions and places of calls; total and head samples
 *      0: 10                             a place and how often it ran; then what was called there, how often
 *      2: 5 bar:5
 *
 * A place is a line, counted from the first line of its function, and a base discriminator where that is not
 * 0. Samples are calls. Head samples, and those of place 0 in the entry block, are the calls that entered the
 * context; those of any other place are the calls made there. LLVM's total is the sum over the places.
 *
 * Where this tree differs from the profile's:
 *   1. names and places alone tell contexts apart, so that an inlined frame and a function of one name are
 *      one;
 *   2. recursion is folded: a call with the caller, place and callee of one further up is that one again;
 *   3. contexts begin anew below a frame in brackets, below a name that the format cannot hold, and at a call
 *      without a line;
 *   4. nobody counted how often an inlined frame was entered. As in llvm-profgen, it is as often as its first
 *      place ran. The compiler decides by that whether to inline it again.
 *
 * Names are as LLVM looks for them: without what follows the first dot, unless that makes local functions
 * unique. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/node.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"

#define NO_TARGET UINT32_MAX

/* What ran at a place of a context. */
struct sample {
    uint32_t node;
    uint32_t place;  /* line offset << 16 | discriminator */
    uint32_t target; /* a name; NO_TARGET: the place alone */
    uint64_t count;
};

struct name {
    const char *text;
    size_t length;
};

struct printer {
    FILE *out;
    const struct hcct_report *report;
    struct hcct_tree
        tree;       /* of LLVM's contexts: `frame` is a name, `site` a place, `count` the head samples */
    uint32_t *node; /* per node of the report's tree: that of `tree`, or HCCT_NODE_NONE */
    struct name *names;
    uint32_t name_count, name_capacity;
    struct hcct_table name_table;
    uint32_t *name_of; /* per frame: its name, or NO_TARGET */
    struct sample *samples;
    uint32_t sample_count, sample_capacity;
    uint64_t unplaced; /* calls whose caller is known, but not their line */
};

/* --- names ---------------------------------------------------------------------------------------- */

/* As in FunctionSamples::getCanonicalFnName. */
static size_t canonical_length(const char *text)
{
    static const char unique[] = ".__uniq.";
    size_t length = strcspn(text, ".");
    if (strncmp(text + length, unique, sizeof unique - 1))
        return length;
    length += sizeof unique - 1;
    while (isdigit((unsigned char)text[length]))
        length++;
    return length;
}

/* Whether the format can hold the name: it has no character with a meaning there. */
static bool is_writable(const struct name *name)
{
    for (size_t i = 0; i < name->length; i++)
        if ((unsigned char)name->text[i] <= ' ' || strchr("[]:@\177", name->text[i]))
            return false;
    return name->length && hcct_escape_is_clean(name->text, name->length);
}

static bool same_name(const void *array, uint32_t index, const void *key)
{
    const struct name *a = &((const struct name *)array)[index], *b = key;
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* The number of its name; NO_TARGET: none that can be written. */
static uint32_t name_frame(struct printer *printer, const struct hcct_tree_frame *frame)
{
    struct name name = { .text = frame->linkage + (frame->linkage[0] == '\1') };
    name.length = canonical_length(name.text);
    if ((frame->kind != HCCT_FRAME_FUNCTION && frame->kind != HCCT_FRAME_INLINED) || !is_writable(&name))
        return NO_TARGET;
    uint32_t hash = (uint32_t)hcct_hash_text(0, name.text, name.length);
    uint32_t found = hcct_table_find(&printer->name_table, hash, same_name, printer->names, &name);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_grow(&printer->names, &printer->name_capacity, printer->name_count, sizeof *printer->names);
    hcct_memory_add(&printer->name_table, hash, printer->name_count);
    printer->names[printer->name_count] = name;
    return printer->name_count++;
}

/* --- contexts ------------------------------------------------------------------------------------- */

/* The place of the call that leads to a node of the report, in its caller. False if it has none. */
static bool place_of(const struct printer *printer, const struct hcct_tree_node *node, uint32_t *place)
{
    const struct hcct_tree_node *parent = &printer->report->tree->nodes[node->parent];
    const struct hcct_tree_site *site = hcct_node_site(printer->report, node);
    uint32_t start = printer->report->frames->frames[parent->frame].line;
    if (!site || !site->line || !start || site->discriminator > 0xffff)
        return false;
    *place = (site->line - start) << 16 | site->discriminator;
    return true;
}

/* The nearest of the caller's context and those above it that the same call leads to; or HCCT_NODE_NONE. */
static uint32_t same_call_above(const struct hcct_tree *tree, uint32_t caller, uint32_t name, uint32_t place)
{
    uint32_t caller_name = tree->nodes[caller].frame;
    for (uint32_t at = caller; tree->nodes[at].parent != HCCT_NODE_NONE; at = tree->nodes[at].parent) {
        const struct hcct_tree_node *node = &tree->nodes[at];
        if (node->frame == name && node->site == place && tree->nodes[node->parent].frame == caller_name)
            return at;
    }
    return HCCT_NODE_NONE;
}

static void add_sample(struct printer *printer, uint32_t node, uint32_t place, uint32_t target,
                       uint64_t count)
{
    hcct_memory_grow(&printer->samples, &printer->sample_capacity, printer->sample_count,
                     sizeof *printer->samples);
    printer->samples[printer->sample_count++] = (struct sample){ node, place, target, count };
}

static void add_context(struct printer *printer, uint32_t index)
{
    const struct hcct_tree_node *from = &printer->report->tree->nodes[index];
    uint32_t name = printer->name_of[from->frame], place = 0, *node = &printer->node[index];
    uint32_t caller = from->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE : printer->node[from->parent];
    uint64_t count = hcct_tree_low(from);
    *node = HCCT_NODE_NONE;
    if (name == NO_TARGET)
        return;
    if (caller != HCCT_NODE_NONE && !place_of(printer, from, &place)) {
        printer->unplaced = hcct_sum(printer->unplaced, count);
        caller = HCCT_NODE_NONE;
    }
    if (caller != HCCT_NODE_NONE)
        *node = same_call_above(&printer->tree, caller, name, place);
    if (*node == HCCT_NODE_NONE)
        *node = hcct_tree_child(&printer->tree, caller, name, place);
    uint64_t *head = &printer->tree.nodes[*node].count;
    *head = hcct_sum(*head, count);
    if (count && caller != HCCT_NODE_NONE)
        add_sample(printer, caller, place, name, count);
}

/* --- samples -------------------------------------------------------------------------------------- */

/* The first place of a context, and how often it ran. */
struct first {
    uint32_t place;
    uint64_t count;
};

static void note_first(struct first *first, uint32_t place, uint64_t count)
{
    if (place < first->place)
        *first = (struct first){ place, 0 };
    if (place == first->place)
        first->count = hcct_sum(first->count, count);
}

/* Adds the samples of entries. How often a context without a count was entered is taken from its first place;
 * callees come first, as callers have smaller indices. */
static void estimate_heads(struct printer *printer)
{
    const struct hcct_tree *tree = &printer->tree;
    struct first *first = hcct_memory_array(tree->node_count, sizeof *first);
    for (uint32_t i = 0; i < tree->node_count; i++)
        first[i] = (struct first){ UINT32_MAX, 0 };
    for (uint32_t i = 0; i < printer->sample_count; i++)
        note_first(&first[printer->samples[i].node], printer->samples[i].place, printer->samples[i].count);
    for (uint32_t i = tree->node_count; i--;) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        if (node->count) {
            add_sample(printer, i, 0, NO_TARGET, node->count);
        } else if (node->parent != HCCT_NODE_NONE && first[i].count) {
            note_first(&first[node->parent], node->site, first[i].count);
            add_sample(printer, node->parent, node->site, node->frame, first[i].count);
        }
    }
    free(first);
}

static int compare_places(const struct sample *a, const struct sample *b)
{
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int by_target(const void *left, const void *right)
{
    const struct sample *a = left, *b = right;
    int by = compare_places(a, b);
    return by ? by : a->target < b->target ? -1 : a->target > b->target;
}

static int by_count(const void *left, const void *right, void *context)
{
    const struct sample *a = left, *b = right;
    const struct name *names = context;
    int by = compare_places(a, b);
    if (by)
        return by;
    if ((a->target == NO_TARGET) != (b->target == NO_TARGET))
        return a->target == NO_TARGET ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->target == b->target)
        return 0;
    const struct name *x = &names[a->target], *y = &names[b->target];
    by = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
    return by ? by : x->length < y->length ? -1 : 1;
}

/* One sample for each target of each place, the hottest first, as llvm-profdata writes them. */
static void sort_samples(struct printer *printer)
{
    struct sample *samples = printer->samples;
    uint32_t count = 0;
    if (!samples)
        return;
    qsort(samples, printer->sample_count, sizeof *samples, by_target);
    for (uint32_t i = 0; i < printer->sample_count; i++)
        if (count && !by_target(&samples[count - 1], &samples[i]))
            samples[count - 1].count = hcct_sum(samples[count - 1].count, samples[i].count);
        else
            samples[count++] = samples[i];
    printer->sample_count = count;
    qsort_r(samples, count, sizeof *samples, by_count, printer->names);
}

/* --- text ----------------------------------------------------------------------------------------- */

/* How often the place of the sample at *at ran: the sum of its calls, or its entries if those are more. Moves
 * *at behind the place. */
static uint64_t sum_place(const struct printer *printer, uint32_t *at)
{
    const struct sample *first = &printer->samples[*at];
    uint64_t calls = 0, entries = 0;
    for (; *at < printer->sample_count && !compare_places(first, &printer->samples[*at]); ++*at) {
        uint64_t *sum = printer->samples[*at].target == NO_TARGET ? &entries : &calls;
        *sum = hcct_sum(*sum, printer->samples[*at].count);
    }
    return calls > entries ? calls : entries;
}

static void print_name(const struct printer *printer, uint32_t name)
{
    fwrite(printer->names[name].text, 1, printer->names[name].length, printer->out);
}

static void print_place(FILE *out, uint32_t place)
{
    fprintf(out, "%u", place >> 16);
    if (place & 0xffff)
        fprintf(out, ".%u", place & 0xffff);
}

/* `path` is scratch memory, with room for a whole path. */
static void print_header(const struct printer *printer, uint32_t index, uint32_t *path)
{
    const struct hcct_tree_node *nodes = printer->tree.nodes;
    uint32_t depth = 0;
    for (uint32_t at = index; at != HCCT_NODE_NONE; at = nodes[at].parent)
        path[depth++] = at;
    putc('[', printer->out);
    while (depth--) {
        print_name(printer, nodes[path[depth]].frame);
        if (!depth)
            break;
        putc(':', printer->out);
        print_place(printer->out, nodes[path[depth - 1]].site);
        fputs(" @ ", printer->out);
    }
}

/* Prints a context and its places, whose samples begin at `at`. Returns where those of the next context
 * begin. */
static uint32_t print_context(const struct printer *printer, uint32_t index, uint32_t at, uint32_t *path)
{
    FILE *out = printer->out;
    uint64_t total = 0;
    uint32_t to = at;
    while (to < printer->sample_count && printer->samples[to].node == index)
        total = hcct_sum(total, sum_place(printer, &to));
    if (!total)
        return to;
    print_header(printer, index, path);
    fprintf(out, "]:%" PRIu64 ":%" PRIu64 "\n", total, printer->tree.nodes[index].count);
    while (at < to) {
        uint32_t sample = at;
        putc(' ', out);
        print_place(out, printer->samples[at].place);
        fprintf(out, ": %" PRIu64, sum_place(printer, &at));
        for (; sample < at; sample++) {
            if (printer->samples[sample].target == NO_TARGET)
                continue;
            putc(' ', out);
            print_name(printer, printer->samples[sample].target);
            fprintf(out, ":%" PRIu64, printer->samples[sample].count);
        }
        putc('\n', out);
    }
    return to;
}

static void print_facts(const struct printer *printer)
{
    struct hcct_facts facts;
    hcct_facts_make(&facts, printer->report);
    for (int i = 0; i < HCCT_FACT_COUNT; i++) {
        fprintf(printer->out, "# %s: ", facts.items[i].key);
        hcct_escape_line(printer->out, facts.items[i].text);
        putc('\n', printer->out);
    }
    fprintf(printer->out, "# unplaced: %" PRIu64 " %s without a line (build with -gline-tables-only)\n",
            printer->unplaced, printer->report->summary->ground.unit);
}

static void print_all(struct printer *printer)
{
    uint32_t *path = hcct_memory_array(printer->tree.node_count, sizeof *path), at = 0;
    print_facts(printer);
    for (uint32_t i = 0; i < printer->tree.node_count && !ferror(printer->out); i++)
        at = print_context(printer, i, at, path);
    free(path);
}

static void print(FILE *out, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    struct printer printer = { .out = out, .report = report };
    const struct hcct_frames *frames = report->frames;
    printer.node = hcct_memory_array(tree->node_count, sizeof *printer.node);
    printer.name_of = hcct_memory_array(frames->frame_count, sizeof *printer.name_of);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        printer.name_of[i] = name_frame(&printer, &frames->frames[i]);
    for (uint32_t i = 0; i < tree->node_count; i++)
        add_context(&printer, i);
    estimate_heads(&printer);
    sort_samples(&printer);
    print_all(&printer);
    hcct_tree_free(&printer.tree);
    hcct_table_free(&printer.name_table);
    free(printer.node);
    free(printer.names);
    free(printer.name_of);
    free(printer.samples);
}

const struct hcct_report_format hcct_format_llvm_sample = {
    .name = "llvm-sample",
    .print = print,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_FULL,
    .shape = HCCT_SHAPE_PROGRAM,
};
