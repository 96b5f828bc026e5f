/* Finds what virtual calls may lead to by the class hierarchy, if clang put that into the code
 * (-fwhole-program-vtables, -fsanitize=cfi, -fvirtual-function-elimination). `!type` metadata say of which
 * classes a table of virtual functions is, and where in it an object's pointer points. A type test in front
 * of a call says the class. The call leads to what stands at its offset behind those points.
 *
 * The link's optimizations lose both. So the compile step notes class and offset at the call, as an
 * attribute, which inlining keeps:
 *
 *     "hcct-virtual"="KEY"                    class and offset; for a local class source and number
 *     !hcct.virtual = !{!{!"KEY", i64 OFFSET, CLASS}, ...}
 *
 * Before the link optimizes, while all functions are there, it finds the functions:
 *
 *     !hcct.callees = !{!{!"KEY", ptr FUNCTION, ...}, ...}       in the order of the keys
 *
 * What dlopen brings may have others. Such a call pushes (guess.h). */
#include "pass/number/types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/unit/bridge.h"

#define MARK "hcct-virtual"
#define NOTED "hcct.virtual"
#define FOUND "hcct.callees"

/* --- in the compile step ----------------------------------------------------------------------- */

struct noting {
    struct hcct_unit *unit;
    LLVMValueRef test; /* an intrinsic's call */
    LLVMValueRef type; /* that it tests for */
    unsigned local_count;
};

static char *make_key(struct noting *noting, uint64_t offset)
{
    unsigned length;
    size_t source_length;
    char *key;
    const char *type = LLVMGetMDString(noting->type, &length);
    const char *source = LLVMGetSourceFileName(noting->unit->module, &source_length);
    int written = type ? asprintf(&key, "%.*s+%llu", (int)length, type, (unsigned long long)offset)
                       : asprintf(&key, "%.*s#%u", (int)source_length, source, ++noting->local_count);
    return written < 0 ? NULL : key;
}

static void note_call(struct noting *noting, LLVMValueRef call, uint64_t offset)
{
    struct hcct_unit *unit = noting->unit;
    char *key = make_key(noting, offset);
    if (!key)
        return;
    unsigned length = (unsigned)strlen(key);
    LLVMMetadataRef parts[] = { LLVMMDStringInContext2(unit->context, key, length),
                                LLVMValueAsMetadata(LLVMConstInt(unit->i64, offset, false)),
                                LLVMValueAsMetadata(noting->type) };
    LLVMMetadataRef node = LLVMMDNodeInContext2(unit->context, parts, sizeof parts / sizeof parts[0]);
    LLVMAddNamedMetadataOperand(unit->module, NOTED, LLVMMetadataAsValue(unit->context, node));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(unit->context, MARK, sizeof MARK - 1, key, length));
    free(key);
}

/* Notes the calls of `loaded`, which stood at `offset`. Only calls behind the test count: the same pointer
 * may be tested for another class on another way. */
static void note_calls(struct noting *noting, LLVMValueRef loaded, uint64_t offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(loaded); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if ((LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) && LLVMGetCalledValue(user) == loaded &&
            hcct_bridge_dominates(noting->unit->analyses, noting->test, user))
            note_call(noting, user, offset);
    }
}

static void note_loads(struct noting *noting, LLVMValueRef pointer, uint64_t offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
        if (LLVMIsALoadInst(LLVMGetUser(use)))
            note_calls(noting, LLVMGetUser(use), offset);
}

/* i1 llvm.type.test(ptr, metadata): a test of a pointer into a table. */
static void note_test(struct noting *noting)
{
    LLVMValueRef table = LLVMGetOperand(noting->test, 0);
    noting->type = LLVMGetOperand(noting->test, 1);
    note_loads(noting, table, 0);
    for (LLVMUseRef use = LLVMGetFirstUse(table); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uint64_t offset;
        if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == table &&
            hcct_bridge_offset(noting->unit->module, user, &offset))
            note_loads(noting, user, offset);
    }
}

