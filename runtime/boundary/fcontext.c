/* Boost.Context's switches of stacks. The wrappers give --wrap=jump_fcontext and so on to the linker
 * (wrapper/linker.c), so that the executable's calls of them go through these functions. __real_NAME is what
 * the linker makes of NAME in such a link. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/stack/fiber.h"

#ifndef HCCT_SHARED

#define WRAPPER __attribute__((visibility("default"), used))

/* A context is the stack pointer of the stack that was left. */
struct transfer {
    void *from, *data;
};

void *__real_make_fcontext(void *end, size_t bytes, void (*function)(struct transfer));
struct transfer __real_jump_fcontext(void *to, void *data);
struct transfer __real_ontop_fcontext(void *to, void *data, struct transfer (*function)(struct transfer));

WRAPPER void *__wrap_make_fcontext(void *end, size_t bytes, void (*function)(struct transfer))
{
    hcct_fiber_made((uintptr_t)end - bytes, bytes);
    return __real_make_fcontext(end, bytes, function);
}

WRAPPER struct transfer __wrap_jump_fcontext(void *to, void *data)
{
    struct hcct_fiber_left left;
    hcct_fiber_leave(&left, (uintptr_t)to);
    struct transfer result = __real_jump_fcontext(to, data);
    hcct_fiber_come_back(&left);
    return result;
}

/* `function` runs on the other stack, before that comes back from its own switch. */
WRAPPER struct transfer __wrap_ontop_fcontext(void *to, void *data,
                                              struct transfer (*function)(struct transfer))
{
    struct hcct_fiber_left left;
    hcct_fiber_leave(&left, (uintptr_t)to);
    struct transfer result = __real_ontop_fcontext(to, data, function);
    hcct_fiber_come_back(&left);
    return result;
}

#endif
