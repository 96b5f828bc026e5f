/* Guesses what calls through pointers lead to, so that a right guess needs no push (PCCE does likewise). The
 * code compares the pointer with each function guessed. If one is equal, the call is numbered like a call of
 * it by name; if none is, the call pushes. A wrong or missing guess costs a push; counts are exact in any
 * case.
 *
 * Guessed are, where they are few (FEW, FEW_AT_TAIL),
 *   1. for a virtual call whose class is known: the functions that the class hierarchy has for it (types.h);
 *   2. for any other call: the functions of its type and calling convention whose address is taken;
 *   3. if these are too many: those of them that stand in the place that the pointer was loaded from, the
 *      same offset of a structure (tables of functions; virtual functions), in a constant or by a store.
 *
 * Only functions of this module are guessed. In the records a guess is a call of its own, with the id and the
 * place of its site, a callee and a delta; the site itself stands behind it, with those that push. Guesses
 * that are not prenumbered are dropped (prenumber.h), so that the code tests the pointer and nothing else. */
#include "pass/number/guess.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Target.h>

#include "pass/number/types.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

#define ANYWHERE UINT64_MAX
#define FEW 4                 /* functions: to compare with more takes as long as a push in line */
#define FEW_AT_TAIL 16        /* by the class hierarchy: a push in tail position takes some 60 instructions */
#define GUESSED_FREQUENCY 124 /* at least: the site runs in one of 22 calls of its function */

/* A function that may be called through a pointer of this type, loaded from this offset. */
struct candidate {
    LLVMTypeRef type;
    uint64_t offset; /* ANYWHERE: for any pointer */
    struct hcct_target *target;
};

struct candidates {
    struct hcct_unit *unit;
    LLVMTargetDataRef layout;
    struct candidate *list;
    size_t count, capacity;
    struct hcct_types types;
};

static int compare_places(const struct candidate *x, const struct candidate *y)
{
    if (x->type != y->type)
        return (uintptr_t)x->type < (uintptr_t)y->type ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int by_place = compare_places(x, y);
    return by_place ? by_place : (x->target > y->target) - (x->target < y->target);
}

/* --- what may be called ------------------------------------------------------------------------- */

/* Whether the target can be guessed: its address is taken, its word comes in the thread's word, and no linker
 * puts another function in its place. */
static bool is_possible(const struct hcct_target *target)
{
    return target && target->address_taken && !target->passed &&
           hcct_ir_is_non_interposable(target->function);
}

static bool add(struct candidates *all, LLVMValueRef function, uint64_t offset)
{
    struct hcct_target *target = hcct_unit_target(all->unit, function);
    if (!is_possible(target))
        return true;
    if (all->count == all->capacity) {
        size_t capacity = 2 * all->capacity + 64;
        struct candidate *grown = realloc(all->list, capacity * sizeof *grown);
        if (!grown)
            return false;
        all->list = grown;
        all->capacity = capacity;
    }
    all->list[all->count++] = (struct candidate){ LLVMGlobalGetValueType(function), offset, target };
    return true;
}

/* The functions in `value`, which stands at `offset` in the innermost structure around it. */
static bool add_constant(struct candidates *all, LLVMValueRef value, uint64_t offset)
{
    bool done = true;
    if (LLVMIsAFunction(value))
        return add(all, value, offset);
    if (!LLVMIsAConstantStruct(value) && !LLVMIsAConstantArray(value))
        return true;
    LLVMTypeRef type = LLVMTypeOf(value);
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    uint64_t element = is_struct ? 0 : LLVMABISizeOfType(all->layout, LLVMGetElementType(type));
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && done; i++) {
        LLVMValueRef part = LLVMGetOperand(value, i);
        uint64_t at = is_struct ? LLVMOffsetOfElement(all->layout, type, i) : offset + i * element;
        done = add_constant(all, part, at);
    }
    return done;
}

