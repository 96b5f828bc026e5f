/* See here.h. Usually an instrumented function calls the API directly, and leaves its own word in the
 * thread's `ctx` (pass/emit/emit.c). If uninstrumented code calls the API, there is no word. Then the newest
 * live frame is the push of the call that left instrumented code. */
#include "runtime/stack/here.h"

#include "runtime/objects/registry.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/walk.h"

_Thread_local struct hcct_here hcct_here_told;

struct hcct_here hcct_here_of_caller(uintptr_t sp)
{
    uint64_t word = __hcct_thread.ctx;
    if (word > HCCT_WORD_TAIL) {
        __hcct_thread.ctx = HCCT_WORD_NONE;
        return (struct hcct_here){ word, hcct_walk_find(__hcct_thread.top, word, NULL, sp) };
    }
    const struct hcct_frame *frame = hcct_walk_newest(__hcct_thread.top, sp);
    return frame ? (struct hcct_here){ frame->prefix, frame } : (struct hcct_here){ 0 };
}

/* Whether all instrumented code is of restoring builds, which keep `current`. */
static bool all_restores(void)
{
    for (size_t i = 0; i < hcct_registry_object_count(); i++)
        if (hcct_registry_object(i)->loaded && !hcct_registry_object(i)->restores)
            return false;
    return true;
}

struct hcct_here hcct_here_of_interrupted(bool *whole)
{
    struct hcct_interrupted found = hcct_walk_interrupted(), *interrupted = &found;
    *whole = true;
    if (!found.top)
        return (struct hcct_here){ 0 };
    uint64_t word = interrupted->current;
    const struct hcct_frame *frame = NULL;
    *whole = all_restores();
    if (*whole)
        frame = hcct_walk_find(interrupted->top, word, NULL, interrupted->sp);
    if (frame)
        return (struct hcct_here){ word, frame };
    frame = hcct_walk_newest(interrupted->top, interrupted->sp);
    /* a word that is a root's prefix: no instrumented code runs */
    *whole = *whole && frame && hcct_frame_is_root(frame) && frame->prefix == word;
    return frame ? (struct hcct_here){ frame->prefix, frame } : (struct hcct_here){ 0 };
}
