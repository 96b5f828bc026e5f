/* See mapped.h. */
#include "runtime/heap/mapped.h"

#include <errno.h>
#include <sys/auxv.h>

#include "hcct/abi.h"
#include "runtime/core/block.h"
#include "runtime/core/tables.h"
#include "runtime/heap/section.h"
#include "runtime/heap/site.h"
#include "runtime/heap/tables/contexts.h"

static uintptr_t whole_pages(size_t bytes)
{
    const uintptr_t page = getauxval(AT_PAGESZ);
    return (bytes + page - 1) & -page;
}

/* A part of a range has ended. `closure`: struct hcct_heap_unmapped, which gets it; or NULL. */
static void end_part(const struct hcct_heap_range *whole, uintptr_t start, uintptr_t end, void *closure)
{
    struct hcct_heap_unmapped *unmapped = closure;
    hcct_heap_context_lose(whole->context, whole->end - whole->start);
    if (start > whole->start)
        hcct_heap_context_keep(whole->context, start - whole->start);
    if (end < whole->end)
        hcct_heap_context_keep(whole->context, whole->end - end);
    if (unmapped && unmapped->count < HCCT_HEAP_UNMAPPED_MOST)
        unmapped->parts[unmapped->count++] = (struct hcct_heap_range){ start, end, whole->context };
}

/* May let others enter meanwhile. */
static uint32_t find_context(const void *caller, uint64_t bytes)
{
    uint32_t context = hcct_heap_find_context(caller, (struct hcct_here){ 0 }, bytes);
    return hcct_tables.running && hcct_heap_counts(context) ? context : HCCT_HEAP_NOT_COUNTED;
}

static __attribute__((noinline)) void record(void *address, size_t bytes, const void *caller, bool is_resized)
{
    int saved = errno;
    struct hcct_heap_range range = { (uintptr_t)address, (uintptr_t)address + whole_pages(bytes), 0 };
    if (hcct_heap_section_enter()) {
        range.context = find_context(caller, range.end - range.start);
        hcct_heap_ranges_cut(range.start, range.end, end_part, NULL);
        if (range.context != HCCT_HEAP_NOT_COUNTED && hcct_heap_ranges_add(range)) {
            hcct_heap_context_gain(range.context, range.end - range.start);
            if (is_resized)
                hcct_heap_context_count(range.context, HCCT_HEAP_RESIZED,
                                        (struct hcct_heap_weight){ range.end - range.start, 1, 0, 0 });
        } else if (range.context != HCCT_HEAP_NOT_COUNTED) {
            hcct_heap_drop(range.end - range.start, &hcct_tables.dropped_memory);
        }
        hcct_heap_section_leave();
    }
    errno = saved;
}

/* A call that is noted becomes a frame for this time, from which the context's chain can be made. */
void hcct_heap_mapped(void *address, size_t bytes, const void *caller, bool is_resized)
{
    const struct hcct_site *site = __hcct_thread.noted_site;
    uint64_t word = __hcct_thread.noted_word;
    if (!site) {
        record(address, bytes, caller, is_resized);
        return;
    }
    __hcct_thread.noted_site = NULL;
    __hcct_push_outline(HCCT_NOTHING_4, site, word);
    record(address, bytes, caller, is_resized);
    __hcct_pop();
    __hcct_thread.noted_word = word;
    __hcct_thread.noted_site = site;
}

struct hcct_heap_unmapped hcct_heap_unmap_begin(const void *address, size_t bytes)
{
    int saved = errno;
    struct hcct_heap_unmapped unmapped = { .count = 0 };
    uintptr_t start = (uintptr_t)address, end = start + whole_pages(bytes);
    if (start % getauxval(AT_PAGESZ) == 0 && end > start && hcct_heap_section_enter()) {
        hcct_heap_ranges_cut(start, end, end_part, &unmapped);
        if (unmapped.count)
            unmapped.era = hcct_heap_hold_contexts();
        hcct_heap_section_leave();
    }
    errno = saved;
    return unmapped;
}

void hcct_heap_unmap_end(const struct hcct_heap_unmapped *unmapped, bool done)
{
    int saved = errno;
    if (unmapped->count && hcct_heap_section_enter()) {
        bool goes_on = hcct_heap_let_contexts_go(unmapped->era) && !done;
        for (uint32_t i = 0; goes_on && i < unmapped->count; i++)
            if (hcct_heap_ranges_add(unmapped->parts[i]))
                hcct_heap_context_keep(unmapped->parts[i].context,
                                       unmapped->parts[i].end - unmapped->parts[i].start);
        hcct_heap_section_leave();
    }
    errno = saved;
}
