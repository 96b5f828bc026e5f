/* heap_mmap=on: what the program maps is a block of whole pages, in the context of the call. What it unmaps
 * of it, or maps something else over, ends: then the rest is live, in one or two parts. */
#ifndef HCCT_RUNTIME_HEAP_MAPPED_H
#define HCCT_RUNTIME_HEAP_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/heap/mapped/ranges.h"

/* For hooks.c, as the functions of heap.h. The system has mapped these bytes. */
void hcct_heap_mapped(void *address, size_t bytes, const void *caller, bool is_resized);
/* These bytes are going to be unmapped: after that another thread may get the addresses, so they are taken
 * out before. `end` puts them back if nothing was unmapped; if they were of more than HCCT_HEAP_UNMAPPED_MOST
 * mappings, only of so many. */
enum { HCCT_HEAP_UNMAPPED_MOST = 16 };
struct hcct_heap_unmapped {
    uint32_t count, era;
    struct hcct_heap_range parts[HCCT_HEAP_UNMAPPED_MOST];
};
struct hcct_heap_unmapped hcct_heap_unmap_begin(const void *address, size_t bytes);
void hcct_heap_unmap_end(const struct hcct_heap_unmapped *unmapped, bool done);

#endif
