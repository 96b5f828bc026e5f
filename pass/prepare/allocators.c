/* See allocators.h. A function that gives out memory tells the runtime at each return, and one that takes it
 * back at its entry, if the run is one of the heap:
 *
 *     return p;    becomes    if (__hcct_heap_is_on) __hcct_heap_given(p, bytes, 0);  return p;
 *     f(p) {       becomes    f(p) { if (__hcct_heap_is_on) __hcct_heap_taken(p, 0);
 *
 * So each block is told once, whoever calls, through pointers too. This is done before any optimization, as
 * that may take parameters away. The functions are kept out of line: by its frame the runtime knows what one
 * of them gets from malloc (runtime/heap/given.c). A copy of a function that another file has (inline of C99)
 * is only kept out of line, so that the body of that file is called.
 *
 * A Rust program has such functions if it has a #[global_allocator]: rustc makes __rust_alloc and its kin of
 * that, and hcct-rustc has them kept out of line (wrapper/rust.c). Without one they lead to malloc, by
 * __rdl_alloc, and are left alone. A function that takes back, and does not look at the block, has nothing to
 * tell: callers may not even pass the block. An arena has such a function, and keeps its blocks.
 *
 * A choice is REGEX[@N[,M]], or several of these with `;` between them, of which the first that matches
 * counts. N is a parameter, from 1 on: the size, or with M the product of both; or the block that is taken
 * back. An entry `malloc` is the wrapper's alone (wrapper/linker.c).
 *
 * Invariant: without such functions the module is left as it is. */
#include "pass/prepare/allocators.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hcct/abi.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"
#include "pass/unit/pattern.h"

#define GIVES "--hcct-allocator, HCCT_ALLOCATOR"
#define TAKES "--hcct-deallocator, HCCT_DEALLOCATOR"

/* --- what the user chooses ------------------------------------------------------------------------ */

/* The parameters of a choice, from 1; 0: not stated. */
struct parameters {
    unsigned of[2];
};

static const char *asked(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value && strcmp(value, "0") != 0 ? value : NULL;
}

/* Takes the parameters off the end of `entry`, and tells them. False, and nothing is taken off: what stands
 * behind the last @ is not N[,M], from 1 on. */
static bool cut_parameters(char *entry, struct parameters *parameters)
{
    char *last = strrchr(entry, '@'), *at = last;
    *parameters = (struct parameters){ { 0, 0 } };
    for (int i = 0; at && i < 2; i++) {
        const char *digits = at + 1;
        if (*digits < '1' || *digits > '9')
            return false;
        unsigned long number = strtoul(digits, &at, 10);
        parameters->of[i] = number > UINT16_MAX ? UINT16_MAX : (unsigned)number;
        if (!*at) {
            *last = 0;
            return true;
        }
        if (*at != ',')
            return false;
    }
    return !last;
}

/* The entries of a choice: a copy of `text`, which strtok takes apart. NULL: there are none. */
static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static bool check(const char *text, const char *setting, const char **error)
{
    static char problem[512];
    char *entries = copy(text), *rest = NULL;
    bool good = true;
    for (char *entry = entries ? strtok_r(entries, ";", &rest) : NULL; entry && good;
         entry = strtok_r(NULL, ";", &rest)) {
        struct parameters parameters;
        if (cut_parameters(entry, &parameters)) {
            good = hcct_pattern_check(entry, setting, error);
            continue;
        }
        snprintf(problem, sizeof problem,
                 "hcct: '%s' (%s): behind @ stands a parameter, from 1 on, or two: @N[,M]", entry, setting);
        *error = problem;
        good = false;
    }
    free(entries);
    return good;
}

bool hcct_allocators_check(const char **error)
{
    return check(asked("HCCT_ALLOCATOR"), GIVES, error) && check(asked("HCCT_DEALLOCATOR"), TAKES, error);
}

