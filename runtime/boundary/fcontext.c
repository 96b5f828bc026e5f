/* Boost.Context's switches of stacks. The wrappers give --wrap=jump_fcontext and so on to the linker
 * (wrapper/linker.c), so that the executable's calls of them go through these functions. __real_NAME is what
 * the linker makes of NAME in such a link.
 * Libraries such as Boost.Fiber's find NAME by the dynamic linker. If Boost.Context is a shared library, that
 * NAME is the weak one here, as the executable comes first. In Boost's archive NAME is strong, and replaces
 * it. */
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/interpose.h"
#include "runtime/stack/fiber.h"

#ifndef HCCT_SHARED

/* A context is the stack pointer of the stack that was left. */
struct transfer {
    void *from, *data;
};

/* `real` is read as a variable, since the compiler takes different names for different functions. */
#define WRAPS(result, name, ...)                                                                             \
    result __real_##name(__VA_ARGS__);                                                                       \
    INTERPOSED result __wrap_##name(__VA_ARGS__);                                                            \
    INTERPOSED __attribute__((weak, alias("__wrap_" #name))) result name(__VA_ARGS__);                       \
    static __typeof__(__real_##name) *volatile real_##name = __real_##name;                                  \
    static __typeof__(__real_##name) *library_##name(void)                                                   \
    {                                                                                                        \
        if (real_##name == __wrap_##name)                                                                    \
            real_##name = (__typeof__(__real_##name) *)hcct_interpose_next(#name);                           \
        return real_##name;                                                                                  \
    }

WRAPS(void *, make_fcontext, void *end, size_t bytes, void (*function)(struct transfer))
WRAPS(struct transfer, jump_fcontext, void *to, void *data)
WRAPS(struct transfer, ontop_fcontext, void *to, void *data, struct transfer (*function)(struct transfer))

void *__wrap_make_fcontext(void *end, size_t bytes, void (*function)(struct transfer))
{
    hcct_fiber_made((uintptr_t)end - bytes, bytes);
    return library_make_fcontext()(end, bytes, function);
}

struct transfer __wrap_jump_fcontext(void *to, void *data)
{
    struct hcct_fiber_left left;
    hcct_fiber_leave(&left, (uintptr_t)to);
    struct transfer result = library_jump_fcontext()(to, data);
    hcct_fiber_come_back(&left);
    return result;
}

/* `function` runs on the other stack, before that comes back from its own switch. */
struct transfer __wrap_ontop_fcontext(void *to, void *data, struct transfer (*function)(struct transfer))
{
    struct hcct_fiber_left left;
    hcct_fiber_leave(&left, (uintptr_t)to);
    struct transfer result = library_ontop_fcontext()(to, data, function);
    hcct_fiber_come_back(&left);
    return result;
}

#endif
