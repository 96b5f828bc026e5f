/* A thread of the profiled program, as the profiler sees it: its slots and what stands beside them, its
 * context stack.
 *
 * Invariants
 *   1. `slots` keys, `sides` and all tables change only under the table lock, but for `wanted`; a slot's
 *      count and the batch are written by their own thread, without it;
 *   2. side.drained <= slot.count: what the tables have of the slot's count already;
 *   3. a thread that recorded anything is in the list of threads, until its block is used by another.
 * Memory: one mapping of sizeof(struct hcct_worker) (448 KB of slots and sides, 38 KB of misses) and a
 * reserved one for the context stack, of which only touched pages count. */
#ifndef HCCT_RUNTIME_CORE_THREAD_H
#define HCCT_RUNTIME_CORE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "hcct/abi.h"
#include "runtime/count/stream/space_saving.h"

/* Goes on by a jump to a function with the same parameters, given the same values, which the same caller
 * called for all that it sees: what this one saved it has restored by then, over new values too, and its
 * usual path saves nothing for the other. */
#define HCCT_GO_ON(call) __attribute__((musttail)) return call

/* What stands for HCCT_FREE in a call: whatever the register holds. */
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

/* Beside slots[i]. Packed: a thread has 512 KB. */
struct __attribute__((packed, aligned(4))) hcct_side {
    uint64_t drained;
    hcct_node node; /* of the slot's key; 0: none. Holds a reference */
};

/* What a signal handler interrupted. */
struct hcct_level {
    struct hcct_frame *top;
    uintptr_t sp; /* of the handler's frame */
    uintptr_t alternate_start,
        alternate_end;       /* the sigaltstack that it runs on; both 0: on the thread's stack */
    struct hcct_clock clock; /* clock.h */
};

/* Keys of weight 1 that wait for the summary; a page. */
#define HCCT_BATCH_KEYS 510
struct hcct_batch {
    uint64_t keys[HCCT_BATCH_KEYS];
    uint32_t count; /* written by the thread; the first `drained` are in the summary already */
    uint32_t drained;
    union {
        struct {
            uint32_t limit;       /* so many newcomers are batched at most; 0: none */
            uint16_t found_limit; /* the same for keys that are monitored already; one of the two is 0 */
            /* whether calls are counted in the exact table at once, while there is one thread */
            uint16_t in_place;
        };
        uint64_t ways; /* all of them: 0 where there is none */
    };
};
_Static_assert(sizeof(struct hcct_batch) == 4096, "what is wiped in a forked child is whole pages");

/* Addresses for HCCT_MORE_SLOTS; the first HCCT_SLOTS of each table are used until grow.c finds them too
 * few. */
struct hcct_worker {
    struct hcct_worker *next; /* in the list of threads */
    struct hcct_frame *stack; /* reserved; NULL until the first push. Shared by the levels of a thread */
    const struct hcct_frame **pending; /* scratch for a walk of the stack, one per frame */
    uint32_t stack_frames;             /* of both */
    struct hcct_worker *outer,
        *inner; /* the level that a signal interrupted; the one for handlers, kept for the next */
    struct hcct_level level;   /* while outer is not NULL */
    pid_t thread;              /* that uses or used it */
    struct hcct_thread *words; /* that thread's; NULL: none, or they may go before the block is left */
    bool in_use;
    uint64_t weight; /* of a call in the slots and the batch */
    /* that the tables got of them, without weights; not of those that were counted in place */
    uint64_t calls;
    uint64_t missed;                  /* of them, those that were not counted in their slots */
    uint32_t places[HCCT_BATCH_KEYS]; /* where keys of the batch were found; others have any number */
    uint32_t taken;                   /* slots that were empty */
    uint32_t haste, mean;             /* miss.c: how soon a slot is challenged, and why */
    uint32_t last_slot;               /* how many are in use, less 1 */
    uint64_t seen_calls, seen_missed; /* grow.c: at its last look */
    _Alignas(4096) uint8_t wanted[HCCT_MORE_SLOTS]; /* see slots.h */
    uint8_t looked[HCCT_MORE_SLOTS];                /* miss.c: at what count */
    struct hcct_side sides[HCCT_MORE_SLOTS];        /* from the end: see hcct_slot_side */
    struct hcct_batch batch;
    struct hcct_slot slots[HCCT_MORE_SLOTS]; /* last: see hcct_worker_of_slots */
};

