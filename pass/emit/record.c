/* Emits the records of hcct/abi.h: per function its state, its record and its sites, per module a note that
 * tells the runtime where the object's records are.
 *
 * Invariants
 *   1. what describes a function is in the function's comdat, and !associated with it: the linker drops both
 *      or none;
 *   2. fields refer to each other by 32-bit distances, so that nothing needs a dynamic relocation; only a
 *      callee that is found by its symbol has a pointer, in __hcct_symbol.NAME, one per linked object, or in
 *      hcct_symbol.NAME, which is the file's own;
 *   3. a record does not keep its function alive when the linker collects garbage. */
#include "pass/emit/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>

#include "hcct/locations.h"
#include "pass/emit/build.h"
#include "pass/emit/calls.h"
#include "pass/emit/debug.h"
#include "pass/emit/words.h"
#include "pass/prepare/allocators.h"
#include "pass/select/library.h"
#include "pass/select/mark.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

/* --- sites ------------------------------------------------------------------------------------- */

/* Without the mark that keeps LLVM from decorating it. */
static const char *undecorated(const char *name, size_t *length)
{
    if (*length && name[0] == 1) {
        name++;
        --*length;
    }
    return name;
}

/* The name as the compiled object's symbol table has it, or would. */
static const char *linkage_name(LLVMValueRef global, size_t *length)
{
    return undecorated(hcct_mark_name(global, length), length);
}

static LLVMValueRef add_symbol(struct hcct_unit *unit, LLVMValueRef callee, const char *name)
{
    enum { WORDS = (sizeof(struct hcct_symbol) - offsetof(struct hcct_symbol, name)) / 4 };
    LLVMTypeRef types[] = { unit->ptr, LLVMArrayType(unit->i32, WORDS) };
    LLVMTypeRef type = LLVMStructTypeInContext(unit->context, types, 2, false);
    LLVMValueRef global = LLVMAddGlobal(unit->module, type, name);
    LLVMValueRef words[sizeof(struct hcct_symbol) / 4];
    struct hcct_words out = { unit, global, words, offsetof(struct hcct_symbol, name) / 4 };
    size_t length;
    const char *text = linkage_name(callee, &length);
    hcct_words_put_distance(&out, LLVMIsAFunction(callee) ? hcct_debug_string(unit, text, length) : NULL);
    hcct_words_put(&out, 0);
    LLVMValueRef parts[] = { callee, LLVMConstArray(unit->i32, words + out.count - WORDS, WORDS) };
    LLVMSetInitializer(global, LLVMConstStructInContext(unit->context, parts, 2, false));
    return global;
}

/* Whether the record is of this file alone. With --wrap=f other files' calls of f go to __wrap_f, and those
 * of the file that defines f go to its own. And a local function in a link (struct hcct_unit, mixed). */
static bool has_own_symbol(LLVMValueRef callee)
{
    LLVMLinkage linkage = LLVMGetLinkage(callee);
    bool may_differ = linkage == LLVMExternalLinkage || linkage == LLVMWeakAnyLinkage;
    return hcct_ir_is_local(callee) || (may_differ && !LLVMIsDeclaration(callee));
}

/* The record of an external callee: usually one per linked object, in a comdat, so that it goes when nobody
 * refers to it. */
static LLVMValueRef symbol_of(struct hcct_unit *unit, LLVMValueRef callee)
{
    size_t length;
    const char *text = LLVMGetValueName2(callee, &length);
    text = undecorated(text, &length);
    static const char before[] = ".data.rel.ro.";
    char *section = malloc(sizeof before + length + sizeof "__hcct_symbol."), *name;
    if (!section)
        return NULL;
    name = strcpy(section, before) + sizeof before - 1;
    bool local = has_own_symbol(callee);
    sprintf(name, "%s_symbol.%.*s", local ? "hcct" : "__hcct", (int)length, text);
    LLVMValueRef global = LLVMGetNamedGlobal(unit->module, name);
    if (!global) {
        global = add_symbol(unit, callee, name);
        /* At a fixed place a constant would be an address of the program's own, a stub that leads to the
         * function, as .rodata is not changed at start. */
        LLVMSetGlobalConstant(global, !hcct_bridge_has_fixed_place(unit->module));
        LLVMSetLinkage(global, local ? LLVMPrivateLinkage : LLVMLinkOnceODRLinkage);
        LLVMSetVisibility(global, local ? LLVMDefaultVisibility : LLVMHiddenVisibility);
        hcct_bridge_set_dso_local(global);
        LLVMSetComdat(global, local ? NULL : LLVMGetOrInsertComdat(unit->module, name));
        if (local && !hcct_ir_is_local(callee)) /* a section of its own: the linker may drop it */
            LLVMSetSection(global, section);
    }
    free(section);
    return global;
}

