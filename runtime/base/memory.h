/* The profiler's own memory: pages from the kernel. It never uses the program's malloc. That may be
 * instrumented or interposed, and the thread that a signal interrupted may hold its lock. */
#ifndef HCCT_RUNTIME_BASE_MEMORY_H
#define HCCT_RUNTIME_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* `bytes` of zeroed memory, or NULL. Async-signal-safe, thread-safe, keeps errno. */
void *hcct_memory_map(size_t bytes);
/* As hcct_memory_map, and all pages are there at once. For memory that will be written completely: it saves
 * a page fault for each page. */
void *hcct_memory_map_now(size_t bytes);
/* As hcct_memory_map, but the pages do not count against the kernel's commit limit until touched. */
void *hcct_memory_reserve(size_t bytes);
/* How much of `wanted` bytes to reserve. Usually all. With a limit of address space (RLIMIT_AS), at most one
 * part in `parts` of it: the rest is the program's. */
size_t hcct_memory_share(size_t wanted, unsigned parts);
/* Unmap memory: of hcct_memory_map the first, of hcct_memory_reserve the second. NULL is allowed. Both keep
 * errno. */
void hcct_memory_unmap(void *memory, size_t bytes);
void hcct_memory_release(void *memory, size_t bytes);
/* Makes these pages zero in a forked child. False if the system cannot. Keeps errno. */
bool hcct_memory_wipe_on_fork(void *memory, size_t bytes);
/* With a limit of address space, keeps some for the writing of a profile, which the program cannot take;
 * gives it back before a profile is written, if no other is left. */
void hcct_memory_keep_spare(void);
void hcct_memory_give_spare(void);
/* Bytes mapped now. Reserved memory is not included: its users count the pages that they touch. */
size_t hcct_memory_bytes(void);

#endif
