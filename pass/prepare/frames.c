/* Makes frames larger by a plan, see frames.h: activation record resizing (Mytkowicz, Coughlin, Diwan,
 * "Inferred Call Path Profiling", OOPSLA 2009, section 5.1).
 *
 * The bytes are a variable that an empty `asm` in the function's first block refers to. It takes no
 * instruction: the code generator counts the variable in where it makes room for others anyway. A function
 * that has no variable on the stack gets an instruction at its entry and at each of its ends.
 * A tail call leaves no frame at all. In functions that the plan names, the code generator makes it a plain
 * call; one that must be a tail call (musttail) stays one.
 * The plan is read once a process: a ThinLTO link has several threads. */
#include "pass/prepare/frames.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/select/settings.h"
#include "pass/unit/bridge.h"
#include "pass/unit/ir.h"

enum { BYTES_MAX = 1 << 16 };

/* A line of the plan: BYTES FUNCTION [FILE], or calls FUNCTION [FILE]. */
struct frame {
    unsigned bytes;        /* 0: its tail calls are calls */
    char *function, *file; /* `file`: the last part of the source's path, or NULL */
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

static bool add_line(char *line)
{
    char *parts = NULL, *end;
    if (!line[strspn(line, " \t\r\n")] || *line == '#')
        return true;
    struct frame *grown = realloc(frames, (frame_count + 1) * sizeof *frames);
    if (!grown)
        return false;
    frames = grown;
    char *what = strtok_r(line, " \t\r\n", &parts), *function = strtok_r(NULL, " \t\r\n", &parts),
         *file = strtok_r(NULL, " \t\r\n", &parts);
    bool calls = !strcmp(what, "calls");
    unsigned long bytes = calls ? 0 : strtoul(what, &end, 10);
    if (!function || (!calls && (*end || end == what || bytes % 16 || bytes > BYTES_MAX)))
        return false;
    if (!calls && !bytes)
        return true;
    frames[frame_count] = (struct frame){ (unsigned)bytes, strdup(function), file ? strdup(file) : NULL };
    return frames[frame_count++].function;
}

static void load(void)
{
    const char *path = getenv("HCCT_HEIGHTS");
    if (!path || !strcmp(path, "1"))
        return;
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    if (!file)
        snprintf(problem, sizeof problem, "hcct: cannot read the plan '%s' (HCCT_HEIGHTS): %m", path);
    for (unsigned number = 1; file && !problem[0] && getline(&line, &capacity, file) > 0; number++)
        if (!add_line(line))
            snprintf(problem, sizeof problem,
                     "hcct: %s:%u: a line is BYTES FUNCTION [FILE], with BYTES a multiple of 16, or calls "
                     "FUNCTION [FILE]",
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

/* Whether the line is of the function. A local function is told apart by its file. The module of a whole link
 * has no file: there the name decides. */
static bool is_of(const struct frame *frame, LLVMModuleRef module, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length), *source = LLVMGetSourceFileName(module, &length);
    return !strcmp(frame->function, name) &&
           (!frame->file || !hcct_ir_is_local(function) || !strcmp(source, "ld-temp.o") ||
            !strcmp(base_name(frame->file), base_name(source)));
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
        if (frames[i].bytes)
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
