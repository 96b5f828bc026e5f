/* See given.h. What such a function gets from malloc, to keep or to give out, does not count: what it gives
 * out does. Nor do blocks of another such function that it calls: so of several that call each other the
 * outermost counts. This is asked once for each context, as long as that is kept.
 *
 * A function that resizes takes a block back at its entry. Until it returns, nobody knows whether it failed:
 * then the block is still there. It may call others that resize the same block, and of which some fail: only
 * its own return tells. */
#include "runtime/heap/given.h"

#include <errno.h>

#include "runtime/core/notice.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/resize.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/path.h"

int __hcct_heap_is_on;

/* The block that the calling thread resizes; its address is inverted, so that it is no pointer to the block
 * (scan.h). */
static _Thread_local struct {
    uintptr_t inverted;
    struct hcct_heap_block block;
    uint32_t era;
    int activation; /* that took it: the number `resizes` */
} resized;

static struct hcct_heap_resize take_resized(void)
{
    struct hcct_heap_resize resize = { .old = (void *)~resized.inverted,
                                       .block = resized.block,
                                       .is_known = true,
                                       .is_given = true,
                                       .era = resized.era };
    resized.inverted = 0;
    return resize;
}

/* --- contexts -------------------------------------------------------------------------------------- */

/* While the registry is held. */
static bool program_has_any(void)
{
    static size_t objects_seen;
    static bool found;
    for (; objects_seen < hcct_registry_object_count() && !found; objects_seen++) {
        const struct hcct_object *object = hcct_registry_object(objects_seen);
        for (const struct hcct_function *f = object->start; f < object->stop; f++)
            found |= (f->flags & HCCT_FUNCTION_ALLOCATOR) != 0;
    }
    return found;
}

bool hcct_heap_is_inner(struct hcct_here here, bool by_function)
{
    if (!hcct_registry_hold())
        return false;
    bool is = program_has_any() && hcct_path_has(here, HCCT_FUNCTION_ALLOCATOR, !by_function);
    hcct_registry_let_go();
    return is;
}

static bool is_named_like_allocator(const struct hcct_function *function)
{
    static const char alloc[] = "alloc";
    const char *name = hcct_rel_get(&function->linkage_name);
    size_t found = 0;
    for (; name && *name && found < sizeof alloc - 1; name++)
        found = (*name | 32) == alloc[found] ? found + 1 : (*name | 32) == 'a';
    return found == sizeof alloc - 1;
}

bool hcct_heap_may_give_unseen(void)
{
    for (size_t i = 0; !hcct_heap_was_told() && i < hcct_registry_object_count(); i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        for (const struct hcct_function *f = object->start; f < object->stop; f++)
            if (is_named_like_allocator(f))
                return true;
    }
    return false;
}

/* --- calls of instrumented code -------------------------------------------------------------------- */

void __hcct_heap_given(const void *address, size_t bytes, int resizes)
{
    struct hcct_here here = hcct_here_of_caller((uintptr_t)__builtin_frame_address(0));
    int saved = errno;
    hcct_notice();
    if (resizes && resized.inverted && resized.activation == resizes) {
        struct hcct_heap_resize resize = take_resized();
        if (address || !bytes)
            hcct_heap_resize_end_here(resize, here, (void *)(uintptr_t)address, bytes);
        else
            hcct_heap_resize_undo(resize);
    } else {
        hcct_heap_allocated_here(here, (void *)(uintptr_t)address, bytes);
    }
    errno = saved;
}

void __hcct_heap_taken(const void *address, int resizes)
{
    int saved = errno;
    hcct_notice();
    if (resizes) {
        struct hcct_heap_resize resize = hcct_heap_resize_begin_known((void *)(uintptr_t)address, true);
        /* One that is still here was left by a jump, and is taken for freed. (Or the caller resizes another
         * block. That is then taken for one that does not fail.) */
        if (resized.inverted && (resize.is_known || resized.activation == resizes))
            hcct_heap_resize_end_here(take_resized(), (struct hcct_here){ 0 }, NULL, 0);
        if (resize.is_known) {
            resized.inverted = ~(uintptr_t)address;
            resized.block = resize.block;
            resized.era = resize.era;
            resized.activation = resizes;
        }
    } else {
        hcct_heap_taken_back((void *)(uintptr_t)address);
    }
    errno = saved;
}