/* Whether the choice has the function of that name, and with which parameters. */
static bool chooses(const char *text, const char *name, struct parameters *parameters)
{
    char *entries = copy(text), *rest = NULL;
    bool found = false;
    for (char *entry = entries ? strtok_r(entries, ";", &rest) : NULL; entry && !found;
         entry = strtok_r(NULL, ";", &rest)) {
        struct hcct_pattern pattern = { 0 };
        cut_parameters(entry, parameters);
        found = strcmp(entry, "malloc") != 0 && hcct_pattern_matches(&pattern, entry, name);
        hcct_pattern_free(&pattern);
    }
    free(entries);
    return found;
}

/* --- parameters ------------------------------------------------------------------------------------ */

static LLVMTypeRef type_of(LLVMValueRef function, unsigned parameter)
{
    return LLVMTypeOf(LLVMGetParam(function, parameter));
}

static bool is_number(LLVMValueRef function, unsigned parameter)
{
    LLVMTypeRef type = type_of(function, parameter);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) >= 32 &&
           LLVMGetIntTypeWidth(type) <= 64;
}

static bool is_pointer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0;
}

/* The only number of that width; from 1. 0: there is none, or several. */
static unsigned only_number(LLVMValueRef function, unsigned width)
{
    unsigned found = 0, count = 0;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (is_number(function, i) && LLVMGetIntTypeWidth(type_of(function, i)) == width) {
            found = i + 1;
            count++;
        }
    return count == 1 ? found : 0;
}

/* Of the attribute alloc_size. */
static struct parameters attribute_size(LLVMValueRef function)
{
    struct parameters none = { { 0, 0 } };
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, hcct_ir_attribute_kind("allocsize"));
    if (!attribute)
        return none;
    uint64_t packed = LLVMGetEnumAttributeValue(attribute);
    uint32_t size = (uint32_t)(packed >> 32), count = (uint32_t)packed;
    return (struct parameters){ { size + 1, count == UINT32_MAX ? 0 : count + 1 } };
}

/* Completes what the user stated. False if the size is not known. */
static bool find_size(LLVMValueRef function, struct parameters *parameters)
{
    if (!parameters->of[0])
        *parameters = attribute_size(function);
    if (!parameters->of[0])
        parameters->of[0] = only_number(function, 64);
    if (!parameters->of[0] && !only_number(function, 64))
        parameters->of[0] = only_number(function, 32);
    for (unsigned i = 0; i < 2; i++)
        if (parameters->of[i] > LLVMCountParams(function) ||
            (parameters->of[i] && !is_number(function, parameters->of[i] - 1)))
            return false;
    return parameters->of[0] != 0;
}

/* The block that is taken back: the last pointer. 0: there is none. */
static unsigned find_block(LLVMValueRef function, const struct parameters *parameters)
{
    unsigned count = LLVMCountParams(function), found = parameters->of[0];
    for (unsigned i = 0; i < count && !parameters->of[0]; i++)
        if (is_pointer(type_of(function, i)) &&
            !LLVMGetEnumAttributeAtIndex(function, i + 1, hcct_ir_attribute_kind("byval")))
            found = i + 1;
    return found && found <= count && is_pointer(type_of(function, found - 1)) ? found : 0;
}

/* --- Rust's ------------------------------------------------------------------------------------------ */

/* LLVM's AllocFnKind. */
enum { KIND_ALLOC = 1, KIND_REALLOC = 2, KIND_FREE = 4 };

static bool has_name_part(LLVMValueRef value, const char *part)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    return strstr(name, part) != NULL;
}

/* Whether the function goes on in the standard allocator: __rdl_alloc, __rdl_dealloc ... */
static bool leads_to_malloc(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            if (LLVMIsACallInst(at) && has_name_part(LLVMGetCalledValue(at), "__rdl_"))
                return true;
    return false;
}

/* What the function is of a #[global_allocator]; 0: nothing. */
static unsigned rust_kind(LLVMValueRef function)
{
    static const char family[] = "alloc-family", rust[] = "__rust_alloc";
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMAttributeRef name = LLVMGetStringAttributeAtIndex(function, at, family, sizeof family - 1);
    LLVMAttributeRef kind = LLVMGetEnumAttributeAtIndex(function, at, hcct_ir_attribute_kind("allockind"));
    unsigned length;
    if (!name || !kind || leads_to_malloc(function))
        return 0;
    const char *value = LLVMGetStringAttributeValue(name, &length);
    bool is_rust = length == sizeof rust - 1 && memcmp(value, rust, length) == 0;
    return is_rust ? (unsigned)LLVMGetEnumAttributeValue(kind) : 0;
}

