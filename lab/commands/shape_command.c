/* hcct-lab shape: the sizes of a profile's trees, its depths, how skewed its counts are, as JSON (D'Elia et
 * al., SPE 2015, tables I and II, figures 1 and 7; Sumner et al., ICSE 2010, the context attributes).
 *
 * A context is a node of the tree by call sites whose frame is a function; frames in brackets and inlined
 * ones are none, as in metrics.h. Cost: that of decoding, and of one sort of the counts. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/tree/contexts.h"
#include "hcct/abi.h"
#include "lab/commands/commands.h"

static const char usage[] =
    "Usage: hcct-lab shape PROFILE PHI...\n"
    "The sizes of a profile's trees, its depths, how skewed its counts are, as JSON; of each phi the hot "
    "contexts.\n"
    "\n"
    "  -h, --help         print this and exit\n"
    "  -V, --version      print the versions and exit\n";

static const struct option long_options[] = {
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

enum { SKEW_POINTS = 60 };

/* Everything by node of the tree. */
struct shape {
    struct hcct_frames frames;
    struct hcct_tree tree;
    uint64_t *count;
    uint32_t *pushes; /* of the context of that node, NO_PUSHES: no entry */
    uint32_t *depth;  /* functions from the root to here */
    uint32_t *caller; /* the nearest function above, or HCCT_NODE_NONE */
    uint32_t *site;   /* the call site in that function, or HCCT_FRAMES_NONE */
};

#define NO_PUSHES UINT32_MAX

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        hcct_command_complain("memory", "exhausted");
        exit(HCCT_COMMAND_BAD);
    }
    return memory;
}

static bool is_context(const struct shape *shape, uint32_t node)
{
    return shape->frames.frames[shape->tree.nodes[node].frame].kind == HCCT_FRAME_FUNCTION;
}

/* How many pushes the chain of each prefix has: parents come before their children. */
static uint32_t *chain_lengths(const struct hcct_profile *profile)
{
    uint32_t *length = allocate(profile->rows.prefix_count, sizeof *length);
    for (uint32_t i = 1; i < profile->rows.prefix_count; i++) {
        const struct hcct_file_prefix *prefix = &profile->rows.prefixes[i];
        length[i] = (prefix->parent == HCCT_FILE_NONE ? 0 : length[prefix->parent]) + 1;
    }
    return length;
}

static void decode(struct shape *shape, const struct hcct_profile *profile)
{
    struct hcct_contexts contexts;
    uint32_t count = hcct_profile_main(profile)->count;
    uint32_t *nodes = allocate(count, sizeof *nodes), *length = chain_lengths(profile);
    hcct_contexts_open(&contexts, profile, &shape->frames, &shape->tree);
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_file_context *context = &profile->rows.contexts[profile->rows.cells[i].context];
        nodes[i] = context->prefix == HCCT_FILE_NONE
                       ? HCCT_NODE_NONE
                       : hcct_contexts_node(&contexts, context->word, context->prefix);
    }
    hcct_contexts_close(&contexts);
    shape->count = allocate(shape->tree.node_count, sizeof *shape->count);
    shape->pushes = allocate(shape->tree.node_count, sizeof *shape->pushes);
    memset(shape->pushes, 0xff, shape->tree.node_count * sizeof *shape->pushes);
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] != HCCT_NODE_NONE) {
            shape->count[nodes[i]] += profile->rows.cells[i].count;
            shape->pushes[nodes[i]] = length[profile->rows.contexts[profile->rows.cells[i].context].prefix];
        }
    free(nodes);
    free(length);
}

/* Depth, caller and call site of every node: of the sites between two functions, where frames were inlined,
 * the first one is the call's. */