static LLVMValueRef callee_of(struct hcct_unit *unit, const struct hcct_call *call)
{
    size_t length;
    switch (call->kind) {
    case HCCT_SITE_LOCAL:
        return hcct_unit_target(unit, call->callee)->record;
    case HCCT_SITE_SYMBOL:
        return symbol_of(unit, call->callee);
    default:
        return call->callee ? hcct_debug_string(unit, linkage_name(call->callee, &length), length) : NULL;
    }
}

static void put_site(struct hcct_words *out, struct hcct_target *target, uint32_t index)
{
    const struct hcct_call *call = &target->calls[index];
    hcct_words_put_long(out, call->id);
    hcct_words_put_distance(out, callee_of(out->unit, call));
    hcct_words_put(
        out, (uint32_t)call->kind | (call->pushes ? HCCT_SITE_PUSHES : 0) |
                 (call->tail ? HCCT_SITE_TAIL : 0) | (call->prenumbered ? HCCT_SITE_PRENUMBERED : 0) |
                 (hcct_calls_is_framed(target, call) ? HCCT_SITE_FRAMED : 0) |
                 (hcct_calls_notes(target, call) ? HCCT_SITE_NOTES : 0) |
                 (uint32_t)call->weight << HCCT_SITE_WEIGHT_SHIFT | call->library << HCCT_SITE_LIBRARY_SHIFT);
    hcct_words_put_distance(
        out, index < target->delta_count ? hcct_build_delta_address(out->unit, target, index) : NULL);
}

/* --- locations ----------------------------------------------------------------------------------- */

struct scope {
    LLVMValueRef file, inlined;
};

/* What hcct/locations.h puts around the sites of a function. */
struct locations {
    struct scope *scopes;
    uint32_t scope_count;
    uint8_t *bytes;
    size_t byte_count;
};

/* The number of a scope. Neighbouring sites share scopes, so only the last ones are looked through. */
static uint32_t number_scope(struct locations *to, struct scope scope)
{
    enum { LAST = 32 };
    for (uint32_t i = to->scope_count; i-- > 0 && to->scope_count - i <= LAST;)
        if (to->scopes[i].file == scope.file && to->scopes[i].inlined == scope.inlined)
            return HCCT_SCOPE_TABLE + i;
    to->scopes[to->scope_count] = scope;
    return HCCT_SCOPE_TABLE + to->scope_count++;
}

static uint32_t scope_of(struct hcct_unit *unit, const struct hcct_target *target, struct locations *to,
                         LLVMMetadataRef location)
{
    LLVMMetadataRef around = LLVMDILocationGetScope(location);
    LLVMMetadataRef own = LLVMGetSubprogram(target->function);
    struct scope scope = { hcct_debug_file(unit, LLVMDIScopeGetFile(around)),
                           hcct_debug_inlined(unit, location) };
    if (scope.inlined)
        own = hcct_bridge_scope_subprogram(around);
    bool in_own_file = own && scope.file == hcct_debug_file(unit, LLVMDIScopeGetFile(own));
    if (!scope.inlined && (in_own_file || !scope.file))
        return scope.file ? HCCT_SCOPE_OWN : HCCT_SCOPE_NONE;
    return number_scope(to, in_own_file ? (struct scope){ NULL, scope.inlined } : scope);
}

