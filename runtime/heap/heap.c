/* See heap.h.
 *
 * A call is recorded under the table lock, or without it while the process has one thread. So the order of
 * all changes is known, and the peak is exact. The allocator runs without the lock.
 *
 * The core's tables get the bytes of each context when they are read (flush): exactly, or by Space Saving.
 * All other values are in contexts.h, and are exact for every context that is kept there. With mode=cct every
 * context is kept. With mode=hcct the table has room for a quarter more contexts than the summary has
 * counters. When it is full, the contexts are dropped that the summary does not monitor. Their values go to
 * context 0, and their blocks become blocks of context 0. A context that comes again begins with zeros. So
 * for each value: a context that has v had between v and v + r, where r is the value of context 0.
 * Cost: a note, or a push and a pop, a look-up of the context, and of the block when it begins and ends. A
 * new context also gets its chain, a node per push. */
#include "runtime/heap/heap.h"

#include <errno.h>
#include <string.h>

#include "encoding/context.h"
#include "runtime/base/memory.h"
#include "runtime/core/notice.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/heap/calls/redirect.h"
#include "runtime/heap/contexts.h"
#include "runtime/heap/curve.h"
#include "runtime/heap/given.h"
#include "runtime/heap/hooks.h"
#include "runtime/heap/mapped/ranges.h"
#include "runtime/heap/sample.h"
#include "runtime/heap/scan.h"
#include "runtime/objects/leaf.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/walk.h"

/* With mode=cct. */
enum { CONTEXT_LIMIT = (1 << 24) - 1 };

static bool is_on;
/* How many blocks or mappings are out of the tables while the allocator or the system changes them. They have
 * numbers of contexts, so no context may get another number. An era ends when all is forgotten. */
static uint32_t in_flight, era;
static bool any_inner; /* some context's blocks do not count (given.h) */
/* How many contexts were to be kept and found no room, since contexts were dropped last. */
static uint32_t waiting;
/* The address of the calling thread's last block, if it has allocated none since, inverted: so it is no
 * pointer to the block (scan.h). 0: none. */
static _Thread_local uintptr_t newest_block;
/* hcct_heap_left at that time: an allocation since has changed it. */
static _Thread_local uint64_t newest_left;

/* --- the context --------------------------------------------------------------------------------- */

struct site {
    uint64_t key;
    const struct hcct_frame *frame; /* NULL: not known */
    struct hcct_leaf *leaf;         /* of code that no instrumented code called; else NULL */
    bool is_function;               /* the function's own context, and not that of its call */
};

/* The context of the call that left instrumented code. */
static __attribute__((noinline)) struct site find_site(const void *caller)
{
    const struct hcct_frame *frame =
        hcct_walk_newest(__hcct_thread.top, (uintptr_t)__builtin_frame_address(0));
    if (!frame)
        return (struct site){ .key = HCCT_WORD_TAIL };
    if (!hcct_frame_is_root(frame) || hcct_frame_signal(frame))
        return (struct site){ .key = frame->prefix, .frame = frame };
    struct hcct_leaf *leaf = hcct_leaf_at((uintptr_t)caller);
    return (struct site){ .key = hcct_context_leaf(frame->prefix, leaf->site), .frame = frame, .leaf = leaf };
}

/* Its key; 0 if that has to be found. Usually the call is noted, or its frame is the newest one. */
static inline __attribute__((always_inline)) uint64_t newest_key(void)
{
    if (__hcct_thread.noted_site)
        return hcct_context_push(__hcct_thread.noted_word, __hcct_thread.noted_site->id);
    const struct hcct_frame *top = __hcct_thread.top;
    return top->site && top->sp > (uintptr_t)__builtin_frame_address(0) ? top->prefix : 0;
}

static hcct_node intern(const struct site *site, struct hcct_block *block)
{
    if (!site->frame)
        return hcct_prefix_unknown(site->key);
    hcct_node node = hcct_prefix_intern(site->frame, block->pending, hcct_block_pending_room(block));
    if (!node || !site->leaf)
        return node;
    site->leaf->is_used = true;
    return hcct_prefix_leaf(node, site->frame->prefix, site->leaf->site);
}

static void drop(uint64_t bytes, uint64_t *counter)
{
    __atomic_fetch_add(counter, bytes, __ATOMIC_RELAXED);
}

