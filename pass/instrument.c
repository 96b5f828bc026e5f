/* Drives the pass over one module: which functions are instrumented, which of their calls get code, in which
 * order.
 *
 * Invariants
 *   1. a module is instrumented once, however often the pipeline runs the pass (ThinLTO, -ffat-lto-objects):
 *      it then carries the named metadata "hcct"; in a link the functions that are marked are, once (mark.c);
 *   2. everything that is asked of the IR (who is called by whom, frequencies, debug info) is asked before
 *      any of it is changed;
 *   3. an instrumented function is not inlined later: its code tells where its own frame is. */
#include "pass/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/unit.h"

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       attribute_kind(name)) != NULL;
}

static void keep_out_of_line(LLVMContextRef context, LLVMValueRef function)
{
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(context, attribute_kind("noinline"), 0);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

void hcct_keep_out_of_line(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !has_attribute(f, "alwaysinline"))
            keep_out_of_line(LLVMGetModuleContext(module), f);
}

/* --- which functions ---------------------------------------------------------------------------- */

struct selection {
    struct hcct_unit *unit;
    LLVMValueRef
        *skipped; /* ifunc resolvers and the local functions that they reach: they run before TLS exists */
    size_t skipped_count;
};

static bool is_skipped(const struct selection *selection, LLVMValueRef function)
{
    for (size_t i = 0; i < selection->skipped_count; i++)
        if (selection->skipped[i] == function)
            return true;
    return false;
}

static void skip(struct selection *selection, LLVMValueRef function)
{
    if (!function || !LLVMIsAFunction(function) || LLVMIsDeclaration(function) ||
        is_skipped(selection, function))
        return;
    LLVMValueRef *grown = realloc(selection->skipped, (selection->skipped_count + 1) * sizeof *grown);
    if (!grown)
        return;
    selection->skipped = grown;
    grown[selection->skipped_count++] = function;
}

static void skip_resolvers(struct selection *selection)
{
    LLVMModuleRef module = selection->unit->module;
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i; i = LLVMGetNextGlobalIFunc(i))
        skip(selection, LLVMGetGlobalIFuncResolver(i));
    for (size_t i = 0; i < selection->skipped_count; i++) /* grows while it runs */
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(selection->skipped[i]); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef at = LLVMGetFirstInstruction(b); at; at = LLVMGetNextInstruction(at))
                if (LLVMIsACallInst(at) || LLVMIsAInvokeInst(at))
                    skip(selection, LLVMGetCalledValue(at));
}

static bool is_compilers_own(const char *name)
{
    static const char *const prefixes[] = { "__hcct_", "hcct_shadow_", "asan.",  "tsan.",
                                            "msan.",   "sancov.",      "__llvm_" };
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

const char *hcct_unit_source(struct hcct_unit *unit, LLVMValueRef function)
{
    size_t module_length;
    unsigned length = 0;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    return length ? name : LLVMGetSourceFileName(unit->module, &module_length);
}

/* -fsplit-stack: a callee's part of the stack may lie above its caller's, so that frames that are live could
 * not be told from dead ones. */
static bool is_split(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         "split-stack", 11) != NULL;
}

static bool is_wanted(const struct selection *selection, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    return !LLVMIsDeclaration(function) && LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage &&
           !is_split(function) && !has_attribute(function, "naked") &&
           !has_attribute(function, "noprofile") && !is_compilers_own(name) &&
           !is_skipped(selection, function) && !hcct_hook_is(function) &&
           hcct_mark_is_on(function) >= selection->unit->linking &&
           (selection->unit->linking ||
            !(LLVMGetLinkage(function) == LLVMExternalLinkage && hcct_callee_is_harmless(name, length))) &&
           (selection->unit->linking ||
            !hcct_filter_excludes(name, hcct_unit_source(selection->unit, function)));
}

static void warn_of_split_stacks(LLVMModuleRef module)
{
    LLVMValueRef f = LLVMGetFirstFunction(module);
    while (f && (LLVMIsDeclaration(f) || !is_split(f)))
        f = LLVMGetNextFunction(f);
    if (f)
        hcct_bridge_warn(module,
                         "hcct: -fsplit-stack is not supported: functions that have it are left alone");
}

static bool select_targets(struct hcct_unit *unit)
{
    struct selection selection = { unit, NULL, 0 };
    size_t function_count = 0;
    skip_resolvers(&selection);
    if (!unit->linking)
        warn_of_split_stacks(unit->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        function_count++;
    unit->targets = calloc(function_count + 1, sizeof *unit->targets);
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f && unit->targets; f = LLVMGetNextFunction(f))
        if (is_wanted(&selection, f))
            unit->targets[unit->target_count++].function = f;
    free(selection.skipped);
    return unit->targets && unit->target_count;
}

