/* See here.h. Usually an instrumented function calls the API directly, and leaves its own word in the
 * thread's `ctx` (pass/emit/emit.c). If uninstrumented code calls the API, there is no word. Then the newest
 * live frame is the push of the call that left instrumented code. */
#include "runtime/stack/here.h"

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
