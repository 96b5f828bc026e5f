/* Makes frames larger, wraps calls and copies functions by a plan, see frames.h: activation record resizing,
 * call-site wrapping and function cloning (Mytkowicz, Coughlin, Diwan, "Inferred Call Path Profiling", OOPSLA
 * 2009, sections 5.1 to 5.3).
 *
 * The bytes are a variable that an empty `asm` in the function's first block refers to. It takes no
 * instruction: the code generator counts the variable in where it makes room for others anyway. A function
 * that has no variable on the stack gets an instruction at its entry and at each of its ends.
 * A tail call leaves no frame at all. In functions that the plan names, the code generator makes it a plain
 * call; one that must be a tail call (musttail) stays one.
 * A wrapped call is made through a function of its own (hcct.wrap.CALLEE), which only makes it. Its frame has
 * the bytes of the plan. What calls in the caller's own code would need is a pointer to its frame: SP moves
 * there.
 * Calls of one function by another may go to a copy of the callee (hcct.clone.NUMBER.CALLEE). All copies are
 * made first, of the functions as they are. So a copy calls what the function calls, unless a line says of
 * the copy that its calls go to other copies. Lines of a function hold for its copies, too. A call through a
 * pointer is compared with the callee. A copy stays in its module: caller and callee must be defined there.
 * The plan is read once a process: a ThinLTO link has several threads. */
#include "pass/prepare/frames.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/input.h"
#include "pass/select/settings.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

#define COPY_PREFIX "hcct.clone."

enum { BYTES_MAX = 1 << 16, SMALLEST_FRAME = 16 /* a return address, and what aligns SP */ };

#define LINES                                                                                                \
    "BYTES FUNCTION [FILE], calls FUNCTION [FILE], wrap BYTES CALLER CALLEE [FILE], or "                     \
    "clone NUMBER CALLEE CALLER [FILE]"

/* A line of the plan. */
struct frame {
    unsigned bytes;        /* 0: its tail calls are calls */
    char *function, *file; /* `file`: the last part of the source's path, or NULL */
    char *callee;          /* of calls to be wrapped, * for those through pointers; or NULL */
    char *copy;            /* what the calls of `function` to `callee` go to; or NULL */
};

static struct frame *frames;
static size_t frame_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

bool hcct_frames_asked(void)
{
    return hcct_settings_is_on("HCCT_HEIGHTS");
}

/* --- the plan -------------------------------------------------------------------------------------- */

static char *next_word(char **parts)
{
    return strtok_r(NULL, " \t\r\n", parts);
}

/* False if the word is no size of a frame. */
static bool read_bytes(const char *word, unsigned *bytes)
{
    char *end;
    unsigned long value = word ? strtoul(word, &end, 10) : 1;
    *bytes = (unsigned)value;
    return !(value % 16) && value <= BYTES_MAX && !*end && end != word;
}

/* Reads a line of a copy behind its first word. */
static bool read_clone(struct frame *frame, char **parts)
{
    char *end;
    const char *number = next_word(parts), *callee = next_word(parts), *caller = next_word(parts),
               *file = next_word(parts);
    if (!caller || !strtoul(number, &end, 10) || *end)
        return false;
    *frame = (struct frame){ 0, strdup(caller), file ? strdup(file) : NULL, strdup(callee), NULL };
    return frame->function && frame->callee &&
           asprintf(&frame->copy, COPY_PREFIX "%s.%s", number, callee) > 0;
}

static bool add_line(char *line)
{
    char *parts = NULL;
    if (!line[strspn(line, " \t\r\n")] || *line == '#')
        return true;
    struct frame *grown = realloc(frames, (frame_count + 1) * sizeof *frames), frame = { 0 };
    if (!grown)
        return false;
    frames = grown;
    char *what = strtok_r(line, " \t\r\n", &parts);
    if (!strcmp(what, "clone"))
        return read_clone(&frames[frame_count++], &parts);
    bool calls = !strcmp(what, "calls"), wraps = !strcmp(what, "wrap");
    if (!calls && !read_bytes(wraps ? next_word(&parts) : what, &frame.bytes))
        return false;
    const char *function = next_word(&parts), *callee = wraps ? next_word(&parts) : NULL,
               *file = next_word(&parts);
    if (!function || (wraps && !callee))
        return false;
    if (!calls && !frame.bytes)
        return true;
    frame.function = strdup(function);
    frame.callee = callee ? strdup(callee) : NULL;
    frame.file = file ? strdup(file) : NULL;
    frames[frame_count++] = frame;
    return frame.function && (frame.callee || !callee);
}