static bool looks_at(LLVMValueRef function, unsigned parameter)
{
    return parameter && LLVMGetFirstUse(LLVMGetParam(function, parameter - 1));
}

/* --- code ------------------------------------------------------------------------------------------ */

struct marking {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef i32, i64, ptr, none;
    const char *gives, *takes; /* what the user chooses; or NULL */
};

static LLVMValueRef declare(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (function)
        return function;
    function = LLVMAddFunction(module, name, type);
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(LLVMGetModuleContext(module), hcct_ir_attribute_kind("nounwind"), 0));
    return function;
}

/* Calls the function of the runtime in front of `at`, if the run is one of the heap. */
static void call_if_on(const struct marking *m, LLVMValueRef at, const char *name, LLVMTypeRef type,
                       LLVMValueRef *arguments, unsigned count)
{
    LLVMBuilderRef b = m->builder;
    LLVMValueRef flag = LLVMGetNamedGlobal(m->module, "__hcct_heap_is_on");
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(at);
    LLVMBasicBlockRef before = LLVMGetInstructionParent(at), behind = hcct_bridge_split_before(at);
    flag = flag ? flag : LLVMAddGlobal(m->module, m->i32, "__hcct_heap_is_on");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(before));
    LLVMBasicBlockRef tell = LLVMInsertBasicBlockInContext(m->context, behind, "hcct.tell");
    LLVMPositionBuilderAtEnd(b, before);
    LLVMSetCurrentDebugLocation2(b, place);
    LLVMValueRef is_on = LLVMBuildLoad2(b, m->i32, flag, "");
    LLVMBuildCondBr(b, LLVMBuildIsNotNull(b, is_on, ""), tell, behind);
    LLVMPositionBuilderAtEnd(b, tell);
    LLVMBuildCall2(b, type, declare(m->module, name, type), arguments, count, "");
    LLVMBuildBr(b, behind);
}

/* A place in the frame of a function that resizes; NULL for another. */
static LLVMValueRef make_place(const struct marking *m, LLVMValueRef function, bool resizes)
{
    if (!resizes)
        return NULL;
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    return LLVMBuildAlloca(m->builder, m->i32, "hcct.activation");
}

/* The argument `resizes`, which tells the activations of one stack apart: half of that place's address. */
static LLVMValueRef build_resizes(const struct marking *m, LLVMValueRef place)
{
    LLVMValueRef one = LLVMConstInt(m->i32, 1, false);
    return place ? LLVMBuildOr(m->builder, LLVMBuildPtrToInt(m->builder, place, m->i32, ""), one, "")
                 : LLVMConstNull(m->i32);
}

static void tell_given(const struct marking *m, LLVMValueRef function, const struct parameters *size,
                       LLVMValueRef leave, LLVMValueRef place)
{
    LLVMTypeRef types[] = { m->ptr, m->i64, m->i32 };
    LLVMValueRef address = LLVMGetOperand(leave, 0);
    LLVMPositionBuilderBefore(m->builder, leave);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(leave));
    LLVMValueRef bytes = LLVMBuildZExt(m->builder, LLVMGetParam(function, size->of[0] - 1), m->i64, "");
    if (size->of[1])
        bytes =
            LLVMBuildMul(m->builder, bytes,
                         LLVMBuildZExt(m->builder, LLVMGetParam(function, size->of[1] - 1), m->i64, ""), "");
    LLVMValueRef arguments[] = { address, bytes, build_resizes(m, place) };
    call_if_on(m, leave, "__hcct_heap_given", LLVMFunctionType(m->none, types, 3, false), arguments, 3);
}

/* At each return, but those behind a call that has to stay a tail call. A return of NULL is one of no block,
 * which only a function that resizes has to tell. */