static int compare_by_function(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)(*(struct hcct_target *const *)a)->function;
    uintptr_t y = (uintptr_t)(*(struct hcct_target *const *)b)->function;
    return (x > y) - (x < y);
}

static void sort_targets(struct hcct_unit *unit)
{
    qsort(unit->by_function, unit->target_count, sizeof *unit->by_function, compare_by_function);
}

static bool index_targets(struct hcct_unit *unit)
{
    unit->by_function = malloc(unit->target_count * sizeof *unit->by_function);
    if (!unit->by_function)
        return false;
    for (size_t i = 0; i < unit->target_count; i++)
        unit->by_function[i] = &unit->targets[i];
    sort_targets(unit);
    return true;
}

struct hcct_target *hcct_unit_target(struct hcct_unit *unit, LLVMValueRef function)
{
    struct hcct_target key = { .function = function }, *wanted = &key, **found;
    found = bsearch(&wanted, unit->by_function, unit->target_count, sizeof wanted, compare_by_function);
    return found ? *found : NULL;
}

/* --- which calls -------------------------------------------------------------------------------- */

static bool is_local(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction);
}

/* The global that the call names, local aliases resolved; NULL: a pointer. */
static LLVMValueRef named_callee(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    while (LLVMIsAGlobalAlias(callee) && is_local(callee))
        callee = LLVMAliasGetAliasee(callee);
    return LLVMIsAGlobalValue(callee) ? callee : NULL;
}

/* Whether a context has to be told to this callee at all. */
static bool needs_context(struct hcct_unit *unit, LLVMValueRef call)
{
    size_t length;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee))
        return hcct_assembly_calls(unit->module, callee);
    if (!LLVMIsAFunction(callee))
        return true;
    const char *name = LLVMGetValueName2(callee, &length);
    return !LLVMGetIntrinsicID(callee) && !is_compilers_own(name) &&
           !(LLVMIsDeclaration(callee) && hcct_callee_is_harmless(name, length));
}

bool hcct_is_fixed_function(LLVMValueRef callee)
{
    return is_local(callee) ||
           (LLVMGetLinkage(callee) == LLVMExternalLinkage && hcct_bridge_is_dso_local(callee));
}

static enum hcct_site_kind kind_of(struct hcct_unit *unit, LLVMValueRef callee)
{
    if (!callee)
        return HCCT_SITE_INDIRECT;
    if (LLVMIsAGlobalIFunc(callee))
        return HCCT_SITE_EXTERNAL;
    if (LLVMIsAFunction(callee) && hcct_is_fixed_function(callee) && hcct_unit_target(unit, callee))
        return HCCT_SITE_LOCAL;
    return is_local(callee) && !unit->mixed ? HCCT_SITE_EXTERNAL : HCCT_SITE_SYMBOL;
}

/* Nothing but what the call returned leaves the function behind it. */
static bool is_returned(LLVMValueRef call, LLVMValueRef leave)
{
    return LLVMIsAReturnInst(leave) && (LLVMGetNumOperands(leave) == 0 || LLVMGetOperand(leave, 0) == call);
}

static bool is_tail(const struct hcct_unit *unit, LLVMValueRef function, LLVMValueRef call)
{
    if (!LLVMIsACallInst(call) || LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return false;
    enum hcct_tail_mark mark = hcct_bridge_tail_mark(call);
    if (mark == HCCT_TAIL_MARK_MUST)
        return true;
    return mark == HCCT_TAIL_MARK_TAIL && !unit->shadow && !hcct_bridge_stands_once(call) &&
           is_returned(call, hcct_bridge_next_real(call)) &&
           !LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          "disable-tail-calls", 18);
}

/* A call to the very code that it stands in: the linker cannot redirect it, or only to a copy that runs
 * instead. */
static bool is_recursive(struct hcct_unit *unit, LLVMValueRef function, LLVMValueRef callee)
{
    return callee == function &&
           (is_local(function) || LLVMGetVisibility(function) != LLVMDefaultVisibility ||
            !hcct_bridge_is_position_independent_library(unit->module));
}

static bool never_returns(LLVMValueRef call)
{
    return LLVMIsAUnreachableInst(hcct_bridge_next_real(call));
}

/* Sites that are passed less often than this against their function's entry get the shortest code, unless a
 * guide knows better. On SQLite a push in line takes 113 bytes and 13 instructions, a call that is tested 95
 * bytes; by the runtime both take 16, and a push some 50 instructions. Where the whole program is known, what
 * pushes is called more: it has to be seldomer; a recursive call is where the function itself is called. */