static struct locations locate_sites(struct hcct_unit *unit, const struct hcct_target *target)
{
    size_t count = target->call_count;
    struct locations to = { .scopes = malloc(count * sizeof *to.scopes),
                            .bytes = malloc((count + 1) * HCCT_LOCATION_BYTES_MAX) };
    struct hcct_location *all = calloc(count + 1, sizeof *all); /* behind the one before the first */
    for (size_t i = 0; i < count; i++) {
        const struct hcct_call *call = &target->calls[i];
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(call->instruction);
        all[i + 1] = (struct hcct_location){ .ordinal = call->ordinal };
        if (!location)
            continue;
        all[i + 1].scope = scope_of(unit, target, &to, location);
        all[i + 1].line = LLVMDILocationGetLine(location);
        all[i + 1].column = LLVMDILocationGetColumn(location);
        all[i + 1].discriminator = hcct_bridge_discriminator(location);
    }
    uint8_t *at = hcct_locations_put(to.bytes, to.scope_count);
    for (size_t i = 0; i < count; i++)
        at = hcct_locations_add(at, &all[i], &all[i + 1]);
    to.byte_count = (size_t)(at - to.bytes);
    free(all);
    return to;
}

static LLVMValueRef define_sites(struct hcct_unit *unit, struct hcct_target *target)
{
    if (!target->call_count)
        return NULL;
    struct locations locations = locate_sites(unit, target);
    size_t before = locations.scope_count * sizeof(struct hcct_scope);
    size_t count = (before + target->call_count * sizeof(struct hcct_site)) / 4;
    LLVMTypeRef types[] = { LLVMArrayType(unit->i32, (unsigned)count),
                            LLVMArrayType(unit->i8, (unsigned)locations.byte_count) };
    LLVMValueRef global =
        hcct_words_global(unit, LLVMStructTypeInContext(unit->context, types, 2, false), "hcct.sites");
    struct hcct_words out = { unit, global, malloc(count * sizeof(LLVMValueRef)), 0 };
    for (uint32_t i = locations.scope_count; i-- > 0;) {
        hcct_words_put_distance(&out, locations.scopes[i].file);
        hcct_words_put_distance(&out, locations.scopes[i].inlined);
    }
    for (uint32_t i = 0; i < target->call_count; i++)
        put_site(&out, target, i);
    LLVMValueRef parts[] = { LLVMConstArray(unit->i32, out.words, out.count),
                             LLVMConstStringInContext(unit->context, (const char *)locations.bytes,
                                                      (unsigned)locations.byte_count, true) };
    LLVMSetInitializer(global, LLVMConstStructInContext(unit->context, parts, 2, false));
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, 4);
    free(out.words);
    free(locations.scopes);
    free(locations.bytes);
    hcct_words_tie(unit, global, target->function, "hcct_sites");
    LLVMValueRef first = LLVMConstInt(unit->i64, before, false);
    return before ? LLVMConstInBoundsGEP2(unit->i8, global, &first, 1) : global;
}

/* --- functions and modules --------------------------------------------------------------------- */

/* A way to refer to the function's own code that the dynamic linker does not redirect. */
static LLVMValueRef body(struct hcct_unit *unit, LLVMValueRef function)
{
    if (hcct_ir_is_local(function))
        return function;
    LLVMValueRef alias =
        LLVMAddAlias2(unit->module, LLVMGlobalGetValueType(function), 0, function, "hcct.body");
    LLVMSetLinkage(alias, LLVMPrivateLinkage);
    return alias;
}

/* The symbol by which the module's calls reach the function, if another definition may be linked in its
 * place. In a library this is not for functions of default visibility: their calls go by HCCT_SITE_SYMBOL,
 * and code may not refer to them in another way. */
static LLVMValueRef symbol(struct hcct_unit *unit, LLVMValueRef function)
{
    bool in_library = hcct_bridge_is_position_independent_library(unit->module);
    bool may_refer = !in_library || LLVMGetVisibility(function) == LLVMHiddenVisibility;
    return !hcct_ir_is_local(function) && hcct_ir_is_non_interposable(function) && may_refer ? function
                                                                                             : NULL;
}

static LLVMValueRef words_or_zero(struct hcct_unit *unit, const struct hcct_words *words)
{
    return words->words ? LLVMConstArray(unit->i32, words->words, words->count)
                        : LLVMConstNull(LLVMArrayType(unit->i32, words->count));
}

