/* See heap.h.
 *
 * All changes are ordered, so the peak is exact (section.h). The allocator runs without any lock.
 * Cost: usual.h has what most blocks take. Here is the rest. A new context also gets its chain, a node per
 * push. */
#include "runtime/heap/heap.h"

#include <errno.h>

#include "runtime/base/go_on.h"
#include "runtime/core/block.h"
#include "runtime/core/tables.h"
#include "runtime/heap/section.h"
#include "runtime/heap/settings.h"
#include "runtime/heap/site.h"
#include "runtime/heap/tables/contexts.h"
#include "runtime/heap/tables/log.h"
#include "runtime/heap/tables/sample.h"
#include "runtime/heap/usual.h"

_Thread_local struct hcct_heap_newest hcct_heap_newest;

/* --- blocks -------------------------------------------------------------------------------------- */

/* With heap_sample, how a block's weight is rounded is kept in a bit of its size. */
#define UP_BIT 47
#define BYTES_LIMIT (UINT64_C(1) << UP_BIT)

static struct hcct_heap_weight weigh(uint64_t bytes)
{
    if (!hcct_heap_settings.sample)
        return (struct hcct_heap_weight){ bytes, 1, 0, 0 };
    return hcct_heap_sample_weigh(bytes & (BYTES_LIMIT - 1), hcct_heap_settings.sample, bytes >> UP_BIT & 1);
}

static __attribute__((noinline)) void count(uint32_t context, enum hcct_heap_value value, uint64_t bytes)
{
    if (context != HCCT_HEAP_UNCOUNTED)
        hcct_heap_context_count(context, value, weigh(bytes));
}

static __attribute__((noinline)) void end_sample(uintptr_t address, struct hcct_heap_block block)
{
    hcct_heap_filter_remove(address);
    hcct_heap_context_lose_sample(block.context, weigh(block.bytes));
}

static inline __attribute__((always_inline)) void end_block(uintptr_t address, struct hcct_heap_block block)
{
    if (__builtin_expect(block.context == HCCT_HEAP_UNCOUNTED, 0))
        return;
    if (__builtin_expect(hcct_heap_settings.sample != 0, 0))
        end_sample(address, block);
    else
        hcct_heap_context_lose(block.context, block.bytes);
}

/* What lies over a block ends with it. */
static void end_over(uintptr_t address, uint64_t hash)
{
    struct hcct_heap_block block;
    if (hcct_heap_blocks_take_over(address, hash, &block))
        end_block(address, block);
}

bool hcct_heap_take_block(uintptr_t address, bool is_given, struct hcct_heap_block *block)
{
    const uint64_t hash = hcct_heap_blocks_hash(address);
    if (is_given && hcct_heap_blocks_take_over(address, hash, block))
        return true;
    if (!hcct_heap_blocks_take(address, hash, block))
        return false;
    end_over(address, hash);
    return true;
}

bool hcct_heap_put_block(uintptr_t address, bool is_given, struct hcct_heap_block block)
{
    const uint64_t hash = hcct_heap_blocks_hash(address);
    struct hcct_heap_block stale;
    if ((address | block.bytes) >> 48)
        return false;
    enum hcct_heap_put put = hcct_heap_blocks_put(address, hash, block);
    if (put != HCCT_HEAP_KNOWN)
        return put == HCCT_HEAP_ADDED;
    if (is_given) {
        end_over(address, hash);
        return hcct_heap_blocks_put_over(address, hash, block) == HCCT_HEAP_ADDED;
    }
    if (hcct_heap_take_block(address, false, &stale))
        end_block(address, stale);
    return hcct_heap_blocks_put(address, hash, block) == HCCT_HEAP_ADDED;
}

/* If there is no memory for the block, its end could not be seen. So then nothing of it counts. */
static bool put_or_drop(uintptr_t address, bool is_given, struct hcct_heap_block block)
{
    bool is_there = hcct_heap_put_block(address, is_given, block);
    if (!is_there)
        hcct_heap_drop(weigh(block.bytes).bytes, &hcct_tables.dropped_memory);
    return is_there;
}

static __attribute__((noinline)) void begin_sample(uintptr_t address, uint64_t bytes, uint32_t context)
{
    hcct_heap_filter_add(address);
    hcct_heap_context_gain_sample(context, bytes & (BYTES_LIMIT - 1), weigh(bytes));
}