#define COLD_FREQUENCY_PUSHES 127
#define COLD_FREQUENCY_NUMBERED 126
#define COLD_FREQUENCY_RECURSIVE 125

static bool is_cold(const struct hcct_unit *unit, const struct hcct_call *call, uint8_t frequency)
{
    uint8_t limit = call->recursive ? COLD_FREQUENCY_RECURSIVE
                    : call->pushes  ? COLD_FREQUENCY_PUSHES
                                    : COLD_FREQUENCY_NUMBERED;
    if (unit->linking && !call->recursive)
        limit--;
    return call->weight < 64 || (call->weight < 128 && frequency < limit); /* hcct_guide_weight */
}

static bool is_small(LLVMValueRef function)
{
    return has_attribute(function, "cold") || has_attribute(function, "optsize") ||
           has_attribute(function, "minsize");
}

static bool add_call(struct hcct_unit *unit, struct hcct_target *target, LLVMValueRef instruction)
{
    uint32_t ordinal = target->call_count + 1;
    if (!(target->call_count & target->call_count + 1)) {
        struct hcct_call *grown =
            realloc(target->calls, (2 * (size_t)target->call_count + 2) * sizeof *grown);
        if (!grown)
            return false;
        target->calls = grown;
    }
    struct hcct_call *call = &target->calls[target->call_count++];
    LLVMValueRef callee = named_callee(instruction);
    *call = (struct hcct_call){
        .instruction = instruction,
        .callee = callee,
        .id = hcct_record_site_id(unit, target->function, ordinal),
        .kind = kind_of(unit, callee),
        .ordinal = ordinal,
        .tail = is_tail(unit, target->function, instruction),
    };
    call->recursive = !call->tail && is_recursive(unit, target->function, callee);
    if (call->recursive)
        call->kind = HCCT_SITE_LOCAL;
    if (call->kind == HCCT_SITE_EXTERNAL && call->tail &&
        hcct_bridge_tail_mark(instruction) == HCCT_TAIL_MARK_TAIL)
        call->tail = false; /* calls.c, invariant 1 */
    if (call->kind == HCCT_SITE_SYMBOL &&
        (LLVMIsDeclaration(callee) || LLVMGetLinkage(callee) == LLVMAvailableExternallyLinkage)) {
        size_t length;
        const char *name = LLVMGetValueName2(callee, &length);
        call->library = hcct_library_leads_to(name, length);
    }
    call->pushes = call->recursive || call->kind == HCCT_SITE_INDIRECT || call->kind == HCCT_SITE_EXTERNAL;
    if (LLVMIsAInvokeInst(instruction) || !never_returns(instruction))
        call->weight = hcct_bridge_block_weight(unit->analyses, LLVMGetInstructionParent(instruction));
    uint8_t frequency = call->weight;
    call->weight = hcct_guided_weight(unit, call->id, frequency);
    call->cold =
        target->small || is_cold(unit, call, frequency) || LLVMIsAInlineAsm(LLVMGetCalledValue(instruction));
    return true;
}

/* Those with a delta first, code order kept within both parts. */
static int compare_calls(const void *a, const void *b)
{
    const struct hcct_call *x = a, *y = b;
    if (x->pushes != y->pushes)
        return x->pushes ? 1 : -1;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static bool collect_calls(struct hcct_unit *unit, struct hcct_target *target)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(target->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (is_call(at) && needs_context(unit, at) && !add_call(unit, target, at))
                return false;
    if (target->call_count)
        qsort(target->calls, target->call_count, sizeof *target->calls, compare_calls);
    while (target->delta_count < target->call_count && !target->calls[target->delta_count].pushes)
        target->delta_count++;
    return true;
}

/* Every use of the function in this module is a call that its caller numbers. */
static bool is_called_only(struct hcct_unit *unit, LLVMValueRef function)
{
    if (hcct_unit_target(unit, function)->in_assembly)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !is_call(user) || LLVMGetCalledValue(user) != function)
            return false;
        for (unsigned i = 0; i < (unsigned)LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return false;
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (!hcct_unit_target(unit, caller))
            return false;
    }
    return true;
}

/* --- how the word comes ---------------------------------------------------------------------------- */

static bool is_must_tail(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && hcct_bridge_tail_mark(instruction) == HCCT_TAIL_MARK_MUST;
}

/* A musttail call has the parameters of its caller. */
static bool holds_must_tail(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (is_must_tail(at))
                return true;
    return false;
}