/* A table of virtual functions is an array in a structure, and objects point behind its first two entries. */
static uint64_t first_offset(LLVMValueRef global)
{
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    return length > 4 && memcmp(name, "_ZTV", 4) == 0 ? (uint64_t)-16 : 0;
}

static bool add_global(struct candidates *all, LLVMValueRef global)
{
    LLVMValueRef value = LLVMGetInitializer(global);
    uint64_t first = first_offset(global);
    bool done = true;
    if (!value || !first || !LLVMIsAConstantStruct(value))
        return !value || add_constant(all, value, first);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value) && done; i++)
        done = add_constant(all, LLVMGetOperand(value, i), first);
    return done;
}

/* Where the function is stored, as far as the module's code shows. */
static bool add_stores(struct candidates *all, LLVMValueRef function)
{
    struct hcct_unit *unit = all->unit;
    bool done = true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use && done; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uint64_t offset;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == function &&
            hcct_bridge_offset(unit->module, LLVMGetOperand(user, 1), &offset))
            done = add(all, function, offset);
    }
    return done;
}

static bool find_candidates(struct candidates *all)
{
    struct hcct_unit *unit = all->unit;
    bool done = true;
    all->layout = LLVMGetModuleDataLayout(unit->module);
    for (size_t i = 0; i < unit->target_count && done; i++)
        if (is_possible(&unit->targets[i]))
            done =
                add(all, unit->targets[i].function, ANYWHERE) && add_stores(all, unit->targets[i].function);
    for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g && done; g = LLVMGetNextGlobal(g))
        done = add_global(all, g);
    if (!done)
        return false;
    if (all->count)
        qsort(all->list, all->count, sizeof *all->list, compare_candidates);
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++)
        if (!kept || compare_candidates(&all->list[kept - 1], &all->list[i]) != 0)
            all->list[kept++] = all->list[i];
    all->count = kept;
    return true;
}

/* --- what is guessed --------------------------------------------------------------------------- */

/* The candidates of that place: the first, and how many. */
static const struct candidate *find(const struct candidates *all, LLVMTypeRef type, uint64_t offset,
                                    size_t *count)
{
    struct candidate key = { type, offset, NULL };
    size_t low = 0, high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_places(&all->list[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < all->count && compare_places(&all->list[low + *count], &key) == 0 && *count <= FEW)
        ++*count;
    return &all->list[low];
}

static bool is_guessable(const struct hcct_target *target, const struct hcct_call *call)
{
    return call->kind == HCCT_SITE_INDIRECT && call->weight >= GUESSED_FREQUENCY && !target->small &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(call->instruction)) &&
           hcct_ir_can_be_repeated(call->instruction) &&
           !(call->tail && hcct_bridge_tail_mark(call->instruction) == HCCT_TAIL_MARK_MUST);
}

/* Those of a virtual call. */
static size_t choose(const struct candidates *all, const struct hcct_call *call, LLVMValueRef *functions,
                     unsigned count, struct hcct_target **guesses)
{
    size_t chosen = 0, limit = call->tail ? FEW_AT_TAIL : FEW;
    for (unsigned i = 0; i < count; i++) {
        struct hcct_target *target = functions[i] ? hcct_unit_target(all->unit, functions[i]) : NULL;
        if (!is_possible(target))
            continue;
        if (chosen == limit)
            return 0;
        guesses[chosen++] = target;
    }
    return chosen;
}

/* How many there are, if they are few; else 0. */
static size_t guess(const struct candidates *all, const struct hcct_call *call, struct hcct_target **guesses)
{
    LLVMValueRef functions[HCCT_TYPES_MOST];
    unsigned function_count;
    if (hcct_types_callees(&all->types, call->instruction, functions, &function_count))
        return choose(all, call, functions, function_count, guesses);
    size_t count;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call->instruction);
    const struct candidate *found = find(all, type, ANYWHERE, &count);
    LLVMValueRef pointer = LLVMGetCalledValue(call->instruction);
    uint64_t offset;
    if (count > FEW && LLVMIsALoadInst(pointer) &&
        hcct_bridge_offset(all->unit->module, LLVMGetOperand(pointer, 0), &offset))
        found = find(all, type, offset, &count);
    if (count > FEW)
        return 0;
    for (size_t i = 0; i < count; i++)
        guesses[i] = found[i].target;
    return count;
}

