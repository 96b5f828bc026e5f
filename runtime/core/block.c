/* See block.h. Usually a thread takes a block at its first miss or push, and gives it to the next thread
 * when it ends.
 *
 * The end of a thread is not simple, as destructors of its thread-local data still call the program's code.
 * pthread runs destructors in PTHREAD_DESTRUCTOR_ITERATIONS rounds. Ours is the first of each round, because
 * our key is the first that is made, and it asks for the next round. In the last round it gives the block
 * back. Two cases differ:
 *   1. a program that wants all keys gets ours too (boundary/limits.c);
 *   2. code that runs after the last round takes a new block, which nobody gives back.
 * Threads: both kinds of blocks are found by their dead thread. The search runs when there are twice as many
 * blocks as were left after the last search. */
#define _GNU_SOURCE
#include "runtime/core/block.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/parts.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"

/* For a thread that has no block: every key misses, in as many slots as slot_mask may stand for, since other
 * threads change `slots` alone. Never written. NULL: there was no memory for it. */
static struct hcct_slot *none;

/* The same, of one slot, for a thread that has just begun. */
static struct {
    _Alignas(uint64_t) char before[HCCT_BEFORE_SLOTS];
    struct hcct_slot slots[1];
} at_first;

_Alignas(HCCT_STACK_PAGE_BYTES) struct hcct_frame
    hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)] = {
        [HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) - 1] = { .sp = UINTPTR_MAX },
    };

_Thread_local struct hcct_thread __hcct_thread = {
    .ctx = HCCT_WORD_NONE,
    .top = HCCT_ROOT_FRAME,
    .slots = at_first.slots,
};

static _Thread_local struct {
    struct hcct_block *block;
    bool is_foreign; /* hcct_block_begin_foreign: it gets no block */
    int exit_rounds; /* rounds of destructors so far */
} own;
bool hcct_block_is_needed;
_Thread_local volatile uint32_t hcct_in_handler;
static struct hcct_block *blocks; /* under the table lock */
static pthread_key_t exit_key;
static bool exit_key_made;
static size_t block_count, free_count,
    reap_count = 64; /* block_count at which dead threads are searched for. All three under the table lock */

/* The round in which the block is given back: usually the last. ThreadSanitizer has forgotten the thread by
 * then, so with it the one before. */
#if __has_feature(thread_sanitizer)
#define EXIT_ROUNDS (PTHREAD_DESTRUCTOR_ITERATIONS - 1)
#else
#define EXIT_ROUNDS PTHREAD_DESTRUCTOR_ITERATIONS
#endif

/* The number of free blocks that keep their pages for the next threads. */
#define FREE_KEPT 16
/* The part of a context stack that keeps its pages for the next thread. */
#define STACK_KEPT_BYTES (64 * 1024)

/* Gives pages back to the system. They read as zero afterwards. */
static void forget(void *memory, size_t bytes)
{
    int saved = errno;
    hcct_pages_advise(memory, bytes, MADV_DONTNEED);
    errno = saved;
}

/* The memory between stack and scratch is not touched: hcct_stack_shrink may have unmapped it, and the
 * program may use it now. */
static void forget_stack(const struct hcct_stack_memory *stack)
{
    const size_t bytes = stack->count * sizeof *stack->frames,
                 scratch = stack->count * sizeof *stack->pending;
    if (bytes > STACK_KEPT_BYTES)
        forget((char *)stack->frames + STACK_KEPT_BYTES, bytes - STACK_KEPT_BYTES);
    if (scratch > HCCT_STACK_PAGE_BYTES)
        forget((char *)stack->pending + HCCT_STACK_PAGE_BYTES, scratch - HCCT_STACK_PAGE_BYTES);
}

static void release(struct hcct_block *block)
{
    hcct_count_hooks.end(block, ++free_count <= FREE_KEPT);
    forget_stack(&block->stack);
    block->outer = NULL;
    block->ended_words = (uintptr_t)block->words;
    block->words = NULL;
    block->in_use = false;
}

/* Releases a thread's block and the blocks of its handler levels. */
static void release_levels(struct hcct_block *block)
{
    hcct_thread_hooks.end(block);
    for (struct hcct_block *inner; block; block = inner) {
        inner = block->inner;
        if (block->outer) /* only the outermost level owns the context stack */
            block->stack = (struct hcct_stack_memory){ 0 };
        block->inner = NULL;
        release(block);
    }
}

