/* metric=heap: the context of an allocation, and its number in contexts.h.
 *
 * The core's tables get the bytes of each context when they are read (hcct_heap_tell_all): exactly, or by
 * Space Saving. All other values are in contexts.h, and are exact for every context that is kept there. With
 * mode=cct every context is kept. With mode=hcct the table has room for a quarter more contexts than the
 * summary has counters. When it is full, the contexts are dropped that the summary does not monitor. Their
 * values go to context 0, and their blocks become blocks of context 0. A context that comes again begins with
 * zeros. So for each value: a context that has v had between v and v + r, where r is the value of context 0.
 * Threads: between enter and leave (section.h), but for what says otherwise. */
#ifndef HCCT_RUNTIME_HEAP_SITE_H
#define HCCT_RUNTIME_HEAP_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "encoding/context.h"
#include "hcct/abi.h"
#include "runtime/base/machine.h"
#include "runtime/heap/tables/contexts.h"
#include "runtime/stack/here.h"

/* The number for what does not count. */
#define HCCT_HEAP_NOT_COUNTED UINT32_MAX

/* The key of the context of the call that left instrumented code; 0 if that has to be found. Usually the call
 * is noted, or its frame is the newest one. At any time. */
static inline __attribute__((always_inline)) uint64_t hcct_heap_newest_key(void)
{
    if (__builtin_expect(__hcct_thread.noted_site != NULL, 1))
        return hcct_context_push(__hcct_thread.noted_word, __hcct_thread.noted_site->id);
    const struct hcct_frame *top = __hcct_thread.top;
    return top->site && top->sp >= HCCT_CALLER_SP ? top->prefix : 0;
}

/* Finds the context of a block that stands for `all` bytes, in the rare case that its key is not the newest
 * frame's, or is new. It is the context of the call that returns to `caller`; if that is NULL, `here`.
 * Returns 0 if the context is not kept, or HCCT_HEAP_NOT_COUNTED. May leave the section and enter it
 * again. */
uint32_t hcct_heap_find_context(const void *caller, struct hcct_here here, uint64_t all);

/* Some context's blocks do not count (allocators.h). */
extern __attribute__((visibility("hidden"))) bool hcct_heap_any_inner;
/* Whether blocks of the context count. Or under the lock of a log. */
static inline __attribute__((always_inline)) bool hcct_heap_counts(uint32_t context)
{
    return !__builtin_expect(hcct_heap_any_inner, 0) ||
           (context != HCCT_HEAP_NOT_COUNTED && !hcct_heap_context_at(context)->is_inner);
}

/* Gives the core's tables the bytes that they do not have yet. Under the table lock. */
void hcct_heap_tell_all(void);

/* From now on contexts keep their numbers, until hcct_heap_let_contexts_go: the caller holds a block, with
 * the number of its context, outside of the tables. Returns the era. If another era begins meanwhile (a
 * reset), that block is forgotten. */
uint32_t hcct_heap_hold_contexts(void);
/* Ends what hcct_heap_hold_contexts began in the era `era`. False if that era has ended: then the number that
 * the caller holds means nothing any more. */
bool hcct_heap_let_contexts_go(uint32_t era);
/* All is forgotten. */
void hcct_heap_end_era(void);

#endif