_Static_assert(offsetof(struct hcct_worker, batch) % 4096 == 0,
               "what is wiped and in the file is whole pages");

static inline struct hcct_side *hcct_slot_side(struct hcct_worker *worker, uint32_t slot)
{
    return &worker->sides[HCCT_MORE_SLOTS - 1 - slot];
}

/* What is in the file with continuous=1 (struct hcct_live_worker): sides, batch and slots, of HCCT_SLOTS. */
static inline void *hcct_worker_live_part(struct hcct_worker *worker)
{
    return hcct_slot_side(worker, HCCT_SLOTS - 1);
}

static inline struct hcct_worker *hcct_worker_of_live_part(void *part)
{
    return (struct hcct_worker *)(void *)((char *)part -
                                          offsetof(struct hcct_worker, sides[HCCT_MORE_SLOTS - HCCT_SLOTS]));
}

/* How many frames `pending` has room for. */
static inline uint32_t hcct_worker_pending_room(const struct hcct_worker *worker)
{
    return worker->pending ? worker->stack_frames : 0;
}

/* Before the program can make keys of thread-local data: ours is the first. */
void hcct_worker_start(void);

/* The program wants all keys: gives up ours. Ends of threads are not seen from then on; their blocks are
 * found by reap. False: it was given up before. */
bool hcct_worker_give_up_key(void);

/* The calling thread's block, made at the first call; NULL if memory is short. In a signal handler, the
 * handler's. */
struct hcct_worker *hcct_worker_self(void);
/* The same, NULL if there is none yet. */
struct hcct_worker *hcct_worker_current(void);
/* The calling thread's, not the handler's; NULL if there is none yet. */
struct hcct_worker *hcct_worker_outermost(void);
/* Each thread needs a block, if nothing counts, too: for its timer. */
extern __attribute__((visibility("hidden"))) bool hcct_worker_is_needed;
/* For the handler of a signal that interrupts the calling thread: slots of their own, so that no count of the
 * interrupted code lands elsewhere. False if there is no memory: then the handler shares them. */
bool hcct_worker_enter_level(struct hcct_level level);
/* Back to what was interrupted. */
void hcct_worker_leave_level(void);
/* The levels of handlers that a thread is in when it switches to another stack from one: what they
 * interrupted may be in the middle of a count, so its slots are kept for it alone until the handlers go on,
 * in this thread or another. Abandoned ones are never given back. */
struct hcct_parked {
    struct hcct_worker *outer; /* NULL: in no handler */
    struct hcct_level level;
    uint32_t handlers;
};
void hcct_worker_park(struct hcct_parked *parked);
void hcct_worker_unpark(const struct hcct_parked *parked);

/* Whether calls of the calling thread count now. */
bool hcct_worker_counts(void);
/* That may have changed: lets instrumented code know, of the calling thread, */
void hcct_worker_choose_slots(void);
/* or of every thread, each by its next call. Under the table lock. */
void hcct_worker_choose_slots_everywhere(void);

/* The block whose slots are in use: of a thread that has none yet, one that takes no count and has no room
 * for a batch. NULL where nothing counts. */
static inline struct hcct_worker *hcct_worker_of_slots(void)
{
    char *slots = (char *)__atomic_load_n(&__hcct_thread.slots, __ATOMIC_RELAXED);
    return slots ? (struct hcct_worker *)(void *)(slots - offsetof(struct hcct_worker, slots)) : NULL;
}

/* continuous=1: the block that the calling thread counts in, while the slots in use are empty (live.h). NULL
 * otherwise. */
extern _Thread_local struct hcct_worker *hcct_worker_in_file;

