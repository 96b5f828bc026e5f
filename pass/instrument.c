/* Drives the pass over one module. In this order: choose the functions (select/), change what has to be
 * changed before calls are listed (prepare/), list the calls (select/), number them (number/), emit records
 * and code (emit/).
 *
 * Invariants
 *   1. a module is instrumented once, however often the pipeline runs the pass (ThinLTO, -ffat-lto-objects):
 *      it then carries the named metadata "hcct". In a link its marks are taken off (select/mark.h);
 *   2. everything that is asked of the IR (who is called by whom, frequencies, debug info) is asked before
 *      any of it is changed;
 *   3. an instrumented function is not inlined later: its code tells where its own frame is. */
#include "pass/instrument.h"

#include <string.h>

#include "pass/emit/build.h"
#include "pass/emit/emit.h"
#include "pass/emit/hook_word.h"
#include "pass/emit/record.h"
#include "pass/emit/shadow.h"
#include "pass/emit/words.h"
#include "pass/number/guess.h"
#include "pass/number/prenumber.h"
#include "pass/number/types.h"
#include "pass/prepare/allocators.h"
#include "pass/prepare/externals.h"
#include "pass/prepare/frames.h"
#include "pass/prepare/own_names.h"
#include "pass/prepare/parameter.h"
#include "pass/prepare/returns.h"
#include "pass/select/assembly.h"
#include "pass/select/externals.h"
#include "pass/select/filter.h"
#include "pass/select/functions.h"
#include "pass/select/guided.h"
#include "pass/select/mark.h"
#include "pass/select/settings.h"
#include "pass/select/sites.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"
#include "pass/unit/unit.h"

static void keep_out_of_line(LLVMContextRef context, LLVMValueRef function)
{
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(context, hcct_ir_attribute_kind("noinline"), 0);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

void hcct_instrument_keep_out_of_line(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !hcct_ir_has_attribute(f, "alwaysinline"))
            keep_out_of_line(LLVMGetModuleContext(module), f);
}

/* --- the module --------------------------------------------------------------------------------- */

static bool is_supported(LLVMModuleRef module)
{
    const char *triple = LLVMGetTarget(module);
    bool machine = strncmp(triple, "x86_64-", 7) == 0 || strncmp(triple, "aarch64-", 8) == 0;
    return machine && strstr(triple, "-linux") && !strstr(triple, "x32") && !strstr(triple, "ilp32");
}

/* At most one module of a process may have fixed ids. Either the user says that this module is the whole
 * program, or it is the one that lld makes of all of an executable's bitcode (without ThinLTO). The wrappers
 * tell whether the link makes an executable. The result of `ld -r` has no fixed ids, as two of them may get
 * into one executable. */
static bool has_fixed_ids(struct hcct_unit *unit)
{
    size_t length;
    const char *name = LLVMGetModuleIdentifier(unit->module, &length);
    return hcct_settings_is_on("HCCT_WHOLE_PROGRAM") &&
           !hcct_bridge_is_position_independent_library(unit->module) &&
           (!unit->linking || strcmp(name, "ld-temp.o") == 0);
}

/* Less is no stack on which a function can run. */
#define LEAST_STACK_BYTES 128

static bool prepare(struct hcct_unit *unit)
{
    unit->fixed = has_fixed_ids(unit);
    if (unit->fixed && !unit->linking) {
        hcct_types_note(unit);
        hcct_types_resolve(unit->module);
    }
    if (!hcct_externals_add(unit))
        return false;
    hcct_assembly_find(unit);
    if (!unit->shadow_alone)
        hcct_parameter_add_all(unit);
    for (size_t i = 0; i < unit->target_count; i++) {
        struct hcct_target *target = &unit->targets[i];
        hcct_returns_copy(unit, target->function);
        target->unoptimized = hcct_build_is_unoptimized(target->function);
        target->small = target->unoptimized || hcct_functions_is_small(target->function);
        target->once = hcct_functions_runs_once(target->function);
        target->has_room = hcct_ir_has_room(target->function, LEAST_STACK_BYTES);
        if (!hcct_sites_collect(unit, target))
            return false;
        target->address_taken = !hcct_functions_is_called_only(unit, target->function);
        target->enterable = !hcct_ir_is_local(target->function) || target->address_taken;
    }
    hcct_guess_add(unit);
    hcct_prenumber_calls(unit);
    hcct_guess_drop(unit);
    return true;
}

