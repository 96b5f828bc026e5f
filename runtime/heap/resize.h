/* metric=heap: blocks that are resized. While the allocator works, the old block is out of the tables. */
#ifndef HCCT_RUNTIME_HEAP_RESIZE_H
#define HCCT_RUNTIME_HEAP_RESIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/heap/tables/blocks.h"
#include "runtime/stack/here.h"

/* realloc. Call `begin` before, which forgets the block; afterwards either `end` with the result, or `undo`
 * if the allocator left the block alone. A result of NULL: the allocator freed the block, for 0 bytes. */
struct hcct_heap_resize {
    void *old;
    struct hcct_heap_block block;
    bool is_known; /* the block was in the tables, and is in `block` */
    bool is_given; /* by an allocator of the program's own */
    bool is_noted; /* a note says that it has ended (log.h); is_known is false then */
    uint32_t era;
};
struct hcct_heap_resize hcct_heap_resize_begin(void *old);
/* The same, also for an allocator of the program's own; tells whether the block is known. */
struct hcct_heap_resize hcct_heap_resize_begin_known(void *old, bool is_given);
void hcct_heap_resize_end(struct hcct_heap_resize resize, void *address, uint64_t bytes, const void *caller);
/* The same as `end`, of an allocator of the program's own. */
void hcct_heap_resize_end_here(struct hcct_heap_resize resize, struct hcct_here here, void *address,
                               uint64_t bytes);
void hcct_heap_resize_undo(struct hcct_heap_resize resize);

#endif
