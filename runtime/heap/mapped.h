/* How much the executable maps for itself (mmap, anonymous and writable): what an allocator of its own may
 * give out, whose blocks are not seen. A sign, and no measure: parts of a mapping that are unmapped or mapped
 * over may count twice or not at all. */
#ifndef HCCT_RUNTIME_HEAP_MAPPED_H
#define HCCT_RUNTIME_HEAP_MAPPED_H

#include <stddef.h>
#include <stdint.h>

/* mmap with these parameters returned `address`, which is returned. */
void *hcct_heap_mapped(void *address, size_t bytes, int protection, int flags);
void hcct_heap_unmapped(size_t bytes);
/* The most that was mapped at one time. */
uint64_t hcct_heap_most_mapped(void);
/* In a forked child: its parent's are none of its own. */
void hcct_heap_forget_mapped(void);

#endif