static bool is_called_as_defined(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (is_must_tail(LLVMGetUser(use)) || !hcct_bridge_calls_as_defined(LLVMGetUser(use), function))
            return false;
    return true;
}

/* The register of a `nest` parameter carries something already: by the language, or in what is put before the
 * function's first instruction. */
static bool has_nest_register(LLVMValueRef function)
{
    static const char *const taken[] = { "fentry-call", "patchable-function-entry", "function-instrument",
                                         "xray-instruction-threshold" };
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, taken[i],
                                          (unsigned)strlen(taken[i])))
            return false;
    for (unsigned i = 1; i <= LLVMCountParams(function); i++)
        if (LLVMGetEnumAttributeAtIndex(function, i, attribute_kind("nest")))
            return false;
    unsigned convention = LLVMGetFunctionCallConv(function), length = 0;
    LLVMAttributeRef features = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "target-features", 15);
    const char *list = features ? LLVMGetStringAttributeValue(features, &length) : "";
    return (convention == LLVMCCallConv || convention == LLVMFastCallConv) &&
           !has_attribute(function, "shadowcallstack") &&
           !memmem(list, length, "+reserve-x18", 12) && /* what AArch64 has for it up to LLVM 19 */
           !strstr(LLVMGetTarget(LLVMGetGlobalParent(function)), "android");
}

/* A function that only numbered calls enter is given its word like an argument. */
static bool can_pass_word(struct hcct_unit *unit, LLVMValueRef function)
{
    return is_local(function) && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) &&
           is_called_only(unit, function) && is_called_as_defined(function) && has_nest_register(function) &&
           !holds_must_tail(function);
}

static void pass_words(struct hcct_unit *unit)
{
    for (size_t i = 0; i < unit->target_count; i++)
        unit->targets[i].passed = can_pass_word(unit, unit->targets[i].function);
    for (size_t i = 0; i < unit->target_count; i++) {
        struct hcct_target *target = &unit->targets[i];
        if (target->passed)
            target->function = hcct_bridge_add_nest_parameter(unit->analyses, target->function);
    }
    sort_targets(unit);
}

/* --- the module --------------------------------------------------------------------------------- */

static bool is_supported(LLVMModuleRef module)
{
    const char *triple = LLVMGetTarget(module);
    bool machine = strncmp(triple, "x86_64-", 7) == 0 || strncmp(triple, "aarch64-", 8) == 0;
    return machine && strstr(triple, "-linux") && !strstr(triple, "x32") && !strstr(triple, "ilp32");
}

static void open_unit(struct hcct_unit *unit)
{
    LLVMContextRef context = unit->context = LLVMGetModuleContext(unit->module);
    unit->builder = LLVMCreateBuilderInContext(context);
    unit->i8 = LLVMInt8TypeInContext(context);
    unit->i32 = LLVMInt32TypeInContext(context);
    unit->i64 = LLVMInt64TypeInContext(context);
    unit->ptr = LLVMPointerTypeInContext(context, 0);
    unit->none = LLVMVoidTypeInContext(context);
    unit->nosanitize_kind = LLVMGetMDKindIDInContext(context, "nosanitize", 10);
    unit->prof_kind = LLVMGetMDKindIDInContext(context, "prof", 4);
    unit->shadow = hcct_setting("HCCT_SHADOW");
    /* where lld decides */
    unit->absolute = strncmp(LLVMGetTarget(unit->module), "x86_64-", 7) == 0 && !unit->linking &&
                     hcct_bridge_has_fixed_place(unit->module);
}

void hcct_unit_declare_thread(struct hcct_unit *unit)
{
    bool library = hcct_bridge_is_position_independent_library(unit->module);
    unit->thread = LLVMGetNamedGlobal(unit->module, "__hcct_thread");
    if (unit->thread) /* of what a compile step instrumented */
        return;
    unit->thread = LLVMAddGlobal(unit->module, LLVMArrayType(unit->i64, sizeof(struct hcct_thread) / 8),
                                 "__hcct_thread");
    LLVMSetThreadLocal(unit->thread, true);
    LLVMSetThreadLocalMode(unit->thread, library ? LLVMInitialExecTLSModel : LLVMLocalExecTLSModel);
    LLVMSetAlignment(unit->thread, 8);
    if (!library)
        hcct_bridge_set_dso_local(unit->thread);
}

/* The one module of a process that may: what lld makes of all of an executable's bitcode but ThinLTO's, where
 * the wrappers say that it links one (others may come together in one later: -r), or what the user says is
 * the whole program. */
