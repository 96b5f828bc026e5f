/* A thread of the profiled program, as the profiler sees it: its slots and what stands beside them, its
 * context stack.
 *
 * Invariants
 *   1. `slots` keys, `sides` and all tables change only under the table lock, but for `noted`; a slot's
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
#include "runtime/base/node.h"
#include "runtime/core/busy.h"

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

/* The frame that stands below every other, h = 0. */
extern struct hcct_frame hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)];
#define HCCT_ROOT_FRAME (&hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) - 1])

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
    uint64_t missed;                          /* of them, those that were not counted in their slots */
    uint32_t places[HCCT_BATCH_KEYS];         /* where keys of the batch were found; others have any number */
    uint32_t taken;                           /* slots that were empty */
    uint32_t challenge_shift, mean_of_losers; /* miss.c: how soon a slot is challenged, and why */
    uint32_t last_slot;                       /* how many are in use, less 1 */
    uint64_t seen_calls, seen_missed;         /* grow.c: at its last look */
    _Alignas(4096) uint8_t noted[HCCT_MORE_SLOTS]; /* see slots.h */
    uint8_t count_at_look[HCCT_MORE_SLOTS];        /* miss.c: at what count */
    struct hcct_side sides[HCCT_MORE_SLOTS];       /* from the end: see hcct_slot_side */
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

/* All blocks, in use or not. Under the table lock. */
struct hcct_worker *hcct_worker_first(void);
/* The handler of a fault inside the profiler left by a jump (hcct_faulted): gives up what the thread held. If
 * it was changing the tables, they cannot be trusted, and nothing is counted from here on; the profile says
 * so. */
void hcct_busy_abandon(void);
/* Levels of handlers that the calling thread is in, 0 mostly. */
extern _Thread_local volatile uint32_t hcct_in_handler;
/* seam: made by boundary/signals.c. Code runs on in a function whose stack pointer is `sp`: handlers deeper
 * than that were left by a longjmp. Whether there were any. */
bool hcct_signals_leave_dead(uintptr_t sp);
/* seam: made by count/count.c. What the block's slots and batch hold goes to the tables; what its sides hold
 * is let go. Under the table lock. */
void hcct_worker_drain(struct hcct_worker *worker);
void hcct_worker_forget(struct hcct_worker *worker);

/* In a forked child: only the calling thread is left. `torn`: the nodes that the slots' sides refer to are
 * gone. */
void hcct_worker_after_fork(bool torn);
/* Bytes of blocks in use now, about. */
size_t hcct_worker_bytes(void);

#endif