static void instrument_target(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMValueRef function = target->function;
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   hcct_ir_attribute_kind("alwaysinline"));
    keep_out_of_line(unit->context, function);
    hcct_bridge_drop_memory_attributes(function);
    hcct_record_define(unit, target); /* asks the calls for their debug locations: before they move */
    if (unit->shadow)
        hcct_shadow_add(unit, target);
    if (!unit->shadow_alone)
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
    if (!hcct_filter_load(&error) || !hcct_externals_check(&error) || !hcct_allocators_check(&error)) {
        hcct_bridge_fail(module, error);
        return false;
    }
    return true;
}

static void instrument_targets(struct hcct_unit *unit)
{
    hcct_settings_give(unit);
    const char *guide_problem = hcct_guided_load();
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
        hcct_hook_word_keep_all(unit);
    hcct_words_keep_all(unit);
    hcct_record_notes(unit);
}

/* Marks what is to be instrumented and has no mark yet, and readies hooks. Whether there is anything. */
static bool mark_functions(struct hcct_unit *unit)
{
    bool any = hcct_functions_select(unit);
    for (size_t i = 0; i < unit->target_count; i++) {
        LLVMValueRef function = unit->targets[i].function;
        any &= hcct_mark_is_on(function) ||
               hcct_mark_function(unit, function, hcct_settings_here(unit, function));
    }
    if (any)
        hcct_hook_word_keep_all(unit);
    return any;
}

/* Bitcode of other compilers, whose compile steps marked nothing, if the link is asked to instrument it. */
static bool mark_in_link(LLVMModuleRef module, struct hcct_analyses *analyses)
{
    struct hcct_unit unit = { .module = module, .analyses = analyses };
    if (!hcct_settings_is_on("HCCT_BITCODE") || LLVMGetNamedMetadata(module, "hcct", 4) ||
        !can_instrument(module))
        return false;
    hcct_unit_open(&unit);
    bool any = mark_functions(&unit);
    hcct_unit_close(&unit);
    return any;
}

bool hcct_instrument_module(LLVMModuleRef module, struct hcct_analyses *analyses, bool linking)
{
    struct hcct_unit unit = { .module = module, .analyses = analyses, .linking = linking };
    if (hcct_frames_asked())
        return hcct_frames_resize(module);
    bool done = LLVMGetNamedMetadata(module, "hcct", 4) != NULL;
    bool changed = linking && hcct_mark_satisfy(module);
    changed |= linking && mark_in_link(module, analyses);
    if (linking ? !hcct_mark_is_in(module) : done)
        return changed;
    unit.mixed = linking && done;
    if (!linking && !can_instrument(module)) /* in a link: asked when they were marked */
        return false;
    changed |= hcct_own_names_add(module);
    hcct_functions_warn_of_resolvers(module);
    hcct_unit_open(&unit);
    bool any = hcct_functions_select(&unit) && hcct_unit_index_targets(&unit);
    if (any)
        instrument_targets(&unit);
    hcct_mark_remove_all(module);
    hcct_unit_close(&unit);
    return any || changed;
}

bool hcct_instrument_leave_to_link(LLVMModuleRef module, struct hcct_analyses *analyses)
{
    struct hcct_unit unit = { .module = module, .analyses = analyses };
    if (hcct_frames_asked() || LLVMGetNamedMetadata(module, "hcct", 4) || hcct_mark_is_in(module) ||
        !can_instrument(module))
        return false;
    bool owns = hcct_own_names_add(module);
    hcct_unit_open(&unit);
    bool any = mark_functions(&unit);
    if (any) {
        hcct_types_note(&unit);
        hcct_mark_refer(&unit);
        hcct_record_refer(&unit);
    }
    hcct_unit_close(&unit);
    return any || owns;
}
