/* See unit.h. */
#include "pass/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "pass/unit/bridge.h"

const char *hcct_unit_source(struct hcct_unit *unit, LLVMValueRef function)
{
    size_t module_length;
    unsigned length = 0;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    return length ? name : LLVMGetSourceFileName(unit->module, &module_length);
}

static int compare_by_function(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)(*(struct hcct_target *const *)a)->function;
    uintptr_t y = (uintptr_t)(*(struct hcct_target *const *)b)->function;
    return (x > y) - (x < y);
}

void hcct_unit_sort_targets(struct hcct_unit *unit)
{
    qsort(unit->by_function, unit->target_count, sizeof *unit->by_function, compare_by_function);
}

bool hcct_unit_index_targets(struct hcct_unit *unit)
{
    unit->by_function = malloc(unit->target_count * sizeof *unit->by_function);
    if (!unit->by_function)
        return false;
    for (size_t i = 0; i < unit->target_count; i++)
        unit->by_function[i] = &unit->targets[i];
    hcct_unit_sort_targets(unit);
    return true;
}

struct hcct_target *hcct_unit_target(struct hcct_unit *unit, LLVMValueRef function)
{
    struct hcct_target key = { .function = function }, *wanted = &key, **found;
    found = bsearch(&wanted, unit->by_function, unit->target_count, sizeof wanted, compare_by_function);
    return found ? *found : NULL;
}

void hcct_unit_open(struct hcct_unit *unit)
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
    /* where lld decides */
    unit->absolute = strncmp(LLVMGetTarget(unit->module), "x86_64-", 7) == 0 && !unit->linking &&
                     hcct_bridge_has_fixed_place(unit->module);
}

void hcct_unit_declare_thread(struct hcct_unit *unit)
{
    bool library = hcct_bridge_is_position_independent_library(unit->module);
    unit->thread = LLVMGetNamedGlobal(unit->module, HCCT_THREAD_SYMBOL);
    if (unit->thread) /* of what a compile step instrumented */
        return;
    unit->thread = LLVMAddGlobal(unit->module, LLVMArrayType(unit->i64, sizeof(struct hcct_thread) / 8),
                                 HCCT_THREAD_SYMBOL);
    LLVMSetThreadLocal(unit->thread, true);
    LLVMSetThreadLocalMode(unit->thread, library ? LLVMInitialExecTLSModel : LLVMLocalExecTLSModel);
    LLVMSetAlignment(unit->thread, 8);
    if (!library)
        hcct_bridge_set_dso_local(unit->thread);
}

void hcct_unit_close(struct hcct_unit *unit)
{
    for (size_t i = 0; i < unit->target_count; i++)
        free(unit->targets[i].calls);
    free(unit->targets);
    free(unit->by_function);
    LLVMDisposeBuilder(unit->builder);
}
