/* The thread block: what the profiler keeps for one thread of the program. It has the slots, what belongs to
 * each slot, the batch, and the context stack. A signal handler has a block of its own (a level).
 *
 * Invariants
 *   1. the keys of `slots` and all of `sides` change only under the table lock. `noted`, the counts of slots
 *      and the batch are written without it, by their own thread;
 *   2. side.drained <= slot.count: the part of the slot's count that the tables have already;
 *   3. a block with data is in the list of blocks. When its thread has ended, another thread may use it;
 *   4. a slot with a key is in a group that `filled` has a bit for.
 * Memory: one mapping of sizeof(struct hcct_block): 448 KB of slots and sides, 54 KB for misses. The
 * context stack is a reserved mapping. Only touched pages cost memory. */
#ifndef HCCT_RUNTIME_CORE_BLOCK_H
#define HCCT_RUNTIME_CORE_BLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hcct/abi.h"
#include "runtime/base/node.h"
#include "runtime/core/busy.h"
#include "runtime/core/hooks.h"

/* A tail call of a function with the same parameters. Pass the caller's own arguments, unchanged. A
 * preserve_most function restores every register that it has used before it jumps. These include argument
 * registers, so a changed argument would be lost. The gain: the usual path of the caller saves no registers
 * for its rare path. */
#define HCCT_GO_ON(call) __attribute__((musttail)) return call

/* The argument for an HCCT_FREE parameter. It has no value: whatever is in the register is passed on. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wuninitialized"
static inline __attribute__((always_inline)) struct hcct_free hcct_nothing(void)
{
    struct hcct_free nothing;
    return nothing;
}
#pragma clang diagnostic pop
#define HCCT_NOTHING_3 hcct_nothing(), hcct_nothing(), hcct_nothing()
#define HCCT_NOTHING_4 HCCT_NOTHING_3, hcct_nothing()

/* The frame at the bottom of every context stack, with prefix 0. */
extern struct hcct_frame hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)];
#define HCCT_ROOT_FRAME (&hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) - 1])

/* The data of the tables about slots[i]. Packed, because a thread has 65,536 of them. */
struct __attribute__((packed, aligned(4))) hcct_side {
    uint64_t drained;
    hcct_node node; /* of the slot's key, with a reference; 0: none */
};

/* The state of the code that a signal handler interrupted. */
struct hcct_level {
    struct hcct_frame *top;
    uintptr_t sp; /* of the handler's frame */
    uintptr_t alternate_start,
        /* the alternate stack that the handler runs on; both 0: the thread's own stack */
        alternate_end;
    struct hcct_clock clock; /* meter/clock.h */
};

/* The memory of a thread's context stack. All zero until the first push (stack/stack.c). */
struct hcct_stack_memory {
    struct hcct_frame *frames;         /* [count] */
    const struct hcct_frame **pending; /* [count]: scratch memory for a walk */
    uint32_t count;
};

/* Keys of weight 1 that wait for the summary. One page. */
#define HCCT_BATCH_KEYS 510
struct hcct_batch {
    uint64_t keys[HCCT_BATCH_KEYS];
    uint32_t count; /* written by the thread only; the first `drained` keys are in the summary already */
    uint32_t drained;
    uint32_t limit; /* newcomers are batched while count is below this; 0: never */
    /* monitored keys are batched while count is below this. One of the two is 0 */
    uint16_t found_limit;
    uint16_t in_place; /* calls are counted in the exact table without a lock, while there is one thread */
};
_Static_assert(sizeof(struct hcct_batch) == 4096, "what is wiped in a forked child is whole pages");

/* Neighbours among the slots that share a bit of `filled`: two cache lines. */
#define HCCT_SLOT_GROUP 8

/* What a thread begins with, if slots hold calls (count/grow.c). */
#define HCCT_FEW_SLOTS (HCCT_SLOTS / 8)

/* Functions with a place of their own, for their calls. The last one is that of all others. */
#define HCCT_FUNCTION_PLACES (1u << 18)
/* So many blocks know the functions of their slots: more would take more memory than a thread may. */
#define HCCT_FUNCTION_BLOCKS 16