static void mark_returns(const struct marking *m, LLVMValueRef function, const struct parameters *size,
                         LLVMValueRef place)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef leave = LLVMGetBasicBlockTerminator(block);
        LLVMValueRef before = LLVMIsAReturnInst(leave) ? LLVMGetPreviousInstruction(leave) : NULL;
        if (!LLVMIsAReturnInst(leave) || (before && hcct_ir_is_must_tail(before)) ||
            (!place && LLVMIsAConstantPointerNull(LLVMGetOperand(leave, 0))))
            continue;
        tell_given(m, function, size, leave, place);
        block = LLVMGetInstructionParent(leave);
    }
}

static void mark_entry(const struct marking *m, LLVMValueRef function, unsigned block, LLVMValueRef place)
{
    LLVMTypeRef types[] = { m->ptr, m->i32 };
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
    LLVMValueRef arguments[] = { LLVMGetParam(function, block - 1), build_resizes(m, place) };
    call_if_on(m, at, "__hcct_heap_taken", LLVMFunctionType(m->none, types, 2, false), arguments, 2);
}

static void keep_out_of_line(const struct marking *m, LLVMValueRef function)
{
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMRemoveEnumAttributeAtIndex(function, at, hcct_ir_attribute_kind("alwaysinline"));
    LLVMAddAttributeAtIndex(function, at,
                            LLVMCreateEnumAttribute(m->context, hcct_ir_attribute_kind("noinline"), 0));
    hcct_bridge_drop_memory_attributes(function);
}

static void warn(const struct marking *m, const char *name, const char *what)
{
    char message[512];
    snprintf(message, sizeof message, "hcct: %s: %s", name, what);
    hcct_bridge_warn(m->module, message);
}

static bool mark(const struct marking *m, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    struct parameters size = { { 0, 0 } }, taken = { { 0, 0 } };
    unsigned rust = rust_kind(function), block = 0;
    bool gives = is_pointer(LLVMGetReturnType(LLVMGlobalGetValueType(function))) &&
                 (rust & (KIND_ALLOC | KIND_REALLOC) || chooses(m->gives, name, &size));
    if (rust & (KIND_REALLOC | KIND_FREE) || chooses(m->takes, name, &taken))
        block = find_block(function, &taken);
    if (rust & KIND_FREE && !looks_at(function, block))
        return false;
    if (gives && !find_size(function, &size)) {
        warn(
            m, name,
            "matches --hcct-allocator, but which parameter is the size is not known: it is left alone (state "
            "it by REGEX@N, or by the attribute alloc_size)");
        return false;
    }
    if (!gives && !block)
        return false;
    bool is_copy = LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
    if (is_copy && hcct_ir_has_attribute(function, "alwaysinline")) {
        warn(
            m, name,
            "matches --hcct-allocator or --hcct-deallocator, but is always_inline, and may be in no file out "
            "of line: it is left alone");
        return false;
    }
    keep_out_of_line(m, function);
    if (is_copy)
        return true;
    LLVMValueRef place = make_place(m, function, gives && block);
    if (block)
        mark_entry(m, function, block, place);
    if (gives)
        mark_returns(m, function, &size, place);
    return true;
}

static bool mark_all(LLVMModuleRef module, const char *gives, const char *takes)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct marking m = { module,
                         context,
                         LLVMCreateBuilderInContext(context),
                         LLVMInt32TypeInContext(context),
                         LLVMInt64TypeInContext(context),
                         LLVMPointerTypeInContext(context, 0),
                         LLVMVoidTypeInContext(context),
                         gives,
                         takes };
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !hcct_ir_has_attribute(f, "naked"))
            any |= mark(&m, f);
    LLVMDisposeBuilder(m.builder);
    return any;
}

bool hcct_allocators_mark(LLVMModuleRef module)
{
    const char *unused;
    return hcct_allocators_check(&unused) &&
           mark_all(module, asked("HCCT_ALLOCATOR"), asked("HCCT_DEALLOCATOR"));
}

bool hcct_allocators_mark_in_link(LLVMModuleRef module)
{
    return mark_all(module, NULL, NULL);
}

bool hcct_allocators_is(LLVMValueRef function)
{
    LLVMValueRef given = LLVMGetNamedFunction(LLVMGetGlobalParent(function), "__hcct_heap_given");
    for (LLVMUseRef use = given ? LLVMGetFirstUse(given) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
            return true;
    }
    return false;
}