/* Between these two, signal handlers are put off until the second (signals.c), and so is asynchronous
 * cancellation. They nest. */
extern _Thread_local volatile uint32_t hcct_busy;
extern _Thread_local volatile bool hcct_deferred;
void hcct_signals_redeliver(void);
/* Whether the program's handler of a fault runs that struck inside the profiler. No signal is put off then:
 * it may be the handler that ends the program, and the profiler may never be left. */
extern _Thread_local volatile bool hcct_faulted;
/* That handler left by a jump: gives up what the thread held. If it was changing the tables, they cannot be
 * trusted, and nothing is counted from here on; the profile says so. */
void hcct_busy_abandon(void);

/* Where in the C library's data of a thread it says that the thread may be cancelled anywhere, from the
 * thread pointer; mask 0: not known. */
struct hcct_cancel_type {
    int32_t offset;
    uint32_t mask;
};
extern struct hcct_cancel_type hcct_cancel_type;
extern _Thread_local volatile bool hcct_cancel_held;
void hcct_cancel_hold(void);
void hcct_cancel_release(void);

static inline bool hcct_cancel_is_asynchronous(void)
{
#if defined(__x86_64__)
    uint32_t word;
    __asm__ volatile("movl %%fs:(%1), %0" : "=r"(word) : "r"((intptr_t)hcct_cancel_type.offset));
#else
    const char *data = (const char *)__builtin_thread_pointer() + hcct_cancel_type.offset;
    uint32_t word = *(const volatile uint32_t *)data;
#endif
    return word & hcct_cancel_type.mask;
}

/* The stack of the program ends wherever it ends, and a program may catch that on an alternate stack and go
 * on. So the profiler reads the far end of the stack that it will need before it is busy: a fault strikes
 * there, with all tables whole and no lock held. What it needs at most: to count, and to number objects or
 * write a profile. */
#define HCCT_STACK_TO_COUNT 2048
#define HCCT_STACK_TO_WRITE 12288
/* Handlers on an alternate stack are not probed for: such stacks are small, and nothing catches their end. */
extern _Thread_local volatile bool hcct_stack_is_alternate;
__attribute__((preserve_most, noinline)) void hcct_stack_probe(void);
__attribute__((preserve_most, noinline, cold)) void hcct_stack_probe_far(void);

/* For code that has probed. */
static inline void hcct_busy_enter_probed(void)
{
    hcct_busy++;
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(hcct_cancel_is_asynchronous(), 0))
        hcct_cancel_hold();
}

static inline void hcct_busy_enter(void)
{
    if (!hcct_busy)
        hcct_stack_probe();
    hcct_busy_enter_probed();
}

/* For what needs HCCT_STACK_TO_WRITE. */
static inline void hcct_busy_enter_to_write(void)
{
    if (!hcct_busy)
        hcct_stack_probe_far();
    hcct_busy_enter_probed();
}

static inline void hcct_busy_leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    if (--hcct_busy == 0 && __builtin_expect(hcct_deferred, 0))
        hcct_signals_redeliver();
    if (__builtin_expect(hcct_cancel_held, 0))
        hcct_cancel_release();
}

/* All blocks, in use or not. Under the table lock. */
struct hcct_worker *hcct_worker_first(void);
/* In a forked child: only the calling thread is left. `torn`: the nodes that the slots' sides refer to are
 * gone. */
void hcct_worker_after_fork(bool torn);
/* Address space is about to be short: gives back what the calling thread's context stack need not have. */
void hcct_worker_shrink_stack(void);
/* Bytes of blocks and context stacks in use now, about. */
size_t hcct_worker_bytes(void);

/* The table lock: guards every table of the process. Not recursive; only while busy, so that no handler forks
 * in between: in a forked child who takes it notices. */
void hcct_table_lock(void);
/* A little time until the next try for a lock that was tried so often. */
void hcct_back_off(unsigned spins);
void hcct_table_unlock(void);
/* In a forked child: makes it free; returns whether it was held. */
bool hcct_table_lock_init(void);

#endif
