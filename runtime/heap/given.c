/* metric=heap: what functions of the program tell that give out memory (pass/prepare/allocators.c).
 *
 * A function that resizes takes a block back at its entry. Until it returns, nobody knows whether it failed:
 * then the block is still there. It may call others that resize the same block, and of which some fail: only
 * its own return tells. */
#include <errno.h>

#include "runtime/core/notice.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/resize.h"
#include "runtime/stack/here.h"

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