/* Places for noted keys (count/slots.h). Their number does not grow with the slots, so a note keeps its
 * place. */
#define HCCT_NOTES HCCT_SLOTS

/* Each table has addresses for HCCT_MORE_SLOTS, of which the first are used: as many as count/grow.c says. */
struct hcct_block {
    struct hcct_block *next;        /* in the list of blocks */
    struct hcct_stack_memory stack; /* all levels of a thread that are in use share it */
    struct hcct_block *outer,
        /* outer: the level that a signal interrupted. inner: the level for handlers, kept for the next
         * one */
        *inner;
    struct hcct_level level; /* valid while outer is not NULL */
    pid_t thread;            /* the thread that uses the block, or used it last */
    /* the thread's words; NULL: it has none, or they may be gone before the block is given back */
    struct hcct_thread *words;
    uintptr_t ended_words; /* where those of the thread were that had the block last, and has ended; or 0 */
    uint32_t number;       /* of the thread, with threads=split (core/threads.h) */
    bool in_use;
    uint64_t weight; /* of one call in the slots and in the batch */
    /* calls that the tables got from slots and batch, without weights. Calls counted in place are not
     * included */
    uint64_t calls;
    uint64_t missed; /* the part of `calls` that missed */
    /* the summary's place for each key of the batch, as a hint: any number is allowed */
    uint32_t places[HCCT_BATCH_KEYS];
    uint32_t batched_functions[HCCT_BATCH_KEYS]; /* count/functions.h: the place of each key's function */
    uint32_t taken;                              /* slots that were filled when they were empty */
    bool knows_functions;                        /* slot_functions is used */
    /* count/challenge.h: the challenge interval, and the mean that it follows */
    uint32_t challenge_shift, mean_of_losers;
    uint64_t chain_at;                /* count/chains.h: a key counted as often gets a chain */
    uint64_t bounded;                 /* count/chains.h: the sum of weights for which that was set */
    struct hcct_block *next_batching; /* count/chains.h: in its list */
    bool is_batching;                 /* whether it is in that list */
    uint32_t last_slot;               /* the number of slots in use, less 1 */
    uint64_t seen_calls, seen_missed; /* count/grow.c: the values at its last look */
    uint64_t filled[HCCT_MORE_SLOTS / HCCT_SLOT_GROUP / 64]; /* changes as the keys of slots do */
    /* count/challenge.h: part of the count at the last challenge */
    _Alignas(4096) uint8_t count_at_look[HCCT_MORE_SLOTS];
    struct hcct_side sides[HCCT_MORE_SLOTS]; /* in reverse order: hcct_block_side */
    /* From here on also of a thread without a block (hcct_block_of_slots), in the same places. */
    uint16_t noted[HCCT_NOTES]; /* count/slots.h */
    struct hcct_batch batch;
    struct hcct_slot slots[HCCT_MORE_SLOTS];
    /* count/functions.h: the place of the function of each slot's key. A thread without a block has none */
    uint32_t slot_functions[HCCT_MORE_SLOTS];
};

_Static_assert(offsetof(struct hcct_block, batch) % 4096 == 0, "what is wiped is whole pages");

static inline struct hcct_side *hcct_block_side(struct hcct_block *block, uint32_t slot)
{
    return &block->sides[HCCT_MORE_SLOTS - 1 - slot];
}

static inline void hcct_block_mark_filled(struct hcct_block *block, uint32_t slot)
{
    uint32_t group = slot / HCCT_SLOT_GROUP;
    block->filled[group / 64] |= UINT64_C(1) << group % 64;
}

/* The first group at *slot or behind it that may have keys: *slot becomes its first slot. A short run has few
 * keys, and so touches few pages. */
static inline bool hcct_block_next_group(const struct hcct_block *block, uint32_t *slot)
{
    for (uint32_t group = *slot / HCCT_SLOT_GROUP; group <= block->last_slot / HCCT_SLOT_GROUP;
         group = (group / 64 + 1) * 64) {
        uint64_t bits = block->filled[group / 64] >> group % 64;
        if (bits) {
            *slot = (group + (uint32_t)__builtin_ctzll(bits)) * HCCT_SLOT_GROUP;
            return true;
        }
    }
    return false;
}