/* Nonzero while the process has one thread, as far as the C library made them (glibc 2.32). It does not
 * change between enter and leave, where the only thread is in the profiler. */
extern const char __libc_single_threaded __attribute__((weak));
static inline __attribute__((always_inline)) bool is_alone(void)
{
    return &__libc_single_threaded && __libc_single_threaded;
}

/* Returns whether nobody else changes the tables now: this thread has the lock, or is the only one. */
static inline __attribute__((always_inline)) bool enter(void)
{
    if (__builtin_expect(!is_on || hcct_busy, 0))
        return false;
    hcct_busy_probe();
    hcct_busy_enter_probed();
    if (is_alone())
        hcct_notice();
    else
        hcct_tables_lock();
    return true;
}

static inline __attribute__((always_inline)) void leave(void)
{
    if (!is_alone())
        hcct_tables_unlock();
    hcct_busy_leave();
}

/* --- contexts that are not kept ------------------------------------------------------------------ */

static void tell(uint32_t number)
{
    struct hcct_heap_context *context = hcct_heap_context_at(number);
    uint64_t bytes = context->allocated_bytes - context->told_bytes;
    /* One that has only blocks of no bytes is told, too, where that makes an entry (mode=cct). */
    if (!number || context->is_inner || (!bytes && (hcct_tables.summary || context->allocated_bytes)))
        return;
    hcct_prefix_retain(context->node);
    hcct_count_add(context->key, bytes, context->node);
    context->told_bytes = context->allocated_bytes;
}

static void flush(void)
{
    hcct_memory_give_spare();
    for (uint32_t i = 1; is_on && i < hcct_heap_contexts_count(); i++)
        tell(i);
}

/* Drops the contexts that the summary does not monitor. */
static void drop_cold(void)
{
    uint32_t count = hcct_heap_contexts_count();
    flush();
    bool *stays = hcct_memory_map(count * sizeof *stays);
    uint32_t *to = hcct_memory_map(count * sizeof *to);
    const struct hcct_algorithm *algorithm = hcct_tables.algorithm;
    for (uint32_t i = 0; stays && i < algorithm->size(hcct_tables.summary); i++)
        stays[hcct_heap_contexts_find(algorithm->entry(hcct_tables.summary, i).key)] = true;
    if (stays && to) {
        hcct_heap_contexts_keep(stays, to);
        hcct_heap_blocks_move(to);
        hcct_heap_ranges_move(to);
    }
    hcct_memory_unmap(stays, count * sizeof *stays);
    hcct_memory_unmap(to, count * sizeof *to);
}

/* There is no room for a new context. Its bytes go to the summary at once. Returns whether it is to be kept
 * from now on: it is certain then that it has more bytes than any context that the summary lacks. */
static bool add_cold(const struct site *site, uint64_t bytes)
{
    const struct hcct_algorithm *algorithm = hcct_tables.algorithm;
    uint32_t place = hcct_count_add(site->key, bytes, 0);
    if (place == HCCT_NO_PLACE)
        return false;
    struct hcct_entry entry = algorithm->entry(hcct_tables.summary, place);
    return entry.count - entry.error > algorithm->floor(hcct_tables.summary);
}

/* A context that is not kept allocates so many bytes. Returns its number, if it is kept from now on;
 * otherwise 0: the block is context 0's. */
static uint32_t add_context(const struct site *site, struct hcct_block *block, uint64_t bytes)
{
    bool is_full = hcct_tables.summary && hcct_heap_contexts_are_full();
    if (is_full) {
        if (!add_cold(site, bytes) || ++waiting < hcct_options.capacity / 4 || in_flight)
            return 0;
        waiting = 0;
        drop_cold();
    }
    hcct_node node = block ? intern(site, block) : 0;
    uint32_t context = node ? hcct_heap_contexts_add(site->key, node) : 0;
    if (!context && !is_full)
        drop(bytes, &hcct_tables.dropped_memory);
    if (context && is_full)
        hcct_heap_context_at(context)->told_bytes = bytes;
    return context;
}

/* Whether what is allocated there is part of what a function of the program gives out. While busy. */
static bool is_inner_site(const struct site *site)
{
    hcct_busy_enter();
    bool is = site->frame && !site->leaf &&
              hcct_heap_is_inner((struct hcct_here){ site->key, site->frame }, site->is_function);
    hcct_busy_leave();
    return is;
}