static void find_callers(struct shape *shape)
{
    uint32_t count = shape->tree.node_count;
    shape->depth = allocate(count, sizeof *shape->depth);
    shape->caller = allocate(count, sizeof *shape->caller);
    shape->site = allocate(count, sizeof *shape->site);
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_tree_node *node = &shape->tree.nodes[i];
        uint32_t parent = node->parent;
        shape->depth[i] = is_context(shape, i);
        shape->caller[i] = HCCT_NODE_NONE;
        shape->site[i] = node->site;
        if (parent == HCCT_NODE_NONE)
            continue;
        shape->depth[i] += shape->depth[parent];
        shape->caller[i] = is_context(shape, parent) ? parent : shape->caller[parent];
        if (!is_context(shape, parent) && shape->site[parent] != HCCT_FRAMES_NONE)
            shape->site[i] = shape->site[parent];
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts and counts the different ones. */
static uint64_t distinct(uint64_t *values, uint64_t count)
{
    uint64_t different = count > 0;
    qsort(values, count, sizeof *values, by_value);
    for (uint64_t i = 1; i < count; i++)
        different += values[i] != values[i - 1];
    return different;
}

/* Functions that were called, pairs of caller and callee, and sites that called. */
static void print_call_graph(const struct shape *shape)
{
    uint32_t count = shape->tree.node_count, edges = 0, sites = 0, functions = 0;
    uint64_t *values = allocate(count, sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        if (is_context(shape, i))
            values[functions++] = shape->tree.nodes[i].frame;
    printf("\"functions\": %" PRIu64, distinct(values, functions));
    for (uint32_t i = 0; i < count; i++)
        if (is_context(shape, i) && shape->caller[i] != HCCT_NODE_NONE)
            values[edges++] =
                (uint64_t)shape->tree.nodes[shape->caller[i]].frame << 32 | shape->tree.nodes[i].frame;
    printf(", \"edges\": %" PRIu64, distinct(values, edges));
    for (uint32_t i = 0; i < count; i++)
        if (is_context(shape, i) && shape->site[i] != HCCT_FRAMES_NONE)
            values[sites++] = shape->frames.sites[shape->site[i]].id;
    printf(", \"sites\": %" PRIu64 ",\n", distinct(values, sites));
    free(values);
}

static int by_place(const void *a, const void *b)
{
    return -by_value(a, b);
}

/* The share of the calls that the hottest x of the contexts have, for x from one context to all, in equal
 * steps of log x. */
static void print_skew(const struct shape *shape, uint64_t calls)
{
    uint64_t *counts = allocate(shape->tree.node_count, sizeof *counts), context_count = 0, sum = 0, at = 0;
    for (uint32_t i = 0; i < shape->tree.node_count; i++)
        if (is_context(shape, i) && shape->count[i])
            counts[context_count++] = shape->count[i];
    qsort(counts, context_count, sizeof *counts, by_place);
    printf("\"contexts\": %" PRIu64 ", \"hottest\": %" PRIu64 ",\n\"skew\": [", context_count, counts[0]);
    const char *separator = "";
    for (int point = 0; point <= SKEW_POINTS; point++) {
        uint64_t until = (uint64_t)llround(pow((double)context_count, point / (double)SKEW_POINTS)),
                 before = at;
        while (at < until && at < context_count)
            sum += counts[at++];
        if (at == before)
            continue;
        printf("%s[%.9g, %.9g]", separator, (double)at / (double)context_count, (double)sum / (double)calls);
        separator = ", ";
    }
    sum = 0;
    for (at = 0; at < (context_count + 9) / 10; at++)
        sum += counts[at];
    printf("],\n\"hottest_tenth\": %.9g,\n", (double)sum / (double)calls);
    free(counts);
}

/* Hot contexts, and with their ancestors: the HCCT. */
static void print_hot(const struct shape *shape, uint64_t calls, const char *text)
{
    double least = ceil(strtod(text, NULL) * (double)calls);
    uint64_t hot = 0, nodes = 0;
    uint8_t *kept = allocate(shape->tree.node_count, 1);
    for (uint32_t i = shape->tree.node_count; i--;) {
        bool is_hot = is_context(shape, i) && shape->count[i] && (double)shape->count[i] >= least;
        hot += is_hot;
        kept[i] |= is_hot;
        nodes += kept[i] && is_context(shape, i);
        if (kept[i] && shape->tree.nodes[i].parent != HCCT_NODE_NONE)
            kept[shape->tree.nodes[i].parent] = 1;
    }
    printf("\"%s\": {\"hot\": %" PRIu64 ", \"nodes\": %" PRIu64 "}", text, hot, nodes);
    free(kept);
}

/* Of a node of the tree: the largest count in it or below it, and its own. */
struct below {
    uint64_t largest, own;
};

static int by_largest(const void *a, const void *b)
{
    uint64_t x = ((const struct below *)a)->largest, y = ((const struct below *)b)->largest;
    return (x < y) - (x > y);
}

/* Of the exact HCCT: for each degree of overlap the largest phi that has it (figure 7(a)); for each phi the
 * hottest context outside, as a share of the hottest of all: above it tau covers all hot edges (7(b)). As in
 * the metrics a root has no arc, so its calls count nowhere. */
static void print_thresholds(const struct shape *shape, uint64_t calls, int count, char **phis)
{
    static const double overlaps[] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99 };
    struct below *below = allocate(shape->tree.node_count, sizeof *below);
    uint64_t sum = 0, hottest = 1, roots = 0;
    size_t at = 0, points = sizeof overlaps / sizeof *overlaps;
    for (uint32_t i = shape->tree.node_count; i--;) { /* children first */
        uint32_t parent = shape->tree.nodes[i].parent;
        if (parent == HCCT_NODE_NONE)
            roots += shape->count[i];
        below[i].own = parent != HCCT_NODE_NONE && is_context(shape, i) ? shape->count[i] : 0;
        below[i].largest = below[i].own > below[i].largest ? below[i].own : below[i].largest;
        hottest = below[i].own > hottest ? below[i].own : hottest;
        if (parent != HCCT_NODE_NONE && below[parent].largest < below[i].largest)
            below[parent].largest = below[i].largest;
    }
    printf(",\n\"tau\": [");
    for (int i = 0; i < count; i++) {
        uint64_t outside = 0;
        double least = ceil(strtod(phis[i], NULL) * (double)calls);
        for (uint32_t node = 0; node < shape->tree.node_count; node++)
            if ((double)below[node].largest < least && below[node].own > outside)
                outside = below[node].own;
        printf("%s[%s, %.9g]", i ? ", " : "", phis[i], (double)(outside + 1) / (double)hottest);
    }
    qsort(below, shape->tree.node_count, sizeof *below, by_largest);
    printf("], \"overlap\": [");
    for (uint32_t i = 0; i < shape->tree.node_count; i++)
        for (sum += below[i].own; at < points && (double)sum >= overlaps[at] * (double)(calls - roots); at++)
            printf("%s[%g, %.9g]", at ? ", " : "", overlaps[at], (double)below[i].largest / (double)calls);
    printf("]");
    free(below);
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

/* Contexts and calls by a number that each context has: largest, mean, the least that 90% do not exceed. */
static void print_distribution(const struct shape *shape, const char *name, const uint32_t *value)
{
    uint64_t contexts = 0, calls = 0;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < shape->tree.node_count; i++)
        if (is_context(shape, i) && shape->count[i] && value[i] != NO_PUSHES) {
            largest = value[i] > largest ? value[i] : largest;
            contexts++;
            calls += shape->count[i];
        }
    uint64_t *of_contexts = allocate(largest + 1, sizeof *of_contexts),
             *of_calls = allocate(largest + 1, sizeof *of_calls);
    for (uint32_t i = 0; i < shape->tree.node_count; i++)
        if (is_context(shape, i) && shape->count[i] && value[i] != NO_PUSHES) {
            of_contexts[value[i]]++;
            of_calls[value[i]] += shape->count[i];
        }
    uint64_t contexts_until = 0, calls_until = 0, contexts_90 = UINT64_MAX, calls_90 = UINT64_MAX;
    printf(",\n\"%s\": {\"largest\": %" PRIu32 ", \"cumulative\": [", name, largest);
    for (uint32_t k = 0; k <= largest; k++) {
        contexts_until += of_contexts[k];
        calls_until += of_calls[k];
        if (contexts_90 == UINT64_MAX && contexts_until * 10 >= contexts * 9)
            contexts_90 = k;
        if (calls_90 == UINT64_MAX && calls_until * 10 >= calls * 9)
            calls_90 = k;
        if (k <= 64)
            printf("%s[%" PRIu32 ", %.9g, %.9g]", k ? ", " : "", k, share_of(contexts_until, contexts),
                   share_of(calls_until, calls));
    }
    printf("], \"contexts_90\": %" PRIu64 ", \"calls_90\": %" PRIu64 "}", contexts_90, calls_90);
    free(of_contexts);
    free(of_calls);
}

/* The bits of the largest id, in units, that the numbering gave to a function of the profile; and the calls
 * that pushed: those of a context with more pushes than its caller's. */
static void print_encoding(const struct shape *shape, const struct hcct_profile *profile)
{
    uint64_t last = 0, pushed = 0;
    for (uint32_t i = 0; i < profile->code.function_count; i++) {
        const struct hcct_file_function *function = &profile->code.functions[i];
        uint64_t end = (function->base + function->contexts) / HCCT_ID_UNIT;
        last = function->base && end - 1 > last ? end - 1 : last;
    }
    for (uint32_t i = 0; i < shape->tree.node_count; i++) {
        uint32_t caller = shape->caller[i], pushes = shape->pushes[i];
        if (caller != HCCT_NODE_NONE && pushes != NO_PUSHES && shape->pushes[caller] != NO_PUSHES &&
            pushes > shape->pushes[caller])
            pushed += shape->count[i];
    }
    printf(",\n\"id_bits\": %d, \"pushed_calls\": %" PRIu64, last ? 64 - __builtin_clzll(last) : 0, pushed);
}

static void print_run(const struct shape *shape, const struct hcct_profile *profile)
{
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < shape->tree.node_count; i++)
        nodes += is_context(shape, i);
    printf("\"calls\": %" PRIu64 ", \"epsilon\": %.9g, \"memory_bytes\": %" PRIu64 ", \"dropped\": %" PRIu64
           ", \"nodes\": %" PRIu64 ",\n",
           hcct_profile_main(profile)->total, profile->run->epsilon, profile->run->memory_bytes,
           hcct_profile_note(profile, HCCT_NOTE_DROPPED_MEMORY) +
               hcct_profile_note(profile, HCCT_NOTE_DROPPED_CHAIN) +
               hcct_profile_note(profile, HCCT_NOTE_DROPPED_INTERRUPTED),
           nodes);
}