/* Zero, or in a whole program what the runtime would write, but for calls out of the module. */
static void define_state(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMValueRef head_words[sizeof(struct hcct_state) / 4], parts[2];
    struct hcct_words head = { unit, target->state, head_words, 0 };
    struct hcct_words deltas = { unit, target->state, NULL, 2 * target->delta_count };
    hcct_words_put_long(&head, unit->fixed ? target->base : 0);
    hcct_words_put_long(&head, unit->fixed ? target->contexts : 0);
    hcct_words_put_distance(&head, target->record);
    hcct_words_put(&head, 0); /* names */
    if (unit->fixed) {
        deltas.words = malloc((2 * (size_t)target->delta_count + 1) * sizeof *deltas.words);
        deltas.count = 0;
        for (uint32_t i = 0; i < target->delta_count; i++)
            hcct_words_put_long(&deltas, (uint64_t)target->calls[i].delta);
    }
    parts[0] = words_or_zero(unit, &head);
    parts[1] = words_or_zero(unit, &deltas);
    LLVMSetInitializer(target->state, LLVMConstStructInContext(unit->context, parts, 2, false));
    free(deltas.words);
}

void hcct_record_declare(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMTypeRef parts[] = { LLVMArrayType(unit->i32, sizeof(struct hcct_state) / 4),
                            LLVMArrayType(unit->i32, 2 * target->delta_count) };
    LLVMTypeRef type = LLVMStructTypeInContext(unit->context, parts, 2, false);
    target->record = hcct_words_array(unit, sizeof(struct hcct_function), "hcct.function");
    target->state = hcct_words_global(unit, type, "hcct.state");
    define_state(unit, target);
    hcct_words_tie(unit, target->state, target->function, unit->fixed ? ".data.hcct" : ".data.hcct.open");
}

void hcct_record_define(struct hcct_unit *unit, struct hcct_target *target)
{
    LLVMValueRef words[sizeof(struct hcct_function) / 4];
    struct hcct_words out = { unit, target->record, words, 0 };
    LLVMMetadataRef subprogram = LLVMGetSubprogram(target->function);
    LLVMValueRef external = target->external;
    size_t length, file_length;
    const char *name = linkage_name(external ? external : target->function, &length);
    const char *module = hcct_mark_source(unit->module, target->function, &file_length);
    hcct_words_put_distance(&out, external ? symbol_of(unit, external) : body(unit, target->function));
    hcct_words_put_distance(&out, target->state);
    hcct_words_put_distance(&out, target->sites = define_sites(unit, target));
    hcct_words_put(&out, target->call_count);
    hcct_words_put(&out, target->delta_count);
    hcct_words_put(
        &out, (target->enterable ? HCCT_FUNCTION_ENTERABLE : 0u) |
                  (hcct_mark_is_local(external ? external : target->function) ? HCCT_FUNCTION_LOCAL : 0u) |
                  (unit->fixed ? HCCT_FUNCTION_FIXED : 0u) | (external ? HCCT_FUNCTION_EXTERNAL : 0u) |
                  (hcct_allocators_is(target->function) ? HCCT_FUNCTION_ALLOCATOR : 0u));
    hcct_words_put_distance(&out, hcct_debug_string(unit, name, length));
    hcct_words_put_distance(&out, subprogram ? hcct_debug_subprogram_name(unit, subprogram, false) : NULL);
    hcct_words_put_distance(&out, subprogram ? hcct_debug_file(unit, LLVMDIScopeGetFile(subprogram))
                                  : external ? NULL
                                             : hcct_debug_string(unit, module, file_length));
    hcct_words_put(&out, subprogram ? LLVMDISubprogramGetLine(subprogram) : 0);
    hcct_words_put_distance(&out, external ? NULL : symbol(unit, target->function));
    hcct_words_finish(&out);
    hcct_words_tie(unit, target->record, target->function, HCCT_FUNCTION_SECTION);
}

static LLVMValueRef section_bound(struct hcct_unit *unit, const char *name)
{
    LLVMValueRef bound = LLVMGetNamedGlobal(unit->module, name);
    if (bound)
        return bound;
    bound = LLVMAddGlobal(unit->module, unit->i8, name);
    LLVMSetLinkage(bound, LLVMExternalWeakLinkage); /* the linker may have dropped every function */
    LLVMSetVisibility(bound, LLVMHiddenVisibility);
    hcct_bridge_set_dso_local(bound);
    return bound;
}

