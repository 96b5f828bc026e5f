/* Makes frames larger and wraps calls by a plan, see frames.h: activation record resizing and call-site
 * wrapping (Mytkowicz, Coughlin, Diwan, "Inferred Call Path Profiling", OOPSLA 2009, sections 5.1 and 5.2).
 *
 * The bytes are a variable that an empty `asm` in the function's first block refers to. It takes no
 * instruction: the code generator counts the variable in where it makes room for others anyway. A function
 * that has no variable on the stack gets an instruction at its entry and at each of its ends.
 * A tail call leaves no frame at all. In functions that the plan names, the code generator makes it a plain
 * call; one that must be a tail call (musttail) stays one.
 * A wrapped call is made through a function of its own (hcct.wrap.CALLEE), which only makes it. Its frame has
 * the bytes of the plan. What calls in the caller's own code would need is a pointer to its frame: SP moves
 * there.
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

enum { BYTES_MAX = 1 << 16, SMALLEST_FRAME = 16 /* a return address, and what aligns SP */ };

#define LINES "BYTES FUNCTION [FILE], calls FUNCTION [FILE], or wrap BYTES CALLER CALLEE [FILE]"

/* A line of the plan. */
struct frame {
    unsigned bytes;        /* 0: its tail calls are calls */
    char *function, *file; /* `file`: the last part of the source's path, or NULL */
    char *callee;          /* of calls to be wrapped, * for those through pointers; or NULL */
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

/* Whether the line's file is the module's. A local function is told apart by its file. The module of a whole
 * link has no file: there the name decides. */
static bool is_here(const struct frame *frame, LLVMModuleRef module, LLVMValueRef function)
{
    size_t length;
    const char *source = LLVMGetSourceFileName(module, &length);
    return !frame->file || !hcct_ir_is_local(function) || !strcmp(source, "ld-temp.o") ||
           !strcmp(base_name(frame->file), base_name(source));
}

/* Whether the line is of the function. */
static bool is_of(const struct frame *frame, LLVMModuleRef module, LLVMValueRef function)
{
    return !strcmp(frame->function, name_of(function)) && is_here(frame, module, function);
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
    const char *name = LLVMIsAGlobalValue(callee) ? name_of(callee) : "*";
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

/* --- a module -------------------------------------------------------------------------------------- */

/* Does what the plan says of the function. Returns whether it says anything. */
static bool apply(LLVMModuleRef module, LLVMValueRef function)
{
    static const char attribute[] = "disable-tail-calls";
    LLVMContextRef context = LLVMGetModuleContext(module);
    bool changed = false;
    for (size_t i = 0; i < frame_count; i++) {
        if (!is_of(&frames[i], module, function))
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
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        changed |= !LLVMIsDeclaration(f) && !hcct_ir_has_attribute(f, "naked") && apply(module, f);
    return changed;
}