static void free_shape(struct shape *shape)
{
    free(shape->count);
    free(shape->pushes);
    free(shape->depth);
    free(shape->caller);
    free(shape->site);
    hcct_frames_free(&shape->frames);
    hcct_tree_free(&shape->tree);
}

static void print_shape(const struct hcct_profile *profile, int phi_count, char **phis)
{
    struct shape shape = { 0 };
    uint64_t calls = hcct_profile_main(profile)->total;
    decode(&shape, profile);
    find_callers(&shape);
    printf("{");
    print_run(&shape, profile);
    print_call_graph(&shape);
    if (calls)
        print_skew(&shape, calls);
    printf("\"hcct\": {");
    for (int i = 0; i < phi_count; i++) {
        printf("%s", i ? ", " : "");
        print_hot(&shape, calls, phis[i]);
    }
    printf("}");
    print_distribution(&shape, "depth", shape.depth);
    print_distribution(&shape, "pushes", shape.pushes);
    print_encoding(&shape, profile);
    if (calls)
        print_thresholds(&shape, calls, phi_count, phis);
    printf("}\n");
    free_shape(&shape);
}

enum hcct_command_status hcct_lab_shape(int argc, char **argv)
{
    for (int option; (option = hcct_command_option(argc, argv, "hV", long_options, NULL)) != -1;) {
        if (option == 'h')
            return hcct_command_help(usage);
        return option == 'V' ? hcct_command_version() : hcct_command_usage();
    }
    if (optind == argc) {
        fputs("hcct-lab: name a profile\n", stderr);
        return hcct_command_usage();
    }
    struct hcct_command_file file = { .name = argv[optind] };
    if (!hcct_command_open(&file))
        return HCCT_COMMAND_BAD;
    bool good = true;
    double ignored;
    for (int i = optind + 1; good && i < argc; i++)
        good = hcct_command_share("PHI", argv[i], &ignored);
    if (good)
        print_shape(&file.profile, argc - optind - 1, argv + optind + 1);
    hcct_command_close(&file);
    return good ? hcct_command_finish(stdout, NULL) : hcct_command_usage();
}