/* As add_context, for a context whose blocks do not count. */
static uint32_t add_inner(const struct site *site, struct hcct_block *block)
{
    bool is_full = hcct_tables.summary && hcct_heap_contexts_are_full();
    hcct_node node = block && !is_full ? intern(site, block) : 0;
    uint32_t context = node ? hcct_heap_contexts_add(site->key, node) : 0;
    any_inner = true;
    if (!context)
        return HCCT_HEAP_NOT_COUNTED;
    hcct_heap_context_at(context)->is_inner = true;
    return context;
}

/* As add_context, for a context that was not found. The thread may need its struct hcct_block first, which is
 * made without the table lock. Another thread may add the context meanwhile. */
static __attribute__((noinline)) uint32_t meet(const struct site *site, uint64_t bytes)
{
    leave();
    struct hcct_block *block = hcct_block_self();
    bool is_inner = is_inner_site(site);
    enter();
    uint32_t context = hcct_heap_contexts_find(site->key);
    if (!hcct_tables.running || context)
        return context;
    if (is_inner)
        return add_inner(site, block);
    if (!site->frame)
        hcct_tables.stale += bytes;
    return add_context(site, block, bytes);
}

/* --- blocks -------------------------------------------------------------------------------------- */

/* With heap_sample, how a block's weight is rounded is kept in a bit of its size. */
#define UP_BIT 47
#define BYTES_LIMIT (UINT64_C(1) << UP_BIT)

static struct hcct_heap_weight weigh(uint64_t bytes)
{
    if (!hcct_options.heap_sample)
        return (struct hcct_heap_weight){ bytes, 1, 0, 0 };
    return hcct_heap_sample_weigh(bytes & (BYTES_LIMIT - 1), hcct_options.heap_sample, bytes >> UP_BIT & 1);
}

static __attribute__((noinline)) void count(uint32_t context, enum hcct_heap_value value, uint64_t bytes)
{
    hcct_heap_context_count(context, value, weigh(bytes));
}

static __attribute__((noinline)) void end_sample(uintptr_t address, struct hcct_heap_block block)
{
    hcct_heap_filter_remove(address);
    hcct_heap_context_lose_sample(block.context, weigh(block.bytes));
}

static inline __attribute__((always_inline)) void end_block(uintptr_t address, struct hcct_heap_block block)
{
    if (__builtin_expect(hcct_options.heap_sample != 0, 0))
        end_sample(address, block);
    else
        hcct_heap_context_lose(block.context, block.bytes);
}

/* Rare cases of begin_block. Returns whether the block is new now, and counts. */
static __attribute__((noinline)) bool begin_anyhow(enum hcct_heap_put put, uintptr_t address,
                                                   struct hcct_heap_block block)
{
    if (put == HCCT_HEAP_NO_MEMORY) { /* its end could not be seen: so nothing of it counts */
        drop(weigh(block.bytes).bytes, &hcct_tables.dropped_memory);
        return false;
    }
    end_block(address, hcct_heap_blocks_replace(address, block)); /* whose end was not seen */
    return true;
}

static __attribute__((noinline)) void begin_sample(uintptr_t address, uint64_t bytes, uint32_t context)
{
    hcct_heap_filter_add(address);
    hcct_heap_context_gain_sample(context, bytes & (BYTES_LIMIT - 1), weigh(bytes));
}

static inline __attribute__((always_inline)) void
begin_block(uintptr_t address, uint64_t hash, uint64_t bytes, uint32_t context, bool is_resized)
{
    struct hcct_heap_block block = { bytes, context };
    enum hcct_heap_put put = HCCT_HEAP_NO_MEMORY;
    newest_block = ~address;
    newest_left = hcct_heap_left;
    if (__builtin_expect(!((address | bytes) >> 48), 1))
        put = hcct_heap_blocks_put(address, hash, block);
    if (__builtin_expect(put != HCCT_HEAP_ADDED, 0) && !begin_anyhow(put, address, block))
        return;
    if (__builtin_expect(hcct_options.heap_sample != 0, 0))
        begin_sample(address, bytes, context);
    else
        hcct_heap_context_gain(context, bytes);
    if (is_resized)
        count(context, HCCT_HEAP_RESIZED, bytes);
}