static void begin_block(uintptr_t address, bool is_given, uint64_t bytes, uint32_t context, bool is_resized)
{
    hcct_heap_newest.block = -address;
    hcct_heap_newest.position = hcct_heap_sample_position();
    if (!put_or_drop(address, is_given, (struct hcct_heap_block){ bytes, context }))
        return;
    if (__builtin_expect(hcct_heap_settings.sample != 0, 0))
        begin_sample(address, bytes, context);
    else
        hcct_heap_context_gain(context, bytes);
    if (is_resized)
        count(context, HCCT_HEAP_RESIZED, bytes);
}

/* The block is sampled: keeps how its weight is rounded. Returns what it stands for. */
static __attribute__((noinline)) uint64_t round_weight(uint64_t *bytes)
{
    if (*bytes < BYTES_LIMIT && hcct_heap_sample_round(*bytes, hcct_heap_settings.sample))
        *bytes |= BYTES_LIMIT;
    return weigh(*bytes).bytes;
}

/* --- notes (log.h) -------------------------------------------------------------------------------- */

void hcct_heap_begin_noted(const struct hcct_heap_note *note)
{
    if (!put_or_drop(note->address, note->is_given, (struct hcct_heap_block){ note->bytes, note->context }))
        return;
    hcct_heap_context_gain(note->context, note->bytes);
    if (note->change == HCCT_HEAP_BEGINS_RESIZED)
        count(note->context, HCCT_HEAP_RESIZED, note->bytes);
}

void hcct_heap_end_noted(struct hcct_heap_log *log, const struct hcct_heap_note *note)
{
    struct hcct_heap_block block;
    if (!hcct_heap_take_block(note->address, note->is_given, &block))
        return;
    if (note->change == HCCT_HEAP_ENDS_TEMPORARY)
        count(block.context, HCCT_HEAP_TEMPORARY, block.bytes);
    if (note->change == HCCT_HEAP_ENDS_TO_RESIZE)
        hcct_heap_log_hold(log, note->address, block);
    hcct_heap_context_lose(block.context, block.bytes);
}

/* The log is full. */
static __attribute__((noinline)) void make_room(void)
{
    hcct_tables_lock();
    hcct_heap_section_apply();
    hcct_tables_unlock();
}

/* The log that is locked and has room for a note. NULL: no notes are made any more. */
static inline __attribute__((always_inline)) struct hcct_heap_log *lock_log(unsigned number)
{
    struct hcct_heap_log *log = &hcct_heap_logs[number];
    for (;;) {
        hcct_parts_lock(number);
        bool makes_notes = __atomic_load_n(&hcct_heap_section.makes_notes, __ATOMIC_RELAXED);
        if (__builtin_expect(makes_notes && log->count < HCCT_HEAP_LOG_NOTES, 1))
            return log;
        hcct_parts_unlock(number);
        if (!makes_notes)
            return NULL;
        make_room();
    }
}

/* As record, by a note. False if that has to do it: the context is new, for example. */
static __attribute__((noinline)) bool record_by_note(uintptr_t address, uint64_t bytes, const void *caller,
                                                     struct hcct_here here, bool is_resized)
{
    if ((address | bytes) >> 48 || !hcct_heap_section_enter_to_note())
        return false;
    unsigned number = hcct_heap_log_own();
    struct hcct_heap_log *log = lock_log(number);
    if (!log) {
        hcct_busy_leave();
        return false;
    }
    uint64_t key = caller ? hcct_heap_newest_key() : here.word;
    uint32_t context = key ? hcct_heap_contexts_find(key) : 0;
    if (context && __atomic_load_n(&hcct_tables.running, __ATOMIC_RELAXED) && hcct_heap_counts(context)) {
        hcct_heap_newest.block = -address;
        const enum hcct_heap_change change = is_resized ? HCCT_HEAP_BEGINS_RESIZED : HCCT_HEAP_BEGINS;
        hcct_heap_log_note(log, (struct hcct_heap_note){ .address = address,
                                                         .bytes = bytes,
                                                         .context = context,
                                                         .change = (uint8_t)change,
                                                         .is_given = !caller });
    }
    hcct_parts_unlock(number);
    hcct_busy_leave();
    return context != 0;
}

static __attribute__((noinline)) bool end_by_note(uintptr_t address, bool is_given,
                                                  enum hcct_heap_change change)
{
    if (address >> 48 || !hcct_heap_section_enter_to_note())
        return false;
    unsigned number = hcct_heap_log_own();
    struct hcct_heap_log *log = lock_log(number);
    if (log) {
        hcct_heap_log_note(log, (struct hcct_heap_note){
                                    .address = address, .change = (uint8_t)change, .is_given = is_given });
        hcct_parts_unlock(number);
    }
    hcct_busy_leave();
    return log != NULL;
}