/* The weight of a guess: 2^-24 of its site's, so that no call by name pushes for the sake of a guess. */
static uint8_t share(uint8_t weight)
{
    enum { LESS = 24 };
    return weight > LESS ? (uint8_t)(weight - LESS) : 0;
}

static bool guess_calls(struct candidates *all, struct hcct_target *target)
{
    size_t push_count = target->call_count - target->delta_count;
    struct hcct_call *calls = malloc((target->call_count + FEW_AT_TAIL * push_count) * sizeof *calls);
    uint32_t added = 0;
    if (!calls)
        return false;
    for (uint32_t i = target->delta_count; i < target->call_count; i++) {
        const struct hcct_call *call = &target->calls[i];
        struct hcct_target *guesses[FEW_AT_TAIL];
        size_t count = is_guessable(target, call) ? guess(all, call, guesses) : 0;
        for (size_t j = 0; j < count; j++) {
            struct hcct_call *made = &calls[target->delta_count + added];
            if (LLVMGetFunctionCallConv(guesses[j]->function) !=
                LLVMGetInstructionCallConv(call->instruction))
                continue;
            *made = *call;
            made->callee = guesses[j]->function;
            made->kind = HCCT_SITE_LOCAL;
            made->weight = share(call->weight);
            made->pushes = false;
            made->guess = true;
            added++;
        }
    }
    memcpy(calls, target->calls, target->delta_count * sizeof *calls);
    memcpy(calls + target->delta_count + added, target->calls + target->delta_count,
           (target->call_count - target->delta_count) * sizeof *calls);
    free(target->calls);
    target->calls = calls;
    target->call_count += added;
    target->delta_count += added;
    return true;
}

void hcct_guess_add(struct hcct_unit *unit)
{
    struct candidates all = { .unit = unit };
    bool done = find_candidates(&all);
    hcct_types_open(&all.types, unit->module);
    for (size_t i = 0; i < unit->target_count && done; i++)
        if (unit->targets[i].delta_count < unit->targets[i].call_count)
            done = guess_calls(&all, &unit->targets[i]);
    free(all.list);
    free(all.types.nodes);
}

/* Whether to keep a site's guesses. If one of them is not prenumbered, it may be the right one, and a push in
 * line is faster than a comparison and a call of the runtime. A tail call's push is slow in any case. */
static bool are_worth_it(const struct hcct_call *guesses, uint32_t count)
{
    uint32_t numbered = 0;
    for (uint32_t i = 0; i < count; i++)
        numbered += guesses[i].prenumbered;
    return numbered == count || guesses->tail;
}

static void drop(struct hcct_target *target)
{
    uint32_t kept = 0, end;
    for (uint32_t i = 0; i < target->call_count; i = end) {
        const struct hcct_call *first = &target->calls[i];
        end = i + 1;
        while (first->guess && end < target->delta_count && hcct_guess_is_for(&target->calls[end], first))
            end++;
        bool worth_it = !first->guess || are_worth_it(first, end - i);
        for (uint32_t j = i; j < end; j++)
            if (worth_it && (!target->calls[j].guess || target->calls[j].prenumbered))
                target->calls[kept++] = target->calls[j];
    }
    target->delta_count -= target->call_count - kept;
    target->call_count = kept;
}

void hcct_guess_drop(struct hcct_unit *unit)
{
    for (size_t i = 0; i < unit->target_count; i++)
        drop(&unit->targets[i]);
}

bool hcct_guess_is_for(const struct hcct_call *guess, const struct hcct_call *call)
{
    return guess->guess && guess->ordinal == call->ordinal;
}
