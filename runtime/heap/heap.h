/* metric=heap: bytes and blocks of the heap by the context that allocates them (docs/heap.md).
 *
 * The program's calls of malloc and its kin are led to functions of ours (objects/redirect.h, hooks.c). In
 * such a run every call of a library function that may allocate is noted (HCCT_DELTA_NOTED), or pushes. So
 * the note, or else the newest live frame of the context stack, is the call that left instrumented code, and
 * its prefix is the context, call site included. The build is the usual one, and other runs of it do not
 * notice. */
#ifndef HCCT_RUNTIME_HEAP_HEAP_H
#define HCCT_RUNTIME_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/core/meter.h"
#include "runtime/heap/tables/blocks.h"
#include "runtime/stack/here.h"

extern const struct hcct_meter hcct_meter_heap;

/* The program's calls, for hooks.c. `caller`: the return address of the call. All keep errno, are
 * thread-safe, and may be called in signal handlers. An address of NULL is no block. */

/* The allocator returned a block of so many bytes, for which hcct_heap_sample_passes (sample.h) was false. */
void hcct_heap_allocated(void *address, uint64_t bytes, const void *caller);
/* The same, where it is known that this is no usual change (usual.h). */
void hcct_heap_allocated_anyhow(void *address, uint64_t bytes, const void *caller);
/* The same, by a usual change. False, and nothing was done, if it is none. */
bool hcct_heap_allocated_quickly(void *address, uint64_t bytes);
/* An allocator of the program's own gave out a block, in the context `here`. Asks hcct_heap_sample_passes
 * itself. */
void hcct_heap_allocated_here(struct hcct_here here, void *address, uint64_t bytes);
/* Whether such a block was told. */
bool hcct_heap_was_told(void);
/* A block of an allocator of the program's own, or another one, is given back to it. */
void hcct_heap_taken_back(void *address);
/* The block, which may be known (hcct_heap_filter_may_have), is going to be freed. Call this before the
 * allocator may give the address to another thread. */
void hcct_heap_freed(void *address);
/* The same, where it is known that this is no usual change. */
void hcct_heap_freed_anyhow(void *address);
/* The same, by a usual change. False, and nothing was done, if it is none. */
bool hcct_heap_freed_quickly(void *address);

/* For resize.c and meter.c. The block is out of the tables, and ends; between enter and leave
 * (section.h). */
void hcct_heap_end_block(uintptr_t address, struct hcct_heap_block block);
/* The same block, before that: the calling thread freed it by a realloc to 0 bytes. */
void hcct_heap_count_if_temporary(uintptr_t address, struct hcct_heap_block block);
/* Puts the block into the tables. A block that is known at its address ends first: its end was not seen. But
 * with `is_given` the new block is one that the program's own allocator gives out, and may lie over one of
 * malloc's, its slab, which stays. False if memory is short, or if address or size are 2^48 or more. */
bool hcct_heap_put_block(uintptr_t address, bool is_given, struct hcct_heap_block block);
/* Takes the block out of the tables, and ends what lies over it. is_given: takes that one, if there is any.
 * False if there is no block. */
bool hcct_heap_take_block(uintptr_t address, bool is_given, struct hcct_heap_block *block);
/* A block of so many bytes, which did not pass, in the context of the call; or with a caller of NULL in
 * `here`. */
void hcct_heap_allocated_anew(void *address, uint64_t bytes, const void *caller, struct hcct_here here,
                              bool is_resized);
/* Makes a note that the block ends, as it is resized. False if no notes are made now. */
bool hcct_heap_end_to_resize(uintptr_t address);
/* No block is the calling thread's last one. */
void hcct_heap_forget_newest(void);

/* For section.c: apply a note. */
struct hcct_heap_log;
struct hcct_heap_note;
void hcct_heap_begin_noted(const struct hcct_heap_note *note);
void hcct_heap_end_noted(struct hcct_heap_log *log, const struct hcct_heap_note *note);

#endif