/* Call this before the program can make keys of thread-local data: our key must be the first. */
void hcct_block_start(void);
/* False if there was no memory for that. */
bool hcct_block_may_count(void);
/* A thread begins whose thread-local data the program made itself, at that thread pointer, and whose first
 * function is instrumented, so that it writes there. If nobody has put there what our data starts with, its
 * functions run as they would, and its calls are dropped: the C library cannot tell when it ends.
 * Async-signal-safe; keeps errno. */
void hcct_block_begin_foreign(uintptr_t thread_pointer);

/* Gives up our key, for a program that wants all keys. From then on the end of a thread is not seen; blocks
 * of dead threads are searched for. False if the key was given up before. */
bool hcct_block_give_up_key(void);

/* The calling thread's block; in a signal handler, the handler's. It is made at the first call. NULL if
 * memory is short. */
struct hcct_block *hcct_block_self(void);
/* The same, but NULL if there is none yet. */
struct hcct_block *hcct_block_current(void);
/* The calling thread's block, in its handlers too. NULL if there is none yet. */
struct hcct_block *hcct_block_outermost(void);
/* Each thread needs a block for its timer, even if nothing is counted. */
extern __attribute__((visibility("hidden"))) bool hcct_block_is_needed;
/* Gives a signal handler slots of its own, so that a count of the interrupted code, which may be half done,
 * is not changed. False if memory is short: then the handler uses the thread's slots. */
bool hcct_block_enter_level(struct hcct_level level);
/* Returns to the level that was interrupted. */
void hcct_block_leave_level(void);
/* The handler levels of a thread that switches to another stack inside a handler. The interrupted code may
 * be in the middle of a count. So its slots are kept until the handler continues, in this thread or in
 * another. A handler that never continues keeps them for ever. */
struct hcct_parked {
    struct hcct_block *outer; /* NULL: in no handler */
    struct hcct_level level;
    uint32_t handlers;
};
void hcct_block_park(struct hcct_parked *parked);
void hcct_block_unpark(const struct hcct_parked *parked);

/* Whether calls of the calling thread are counted now. */
bool hcct_block_counts(void);
/* Call these after that may have changed. The first one chooses the slots of the calling thread. */
void hcct_block_choose_slots(void);
/* The second makes each thread choose at its next call. Under the table lock. */
void hcct_block_choose_slots_everywhere(void);
/* Makes the calling thread's next call come to `miss` in count/miss.c, whether it counts or not. */
void hcct_block_miss_next(void);

/* The block of the slots in use. For a thread without a block, one that takes no count and no key: of that
 * only `noted`, `batch` and `slots` are there. NULL if nothing is counted. The load pairs with the store in
 * store_slots: by this thread, or by another that makes this one miss. */
static inline struct hcct_block *hcct_block_of_slots(void)
{
    char *slots = (char *)__atomic_load_n(&__hcct_thread.slots, __ATOMIC_RELAXED);
    return slots ? (struct hcct_block *)(void *)(slots - offsetof(struct hcct_block, slots)) : NULL;
}

/* The first of all blocks, in use or not. Under the table lock. */
struct hcct_block *hcct_block_first(void);
/* How many are in use. Under the table lock. */
size_t hcct_block_used(void);
/* The handler of a fault inside the profiler (hcct_busy_faulted) was left by a jump. Gives up what the thread
 * held. If the thread was changing the tables, they cannot be trusted any more. Then counting ends, and the
 * profile says so. */
void hcct_block_abandon(void);
/* The number of handler levels that the calling thread is in. Usually 0. */
extern _Thread_local volatile uint32_t hcct_in_handler;

/* In a forked child, which has no other threads. `torn`: the nodes that the sides refer to are gone. */
void hcct_block_after_fork(bool torn);
/* The memory of all blocks in bytes, about. */
size_t hcct_block_bytes(void);

#endif
