/* Whole-program mode: what the compile step leaves in bitcode for the pass that runs in the link.
 *
 * A function that is to be instrumented there has the attribute "hcct", "SETTINGS:SOURCE", SETTINGS two
 * hexadecimal digits; if it is local "hcct-name", its name in SOURCE; and "hcct-externals", a regular
 * expression, if calls that leave it are counted. A module that has such functions refers to a symbol that
 * nothing defines, and to the runtime.
 *
 * Invariants
 *   1. the link instruments what is marked and nothing else. So filters apply as in separate compilation,
 *      and objects of other compilers are left alone;
 *   2. a link that does not instrument what is marked fails, and the missing symbol's name says why;
 *   3. names and sources, hence site ids, do not depend on what else is linked: the linker renames local
 *      functions of equal names, and has one source for all.
 * Source of the third: LLVM's IRMover appends ".N", ThinLTO's promotion of local functions ".llvm.N". */
#include "pass/select/mark.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/select/externals.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

#define MARK "hcct"
#define MARK_SOURCE 3 /* where the source begins */
#define MARK_NAME "hcct-name"
#define MARK_EXTERNALS "hcct-externals"
#define MISSING_SYMBOL "__hcct_lto_not_linked_by_hcct_cc_with_flto_and_lld"
#define REFERENCE "__hcct_lto"

static LLVMAttributeRef mark_of(LLVMValueRef function, const char *kind)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind,
                                         (unsigned)strlen(kind));
}

static void add_mark(struct hcct_unit *unit, LLVMValueRef function, const char *kind, const char *value,
                     size_t length)
{
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(unit->context, kind, (unsigned)strlen(kind), value, (unsigned)length));
}

bool hcct_mark_function(struct hcct_unit *unit, LLVMValueRef function, uint32_t settings)
{
    size_t length, name_length;
    const char *source = LLVMGetSourceFileName(unit->module, &length);
    const char *name = LLVMGetValueName2(function, &name_length);
    char *mark = malloc(MARK_SOURCE + length + 1);
    if (!mark)
        return false;
    snprintf(mark, MARK_SOURCE + length + 1, "%02x:%s", settings, source);
    add_mark(unit, function, MARK, mark, strlen(mark));
    if (hcct_ir_is_local(function))
        add_mark(unit, function, MARK_NAME, name, name_length);
    const char *externals = hcct_externals_asked();
    if (externals)
        add_mark(unit, function, MARK_EXTERNALS, externals, strlen(externals));
    free(mark);
    return true;
}

bool hcct_mark_is_on(LLVMValueRef function)
{
    return mark_of(function, MARK) != NULL;
}

bool hcct_mark_is_in(LLVMModuleRef module)
{
    LLVMValueRef function = LLVMGetFirstFunction(module);
    while (function && !hcct_mark_is_on(function))
        function = LLVMGetNextFunction(function);
    return function != NULL;
}

static void remove_marks(LLVMValueRef function)
{
    static const char *const kinds[] = { MARK, MARK_NAME, MARK_EXTERNALS };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        LLVMRemoveStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kinds[i],
                                         (unsigned)strlen(kinds[i]));
}

void hcct_mark_remove_all(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        remove_marks(f);
}

uint32_t hcct_mark_settings(LLVMValueRef function)
{
    unsigned length = 0;
    LLVMAttributeRef mark = mark_of(function, MARK);
    const char *value = mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
    return length ? (uint32_t)strtoul(value, NULL, 16) : 0;
}

char *hcct_mark_externals(struct hcct_unit *unit, LLVMValueRef function)
{
    unsigned length = 0;
    LLVMAttributeRef mark = unit->linking ? mark_of(function, MARK_EXTERNALS) : NULL;
    const char *asked = unit->linking ? NULL : hcct_externals_asked();
    if (mark) {
        const char *value = LLVMGetStringAttributeValue(mark, &length);
        return strndup(value, length);
    }
    return asked ? strdup(asked) : NULL;
}

