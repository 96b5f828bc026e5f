#include "heights/plan/clones.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heights/plan/numbers.h"
#include "heights/plan/refine.h"
#include "heights/plan/wraps.h"
#include "decoder/text/text.h"

enum {
    CHAIN = 6,          /* so many calls, one behind the other, are tried together */
    ROUNDS = 6,         /* over all candidates */
    CODE_SHARE = 20,    /* copies may have one of so many bytes of the program's code, */
    CODE_LEAST = 16384, /* or so many bytes */
    PATHS_SHARE = 1000, /* a copy is to make one of so many paths precise */
    CALLS_SHARE = 100   /* there may be a comparison for one of so many calls */
};
/* So many heights may be looked at in all. */
#define WORK UINT64_C(2000000000)

/* --- what runs ------------------------------------------------------------------------------------- */

/* What the calls of `caller` to `callee` go to, an index of plan->clones, or HCCT_PLAN_NONE. */
static uint32_t find_clone(const struct hcct_plan_state *state, uint32_t caller, uint32_t callee)
{
    uint32_t at = state->first_clone[caller];
    while (at != HCCT_PLAN_NONE && state->plan->clones[at].callee != callee)
        at = state->plan->clones[at].next;
    return at;
}

void hcct_clones_follow(struct hcct_plan_state *state)
{
    for (uint32_t i = 0; i < state->paths->height_count; i++) {
        const struct hcct_stack_origin *origin = &state->paths->origins[i];
        uint32_t clone = origin->height == HCCT_PLAN_NONE
                             ? HCCT_PLAN_NONE
                             : find_clone(state, state->copy[origin->height],
                                          state->paths->paths[state->path[i]].function);
        state->copy[i] = clone == HCCT_PLAN_NONE ? origin->copy : state->plan->clones[clone].copy;
    }
}

/* --- candidates ------------------------------------------------------------------------------------ */

/* Calls that begin in `caller`, a function or a copy. `at` is a height behind the last one. */
struct candidate {
    uint32_t caller, callees[CHAIN], length;
    uint32_t at;
    uint64_t ambiguous; /* heights of ambiguous paths that have them */
};

struct search {
    struct hcct_plan_state *state;
    struct candidate *candidates;
    uint32_t count, capacity;
    uint32_t *below; /* by height: ambiguous ones that come from it, itself included */
    uint64_t code_left, comparisons, work_left;
};

static bool same_calls(const void *array, uint32_t index, const void *wanted)
{
    const struct candidate *one = (const struct candidate *)array + index, *key = wanted;
    return one->caller == key->caller && !memcmp(one->callees, key->callees, sizeof key->callees);
}

static int by_ambiguous(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->ambiguous != y->ambiguous)
        return x->ambiguous > y->ambiguous ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Whether the compiler has both before it. */
static bool is_together(const struct hcct_plan_state *state, uint32_t caller, uint32_t callee)
{
    const struct hcct_stack_source *one = &state->paths->sources[caller],
                                   *two = &state->paths->sources[callee];
    return one->linkage && two->linkage && !strcmp(one->file, two->file);
}

/* So many calls that lead to the height. False if there are no such, or if one goes to a copy already. */
static bool read_chain(const struct hcct_plan_state *state, uint32_t at, uint32_t length,
                       struct candidate *candidate)
{
    *candidate = (struct candidate){ .at = at, .length = length };
    for (uint32_t i = length; i-- > 0;) {
        uint32_t from = state->paths->origins[at].height,
                 callee = state->paths->paths[state->path[at]].function;
        if (from == HCCT_PLAN_NONE || find_clone(state, state->copy[from], callee) != HCCT_PLAN_NONE ||
            !is_together(state, state->paths->paths[state->path[from]].function, callee))
            return false;
        candidate->callees[i] = callee;
        candidate->caller = state->copy[from];
        at = from;
    }
    return true;
}

static void count_ambiguous(struct search *search)
{
    const struct hcct_plan_state *state = search->state;
    uint32_t count = state->paths->height_count;
    for (uint32_t i = 0; i < count; i++)
        search->below[i] = state->shared[state->path[i]] != 0;
    for (uint32_t i = count; i-- > 0;)
        if (state->paths->origins[i].height != HCCT_PLAN_NONE)
            search->below[state->paths->origins[i].height] += search->below[i];
}

