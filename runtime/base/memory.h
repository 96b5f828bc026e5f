/* The profiler's own memory: pages from the kernel. It never uses the program's malloc. That may be
 * instrumented or interposed, and the thread that a signal interrupted may hold its lock. */
#ifndef HCCT_RUNTIME_BASE_MEMORY_H
#define HCCT_RUNTIME_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "runtime/base/machine.h"

/* `bytes` of zeroed memory, or NULL. Async-signal-safe, thread-safe, keeps errno. */
void *hcct_memory_map(size_t bytes);
/* As hcct_memory_map, and all pages are there at once. For memory that will be written completely: it saves
 * a page fault for each page. */
void *hcct_memory_map_now(size_t bytes);
/* As hcct_memory_map, but the pages do not count against the kernel's commit limit until touched. */
void *hcct_memory_reserve(size_t bytes);
/* hcct_memory_set_aside takes addresses only, which cannot be read yet; NULL if there are none.
 * hcct_memory_open gives whole pages of them memory, which is zeroed; false if memory is short. For tables of
 * gigabytes: a leak checker searches all readable memory of the process. */
void *hcct_memory_set_aside(size_t bytes);
bool hcct_memory_open(void *memory, size_t bytes);
/* How much of `wanted` bytes to reserve. Usually all. With a limit of address space (RLIMIT_AS), or of memory
 * that can be written (RLIMIT_DATA), at most one part in `parts` of it: the rest is the program's. */
size_t hcct_memory_share(size_t wanted, unsigned parts);
/* Unmap memory. hcct_memory_unmap: what hcct_memory_map and hcct_memory_map_now returned.
 * hcct_memory_release: what hcct_memory_reserve and hcct_memory_set_aside returned. NULL is allowed. Both
 * keep errno. */
void hcct_memory_unmap(void *memory, size_t bytes);
void hcct_memory_release(void *memory, size_t bytes);
/* As hcct_memory_unmap, but keeps the addresses, which read as zero then: for memory that other threads may
 * still be reading. */
void hcct_memory_give_up(void *memory, size_t bytes);
/* Gives the memory of these pages back, but keeps their addresses: they are zero then. Keeps errno. */
void hcct_memory_empty(void *memory, size_t bytes);
/* Makes these pages zero in a forked child. False if the system cannot. Keeps errno. */
bool hcct_memory_wipe_on_fork(void *memory, size_t bytes);
/* With a limit of address space, keeps some for the writing of a profile, which the program cannot take;
 * gives it back before a profile is written, if no other is left. */
void hcct_memory_keep_spare(void);
void hcct_memory_give_spare(void);
/* Bytes mapped now. Reserved memory is not included: its users count the pages that they touch. */
size_t hcct_memory_bytes(void);

/* mmap and its kin, as the kernel has them. Some libraries replace the C library's to watch the memory of the
 * program: UCX does, which MPI libraries use. Those take locks, need the C library's thread-local data and
 * lose mremap's last argument: nothing for signal handlers, nor for the observer of metric=wall.
 * ThreadSanitizer has to see what is mapped. errno may change. */
#if __has_feature(thread_sanitizer)
#define HCCT_PAGES_CALL(name, ...) (long)name(__VA_ARGS__)
#define HCCT_PAGES_AT(pointer) (pointer)
#else
#define HCCT_PAGES_CALL(name, ...) hcct_machine_system_call(SYS_##name, (const long[6]){ __VA_ARGS__ })
#define HCCT_PAGES_AT(pointer) (long)(pointer)
#endif

static inline void *hcct_pages_address(long result)
{
    return result < 0 && result > -4096 ? MAP_FAILED : (void *)result;
}

/* MAP_FAILED where it fails. */
static inline void *hcct_pages_map(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    return hcct_pages_address(
        HCCT_PAGES_CALL(mmap, HCCT_PAGES_AT(at), (long)bytes, protection, flags, file, offset));
}

/* To a place that is given, with MREMAP_FIXED. MAP_FAILED where it fails. */
static inline void *hcct_pages_move(void *at, size_t old_bytes, size_t bytes, int flags, void *to)
{
    return hcct_pages_address(hcct_machine_system_call(
        SYS_mremap, (const long[6]){ (long)at, (long)old_bytes, (long)bytes, flags, (long)to }));
}

/* 0, or less where they fail. */
static inline long hcct_pages_unmap(void *at, size_t bytes)
{
    return HCCT_PAGES_CALL(munmap, HCCT_PAGES_AT(at), (long)bytes);
}

static inline long hcct_pages_advise(void *at, size_t bytes, int advice)
{
    return HCCT_PAGES_CALL(madvise, HCCT_PAGES_AT(at), (long)bytes, advice);
}

#endif