/* --- calls of allocators --------------------------------------------------------------------------- */

static void record_noted(uintptr_t, uint64_t bytes, uint64_t all, const void *caller, bool is_resized);

/* `all`: the bytes that the block stands for. */
static inline __attribute__((always_inline)) void record(uintptr_t address, uint64_t bytes, uint64_t all,
                                                         const void *caller, struct hcct_here here,
                                                         bool is_resized)
{
    if (hcct_heap_makes_notes() && record_by_note(address, bytes, caller, here, is_resized))
        return;
    hcct_heap_blocks_prefetch(address);
    if (__builtin_expect(hcct_heap_settings.scan, 0) && !hcct_busy.depth && !hcct_block_outermost())
        hcct_block_self(); /* by its block a thread's stack is found, also if it runs no instrumented code */
    if (!hcct_heap_section_enter()) {
        if (hcct_heap_section.is_on)
            hcct_heap_drop(all, &hcct_tables.dropped_interrupted);
        return;
    }
    uint64_t key = caller ? hcct_heap_newest_key() : here.word;
    uint32_t context = key ? hcct_heap_contexts_find(key) : 0;
    if (__builtin_expect(!context, 0)) {
        if (caller && __hcct_thread.noted_site) {
            hcct_heap_section_leave();
            record_noted(address, bytes, all, caller, is_resized);
            return;
        }
        context = hcct_heap_find_context(caller, here, all);
    }
    if (hcct_tables.running && hcct_heap_counts(context)) {
        begin_block(address, !caller, bytes, context, is_resized);
        if (context)
            hcct_heap_contexts_remember(context);
    } else if (hcct_heap_settings.scan) { /* what it leads to is not lost */
        hcct_heap_put_block(address, !caller, (struct hcct_heap_block){ bytes, HCCT_HEAP_UNCOUNTED });
    }
    hcct_heap_section_leave();
}

static __attribute__((noinline)) void record_anew(uintptr_t address, uint64_t bytes, uint64_t all,
                                                  const void *caller, bool is_resized)
{
    record(address, bytes, all, caller, (struct hcct_here){ 0 }, is_resized);
}

/* The call is noted, and its context is new: it becomes a frame, from which the chain can be made. */
static __attribute__((noinline)) void record_noted(uintptr_t address, uint64_t bytes, uint64_t all,
                                                   const void *caller, bool is_resized)
{
    const struct hcct_site *site = __hcct_thread.noted_site;
    uint64_t word = __hcct_thread.noted_word;
    __hcct_thread.noted_site = NULL;
    __hcct_push_outline(HCCT_NOTHING_4, site, word);
    record_anew(address, bytes, all, caller, is_resized);
    __hcct_pop();
    __hcct_thread.noted_word = word;
    __hcct_thread.noted_site = site;
}

/* The block was chosen, and is sampled, unless its thread had not drawn yet. The next one is drawn even if
 * there is no block: its bytes were counted. */
static __attribute__((noinline)) void sampled(uintptr_t address, uint64_t bytes, const void *caller,
                                              struct hcct_here here, bool is_resized)
{
    if (!hcct_heap_sample_take(bytes) || !address)
        return;
    uint64_t all = round_weight(&bytes);
    record(address, bytes, all, caller, here, is_resized);
}

/* `caller`: the return address of the call of malloc; NULL: it is `here` that counts. */
static inline __attribute__((always_inline)) void
allocated(uintptr_t address, uint64_t bytes, const void *caller, struct hcct_here here, bool is_resized)
{
    if (__builtin_expect(hcct_heap_settings.sample != 0, 0)) {
        sampled(address, bytes, caller, here, is_resized);
        return;
    }
    if (address)
        record(address, bytes, bytes, caller, here, is_resized);
}

/* A program that waits most of the time has few ticks. */
static void look(void)
{
    if (__builtin_expect(hcct_meter_look != NULL, 0) && hcct_heap_section.is_on && !hcct_busy.depth)
        hcct_meter_look();
}

void hcct_heap_allocated_anyhow(void *address, uint64_t bytes, const void *caller)
{
    int saved = errno;
    allocated((uintptr_t)address, bytes, caller, (struct hcct_here){ 0 }, false);
    look();
    errno = saved;
}

