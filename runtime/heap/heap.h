/* metric=heap: bytes and blocks of the heap by the context that allocates them (docs/heap.md).
 *
 * The program's calls of malloc and its kin are led to functions of ours (redirect.h, hooks.c). In such a run
 * every call of a library function that may allocate pushes. So the newest live frame of the context stack is
 * the call that left instrumented code, and its prefix is the context, call site included. The build is the
 * usual one, and other runs of it do not notice. */
#ifndef HCCT_RUNTIME_HEAP_HEAP_H
#define HCCT_RUNTIME_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/meter.h"
#include "runtime/heap/blocks.h"
#include "runtime/stack/here.h"

extern const struct hcct_meter hcct_meter_heap;

/* The program's calls, for hooks.c. `caller`: the return address of the call. All keep errno, are
 * thread-safe, and may be called in signal handlers. An address of NULL is no block. */

/* The allocator returned a block of so many bytes, which did not pass (sample.h). */
void hcct_heap_allocated(void *address, uint64_t bytes, const void *caller);
/* The same of an allocator of the program's own, in the context `here`. */
void hcct_heap_allocated_here(struct hcct_here here, void *address, uint64_t bytes);
/* The block, which may be known (hcct_heap_filter_may_have), is going to be freed. Call this before the
 * allocator may give the address to another thread. */
void hcct_heap_freed(void *address);
/* realloc. Call `begin` before, which forgets the block; afterwards either `end` with the result, or `undo`
 * if the allocator left the block alone. */
struct hcct_heap_resize {
    void *old;
    struct hcct_heap_block block;
    bool is_known;
};
struct hcct_heap_resize hcct_heap_resize_begin(void *old);
void hcct_heap_resize_end(struct hcct_heap_resize resize, void *address, uint64_t bytes, const void *caller);
/* The same as `end`, of an allocator of the program's own. */
void hcct_heap_resize_end_here(struct hcct_heap_resize resize, struct hcct_here here, void *address,
                               uint64_t bytes);
void hcct_heap_resize_undo(struct hcct_heap_resize resize);

#endif
