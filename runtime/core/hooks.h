/* Calls upwards. A layer calls the layers below it by name. What it needs of a layer above goes through one
 * of these tables, which the upper layer fills in. hooks.c has an empty one of each (weak), so the lower
 * layers link and work without the upper ones.
 *
 * The tables are constants, not variables that are set at start: the program's code may call us before any
 * code of ours has run. */
#ifndef HCCT_RUNTIME_CORE_HOOKS_H
#define HCCT_RUNTIME_CORE_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_block;

/* The process: filled in by boundary/. */
struct hcct_guest_hooks {
    /* The process has not started yet, or is a forked child that has its parent's tables. Makes it ready to
     * count. Under no lock; keeps errno. */
    void (*begin)(void);
    /* Signals came while the thread was inside the profiler, which it has just left: calls their handlers.
     * Under no lock; keeps errno. */
    void (*redeliver)(void);
    /* Code continues in a function with the stack pointer `sp`. Handlers with lower frames were left by a
     * longjmp: leaves their levels. Returns whether there were any. */
    bool (*leave_dead)(uintptr_t sp);
};
extern __attribute__((visibility("hidden"))) const struct hcct_guest_hooks hcct_guest_hooks;

/* What count/ keeps behind each block: filled in by count/count.c. All under the table lock, but for
 * give_up. */
struct hcct_count_hooks {
    size_t block_bytes; /* of a block with that */
    /* A block has just been mapped: all is 0. `is_level`: for a handler. */
    void (*make)(struct hcct_block *block, bool is_level);
    /* A thread begins to use it, or a handler that interrupted `outer`; NULL: no handler. */
    void (*begin)(struct hcct_block *block, struct hcct_block *outer);
    /* Its thread has ended. All that it counted goes to the tables. Unless it keeps its memory, its pages are
     * given back. */
    void (*end)(struct hcct_block *block, bool keeps_memory);
    /* In a forked child: drops what the parent has counted. `torn`: the nodes that it refers to are gone. */
    void (*after_fork)(struct hcct_block *block, bool torn);
    /* The memory that a block takes in bytes, about. */
    size_t (*bytes)(const struct hcct_block *block);
    /* Ids are not unique: stops counting for good. Not under the table lock. */
    void (*give_up)(void);
};
extern __attribute__((visibility("hidden"))) const struct hcct_count_hooks hcct_count_hooks;

/* Threads and their timers: filled in by meter/. */
struct hcct_thread_hooks {
    /* The calling thread has just got its block, the outermost one. While busy. */
    void (*begin)(struct hcct_block *block);
    /* The thread of this outermost block has ended, or is ending. Under the table lock. */
    void (*end)(struct hcct_block *block);
};
extern __attribute__((visibility("hidden"))) const struct hcct_thread_hooks hcct_thread_hooks;

/* The heap: filled in by heap/. */
struct hcct_heap_hooks {
    /* Whether the calling thread may change the heap's tables without a lock: it is alone in the process. */
    bool (*works_alone)(void);
};
extern __attribute__((visibility("hidden"))) const struct hcct_heap_hooks hcct_heap_hooks;

#endif