bool hcct_heap_allocated_quickly(void *address, uint64_t bytes)
{
    bool is_done = false;
    if (!hcct_heap_may_be_usual((uintptr_t)address))
        return false;
    if (hcct_heap_section_is_way(HCCT_HEAP_ALONE))
        is_done = hcct_heap_allocated_usually(HCCT_HEAP_ALONE, true, (uintptr_t)address, bytes);
    else if (hcct_heap_section_is_way(HCCT_HEAP_LOCKED))
        is_done = hcct_heap_allocated_usually(HCCT_HEAP_LOCKED, true, (uintptr_t)address, bytes);
    hcct_heap_section_redeliver();
    return is_done;
}

bool hcct_heap_freed_quickly(void *address)
{
    bool is_done = false;
    if (!hcct_heap_may_be_usual((uintptr_t)address))
        return false;
    if (hcct_heap_section_is_way(HCCT_HEAP_ALONE))
        is_done = hcct_heap_freed_usually(HCCT_HEAP_ALONE, true, (uintptr_t)address);
    else if (hcct_heap_section_is_way(HCCT_HEAP_LOCKED))
        is_done = hcct_heap_freed_usually(HCCT_HEAP_LOCKED, true, (uintptr_t)address);
    hcct_heap_section_redeliver();
    return is_done;
}

void hcct_heap_allocated(void *address, uint64_t bytes, const void *caller)
{
    if (__builtin_expect(!hcct_heap_allocated_quickly(address, bytes), 0)) {
        hcct_heap_allocated_anyhow(address, bytes, caller);
        return;
    }
    int saved = errno;
    look();
    errno = saved;
}

static bool was_told; /* alone: pairs with nothing */

bool hcct_heap_was_told(void)
{
    return __atomic_load_n(&was_told, __ATOMIC_RELAXED);
}

void hcct_heap_allocated_here(struct hcct_here here, void *address, uint64_t bytes)
{
    int saved = errno;
    if (!hcct_heap_was_told())
        __atomic_store_n(&was_told, true, __ATOMIC_RELAXED);
    if (address && !hcct_heap_sample_passes(bytes))
        allocated((uintptr_t)address, bytes, NULL, here, false);
    errno = saved;
}

static inline __attribute__((always_inline)) void freed(void *address, bool is_given)
{
    struct hcct_heap_block block;
    if (!address)
        return;
    int saved = errno;
    bool is_newest = -(uintptr_t)address == hcct_heap_newest.block;
    if (is_newest)
        hcct_heap_newest.block = 0;
    if (hcct_heap_makes_notes() &&
        end_by_note((uintptr_t)address, is_given, is_newest ? HCCT_HEAP_ENDS_TEMPORARY : HCCT_HEAP_ENDS)) {
        errno = saved;
        return;
    }
    hcct_heap_blocks_prefetch((uintptr_t)address);
    if (!hcct_heap_section_enter())
        return; /* nothing has changed errno */
    if (hcct_heap_take_block((uintptr_t)address, is_given, &block)) {
        if (is_newest && hcct_heap_sample_position() == hcct_heap_newest.position)
            count(block.context, HCCT_HEAP_TEMPORARY, block.bytes);
        end_block((uintptr_t)address, block);
    }
    hcct_heap_section_leave();
    errno = saved;
}

void hcct_heap_freed_anyhow(void *address)
{
    freed(address, false);
}

void hcct_heap_freed(void *address)
{
    if (!hcct_heap_freed_quickly(address))
        hcct_heap_freed_anyhow(address);
}

void hcct_heap_taken_back(void *address)
{
    /* what was noted is not in the tables yet */
    if (hcct_heap_makes_notes() || __atomic_load_n(&hcct_heap_over_count, __ATOMIC_RELAXED))
        freed(address, true);
    else
        hcct_heap_freed(address);
}

/* --- for resize.c and meter.c ---------------------------------------------------------------------- */

bool hcct_heap_end_to_resize(uintptr_t address)
{
    return hcct_heap_makes_notes() && end_by_note(address, false, HCCT_HEAP_ENDS_TO_RESIZE);
}

void hcct_heap_end_block(uintptr_t address, struct hcct_heap_block block)
{
    end_block(address, block);
}

void hcct_heap_count_if_temporary(uintptr_t address, struct hcct_heap_block block)
{
    if (hcct_heap_newest.block != -address || hcct_heap_sample_position() != hcct_heap_newest.position)
        return;
    hcct_heap_newest.block = 0;
    count(block.context, HCCT_HEAP_TEMPORARY, block.bytes);
}

void hcct_heap_allocated_anew(void *address, uint64_t bytes, const void *caller, struct hcct_here here,
                              bool is_resized)
{
    allocated((uintptr_t)address, bytes, caller, here, is_resized);
}

void hcct_heap_forget_newest(void)
{
    hcct_heap_newest.block = 0;
}