/* One for each linked object, however many of its modules name it. */
static void add_destructor(struct hcct_unit *unit, LLVMValueRef start)
{
    static const char name[] = "__hcct_object_unloads";
    LLVMTypeRef type = LLVMFunctionType(unit->none, NULL, 0, false);
    LLVMTypeRef runtime_type = LLVMFunctionType(unit->none, &unit->ptr, 1, false);
    if (LLVMGetNamedFunction(unit->module, name)) /* noted before, here or in a module that was linked in */
        return;
    LLVMValueRef runtime = LLVMAddFunction(unit->module, "__hcct_unload", runtime_type);
    LLVMValueRef function = LLVMAddFunction(unit->module, name, type);
    LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    LLVMSetComdat(function, LLVMGetOrInsertComdat(unit->module, name));
    hcct_bridge_set_dso_local(function);
    LLVMPositionBuilderAtEnd(unit->builder, LLVMAppendBasicBlockInContext(unit->context, function, ""));
    LLVMSetCurrentDebugLocation2(unit->builder, NULL);
    LLVMBuildCall2(unit->builder, runtime_type, runtime, &start, 1, "");
    LLVMBuildRetVoid(unit->builder);
    hcct_bridge_append_last_destructor(unit->module, function);
}

void hcct_record_refer(struct hcct_unit *unit)
{
    LLVMValueRef abi = LLVMGetNamedGlobal(unit->module, HCCT_ABI_SYMBOL);
    abi = abi ? abi : LLVMAddGlobal(unit->module, unit->i8, HCCT_ABI_SYMBOL);
    LLVMValueRef reference = symbol_of(unit, abi);
    hcct_bridge_append_used(unit->module, &reference, 1, true);
}

static void add_note(struct hcct_unit *unit, uint32_t settings)
{
    LLVMValueRef words[sizeof(struct hcct_note) / 4];
    LLVMValueRef note = hcct_words_array(unit, sizeof(struct hcct_note), "hcct.note");
    struct hcct_words out = { unit, note, words, 0 };
    uint64_t name = 0;
    memcpy(&name, HCCT_NOTE_NAME, sizeof HCCT_NOTE_NAME);
    hcct_words_put(&out, sizeof HCCT_NOTE_NAME);
    hcct_words_put(&out, sizeof(struct hcct_note) - offsetof(struct hcct_note, start));
    hcct_words_put(&out, HCCT_NOTE_TYPE);
    hcct_words_put_long(&out, name);
    LLVMValueRef start = section_bound(unit, "__start_" HCCT_FUNCTION_SECTION);
    hcct_words_put_distance(&out, start);
    hcct_words_put_distance(&out, section_bound(unit, "__stop_" HCCT_FUNCTION_SECTION));
    hcct_words_put(&out, HCCT_ABI_VERSION);
    hcct_words_put(&out, settings);
    hcct_words_put(&out, hcct_library_own(unit->module));
    bool has_labels = !unit->shadow_alone;
    hcct_words_put_distance(&out, has_labels ? section_bound(unit, "__start_" HCCT_CALL_SECTION) : NULL);
    hcct_words_put_distance(&out, has_labels ? section_bound(unit, "__stop_" HCCT_CALL_SECTION) : NULL);
    hcct_words_finish(&out);
    LLVMSetSection(note, HCCT_NOTE_SECTION);
    hcct_bridge_append_used(unit->module, &note, 1, true);
    if (hcct_bridge_is_position_independent_library(unit->module))
        add_destructor(unit, start);
    hcct_record_refer(unit);
}

void hcct_record_notes(struct hcct_unit *unit)
{
    uint64_t noted = 0;
    _Static_assert(2 * HCCT_SETTING_EXTERNALS <= 64, "a bit for each combination of settings");
    for (size_t i = 0; i < unit->target_count; i++) {
        uint32_t settings = unit->targets[i].settings;
        if (unit->targets[i].external) /* no code of the user's */
            continue;
        if (!(noted >> settings & 1))
            add_note(unit, settings);
        noted |= UINT64_C(1) << settings;
    }
}