static bool list(struct search *search, uint32_t length)
{
    struct hcct_table table = { 0 };
    struct candidate candidate;
    bool done = true;
    search->count = 0;
    count_ambiguous(search);
    for (uint32_t i = 0; done && i < search->state->paths->height_count; i++) {
        if (!search->below[i] || !read_chain(search->state, i, length, &candidate))
            continue;
        uint64_t hash = candidate.caller;
        for (uint32_t k = 0; k < length; k++)
            hash = hcct_hash_step(hash, candidate.callees[k]);
        uint32_t found = hcct_table_find(&table, (uint32_t)hash, same_calls, search->candidates, &candidate);
        if (found == HCCT_TABLE_NONE) {
            done = hcct_vector_grow(&search->candidates, &search->capacity, search->count,
                                    sizeof *search->candidates) &&
                   hcct_table_add(&table, (uint32_t)hash, search->count);
            found = search->count;
            if (done)
                search->candidates[search->count++] = candidate;
        }
        if (done)
            search->candidates[found].ambiguous += search->below[i];
    }
    hcct_table_free(&table);
    if (search->count)
        qsort(search->candidates, search->count, sizeof *search->candidates, by_ambiguous);
    return done;
}

/* --- trying one ------------------------------------------------------------------------------------ */

static uint32_t original_of(const struct hcct_plan_state *state, uint32_t copy)
{
    uint32_t functions = state->paths->binary->function_count;
    return copy < functions ? state->paths->binary->functions[copy].original
                            : state->plan->copies[copy - functions];
}

/* How many functions the pointers are compared with by which the caller makes its calls. */
static uint32_t count_compared(const struct hcct_plan_state *state, uint32_t caller)
{
    uint32_t count = 0;
    for (uint32_t at = state->first_clone[caller]; at != HCCT_PLAN_NONE; at = state->plan->clones[at].next)
        count += hcct_wraps_by_pointer(state->paths->binary, original_of(state, caller),
                                       state->plan->clones[at].callee);
    return count;
}

/* The comparisons that the calls of the profiles would take. */
static uint64_t count_comparisons(const struct hcct_plan_state *state)
{
    const struct hcct_stack_paths *paths = state->paths;
    uint64_t count = 0;
    for (uint32_t i = 0; i < paths->height_count; i++) {
        const struct hcct_stack_path *path = &paths->paths[state->path[i]];
        uint32_t from = paths->origins[i].height;
        if (from == HCCT_PLAN_NONE || !paths->binary->functions[path->function].is_address_taken ||
            state->first_clone[state->copy[from]] == HCCT_PLAN_NONE)
            continue;
        count += (path->calls[0] + path->calls[1]) * count_compared(state, state->copy[from]);
    }
    return count;
}

static bool add_clone(struct hcct_plan_state *state, uint32_t caller, uint32_t callee, uint32_t copy)
{
    struct hcct_plan *plan = state->plan;
    if (!hcct_vector_grow(&plan->clones, &plan->clone_capacity, plan->clone_count, sizeof *plan->clones))
        return false;
    plan->clones[plan->clone_count] =
        (struct hcct_plan_clone){ caller, callee, copy, state->first_clone[caller] };
    state->first_clone[caller] = plan->clone_count++;
    return true;
}

/* Takes back what came after. */
static void go_back(struct hcct_plan_state *state, uint32_t clones, uint32_t copies)
{
    struct hcct_plan *plan = state->plan;
    uint32_t functions = state->paths->binary->function_count;
    while (plan->clone_count > clones) {
        const struct hcct_plan_clone *clone = &plan->clones[--plan->clone_count];
        state->first_clone[clone->caller] = clone->next;
    }
    while (plan->copy_count > copies)
        plan->bytes[functions + --plan->copy_count] = 0;
    hcct_clones_follow(state);
    hcct_plan_evaluate(state);
}

/* Makes the calls go to new copies, and gives the last one, and then the others, the best bytes. Returns
 * whether that is worth it. */
static bool try_new(struct search *search, const struct candidate *candidate)
{
    struct hcct_plan_state *state = search->state;
    struct hcct_plan *plan = state->plan;
    uint32_t clones = plan->clone_count, copies = plan->copy_count, caller = candidate->caller,
             functions = state->paths->binary->function_count;
    uint64_t before = state->precise, code = 0;
    bool fits = copies + candidate->length <= HCCT_PLAN_COPIES;
    for (uint32_t i = 0; fits && i < candidate->length; i++) {
        uint32_t callee = candidate->callees[i], copy = functions + plan->copy_count;
        code += state->paths->binary->functions[callee].end - state->paths->binary->functions[callee].start;
        fits = add_clone(state, caller, callee, copy);
        plan->copies[plan->copy_count++] = callee;
        caller = copy;
    }
    hcct_clones_follow(state);
    fits = fits && code <= search->code_left && count_comparisons(state) <= search->comparisons;
    if (fits) {
        hcct_plan_evaluate(state);
        for (uint32_t i = plan->copy_count; i-- > copies;)
            hcct_plan_number_frame(state, functions + i);
        uint64_t least = candidate->length * (state->plan->path_count / PATHS_SHARE + 1);
        fits = state->precise >= before + least;
    }
    if (!fits) {
        go_back(state, clones, copies);
        return false;
    }
    search->code_left -= code;
    return true;
}