bool hcct_block_counts(void)
{
    return none && __atomic_load_n(&hcct_tables.running, __ATOMIC_SEQ_CST) &&
           hcct_meter->calls.program >= HCCT_CALLS_MISS && !hcct_meter_pauses;
}

static void store_slots(struct hcct_thread *words, struct hcct_slot *slots)
{
    __atomic_store_n(&words->slots, slots, __ATOMIC_SEQ_CST);
}

/* Makes instrumented code count in `block`, or miss every time, or not count (NULL).
 *
 * Another thread or a handler may change the answer of hcct_block_counts while this runs. It then also
 * stores to `slots`, and this function may overwrite that store. So it checks the answer again afterwards.
 * The SEQ_CST accesses pair with those in hcct_count_set_running and hcct_block_choose_slots_everywhere:
 * one of the two sides sees the other's store. */
static void use_slots(struct hcct_block *block)
{
    bool chosen, all_miss = hcct_meter->calls.program == HCCT_CALLS_MISS;
    do {
        chosen = hcct_block_counts();
        store_slots(&__hcct_thread, none); /* the mask may grow: a handler may come between the stores */
        __atomic_store_n(&__hcct_thread.slot_mask, block->last_slot * sizeof(struct hcct_slot),
                         __ATOMIC_RELAXED);
        store_slots(&__hcct_thread, !chosen ? NULL : all_miss ? none : block->slots);
        hcct_meter_use_block(block);
        atomic_thread_fence(memory_order_seq_cst);
    } while (chosen != hcct_block_counts());
}

void hcct_block_choose_slots(void)
{
    if (own.block)
        use_slots(own.block);
}

void hcct_block_miss_next(void)
{
    store_slots(&__hcct_thread, none);
}

/* Makes pthread call `leave` for the block when the thread ends. It takes the table lock, which keeps the
 * key ours meanwhile. */
static bool set_at_end(struct hcct_block *block)
{
    hcct_busy_enter();
    hcct_tables_lock();
    bool set = exit_key_made && pthread_setspecific(exit_key, block) == 0;
    hcct_tables_unlock();
    hcct_busy_leave();
    return set;
}

bool hcct_block_give_up_key(void)
{
    hcct_busy_enter();
    hcct_tables_lock();
    bool made = exit_key_made;
    exit_key_made = false;
    if (made)
        pthread_key_delete(exit_key);
    for (struct hcct_block *block = blocks; block; block = block->next)
        block->words = NULL;
    hcct_tables_unlock();
    hcct_busy_leave();
    return made;
}

/* Called by pthread at the end of the thread. No function of the program is active. Frames that are still on
 * the context stack were left by pthread_exit. */
static void leave(void *value)
{
    struct hcct_block *block = value;
    if (hcct_confined)
        return;
    hcct_busy.depth = 0; /* the thread may have been cancelled between two instructions of hcct_busy_enter */
    hcct_notice();
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    hcct_busy_enter();
    while (own.block && own.block->outer) /* the thread was ended by its signal handler */
        hcct_block_leave_level();
    hcct_in_handler = 0;
    __hcct_thread.top = HCCT_ROOT_FRAME;
    __hcct_thread.clock = (struct hcct_clock){ 0 };
    if (hcct_threads_are_split()) {
        hcct_block_miss_next();
        if (!own.exit_rounds) {
            hcct_tables_lock();
            hcct_threads_read_name(block);
            hcct_tables_unlock();
        }
    }
    if (++own.exit_rounds < EXIT_ROUNDS && set_at_end(block)) {
        hcct_busy_leave();
        return;
    }
    store_slots(&__hcct_thread, none);
    hcct_meter_use_block(NULL);
    own.block = NULL;
    hcct_tables_lock();
    release_levels(block);
    hcct_tables_unlock();
    hcct_busy_leave();
}

void hcct_block_abandon(void)
{
    hcct_busy.faulted = false;
    bool had_part = hcct_parts_let_go(), was_alone = hcct_busy_end_alone();
    if (hcct_tables_is_held() || had_part || was_alone) {
        __atomic_fetch_add(&hcct_tables.dropped_interrupted, 1, __ATOMIC_RELAXED);
        hcct_tables.given_up = true;
        __atomic_store_n(&hcct_tables.running, 0, __ATOMIC_SEQ_CST);
        hcct_block_choose_slots_everywhere();
    }
    if (hcct_tables_is_held())
        hcct_tables_unlock();
    hcct_busy.depth = 1;
    hcct_busy_leave();
}

