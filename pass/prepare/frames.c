/* Makes frames larger by a plan, see frames.h: activation record resizing (Mytkowicz, Coughlin, Diwan,
 * "Inferred Call Path Profiling", OOPSLA 2009, section 5.1).
 *
 * The bytes are a variable that an empty `asm` in the function's first block refers to. It takes no
 * instruction: the code generator counts the variable in where it makes room for others anyway. A function
 * that has no variable on the stack gets an instruction at its entry and at each of its ends.
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

/* A line of the plan: BYTES FUNCTION [FILE]. */
struct frame {
    unsigned bytes;
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
    char *rest, *parts = NULL;
    unsigned long bytes = strtoul(line, &rest, 10);
    if (!line[strspn(line, " \t\r\n")] || *line == '#')
        return true;
    struct frame *grown = realloc(frames, (frame_count + 1) * sizeof *frames);
    if (!grown)
        return false;
    frames = grown;
    char *function = strtok_r(rest, " \t\r\n", &parts), *file = strtok_r(NULL, " \t\r\n", &parts);
    if (rest == line || !function || bytes % 16 || bytes > BYTES_MAX)
        return false;
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
                     "hcct: %s:%u: a line is BYTES FUNCTION [FILE], with BYTES a multiple of 16", path,
                     number);
    free(line);
    if (file)
        fclose(file);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The bytes that the function is to have more. A local function is told apart by its file. */
static unsigned bytes_of(LLVMModuleRef module, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length), *source = LLVMGetSourceFileName(module, &length);
    for (size_t i = 0; i < frame_count; i++) {
        bool fits = !frames[i].file || !hcct_ir_is_local(function) ||
                    !strcmp(base_name(frames[i].file), base_name(source));
        if (fits && !strcmp(frames[i].function, name))
            return frames[i].bytes;
    }
    return 0;
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

bool hcct_frames_resize(LLVMModuleRef module)
{
    bool changed = false;
    pthread_once(&once, load);
    if (problem[0])
        hcct_bridge_fail(module, problem);
    if (problem[0] || LLVMGetNamedMetadata(module, "hcct.frames", 11))
        return false;
    LLVMGetOrInsertNamedMetadata(module, "hcct.frames", 11);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        unsigned bytes = LLVMIsDeclaration(f) || hcct_ir_has_attribute(f, "naked") ? 0 : bytes_of(module, f);
        if (bytes)
            resize(LLVMGetModuleContext(module), f, bytes);
        changed |= bytes != 0;
    }
    return changed;
}