/* The same by a copy that is there already. */
static bool try_old(struct search *search, const struct candidate *candidate)
{
    struct hcct_plan_state *state = search->state;
    struct hcct_plan *plan = state->plan;
    uint32_t clones = plan->clone_count, functions = state->paths->binary->function_count;
    uint64_t before = state->precise;
    for (uint32_t i = 0; i < plan->copy_count; i++) {
        if (plan->copies[i] != candidate->callees[0] ||
            !add_clone(state, candidate->caller, candidate->callees[0], functions + i))
            continue;
        hcct_clones_follow(state);
        hcct_plan_evaluate(state);
        if (state->precise > before && count_comparisons(state) <= search->comparisons)
            return true;
        go_back(state, clones, plan->copy_count);
    }
    return false;
}

static bool try_all(struct search *search, uint32_t length, bool *changed)
{
    struct hcct_plan_state *state = search->state;
    uint64_t cost = (uint64_t)state->paths->height_count * (state->number_count * length + CHAIN);
    if (!list(search, length))
        return false;
    for (uint32_t i = 0; i < search->count && search->work_left > cost; i++) {
        struct candidate now;
        if (!read_chain(state, search->candidates[i].at, length, &now) ||
            now.caller != search->candidates[i].caller)
            continue;
        search->work_left -= cost;
        *changed |= (length == 1 && try_old(search, &now)) || try_new(search, &now);
    }
    return true;
}

bool hcct_clones_search(struct hcct_plan_state *state)
{
    const struct hcct_stack_binary *binary = state->paths->binary;
    struct search search = { .state = state, .work_left = WORK };
    bool done = true, changed = true;
    search.below = malloc(((size_t)state->paths->height_count + 1) * sizeof *search.below);
    for (uint32_t i = 0; i < binary->function_count; i++)
        search.code_left += (binary->functions[i].end - binary->functions[i].start) / CODE_SHARE;
    if (search.code_left < CODE_LEAST)
        search.code_left = CODE_LEAST;
    search.comparisons = hcct_wraps_count_calls(state->paths) / CALLS_SHARE;
    done = search.below != NULL;
    for (int round = 0; done && changed && round < ROUNDS; round++) {
        changed = false;
        for (uint32_t length = 1; done && length <= CHAIN; length++)
            done = try_all(&search, length, &changed);
    }
    free(search.below);
    free(search.candidates);
    return done;
}

/* --- the plan's lines ------------------------------------------------------------------------------ */

static void print_name(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, uint32_t copy,
                       FILE *out)
{
    uint32_t functions = paths->binary->function_count;
    if (copy >= functions)
        fprintf(out, "hcct.clone.%" PRIu32 ".%s", copy - functions + 1,
                paths->sources[plan->copies[copy - functions]].linkage);
    else
        fputs(paths->sources[copy].linkage, out);
}

/* Those that the program has. */
static void print_old(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out)
{
    const struct hcct_stack_binary *binary = paths->binary;
    for (uint32_t i = 0; plan->old && i < plan->old->count; i++) {
        const struct hcct_plan_line *line = &plan->old->lines[i];
        if (line->number)
            fprintf(out, "clone %" PRIu32 " %s %s %s\n", line->number, line->callee, line->function,
                    line->file);
    }
    for (uint32_t i = 0; i < binary->function_count; i++)
        if (binary->functions[i].original != i && plan->bytes[i])
            fprintf(out, "%" PRIu32 " %s %s\n", plan->bytes[i], binary->functions[i].name,
                    hcct_text_base_name(paths->sources[binary->functions[i].original].file));
}

void hcct_clones_print(const struct hcct_plan *plan, const struct hcct_stack_paths *paths, FILE *out)
{
    uint32_t functions = paths->binary->function_count;
    for (uint32_t i = 0; i < plan->clone_count; i++) {
        const struct hcct_plan_clone *clone = &plan->clones[i];
        const struct hcct_stack_source *source = &paths->sources[clone->callee];
        fprintf(out, "clone %" PRIu32 " %s ", clone->copy - functions + 1, source->linkage);
        print_name(plan, paths, clone->caller, out);
        fprintf(out, " %s\n", hcct_text_base_name(source->file));
    }
    print_old(plan, paths, out);
    for (uint32_t i = 0; i < plan->copy_count; i++) {
        if (!plan->bytes[functions + i])
            continue;
        fprintf(out, "%" PRIu32 " ", plan->bytes[functions + i]);
        print_name(plan, paths, functions + i, out);
        fprintf(out, " %s\n", hcct_text_base_name(paths->sources[plan->copies[i]].file));
    }
}
