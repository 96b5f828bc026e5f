/* See here.h. An instrumented function that calls the API directly leaves its own word in the thread's word,
 * as for a callee that is numbered and has the id of its caller (pass/emit/emit.c). Elsewhere there is none:
 * then the newest live frame of the context stack tells by which call instrumented code was left. */
#include "runtime/stack/here.h"

#include "runtime/objects/registry.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/walk.h"

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

/* Whether all instrumented code keeps `current`. */
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
    /* nothing instrumented runs */
    *whole = *whole && frame && hcct_frame_is_root(frame) && frame->prefix == word;
    return frame ? (struct hcct_here){ frame->prefix, frame } : (struct hcct_here){ 0 };
}