/* { ptr, i1 } llvm.type.checked.load(ptr, i32 offset, metadata): the test with the load. */
static void note_checked_load(struct noting *noting)
{
    LLVMValueRef offset = LLVMGetOperand(noting->test, 1);
    noting->type = LLVMGetOperand(noting->test, 2);
    for (LLVMUseRef use = LLVMGetFirstUse(noting->test); use && LLVMIsAConstantInt(offset);
         use = LLVMGetNextUse(use))
        if (LLVMIsAExtractValueInst(LLVMGetUser(use)) && LLVMGetIndices(LLVMGetUser(use))[0] == 0)
            note_calls(noting, LLVMGetUser(use), LLVMConstIntGetZExtValue(offset));
}

void hcct_types_note(struct hcct_unit *unit)
{
    LLVMValueRef test = LLVMGetNamedFunction(unit->module, "llvm.type.test"),
                 public_test = LLVMGetNamedFunction(unit->module, "llvm.public.type.test"),
                 checked_load = LLVMGetNamedFunction(unit->module, "llvm.type.checked.load");
    struct noting noting = { .unit = unit };
    if (!test && !public_test && !checked_load)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(unit->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
                LLVMValueRef callee = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
                noting.test = at;
                if (callee && (callee == test || callee == public_test))
                    note_test(&noting);
                else if (callee && callee == checked_load)
                    note_checked_load(&noting);
            }
}

/* --- where the link begins --------------------------------------------------------------------- */

/* Where in a table the pointers of a class's objects may point. */
struct point {
    LLVMValueRef type, table;
    uint64_t offset;
    size_t order;
};

struct points {
    struct point *list;
    size_t count;
};

static int compare_points(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->type != y->type)
        return (uintptr_t)x->type < (uintptr_t)y->type ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static bool add_point(struct points *points, LLVMValueRef table, LLVMValueRef node)
{
    LLVMValueRef parts[2];
    if (LLVMGetMDNodeNumOperands(node) != 2)
        return true;
    LLVMGetMDNodeOperands(node, parts);
    if (!parts[0] || !LLVMIsAConstantInt(parts[0]))
        return true;
    if (!(points->count & (points->count + 1))) {
        struct point *grown = realloc(points->list, (2 * points->count + 2) * sizeof *grown);
        if (!grown)
            return false;
        points->list = grown;
    }
    points->list[points->count] =
        (struct point){ parts[1], table, LLVMConstIntGetZExtValue(parts[0]), points->count };
    points->count++;
    return true;
}

static bool find_points(struct points *points, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned kind = LLVMGetMDKindIDInContext(context, "type", 4);
    bool done = true;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && done; g = LLVMGetNextGlobal(g)) {
        size_t count;
        LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(g, &count);
        for (unsigned i = 0; i < count && done; i++)
            if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
                done = add_point(
                    points, g, LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i)));
        LLVMDisposeValueMetadataEntries(entries);
    }
    if (points->count)
        qsort(points->list, points->count, sizeof *points->list, compare_points);
    return done;
}

/* The index of the first point of that class, or where it would be. */
static size_t first_point(const struct points *points, LLVMValueRef type)
{
    size_t low = 0, high = points->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uintptr_t)points->list[middle].type < (uintptr_t)type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct noted {
    const char *key;
    unsigned length;
    uint64_t offset;
    LLVMValueRef type;
};

static int compare_keys(const char *x, size_t x_length, const char *y, size_t y_length)
{
    int by_text = memcmp(x, y, x_length < y_length ? x_length : y_length);
    return by_text ? by_text : (x_length > y_length) - (x_length < y_length);
}

static int compare_noted(const void *a, const void *b)
{
    const struct noted *x = a, *y = b;
    return compare_keys(x->key, x->length, y->key, y->length);
}

