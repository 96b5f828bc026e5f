/* See mapped.h. */
#define _GNU_SOURCE
#include "runtime/heap/mapped.h"

#include <stdatomic.h>
#include <sys/mman.h>

static _Atomic uint64_t mapped, most;

void *hcct_heap_mapped(void *address, size_t bytes, int protection, int flags)
{
    if (address == MAP_FAILED || !(flags & MAP_ANONYMOUS) || flags & MAP_STACK || !(protection & PROT_WRITE))
        return address;
    uint64_t now = (mapped += bytes), before = most;
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
        ;
    return address;
}

void hcct_heap_unmapped(size_t bytes)
{
    uint64_t before = mapped;
    while (!atomic_compare_exchange_weak(&mapped, &before, before - (bytes < before ? bytes : before)))
        ;
}

uint64_t hcct_heap_most_mapped(void)
{
    return most;
}

void hcct_heap_forget_mapped(void)
{
    mapped = most = 0;
}