/* The C library's own name: the other one is the program's, or boundary/limits.c's. */
extern int __pthread_key_create(pthread_key_t *, void (*)(void *));

bool hcct_block_may_count(void)
{
    return none;
}

void hcct_block_start(void)
{
    char *memory = hcct_memory_reserve(HCCT_BEFORE_SLOTS + HCCT_MORE_SLOTS * sizeof *none);
    none = memory ? (struct hcct_slot *)(void *)(memory + HCCT_BEFORE_SLOTS) : NULL;
    hcct_busy_start();
    exit_key_made = __pthread_key_create(&exit_key, leave) == 0;
}

static bool is_dead(pid_t process, pid_t thread)
{
    return syscall(SYS_tgkill, process, thread, 0) != 0 && errno == ESRCH;
}

/* Under the table lock. */
static void reap(void)
{
    int saved = errno;
    size_t left = 0;
    pid_t process = hcct_process_id();
    for (struct hcct_block *block = blocks; block; block = block->next)
        if (block->in_use && !block->outer && is_dead(process, block->thread))
            release_levels(block);
    for (struct hcct_block *block = blocks; block; block = block->next)
        left += block->in_use;
    reap_count = 2 * left + 64;
    errno = saved;
}

/* Gives every thread slots in which each key misses. So its next call misses, and chooses its slots again. A
 * thread that ended without pthread's knowledge is left out, as its words may be gone. */
void hcct_block_choose_slots_everywhere(void)
{
    int saved = errno;
    pid_t process = hcct_process_id();
    for (struct hcct_block *block = blocks; block; block = block->next)
        if (block->words && !is_dead(process, block->thread))
            store_slots(block->words, none);
    errno = saved;
}

static struct hcct_block *take_block(void)
{
    hcct_tables_lock();
    if (!free_count && block_count >= reap_count)
        reap();
    struct hcct_block *block = blocks;
    while (free_count && block->in_use)
        block = block->next;
    if (free_count) {
        free_count--;
    } else if ((block = hcct_memory_reserve(hcct_count_hooks.block_bytes + hcct_meter_thread_bytes()))) {
        hcct_count_hooks.make(block, own.block != NULL);
        block->next = blocks;
        blocks = block;
        block_count++;
    }
    if (block) {
        block->in_use = true;
        hcct_count_hooks.begin(block, own.block);
        block->thread = (pid_t)syscall(SYS_gettid);
        block->words = exit_key_made && own.exit_rounds < EXIT_ROUNDS ? &__hcct_thread : NULL;
    }
    hcct_tables_unlock();
    return block;
}

static void attach(void)
{
    if (own.is_foreign)
        return;
    if (hcct_confined) {
        store_slots(&__hcct_thread, NULL);
        return;
    }
    hcct_busy_enter();
    struct hcct_block *block = own.block ? NULL : take_block();
    if (block) {
        own.block = block;
        block->number = hcct_threads_add();
        use_slots(block);
        set_at_end(block);
        hcct_thread_hooks.begin(block);
    }
    hcct_busy_leave();
}

/* Where a thread-local variable of this thread is in another one. */
#define THERE(variable, pointer)                                                                             \
    ((__typeof__(variable) *)((pointer) + ((uintptr_t)&(variable) - hcct_machine_thread_pointer())))

void hcct_block_begin_foreign(uintptr_t pointer)
{
    static const struct hcct_thread nothing;
    struct hcct_thread *words = THERE(__hcct_thread, pointer);
    volatile uint8_t *held = THERE(hcct_parts_held, pointer);
    bool *foreign = THERE(own.is_foreign, pointer);
    if (!hcct_machine_is_thread_pointer(pointer) || memcmp(words, &nothing, sizeof nothing) || *held ||
        *foreign)
        return;
    *words = (struct hcct_thread){ .ctx = HCCT_WORD_NONE, .top = HCCT_ROOT_FRAME, .slots = at_first.slots };
    *held = HCCT_PARTS_NONE;
    *foreign = true;
}

