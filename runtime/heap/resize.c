/* See resize.h. */
#include "runtime/heap/resize.h"

#include <errno.h>

#include "runtime/heap/heap.h"
#include "runtime/heap/section.h"
#include "runtime/heap/site.h"
#include "runtime/heap/tables/contexts.h"
#include "runtime/heap/tables/log.h"
#include "runtime/heap/tables/sample.h"

struct hcct_heap_resize hcct_heap_resize_begin(void *old)
{
    int saved = errno;
    bool is_noted = old && hcct_heap_end_to_resize((uintptr_t)old);
    errno = saved;
    return is_noted ? (struct hcct_heap_resize){ .old = old, .is_noted = true }
                    : hcct_heap_resize_begin_known(old, false);
}

struct hcct_heap_resize hcct_heap_resize_begin_known(void *old, bool is_given)
{
    int saved = errno;
    struct hcct_heap_resize resize = { .old = old, .is_given = is_given };
    if (old && hcct_heap_filter_may_have((uintptr_t)old) && hcct_heap_section_enter()) {
        resize.is_known = hcct_heap_take_block((uintptr_t)old, is_given, &resize.block);
        if (resize.is_known)
            resize.era = hcct_heap_hold_contexts();
        hcct_heap_section_leave();
    }
    errno = saved;
    return resize;
}

/* The block ended by a note, and the allocator freed it. */
static void count_noted(uintptr_t address)
{
    struct hcct_heap_block block;
    if (hcct_heap_log_held(&hcct_heap_logs[hcct_heap_log_own()], address, &block))
        hcct_heap_count_if_temporary(address, block);
}

/* An address of NULL: realloc to 0 bytes freed the block. */
static void resize_end(struct hcct_heap_resize resize, void *address, uint64_t bytes, const void *caller,
                       struct hcct_here here)
{
    int saved = errno;
    if (resize.is_known && hcct_heap_section_enter()) {
        if (hcct_heap_let_contexts_go(resize.era)) {
            if (!address)
                hcct_heap_count_if_temporary((uintptr_t)resize.old, resize.block);
            hcct_heap_end_block((uintptr_t)resize.old, resize.block);
        }
        hcct_heap_section_leave();
    }
    if (resize.is_noted && !address && hcct_heap_section_enter()) {
        count_noted((uintptr_t)resize.old);
        hcct_heap_section_leave();
    }
    if (address && !hcct_heap_sample_passes(bytes))
        hcct_heap_allocated_anew(address, bytes, caller, here, resize.old != NULL);
    errno = saved;
}

void hcct_heap_resize_end(struct hcct_heap_resize resize, void *address, uint64_t bytes, const void *caller)
{
    resize_end(resize, address, bytes, caller, (struct hcct_here){ 0 });
}

void hcct_heap_resize_end_here(struct hcct_heap_resize resize, struct hcct_here here, void *address,
                               uint64_t bytes)
{
    resize_end(resize, address, bytes, NULL, here);
}

static void put_back(struct hcct_heap_resize resize)
{
    if (!hcct_heap_put_block((uintptr_t)resize.old, resize.is_given, resize.block))
        hcct_heap_end_block((uintptr_t)resize.old, resize.block);
}

/* The block ended by a note. */
static void undo_note(uintptr_t address)
{
    struct hcct_heap_block block;
    if (hcct_heap_log_held(&hcct_heap_logs[hcct_heap_log_own()], address, &block) &&
        hcct_heap_blocks_put(address, hcct_heap_blocks_hash(address), block) == HCCT_HEAP_ADDED)
        hcct_heap_context_keep(block.context, block.bytes);
}

void hcct_heap_resize_undo(struct hcct_heap_resize resize)
{
    int saved = errno;
    if (resize.is_noted && hcct_heap_section_enter()) {
        undo_note((uintptr_t)resize.old);
        hcct_heap_section_leave();
    }
    if (resize.is_known && hcct_heap_section_enter()) {
        if (hcct_heap_let_contexts_go(resize.era))
            put_back(resize);
        hcct_heap_section_leave();
    }
    errno = saved;
}
