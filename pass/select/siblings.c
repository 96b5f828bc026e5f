/* Which tail calls through pointers stay sibling calls.
 *
 * The push of a sibling call through a pointer is the most expensive one: the runtime looks the callee up,
 * and nothing takes the frame off. The languages promise no sibling call, and at -O0 there is none. So such a
 * call becomes a plain one, between a push and a pop, unless
 *   1. it must be one: it is musttail, or of a calling convention that says so; or
 *   2. it may be threaded code (may_be_threaded): each lap of such a loop would take stack.
 *
 * The loop is searched in a graph of the module's functions. A tail call leads to the function that it names,
 * or, through a pointer, to all of its type that are enterable. What functions of other modules call is not
 * known. But a function of the pointer's own type that is not local may be called through it there: so a call
 * of the caller's type stays, unless all calls of the caller are by name.
 * Cost: for each type of such calls a search, O(functions + tail calls). */
#include "pass/select/siblings.h"

#include <stdlib.h>

#include "pass/unit/bridge.h"

/* A tail call through a pointer that need not be one. */
struct candidate {
    LLVMTypeRef type;
    const struct hcct_target *caller;
    struct hcct_call *call;
};

struct search {
    struct hcct_unit *unit;
    struct hcct_target **enterable; /* sorted by type */
    size_t enterable_count;
    LLVMTypeRef type; /* where it began */
    bool *reached;    /* each target */
    bool *listed;     /* the functions of a type, at the first one's place in `enterable` */
    struct hcct_target **stack;
    size_t depth;
    struct candidate *candidates; /* sorted by type */
    size_t candidate_count;
};

static int compare_addresses(const void *a, const void *b)
{
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static LLVMTypeRef type_of(const struct hcct_target *target)
{
    return LLVMGlobalGetValueType(target->function);
}

static int compare_targets(const void *a, const void *b)
{
    const struct hcct_target *x = *(struct hcct_target *const *)a, *y = *(struct hcct_target *const *)b;
    return compare_addresses(type_of(x), type_of(y));
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return compare_addresses(x->type, y->type);
}

/* --- what tail calls lead to ------------------------------------------------------------------- */

static void reach(struct search *search, struct hcct_target *target)
{
    bool *reached = &search->reached[target - search->unit->targets];
    if (!*reached)
        search->stack[search->depth++] = target;
    *reached = true;
}

static void reach_type(struct search *search, LLVMTypeRef type)
{
    size_t low = 0, high = search->enterable_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_addresses(type_of(search->enterable[middle]), type) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == search->enterable_count || search->listed[low])
        return;
    search->listed[low] = true;
    for (size_t i = low; i < search->enterable_count && type_of(search->enterable[i]) == type; i++)
        reach(search, search->enterable[i]);
}

static void reach_callees(struct search *search, const struct hcct_target *target)
{
    for (uint32_t i = 0; i < target->call_count; i++) {
        const struct hcct_call *call = &target->calls[i];
        LLVMValueRef callee = call->callee;
        while (callee && LLVMIsAGlobalAlias(callee))
            callee = LLVMAliasGetAliasee(callee);
        struct hcct_target *named = callee ? hcct_unit_target(search->unit, callee) : NULL;
        if (call->tail && !callee)
            reach_type(search, LLVMGetCalledFunctionType(call->instruction));
        else if (call->tail && named)
            reach(search, named);
    }
}

static void reach_all(struct search *search, LLVMTypeRef type)
{
    search->type = type;
    for (size_t i = 0; i < search->unit->target_count; i++)
        search->reached[i] = search->listed[i] = false;
    reach_type(search, type);
    while (search->depth)
        reach_callees(search, search->stack[--search->depth]);
}

/* Whether tail calls may lead from the callee back to the caller. The search is that of the call's type. */
static bool may_be_threaded(const struct search *search, const struct candidate *candidate)
{
    return search->reached[candidate->caller - search->unit->targets];
}

/* --- all calls of the module ------------------------------------------------------------------- */

/* Conventions of languages whose loops are calls. (LLVM-C has names for the first two.) */
static bool is_tail_by_convention(LLVMValueRef call)
{
    enum { TAIL = 18, SWIFT_TAIL = 20 };
    unsigned convention = LLVMGetInstructionCallConv(call);
    return convention == LLVMGHCCallConv || convention == LLVMHiPECallConv || convention == TAIL ||
           convention == SWIFT_TAIL;
}

static bool is_candidate(const struct hcct_call *call)
{
    return call->tail && call->kind == HCCT_SITE_INDIRECT &&
           hcct_bridge_tail_mark(call->instruction) == HCCT_TAIL_MARK_TAIL &&
           !is_tail_by_convention(call->instruction);
}

static void list(struct search *search)
{
    for (size_t i = 0; i < search->unit->target_count; i++) {
        struct hcct_target *target = &search->unit->targets[i];
        if (target->enterable)
            search->enterable[search->enterable_count++] = target;
        for (uint32_t j = 0; j < target->call_count; j++)
            if (is_candidate(&target->calls[j]))
                search->candidates[search->candidate_count++] =
                    (struct candidate){ LLVMGetCalledFunctionType(target->calls[j].instruction), target,
                                        &target->calls[j] };
    }
    qsort(search->enterable, search->enterable_count, sizeof *search->enterable, compare_targets);
    qsort(search->candidates, search->candidate_count, sizeof *search->candidates, compare_candidates);
}

static size_t count_candidates(const struct hcct_unit *unit)
{
    size_t count = 0;
    for (size_t i = 0; i < unit->target_count; i++)
        for (uint32_t j = 0; j < unit->targets[i].call_count; j++)
            count += is_candidate(&unit->targets[i].calls[j]);
    return count;
}

/* A call that becomes plain closes no loop, so that the order of the types does not matter. */
static void release(struct search *search)
{
    list(search);
    for (size_t i = 0; i < search->candidate_count; i++) {
        const struct candidate *candidate = &search->candidates[i];
        if (candidate->type != search->type)
            reach_all(search, candidate->type);
        if (may_be_threaded(search, candidate))
            continue;
        candidate->call->tail = false;
        LLVMSetTailCall(candidate->call->instruction, false);
    }
}

bool hcct_siblings_release(struct hcct_unit *unit)
{
    size_t count = count_candidates(unit);
    if (!count)
        return true;
    struct search search = {
        .unit = unit,
        .enterable = malloc(unit->target_count * sizeof *search.enterable),
        .reached = malloc(unit->target_count * sizeof *search.reached),
        .listed = malloc(unit->target_count * sizeof *search.listed),
        .stack = malloc(unit->target_count * sizeof *search.stack),
        .candidates = malloc(count * sizeof *search.candidates),
    };
    bool done = search.enterable && search.reached && search.listed && search.stack && search.candidates;
    if (done)
        release(&search);
    free(search.enterable);
    free(search.reached);
    free(search.listed);
    free(search.stack);
    free(search.candidates);
    return done;
}