/* The block is sampled: keeps how its weight is rounded. Returns what it stands for. */
static __attribute__((noinline)) uint64_t round_weight(uint64_t *bytes)
{
    if (*bytes < BYTES_LIMIT && hcct_heap_sample_round(*bytes, hcct_options.heap_sample))
        *bytes |= BYTES_LIMIT;
    return weigh(*bytes).bytes;
}

static struct site site_of(struct hcct_here here)
{
    return here.word ? (struct site){ .key = here.word, .frame = here.frame, .is_function = true }
                     : (struct site){ .key = HCCT_WORD_TAIL };
}

static inline __attribute__((always_inline)) bool counts(uint32_t context)
{
    return !__builtin_expect(any_inner, 0) ||
           (context != HCCT_HEAP_NOT_COUNTED && !hcct_heap_context_at(context)->is_inner);
}

/* The context of a block, in the rare case that its key is not the newest frame's, or is not known. */
static __attribute__((noinline)) uint32_t find_context(const void *caller, struct hcct_here here,
                                                       uint64_t all)
{
    struct site site = caller ? find_site(caller) : site_of(here);
    uint32_t context = hcct_heap_contexts_find(site.key);
    return context || !hcct_tables.running ? context : meet(&site, all);
}

static void record_noted(uintptr_t, uint64_t bytes, uint64_t all, const void *caller, bool is_resized);

/* `all`: the bytes that the block stands for. */
static inline __attribute__((always_inline)) void record(uintptr_t address, uint64_t bytes, uint64_t all,
                                                         const void *caller, struct hcct_here here,
                                                         bool is_resized)
{
    uint64_t hash = hcct_heap_blocks_hash(address);
    hcct_heap_blocks_prefetch(hash);
    if (__builtin_expect(hcct_options.heap_scan, 0) && !hcct_busy && !hcct_block_outermost())
        hcct_block_self(); /* by its block a thread's stack is found, also if it runs no instrumented code */
    if (!enter()) {
        if (is_on)
            drop(all, &hcct_tables.dropped_interrupted);
        return;
    }
    uint64_t key = caller ? newest_key() : here.word;
    uint32_t context = key ? hcct_heap_contexts_find(key) : 0;
    if (__builtin_expect(!context, 0)) {
        if (caller && __hcct_thread.noted_site) {
            leave();
            record_noted(address, bytes, all, caller, is_resized);
            return;
        }
        context = find_context(caller, here, all);
    }
    if (hcct_tables.running && counts(context))
        begin_block(address, hash, bytes, context, is_resized);
    leave();
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
    if (__builtin_expect(hcct_options.heap_sample != 0, 0)) {
        sampled(address, bytes, caller, here, is_resized);
        return;
    }
    if (address)
        record(address, bytes, bytes, caller, here, is_resized);
}

/* A program that waits most of the time has few ticks. */
static void look(void)
{
    if (__builtin_expect(hcct_meter_look != NULL, 0) && is_on && !hcct_busy)
        hcct_meter_look();
}

void hcct_heap_allocated(void *address, uint64_t bytes, const void *caller)
{
    int saved = errno;
    allocated((uintptr_t)address, bytes, caller, (struct hcct_here){ 0 }, false);
    look();
    errno = saved;
}

void hcct_heap_allocated_here(struct hcct_here here, void *address, uint64_t bytes)
{
    int saved = errno;
    if (address && !hcct_heap_sample_passes(bytes))
        allocated((uintptr_t)address, bytes, NULL, here, false);
    errno = saved;
}

void hcct_heap_freed(void *address)
{
    struct hcct_heap_block block;
    if (!address)
        return;
    int saved = errno;
    uint64_t hash = hcct_heap_blocks_hash((uintptr_t)address);
    hcct_heap_blocks_prefetch(hash);
    if (!enter())
        return; /* nothing has changed errno */
    if (hcct_heap_blocks_take((uintptr_t)address, hash, &block)) {
        if (~(uintptr_t)address == newest_block && hcct_heap_left == newest_left)
            count(block.context, HCCT_HEAP_TEMPORARY, block.bytes);
        end_block((uintptr_t)address, block);
    }
    leave();
    errno = saved;
}

/* --- for resize.c and mapped.c ------------------------------------------------------------------- */

