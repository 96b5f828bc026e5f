#include "heights/plan/wraps.h"

#include <inttypes.h>
#include <stdlib.h>

#include "decoder/text/text.h"

static bool is_by_pointer(enum hcct_stack_call_kind kind)
{
    return kind == HCCT_STACK_INDIRECT || kind == HCCT_STACK_INDIRECT_JUMP;
}

static bool calls_by_pointer(const struct hcct_stack_binary *binary, uint32_t caller)
{
    const struct hcct_stack_function *function = &binary->functions[caller];
    for (uint32_t i = 0; i < function->call_count; i++)
        if (is_by_pointer(binary->calls[function->first_call + i].kind))
            return true;
    return false;
}

bool hcct_wraps_by_pointer(const struct hcct_stack_binary *binary, uint32_t caller, uint32_t callee)
{
    return binary->functions[callee].is_address_taken && calls_by_pointer(binary, caller);
}

uint64_t hcct_wraps_count_calls(const struct hcct_stack_paths *paths)
{
    uint64_t count = 0;
    for (uint32_t i = 1; i < paths->count; i++)
        count += paths->paths[i].calls[0] + paths->paths[i].calls[1];
    return count;
}

static bool same_wrap(const void *array, uint32_t index, const void *wanted)
{
    const struct hcct_plan_wrap *wrap = (const struct hcct_plan_wrap *)array + index, *key = wanted;
    return wrap->caller == key->caller && wrap->callee == key->callee;
}

/* The wrap of that caller and callee, added if new; HCCT_TABLE_NONE when memory is out. */
static uint32_t find_wrap(struct hcct_plan *plan, struct hcct_table *table, const struct hcct_plan_wrap *key)
{
    uint32_t hash = (uint32_t)hcct_hash_step(key->caller, key->callee),
             found = hcct_table_find(table, hash, same_wrap, plan->wraps, key);
    if (found != HCCT_TABLE_NONE)
        return found;
    if (!hcct_vector_grow(&plan->wraps, &plan->wrap_capacity, plan->wrap_count, sizeof *plan->wraps) ||
        !hcct_table_add(table, hash, plan->wrap_count))
        return HCCT_TABLE_NONE;
    plan->wraps[plan->wrap_count] = *key;
    return plan->wrap_count++;
}

static int by_count(const void *a, const void *b)
{
    const struct hcct_plan_wrap *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Orders the calls, the rarest first. */
static bool order(struct hcct_plan_state *state)
{
    struct hcct_plan *plan = state->plan;
    uint32_t *now = malloc(((size_t)plan->wrap_count + 1) * sizeof *now);
    if (!now)
        return false;
    if (plan->wrap_count)
        qsort(plan->wraps, plan->wrap_count, sizeof *plan->wraps, by_count);
    for (uint32_t i = 0; i < plan->wrap_count; i++)
        now[plan->wraps[i].index] = i;
    for (uint32_t i = 0; i < state->paths->height_count; i++)
        if (state->wrap[i] != HCCT_PLAN_NONE)
            state->wrap[i] = now[state->wrap[i]];
    free(now);
    return true;
}

bool hcct_wraps_list(struct hcct_plan_state *state)
{
    const struct hcct_stack_paths *paths = state->paths;
    const struct hcct_stack_binary *binary = paths->binary;
    struct hcct_plan *plan = state->plan;
    struct hcct_table table = { 0 };
    bool done = true;
    for (uint32_t i = 0; done && i < paths->height_count; i++) {
        const struct hcct_stack_path *path = &paths->paths[state->path[i]];
        uint32_t caller = hcct_plan_predecessor(state, i), callee = path->function;
        state->wrap[i] = HCCT_PLAN_NONE;
        if (caller == HCCT_PLAN_NONE)
            continue;
        if (hcct_wraps_by_pointer(binary, caller, callee))
            callee = HCCT_STACK_NONE;
        struct hcct_plan_wrap key = { .caller = caller, .callee = callee, .index = plan->wrap_count };
        state->wrap[i] = find_wrap(plan, &table, &key);
        done = state->wrap[i] != HCCT_TABLE_NONE;
        if (!done)
            break;
        struct hcct_plan_wrap *wrap = &plan->wraps[state->wrap[i]];
        wrap->count += path->calls[0] + path->calls[1];
        wrap->is_fixed |= !paths->origins[i].is_framed && !plan->calls[caller];
    }
    hcct_table_free(&table);
    return done && order(state);
}

/* --- the plan's lines ------------------------------------------------------------------------------ */

static void print_line(const struct hcct_plan_wrap *wrap, const struct hcct_stack_paths *paths,
                       const char *callee, FILE *out)
{
    const struct hcct_stack_source *source = &paths->sources[wrap->caller];
    fprintf(out, "wrap %" PRIu32 " %s %s %s\n", wrap->bytes, source->linkage, callee,
            hcct_text_base_name(source->file));
}

/* A line for each name of the function. */
static void print_names(const struct hcct_plan_wrap *wrap, const struct hcct_stack_paths *paths,
                        uint32_t callee, FILE *out)
{
    const struct hcct_stack_binary *binary = paths->binary;
    for (uint32_t i = 0; i < binary->name_count; i++)
        if (binary->names[i].function == callee)
            print_line(wrap, paths, binary->names[i].name, out);
}

/* Whether the caller's call at `index` is its first of that callee. */
static bool is_first(const struct hcct_stack_binary *binary, const struct hcct_stack_function *caller,
                     uint32_t index)
{
    const struct hcct_stack_call *calls = &binary->calls[caller->first_call];
    for (uint32_t i = 0; i < index; i++)
        if (calls[i].callee == calls[index].callee)
            return false;
    return true;
}

static void print_by_pointer(const struct hcct_plan_wrap *wrap, const struct hcct_stack_paths *paths,
                             FILE *out)
{
    const struct hcct_stack_binary *binary = paths->binary;
    const struct hcct_stack_function *caller = &binary->functions[wrap->caller];
    print_line(wrap, paths, "*", out);
    for (uint32_t i = 0; i < caller->call_count; i++) {
        uint32_t callee = binary->calls[caller->first_call + i].callee;
        if (callee != HCCT_STACK_NONE && binary->functions[callee].is_address_taken &&
            is_first(binary, caller, i))
            print_names(wrap, paths, callee, out);
    }
}

void hcct_wraps_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out)
{
    for (uint32_t i = 0; i < plan->wrap_count; i++) {
        const struct hcct_plan_wrap *wrap = &plan->wraps[i];
        if (!wrap->bytes || !paths->sources[wrap->caller].linkage)
            continue;
        if (wrap->callee == HCCT_STACK_NONE)
            print_by_pointer(wrap, paths, out);
        else
            print_names(wrap, paths, wrap->callee, out);
    }
}