struct hcct_block *hcct_block_self(void)
{
    if (__builtin_expect(!own.block, 0))
        attach();
    return own.block;
}

struct hcct_block *hcct_block_current(void)
{
    return own.block;
}

struct hcct_block *hcct_block_outermost(void)
{
    struct hcct_block *block = own.block;
    while (block && block->outer)
        block = block->outer;
    return block;
}

bool hcct_block_enter_level(struct hcct_level level)
{
    struct hcct_block *outer = hcct_block_self();
    if (!outer || hcct_confined)
        return false;
    hcct_busy_enter();
    struct hcct_block *inner = outer->inner ? outer->inner : take_block();
    if (inner) {
        /* pairs with the loads in meter/burst.c, in other threads */
        __atomic_store_n(&outer->inner, inner, __ATOMIC_RELEASE);
        __atomic_store_n(&inner->outer, outer, __ATOMIC_RELAXED); /* as above */
        inner->stack = outer->stack;
        inner->level = level;
        own.block = inner;
        use_slots(inner);
    }
    hcct_busy_leave();
    return inner != NULL;
}

void hcct_block_leave_level(void)
{
    struct hcct_block *inner = own.block, *outer = inner ? inner->outer : NULL;
    if (!outer)
        return;
    hcct_meter_switch_to(inner->level.clock);
    __hcct_thread.top = inner->level.top;
    own.block = outer;
    use_slots(outer);
    /* now, as the handler of a signal that comes here takes `inner` again, with the stack of its outer one */
    __atomic_store_n(&inner->outer, NULL, __ATOMIC_RELAXED);
    inner->stack = (struct hcct_stack_memory){ 0 };
}

void hcct_block_park(struct hcct_parked *parked)
{
    struct hcct_block *outer = parked->outer = hcct_in_handler && own.block ? own.block->outer : NULL;
    if (!outer)
        return;
    parked->level = own.block->level;
    parked->handlers = hcct_in_handler;
    hcct_in_handler = 0;
    outer->inner = own.block->outer = NULL;
    for (; outer; outer = outer->outer) {
        outer->stack = (struct hcct_stack_memory){ 0 }; /* the level that runs on keeps it */
        outer->thread = 0;                              /* no thread's: nothing looks for a dead thread */
        outer->words = NULL;
    }
    set_at_end(own.block);
}

void hcct_block_unpark(const struct hcct_parked *parked)
{
    struct hcct_block *inner = parked->outer ? hcct_block_self() : NULL, *outer = parked->outer;
    if (!inner)
        return;
    inner->outer = outer;
    inner->level = parked->level;
    outer->inner = inner;
    hcct_in_handler = parked->handlers;
    for (;; outer = outer->outer) {
        outer->stack = inner->stack;
        outer->thread = inner->thread;
        outer->words = inner->words;
        if (!outer->outer)
            break;
    }
    set_at_end(outer);
}

struct hcct_block *hcct_block_first(void)
{
    return blocks;
}

size_t hcct_block_used(void)
{
    return block_count - free_count;
}

/* Whether it is this thread's: its own, that of a handler which runs, or that of an earlier handler, which
 * the next one takes. Or no thread's: its level waits while a handler is on another stack
 * (hcct_block_park). */
static bool is_own(const struct hcct_block *block)
{
    const struct hcct_block *level = hcct_block_outermost();
    while (level && level != block)
        level = level->inner;
    return level || !block->thread;
}

void hcct_block_after_fork(bool torn)
{
    for (struct hcct_block *block = blocks; block; block = block->next) {
        hcct_count_hooks.after_fork(block, torn);
        if (block->in_use && is_own(block)) {
            block->thread = block->thread ? (pid_t)syscall(SYS_gettid) : 0;
        } else if (block->in_use) {
            /* Of another thread, which the child has not. Its levels become free one by one, so none leads
             * to another; their context stack stays with the outermost. */
            if (block->outer)
                block->stack = (struct hcct_stack_memory){ 0 };
            block->inner = block->outer = NULL;
            block->in_use = false;
            block->words = NULL;
            free_count++;
        }
    }
}

size_t hcct_block_bytes(void)
{
    size_t bytes = 0;
    for (const struct hcct_block *block = blocks; block; block = block->next)
        bytes += hcct_count_hooks.bytes(block);
    return bytes;
}