static void load(void)
{
    const char *path = getenv("HCCT_HEIGHTS");
    if (!path || !strcmp(path, "1"))
        return;
    FILE *file = hcct_input_open_within(path, HCCT_INPUT_TEXT_BYTES);
    char *line = NULL;
    size_t capacity = 0;
    if (!file)
        snprintf(problem, sizeof problem, "hcct: cannot read the plan '%s' (HCCT_HEIGHTS): %s", path,
                 hcct_input_reason(errno));
    for (unsigned number = 1; file && !problem[0] && getline(&line, &capacity, file) > 0; number++)
        if (!add_line(line))
            snprintf(problem, sizeof problem, "hcct: %s:%u: a line is " LINES ", with BYTES a multiple of 16",
                     path, number);
    free(line);
    if (file)
        fclose(file);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *name_of(LLVMValueRef function)
{
    size_t length;
    return LLVMGetValueName2(function, &length);
}

/* The name of the function, of a copy that of what it is a copy of. */
static const char *original_name(LLVMValueRef function)
{
    const char *name = name_of(function);
    size_t prefix = strlen(COPY_PREFIX);
    return strncmp(name, COPY_PREFIX, prefix) ? name : name + prefix + strcspn(name + prefix, ".") + 1;
}

/* Whether the line's file is the module's. A local function is told apart by its file. The module of a whole
 * link has no file: there the name decides. */
static bool is_here(const struct frame *frame, LLVMModuleRef module, LLVMValueRef function)
{
    size_t length;
    const char *source = LLVMGetSourceFileName(module, &length);
    return !frame->file || !hcct_ir_is_local(function) || !strcmp(source, "ld-temp.o") ||
           !strcmp(base_name(frame->file), base_name(source));
}

/* Whether the line is of the function, or of what it is a copy of. */
static bool is_of(const struct frame *frame, LLVMModuleRef module, LLVMValueRef function)
{
    const char *original = original_name(function);
    return (!strcmp(frame->function, name_of(function)) || !strcmp(frame->function, original)) &&
           is_here(frame, module, LLVMGetNamedFunction(module, original));
}

/* --- frames ---------------------------------------------------------------------------------------- */

/* Refers to the variable by an `asm` that is empty. */
static void keep(LLVMContextRef context, LLVMBuilderRef builder, LLVMValueRef variable, LLVMTypeRef type)
{
    LLVMTypeRef pointer = LLVMTypeOf(variable),
                signature = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, false);
    LLVMValueRef nothing =
                     LLVMGetInlineAsm(signature, "", 0, "*m", 2, true, false, LLVMInlineAsmDialectATT, false),
                 call = LLVMBuildCall2(builder, signature, nothing, &variable, 1, "");
    LLVMAddCallSiteAttribute(call, 1,
                             LLVMCreateTypeAttribute(context, hcct_ir_attribute_kind("elementtype"), type));
}

static void resize(LLVMContextRef context, LLVMValueRef function, unsigned bytes)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMTypeRef type = LLVMArrayType(LLVMInt8TypeInContext(context), bytes);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMValueRef variable = LLVMBuildAlloca(builder, type, "hcct.frame");
    LLVMSetAlignment(variable, 1);
    keep(context, builder, variable, type);
    LLVMDisposeBuilder(builder);
}

/* --- wrapped calls --------------------------------------------------------------------------------- */

/* Whether the line is of that call. */
static bool names_call(const struct frame *frame, LLVMValueRef call)
{
    if (!hcct_ir_is_call(call))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAGlobalValue(callee) ? original_name(callee) : "*";
    return !strcmp(frame->callee, name) && hcct_bridge_can_wrap(call);
}