const char *hcct_mark_source(LLVMModuleRef module, LLVMValueRef function, size_t *length)
{
    unsigned mark_length = 0;
    LLVMAttributeRef mark = LLVMIsAFunction(function) ? mark_of(function, MARK) : NULL;
    const char *value = mark ? LLVMGetStringAttributeValue(mark, &mark_length) : NULL;
    if (mark_length < MARK_SOURCE)
        return LLVMGetSourceFileName(module, length);
    *length = mark_length - MARK_SOURCE;
    return value + MARK_SOURCE;
}

/* Whether `rest`, which follows a marked name, is what linkers append to names: "", ".N" or ".llvm.N". */
static bool is_linkers(const char *rest, size_t length)
{
    if (length > 5 && !memcmp(rest, ".llvm", 5)) {
        rest += 5;
        length -= 5;
    }
    if (length && (length < 2 || rest[0] != '.'))
        return false;
    for (size_t i = 1; i < length; i++)
        if (!isdigit((unsigned char)rest[i]))
            return false;
    return true;
}

const char *hcct_mark_name(LLVMValueRef global, size_t *length)
{
    unsigned marked_length = 0;
    const char *name = LLVMGetValueName2(global, length);
    LLVMAttributeRef mark = LLVMIsAFunction(global) ? mark_of(global, MARK_NAME) : NULL;
    const char *marked = mark ? LLVMGetStringAttributeValue(mark, &marked_length) : NULL;
    if (!marked_length || *length < marked_length || memcmp(name, marked, marked_length) != 0 ||
        !is_linkers(name + marked_length, *length - marked_length))
        return name; /* not marked, or a copy of a part of what was */
    *length = marked_length;
    return marked;
}

bool hcct_mark_is_local(LLVMValueRef function)
{
    size_t length;
    if (!hcct_mark_is_on(function))
        return hcct_ir_is_local(function);
    if (mark_of(function, MARK_NAME))
        return true;
    /* The link makes local what was external. A name with a dot, which no source has, is an optimizer's: it
     * was local before. */
    const char *name = LLVMGetValueName2(function, &length);
    return hcct_ir_is_local(function) && memchr(name, '.', length) != NULL;
}

void hcct_mark_refer(struct hcct_unit *unit)
{
    if (LLVMGetNamedGlobal(unit->module, REFERENCE))
        return;
    LLVMValueRef missing = LLVMAddGlobal(unit->module, unit->i8, MISSING_SYMBOL);
    LLVMSetVisibility(missing, LLVMHiddenVisibility);
    hcct_bridge_set_dso_local(missing);
    LLVMValueRef reference = LLVMAddGlobal(unit->module, unit->ptr, REFERENCE);
    LLVMSetInitializer(reference, missing);
    LLVMSetGlobalConstant(reference, true);
    LLVMSetLinkage(reference, LLVMWeakODRLinkage);
    LLVMSetVisibility(reference, LLVMHiddenVisibility);
    hcct_bridge_set_dso_local(reference);
    hcct_bridge_append_used(unit->module, &reference, 1, true);
}

bool hcct_mark_satisfy(LLVMModuleRef module)
{
    LLVMValueRef reference = LLVMGetNamedGlobal(module, REFERENCE);
    LLVMValueRef missing = LLVMGetNamedGlobal(module, MISSING_SYMBOL);
    if (!missing)
        return false;
    if (reference && LLVMGetInitializer(reference))
        LLVMSetInitializer(reference, LLVMConstNull(LLVMGlobalGetValueType(reference)));
    if (!LLVMGetFirstUse(missing))
        LLVMDeleteGlobal(missing);
    return true;
}

/* --- ids of call sites --- */

/* splitmix64's finalizer over FNV-1a. */
static uint64_t hash_text(uint64_t hash, const char *text, size_t length)
{
    hash ^= UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
    return hash ^ (hash >> 31);
}

uint64_t hcct_mark_site_id(struct hcct_unit *unit, LLVMValueRef function, uint32_t ordinal)
{
    size_t length;
    uint64_t hash = 0;
    if (hcct_mark_is_local(function)) {
        const char *file = hcct_mark_source(unit->module, function, &length);
        hash = hash_text(hash, file, length);
    }
    const char *name = hcct_mark_name(function, &length);
    hash = hash_text(hash, name, length);
    return hash_text(hash, (const char *)&ordinal, sizeof ordinal) | 1;
}
