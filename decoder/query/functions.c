/* Sums by function, see functions.h. A walk in depth-first order counts how often each function, and each
 * call of one by another, stands on the path to the current node: the outermost occurrence is the one that
 * finds 0. */
#include "decoder/query/functions.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"

struct summer {
    struct hcct_functions *out;
    const struct hcct_tree *tree;
    uint64_t *inclusive, *errors; /* per node: sums of all below it */
    uint32_t *call_of;            /* per node: the call that leads to it */
    uint32_t *active;             /* per function: occurrences on the path */
    uint32_t *active_calls;       /* per call */
    uint32_t *stack, *cursor;     /* of the walk: nodes of the path, per node the next child */
    struct hcct_tree_children children;
};

/* --- functions -------------------------------------------------------------------------------------- */

struct frame_key {
    const struct hcct_frames *frames;
    const struct hcct_functions *functions;
};

static bool is_function(const struct hcct_tree_frame *frame)
{
    return frame->kind == HCCT_FRAME_FUNCTION || frame->kind == HCCT_FRAME_INLINED;
}

static bool same_function(const void *array, uint32_t index, const void *key)
{
    const struct frame_key *in = array;
    const struct hcct_tree_frame *a = &in->frames->frames[in->functions->functions[index].frame], *b = key;
    if (!is_function(a) || !is_function(b))
        return a == b || (a->kind == b->kind && a->number == b->number && !strcmp(a->linkage, b->linkage));
    size_t length = hcct_symbol_stem(a->linkage);
    return length == hcct_symbol_stem(b->linkage) && !memcmp(a->linkage, b->linkage, length) &&
           !strcmp(a->file, b->file);
}

static void add_frame(struct hcct_functions *out, const struct hcct_frames *frames, uint32_t frame,
                      struct hcct_table *table)
{
    struct frame_key in = { frames, out };
    const struct hcct_tree_frame *it = &frames->frames[frame];
    if (out->of_frame[frame] != HCCT_FUNCTION_NONE)
        return;
    uint32_t hash =
        (uint32_t)hcct_hash_text(is_function(it) ? 0 : it->kind, it->linkage, hcct_symbol_stem(it->linkage));
    uint32_t found = hcct_table_find(table, hash, same_function, &in, it);
    if (found == HCCT_TABLE_NONE) {
        hcct_memory_grow(&out->functions, &out->capacity, out->count, sizeof *out->functions);
        hcct_memory_add(table, hash, out->count);
        found = out->count++;
        out->functions[found] = (struct hcct_function_sum){ .frame = frame };
    }
    out->of_frame[frame] = found;
    if (it->kind == HCCT_FRAME_FUNCTION) /* rather than an inlined copy */
        out->functions[found].frame = frame;
}

static void add_frames(struct hcct_functions *out, const struct hcct_tree *tree,
                       const struct hcct_frames *frames)
{
    struct hcct_table table = { 0 };
    for (uint32_t i = 0; i < tree->node_count; i++)
        add_frame(out, frames, tree->nodes[i].frame, &table);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        if (frames->frames[i].evicted)
            add_frame(out, frames, i, &table);
    hcct_table_free(&table);
}

static void add_evicted(struct hcct_functions *out, const struct hcct_frames *frames)
{
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        uint64_t calls = frames->frames[i].evicted;
        if (!calls)
            continue;
        struct hcct_function_sum *function = &out->functions[out->of_frame[i]];
        function->evicted = hcct_sum(function->evicted, calls);
        function->own = hcct_sum(function->own, calls);
        function->total = hcct_sum(function->total, calls);
    }
}

/* --- calls ------------------------------------------------------------------------------------------ */

static bool same_call(const void *array, uint32_t index, const void *key)
{
    const struct hcct_function_call *a = (const struct hcct_function_call *)array + index, *b = key;
    return a->caller == b->caller && a->callee == b->callee;
}

/* The index of that call, added if new. */
static uint32_t find_call(struct hcct_functions *out, uint32_t caller, uint32_t callee)
{
    struct hcct_function_call key = { .caller = caller, .callee = callee };
    uint32_t hash = (uint32_t)hcct_hash_step(hcct_hash_step(0, caller), callee);
    uint32_t found = hcct_table_find(&out->call_table, hash, same_call, out->calls, &key);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_grow(&out->calls, &out->call_capacity, out->call_count, sizeof key);
    hcct_memory_add(&out->call_table, hash, out->call_count);
    out->functions[callee].caller_count += caller != HCCT_FUNCTION_NONE;
    out->calls[out->call_count] = key;
    return out->call_count++;
}