static unsigned read_noted(LLVMModuleRef module, struct noted **list)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(module, NOTED);
    LLVMValueRef *nodes = malloc((count + 1) * sizeof(LLVMValueRef)), parts[3];
    *list = malloc((count + 1) * sizeof **list);
    count = nodes && *list ? count : 0;
    if (count)
        LLVMGetNamedMetadataOperands(module, NOTED, nodes);
    for (unsigned i = 0; i < count; i++) {
        struct noted *noted = &(*list)[i];
        LLVMGetMDNodeOperands(nodes[i], parts);
        noted->key = LLVMGetMDString(parts[0], &noted->length);
        noted->offset = LLVMConstIntGetZExtValue(parts[1]);
        noted->type = parts[2];
    }
    free(nodes);
    if (count)
        qsort(*list, count, sizeof **list, compare_noted);
    return count;
}

/* Lists up to HCCT_TYPES_MOST functions. False: they are more. */
static bool find_functions(LLVMModuleRef module, const struct points *points, const struct noted *noted,
                           LLVMMetadataRef *functions, unsigned *count)
{
    *count = 0;
    for (size_t i = first_point(points, noted->type);
         i < points->count && points->list[i].type == noted->type; i++) {
        const struct point *point = &points->list[i];
        LLVMValueRef function = hcct_bridge_in_table(module, point->table, point->offset + noted->offset);
        LLVMMetadataRef found = function ? LLVMValueAsMetadata(function) : NULL;
        unsigned same = 0;
        while (same < *count && functions[same] != found)
            same++;
        if (!found || same < *count)
            continue;
        if (*count == HCCT_TYPES_MOST)
            return false;
        functions[(*count)++] = found;
    }
    return true;
}

bool hcct_types_resolve(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct points points = { NULL, 0 };
    struct noted *noted;
    unsigned noted_count = read_noted(module, &noted);
    if (!noted_count || !find_points(&points, module))
        noted_count = 0;
    for (unsigned i = 0; i < noted_count; i++) {
        LLVMMetadataRef parts[1 + HCCT_TYPES_MOST];
        unsigned count;
        if ((i && compare_noted(&noted[i - 1], &noted[i]) == 0) ||
            !find_functions(module, &points, &noted[i], parts + 1, &count))
            continue;
        parts[0] = LLVMMDStringInContext2(context, noted[i].key, noted[i].length);
        LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 1 + count);
        LLVMAddNamedMetadataOperand(module, FOUND, LLVMMetadataAsValue(context, node));
    }
    free(points.list);
    free(noted);
    return noted_count > 0;
}

/* --- where it ends ----------------------------------------------------------------------------- */

void hcct_types_open(struct hcct_types *types, LLVMModuleRef module)
{
    types->count = LLVMGetNamedMetadataNumOperands(module, FOUND);
    types->nodes = malloc((types->count + 1) * sizeof(LLVMValueRef));
    if (!types->nodes)
        types->count = 0;
    if (types->count)
        LLVMGetNamedMetadataOperands(module, FOUND, types->nodes);
}

bool hcct_types_callees(const struct hcct_types *types, LLVMValueRef call, LLVMValueRef *functions,
                        unsigned *count)
{
    LLVMAttributeRef mark = LLVMGetCallSiteStringAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, MARK, sizeof MARK - 1);
    unsigned length, low = 0, high = types->count;
    const char *key = mark ? LLVMGetStringAttributeValue(mark, &length) : NULL;
    while (key && low < high) {
        LLVMValueRef parts[1 + HCCT_TYPES_MOST];
        unsigned middle = low + (high - low) / 2, middle_length;
        LLVMGetMDNodeOperands(types->nodes[middle], parts);
        const char *middle_key = LLVMGetMDString(parts[0], &middle_length);
        int order = compare_keys(key, length, middle_key, middle_length);
        if (order == 0) {
            *count = LLVMGetMDNodeNumOperands(types->nodes[middle]) - 1;
            memcpy(functions, parts + 1, *count * sizeof *functions);
            return true;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}
