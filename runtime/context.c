/* See context.h. An instrumented function that calls the API directly leaves its own word in the thread's word, as for a
 * callee that is numbered and has the id of its caller (pass/emit.c). Elsewhere there is none: then the newest live frame of
 * the context stack tells by which call instrumented code was left. */
#include "runtime/context.h"

#include "hcct/hcct.h"
#include "runtime/process.h"
#include "runtime/thread.h"

#define API __attribute__((visibility("default"), used))

const char hcct_context_present = 1;

struct hcct_here hcct_context_here(uintptr_t sp)
{
    uint64_t word = __hcct_thread.ctx;
    if (word > HCCT_WORD_TAIL) {
        __hcct_thread.ctx = HCCT_WORD_NONE;
        return (struct hcct_here){ word, hcct_stack_find(__hcct_thread.top, word, NULL, sp) };
    }
    const struct hcct_frame *frame = hcct_stack_newest(sp);
    return (struct hcct_here){ frame->prefix, frame };
}

API uint64_t __hcct_api_context(void)
{
    return hcct_context_here((uintptr_t)__builtin_frame_address(0)).word;
}
