/* Memory of the profiler's own: pages from the kernel, never the program's malloc, which may be instrumented,
 * interposed or held by the thread that a signal interrupted. */
#ifndef HCCT_RUNTIME_BASE_MEMORY_H
#define HCCT_RUNTIME_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* `bytes` of zeroed memory, or NULL. Async-signal-safe, thread-safe, keeps errno. */
void *hcct_memory_map(size_t bytes);
/* As hcct_memory_map, with all pages there at once: for what will be written all over, which costs a page
 * fault each else. */
void *hcct_memory_map_now(size_t bytes);
/* As hcct_memory_map, but the pages do not count against the kernel's commit limit until touched. */
void *hcct_memory_reserve(size_t bytes);
/* How much of `wanted` bytes to reserve: all, or one part in `parts` of the address space that the process
 * may have (RLIMIT_AS). The rest is the program's. */
size_t hcct_memory_share(size_t wanted, unsigned parts);
/* Give back what hcct_memory_map, hcct_memory_reserve returned (NULL is fine). Keep errno. */
void hcct_memory_unmap(void *memory, size_t bytes);
void hcct_memory_release(void *memory, size_t bytes);
/* In a forked child these pages are zero. False if the system cannot. Keeps errno. */
bool hcct_memory_wipe_on_fork(void *memory, size_t bytes);
/* Bytes mapped now, without the reserved ones (whose users count what they touch). */
size_t hcct_memory_bytes(void);

#endif