void hcct_heap_end_block(uintptr_t address, struct hcct_heap_block block)
{
    end_block(address, block);
}

void hcct_heap_allocated_anew(void *address, uint64_t bytes, const void *caller, struct hcct_here here,
                              bool is_resized)
{
    allocated((uintptr_t)address, bytes, caller, here, is_resized);
}

bool hcct_heap_enter(void)
{
    return enter();
}

void hcct_heap_leave(void)
{
    leave();
}

uint32_t hcct_heap_call_context(const void *caller, uint64_t bytes)
{
    struct site site = find_site(caller);
    uint32_t context = hcct_heap_contexts_find(site.key);
    if (!context && hcct_tables.running)
        context = meet(&site, bytes);
    return hcct_tables.running && counts(context) ? context : HCCT_HEAP_NOT_COUNTED;
}

uint32_t hcct_heap_hold_contexts(void)
{
    in_flight++;
    return era;
}

bool hcct_heap_let_contexts_go(uint32_t of)
{
    in_flight -= of == era;
    return of == era;
}

static void end_era(void)
{
    in_flight = 0;
    era++;
}

/* --- the meter ----------------------------------------------------------------------------------- */

static bool is_chosen(void)
{
    return hcct_options.metric == HCCT_METRIC_HEAP;
}

static bool start(struct hcct_ticks *ticks)
{
    (void)ticks;
    bool bounded = hcct_options.mode == HCCT_MODE_HCCT;
    if (!hcct_heap_contexts_start(bounded ? hcct_options.capacity / 4 * 5 + 1 : CONTEXT_LIMIT,
                                  hcct_options.heap_sample)) {
        HCCT_SAY(1, hcct_meter->name, "out of memory: nothing is counted");
        return false;
    }
    hcct_memory_keep_spare();
    is_on = true;
    is_on = hcct_heap_hooks_start();
    __hcct_heap_is_on = is_on;
    hcct_block_is_needed = hcct_block_is_needed || (is_on && hcct_options.heap_scan);
    return is_on;
}

static void reset(void)
{
    if (!is_on)
        return;
    hcct_heap_contexts_clear(true);
    hcct_heap_blocks_clear();
    hcct_heap_ranges_clear();
    hcct_heap_filter_clear();
    end_era();
    newest_block = 0;
}

static void abandon(void)
{
    if (!is_on)
        return;
    hcct_heap_contexts_clear(false);
    hcct_heap_blocks_abandon();
    hcct_heap_ranges_abandon();
    hcct_heap_filter_clear();
    end_era();
}

static struct hcct_file_heap values_of(uint64_t key)
{
    uint32_t context = is_on ? hcct_heap_contexts_find(key) : 0;
    return context ? hcct_heap_context_values(context) : (struct hcct_file_heap){ 0 };
}

/* The first of all values that a file gets. */
static struct hcct_file_heap total(void)
{
    if (!is_on)
        return (struct hcct_file_heap){ 0 };
    bool scanned = hcct_options.heap_scan && hcct_heap_scan(hcct_heap_hooks_allocator());
    struct hcct_file_heap total = hcct_heap_contexts_total();
    total.profiles = 1;
    total.scanned = scanned;
    return total;
}

static bool start_trials(void)
{
    if (is_on && hcct_options.heap_sample)
        hcct_heap_contexts_start_trials();
    return is_on && hcct_options.heap_sample;
}

static bool was_sampled(void)
{
    return hcct_options.heap_sample != 0;
}

static const struct hcct_meter_values values = {
    .of = values_of,
    .total = total,
    .start_trials = start_trials,
    .trials = hcct_heap_contexts_trials,
    .rest_trials = hcct_heap_contexts_rest_trials,
    .points = hcct_heap_contexts_points,
    .point = hcct_heap_curve_point,
    .at = hcct_heap_contexts_at_point,
};

const struct hcct_meter hcct_meter_heap = {
    .name = "metric=heap: ",
    .is_chosen = is_chosen,
    .slots = HCCT_SLOTS_HOLD_NOTHING,
    .library_calls_push = true,
    .start = start,
    .flush = flush,
    .reset = reset,
    .abandon = abandon,
    .objects_changed = hcct_redirect_look,
    .was_sampled = was_sampled,
    .values = &values,
    .leaf = hcct_leaf_path,
};
