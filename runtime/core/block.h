/* The thread block: what the profiler keeps for one thread of the program. A signal handler has a block of
 * its own (a level). Here is what all layers share. Behind it, in one mapping, stands what count/ keeps for
 * the thread (count/tally.h), and then what its meter does (hcct_meter_state in core/meter.h).
 *
 * A block with data is in the list of blocks. When its thread has ended, another thread may use it. The
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

/* The frame at the bottom of every context stack, with prefix 0. */
extern struct hcct_frame hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame)];
#define HCCT_ROOT_FRAME (&hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) - 1])

/* The state of the code that a signal handler interrupted. */
struct hcct_level {
    struct hcct_frame *top;
    uintptr_t sp; /* of the handler's frame */
    /* the alternate stack that the handler runs on; both 0: the thread's own stack */
    uintptr_t alternate_start, alternate_end;
    struct hcct_clock clock; /* meter/clock.h */
};

/* The memory of a thread's context stack. All zero until the first push (stack/stack.c). */
struct hcct_stack_memory {
    struct hcct_frame *frames;         /* [count] */
    const struct hcct_frame **pending; /* [count]: scratch memory for a walk */
    uint32_t count;
};

/* What count/ has in front of the slots, in each block and for a thread without one (count/tally.h). */
#define HCCT_BEFORE_SLOTS (HCCT_SLOTS * sizeof(uint16_t) + 4096)

struct hcct_block {
    struct hcct_block *next;        /* in the list of blocks */
    struct hcct_block *outer;       /* the level that a signal interrupted, or NULL */
    struct hcct_block *inner;       /* the level for handlers, kept for the next one */
    struct hcct_level level;        /* valid while outer is not NULL */
    struct hcct_stack_memory stack; /* all levels of a thread that are in use share it */
    struct hcct_slot *slots;        /* count/'s, in which calls are counted in line; NULL: none */
    uint32_t last_slot;             /* the number of slots in use, less 1 */
    pid_t thread;                   /* the thread that uses the block, or used it last */
    /* the thread's words; NULL: it has none, or they may be gone before the block is given back */
    struct hcct_thread *words;
    uintptr_t ended_words; /* `words` of the thread that gave the block back last; or 0 */
    uint32_t number;       /* of the thread, with threads=split (core/threads.h) */
    bool in_use;
};

/* Call this before the program can make keys of thread-local data: our key must be the first. */
void hcct_block_start(void);
/* False if there was no memory for that. */
bool hcct_block_may_count(void);
/* For a thread that the program made by itself (clone), with thread-local data of the program's own at
 * `thread_pointer`, and whose first function is instrumented. Instrumented code would find zeros there if
 * nobody has initialised that data. Then this makes our part of it such that functions run as usual, and
 * calls are dropped: the C library cannot tell when the thread ends. Otherwise it does nothing.
 * Async-signal-safe; keeps errno. */
void hcct_block_begin_foreign(uintptr_t thread_pointer);

/* Gives up our key, for a program that wants all keys. From then on the end of a thread is not seen; blocks
 * of dead threads are searched for. False if the key was given up before. */
bool hcct_block_give_up_key(void);

/* The calling thread's block; in a signal handler, the handler's. It is made at the first call, under the
 * table lock. NULL if there is none and none can be made: memory is short, this is a sandbox, or the thread
 * is one of hcct_block_begin_foreign. */
struct hcct_block *hcct_block_self(void);
/* The same, but NULL if there is none yet. */
struct hcct_block *hcct_block_current(void);
/* The calling thread's block, in its handlers too. NULL if there is none yet. */
struct hcct_block *hcct_block_outermost(void);
/* Each thread needs a block for its timer, even if nothing is counted. */
extern __attribute__((visibility("hidden"))) bool hcct_block_is_needed;
/* Gives a signal handler slots of its own, so that a count of the interrupted code, which may be half done,
 * is not changed. False if memory is short, or in a sandbox: then the handler uses the thread's slots. */
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

/* The first of all blocks, in use or not. Under the table lock. */
struct hcct_block *hcct_block_first(void);
/* How many are in use. Under the table lock. */
size_t hcct_block_used(void);
/* The handler of a fault inside the profiler (hcct_busy.faulted) was left by a jump. Gives up what the thread
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