static bool has_fixed_ids(struct hcct_unit *unit)
{
    size_t length;
    const char *name = LLVMGetModuleIdentifier(unit->module, &length);
    return hcct_setting("HCCT_WHOLE_PROGRAM") && !hcct_bridge_is_position_independent_library(unit->module) &&
           (!unit->linking || strcmp(name, "ld-temp.o") == 0);
}

static bool prepare(struct hcct_unit *unit)
{
    unit->fixed = has_fixed_ids(unit);
    if (unit->fixed && !unit->linking) {
        hcct_types_note(unit);
        hcct_types_resolve(unit->module);
    }
    hcct_assembly_find(unit);
    pass_words(unit);
    for (size_t i = 0; i < unit->target_count; i++) {
        struct hcct_target *target = &unit->targets[i];
        hcct_copy_returns(unit, target->function);
        target->small = is_small(target->function);
        if (!collect_calls(unit, target))
            return false;
        target->address_taken = !is_called_only(unit, target->function);
        target->enterable = !is_local(target->function) || target->address_taken;
    }
    hcct_guide_report(unit);
    hcct_guess_callees(unit);
    hcct_settle_calls(unit);
    hcct_guess_drop(unit);
    return true;
}

static void instrument_target(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMValueRef function = target->function;
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   attribute_kind("alwaysinline"));
    keep_out_of_line(unit->context, function);
    hcct_bridge_drop_memory_attributes(function);
    hcct_record_define(unit, target); /* asks the calls for their debug locations: before they move */
    if (unit->shadow)
        hcct_shadow_function(unit, target);
    hcct_emit_function(unit, target);
}

static bool can_instrument(LLVMModuleRef module)
{
    const char *error;
    if (!is_supported(module)) {
        hcct_bridge_warn(module,
                         "hcct: this target is not supported (x86-64 and AArch64 Linux are): left alone");
        return false;
    }
    if (!hcct_filter_load(&error)) {
        hcct_bridge_warn(module, error);
        return false;
    }
    return true;
}

static void instrument_targets(struct hcct_unit *unit)
{
    hcct_settings_give(unit);
    const char *guide_problem = hcct_guide_load();
    if (guide_problem)
        hcct_bridge_warn(unit->module, guide_problem);
    if (!prepare(unit))
        return;
    hcct_unit_declare_thread(unit);
    LLVMGetOrInsertNamedMetadata(unit->module, "hcct", 4);
    for (size_t i = 0; i < unit->target_count; i++)
        hcct_record_declare(unit, &unit->targets[i]);
    for (size_t i = 0; i < unit->target_count; i++)
        instrument_target(unit, &unit->targets[i]);
    if (!unit->linking)
        hcct_hooks_keep_words(unit);
    hcct_record_keep_all(unit);
    hcct_settings_note(unit);
}

static void close_unit(struct hcct_unit *unit)
{
    for (size_t i = 0; i < unit->target_count; i++)
        free(unit->targets[i].calls);
    free(unit->targets);
    free(unit->by_function);
    LLVMDisposeBuilder(unit->builder);
}

bool hcct_instrument_module(LLVMModuleRef module, struct hcct_analyses *analyses, bool linking)
{
    struct hcct_unit unit = { .module = module, .analyses = analyses, .linking = linking };
    bool done = LLVMGetNamedMetadata(module, "hcct", 4) != NULL;
    bool satisfied = linking && hcct_mark_satisfy(module);
    if (linking ? !hcct_mark_is_in(module) : done)
        return satisfied;
    unit.mixed = linking && done;
    if (!linking && !can_instrument(module)) /* marked: it was asked, and the filter, there */
        return false;
    open_unit(&unit);
    bool any = select_targets(&unit) && index_targets(&unit);
    if (any)
        instrument_targets(&unit);
    hcct_mark_remove_all(module);
    close_unit(&unit);
    return any || satisfied;
}

bool hcct_leave_to_link(LLVMModuleRef module, struct hcct_analyses *analyses)
{
    struct hcct_unit unit = { .module = module, .analyses = analyses };
    if (LLVMGetNamedMetadata(module, "hcct", 4) || hcct_mark_is_in(module) || !can_instrument(module))
        return false;
    open_unit(&unit);
    bool any = select_targets(&unit);
    for (size_t i = 0; i < unit.target_count; i++)
        any &= hcct_mark_function(&unit, unit.targets[i].function,
                                  hcct_settings_here(&unit, unit.targets[i].function));
    if (any) {
        hcct_types_note(&unit);
        hcct_mark_refer(&unit);
        hcct_record_refer(&unit);
        hcct_hooks_keep_words(&unit);
    }
    close_unit(&unit);
    return any;
}