static void wrap_calls(LLVMContextRef context, LLVMValueRef function, const struct frame *frame)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at; at = next) {
            next = LLVMGetNextInstruction(at);
            if (!names_call(frame, at))
                continue;
            LLVMValueRef wrapper = hcct_bridge_wrap(at, "hcct.wrap.");
            if (frame->bytes > SMALLEST_FRAME)
                resize(context, wrapper, frame->bytes - SMALLEST_FRAME);
        }
}

/* --- copies ---------------------------------------------------------------------------------------- */

/* The callee of a line of a copy, if it and the caller are defined in the module. */
static LLVMValueRef find_callee(const struct frame *frame, LLVMModuleRef module)
{
    LLVMValueRef callee = LLVMGetNamedFunction(module, frame->callee),
                 caller = LLVMGetNamedFunction(module, frame->function);
    bool is_there = callee && caller && !LLVMIsDeclaration(callee) && !LLVMIsDeclaration(caller) &&
                    is_here(frame, module, callee);
    return is_there && hcct_bridge_can_copy(callee) ? callee : NULL;
}

static void redirect_calls(LLVMValueRef caller, LLVMValueRef callee, LLVMValueRef copy)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(caller), next; block; block = next) {
        next = LLVMGetNextBasicBlock(block);
        for (LLVMValueRef at = LLVMGetFirstInstruction(block), after; at; at = after) {
            after = LLVMGetNextInstruction(at);
            if (hcct_ir_is_call(at))
                hcct_bridge_redirect(at, callee, copy);
        }
    }
}

/* Makes the copies, then moves calls to them. A copy that nothing calls goes again. A function that nothing
 * calls any more stays: its copies are found by it. Returns whether there are any. */
static bool make_copies(LLVMModuleRef module)
{
    bool changed = false;
    LLVMValueRef callee, copy;
    for (size_t i = 0; i < frame_count; i++)
        if (frames[i].copy && (callee = find_callee(&frames[i], module)) &&
            !LLVMGetNamedFunction(module, frames[i].copy)) {
            hcct_bridge_copy(callee, frames[i].copy);
            changed = true;
        }
    for (size_t i = 0; changed && i < frame_count; i++)
        if (frames[i].copy && (callee = find_callee(&frames[i], module))) {
            redirect_calls(LLVMGetNamedFunction(module, frames[i].function), callee,
                           LLVMGetNamedFunction(module, frames[i].copy));
            if (hcct_ir_is_local(callee) && !LLVMGetFirstUse(callee))
                hcct_bridge_append_used(module, &callee, 1, true);
        }
    for (size_t i = 0; changed && i < frame_count; i++)
        if (frames[i].copy && (copy = LLVMGetNamedFunction(module, frames[i].copy)) && !LLVMGetFirstUse(copy))
            LLVMDeleteFunction(copy);
    return changed;
}

/* --- a module -------------------------------------------------------------------------------------- */

/* Does what the plan says of the function. Returns whether it says anything. */
static bool apply(LLVMModuleRef module, LLVMValueRef function)
{
    static const char attribute[] = "disable-tail-calls";
    LLVMContextRef context = LLVMGetModuleContext(module);
    bool changed = false;
    for (size_t i = 0; i < frame_count; i++) {
        if (frames[i].copy || !is_of(&frames[i], module, function))
            continue;
        changed = true;
        if (frames[i].callee)
            wrap_calls(context, function, &frames[i]);
        else if (frames[i].bytes)
            resize(context, function, frames[i].bytes);
        else
            LLVMAddAttributeAtIndex(
                function, LLVMAttributeFunctionIndex,
                LLVMCreateStringAttribute(context, attribute, sizeof attribute - 1, "true", 4));
    }
    return changed;
}

bool hcct_frames_resize(LLVMModuleRef module)
{
    bool changed = false;
    pthread_once(&once, load);
    if (problem[0])
        hcct_bridge_fail(module, problem);
    if (problem[0] || LLVMGetNamedMetadata(module, "hcct.frames", 11))
        return false;
    LLVMGetOrInsertNamedMetadata(module, "hcct.frames", 11);
    changed = make_copies(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        changed |= !LLVMIsDeclaration(f) && !hcct_ir_has_attribute(f, "naked") && apply(module, f);
    return changed;
}