/* Adds each node's own count to its function and its call, and sums up what is below. */
static void add_counts(struct summer *summer)
{
    const struct hcct_tree *tree = summer->tree;
    struct hcct_functions *out = summer->out;
    for (uint32_t i = tree->node_count; i--;) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        bool is_root = node->parent == HCCT_NODE_NONE, counted = node->flags & HCCT_NODE_COUNTED;
        uint32_t callee = out->of_frame[node->frame];
        uint32_t call = find_call(
            out, is_root ? HCCT_FUNCTION_NONE : out->of_frame[tree->nodes[node->parent].frame], callee);
        summer->call_of[i] = call;
        if (counted) {
            struct hcct_function_sum *function = &out->functions[callee];
            function->own = hcct_sum(function->own, hcct_tree_low(node));
            function->error = hcct_sum(function->error, node->error);
            function->context_count++;
            out->calls[call].count = hcct_sum(out->calls[call].count, hcct_tree_low(node));
            out->calls[call].error = hcct_sum(out->calls[call].error, node->error);
            summer->inclusive[i] = hcct_sum(summer->inclusive[i], hcct_tree_low(node));
            summer->errors[i] = hcct_sum(summer->errors[i], node->error);
        }
        if (is_root)
            continue;
        summer->inclusive[node->parent] = hcct_sum(summer->inclusive[node->parent], summer->inclusive[i]);
        summer->errors[node->parent] = hcct_sum(summer->errors[node->parent], summer->errors[i]);
    }
}

/* --- the walk --------------------------------------------------------------------------------------- */

static void enter(struct summer *summer, uint32_t node)
{
    struct hcct_functions *out = summer->out;
    struct hcct_function_call *call = &out->calls[summer->call_of[node]];
    uint64_t inclusive = summer->inclusive[node];
    if (!summer->active[call->callee]++) {
        struct hcct_function_sum *function = &out->functions[call->callee];
        function->total = hcct_sum(function->total, inclusive);
        function->total_error = hcct_sum(function->total_error, summer->errors[node]);
        call->entered = hcct_sum(call->entered, inclusive);
    }
    if (!summer->active_calls[summer->call_of[node]]++)
        call->total = hcct_sum(call->total, inclusive);
}

static void leave(struct summer *summer, uint32_t node)
{
    summer->active[summer->out->calls[summer->call_of[node]].callee]--;
    summer->active_calls[summer->call_of[node]]--;
}

static void walk(struct summer *summer)
{
    const struct hcct_tree_children *children = &summer->children;
    uint32_t root = summer->tree->node_count, depth = 0, at = root;
    for (;;) {
        if (summer->cursor[at] < children->first[at + 1]) {
            summer->stack[depth++] = at;
            at = children->child[summer->cursor[at]++];
            enter(summer, at);
        } else if (at == root) {
            return;
        } else {
            leave(summer, at);
            at = summer->stack[--depth];
        }
    }
}

static void sum_up(struct summer *summer)
{
    const struct hcct_tree *tree = summer->tree;
    size_t room = (size_t)tree->node_count + 1;
    summer->inclusive = hcct_memory_zeros(room, sizeof *summer->inclusive);
    summer->errors = hcct_memory_zeros(room, sizeof *summer->errors);
    summer->call_of = hcct_memory_array(room, sizeof *summer->call_of);
    summer->stack = hcct_memory_array(room, sizeof *summer->stack);
    summer->cursor = hcct_memory_array(room, sizeof *summer->cursor);
    hcct_tree_children_build(tree, &summer->children);
    add_counts(summer);
    summer->active = hcct_memory_zeros(summer->out->count, sizeof *summer->active);
    summer->active_calls = hcct_memory_zeros(summer->out->call_count, sizeof *summer->active_calls);
    memcpy(summer->cursor, summer->children.first, room * sizeof *summer->cursor);
    walk(summer);
}

void hcct_functions_open(struct hcct_functions *functions, const struct hcct_tree *tree,
                         const struct hcct_frames *frames)
{
    struct summer summer = { .out = functions, .tree = tree };
    *functions = (struct hcct_functions){ 0 };
    functions->of_frame = hcct_memory_array(frames->frame_count, sizeof *functions->of_frame);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        functions->of_frame[i] = HCCT_FUNCTION_NONE;
    add_frames(functions, tree, frames);
    sum_up(&summer);
    add_evicted(functions, frames);
    free(summer.inclusive);
    free(summer.errors);
    free(summer.call_of);
    free(summer.active);
    free(summer.active_calls);
    free(summer.stack);
    free(summer.cursor);
    hcct_tree_children_free(&summer.children);
}

void hcct_functions_close(struct hcct_functions *functions)
{
    free(functions->functions);
    free(functions->calls);
    free(functions->of_frame);
    hcct_table_free(&functions->call_table);
    *functions = (struct hcct_functions){ 0 };
}
