/* The run-time API of contexts (hcct/hcct.h): hcct_context, and pinning and describing a context. */
#include "hcct/hcct.h"
#include "runtime/boundary/process.h"
#include "runtime/core/block.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/stack/path.h"
#include "runtime/stack/pins.h"
#include "runtime/stack/walk.h"
#include "runtime/unwind/interrupted.h"

#define API __attribute__((visibility("default"), used))

const char hcct_context_present = 1;

static struct hcct_here here_of_caller(uintptr_t sp)
{
    struct hcct_here here = hcct_here_of_caller(sp);
    return hcct_here_told.word && !hcct_in_handler ? hcct_here_told : here;
}

API uint64_t __hcct_api_context(void)
{
    return here_of_caller((uintptr_t)__builtin_frame_address(0)).word;
}

API int __hcct_api_context_pin(void)
{
    struct hcct_here here = here_of_caller((uintptr_t)__builtin_frame_address(0));
    hcct_notice();
    if (here.word && hcct_pins_has(here.word))
        return true;
    /* there is no context, or this is the handler of a fault inside the tables */
    if (!here.word || !here.frame || hcct_busy.depth)
        return false;
    hcct_busy_enter();
    hcct_tables_lock();
    bool pinned = hcct_pins_add(here);
    hcct_tables_unlock();
    hcct_busy_leave();
    return pinned;
}

API size_t __hcct_api_context_describe(char *buffer, size_t size)
{
    struct hcct_here here = here_of_caller((uintptr_t)__builtin_frame_address(0));
    if (hcct_busy.depth)
        here.word = 0;
    return hcct_path_describe(here, true, buffer, size);
}

API size_t __hcct_api_context_describe_interrupted(char *buffer, size_t size)
{
    if (hcct_in_handler)
        hcct_guest_hooks.leave_dead((uintptr_t)__builtin_frame_address(0));
    const struct hcct_interrupted interrupted = hcct_walk_interrupted();
    if (!interrupted.top)
        return hcct_path_describe((struct hcct_here){ 0 }, true, buffer, size);
    struct hcct_here here = hcct_interrupted_here(&interrupted);
    if (here.frame)
        return hcct_path_describe(here, true, buffer, size);
    const struct hcct_frame *newest = hcct_walk_newest(interrupted.top, interrupted.sp);
    here = newest ? (struct hcct_here){ newest->prefix, newest } : (struct hcct_here){ 0 };
    return hcct_path_describe(here, false, buffer, size);
}
