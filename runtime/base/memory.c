/* See memory.h. */
#define _GNU_SOURCE
#include "runtime/base/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>

#include "runtime/base/confined.h"

volatile bool hcct_confined;
static atomic_size_t mapped_bytes;

static void *map_as(size_t bytes, int access, int flags)
{
    if (hcct_confined)
        return NULL;
    int saved = errno;
    void *memory = hcct_pages_map(NULL, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    errno = saved;
    return memory == MAP_FAILED ? NULL : memory;
}

static void *map(size_t bytes, int flags)
{
    return map_as(bytes, PROT_READ | PROT_WRITE, flags);
}

static void *map_counted(size_t bytes, int flags)
{
    void *memory = map(bytes, flags);
    if (memory)
        atomic_fetch_add_explicit(&mapped_bytes, bytes, memory_order_relaxed);
    return memory;
}

void *hcct_memory_map(size_t bytes)
{
    return map_counted(bytes, 0);
}

void *hcct_memory_map_now(size_t bytes)
{
    return map_counted(bytes, MAP_POPULATE);
}

void *hcct_memory_reserve(size_t bytes)
{
    return map(bytes, MAP_NORESERVE);
}

void *hcct_memory_set_aside(size_t bytes)
{
    return map_as(bytes, PROT_NONE, MAP_NORESERVE);
}

bool hcct_memory_open(void *memory, size_t bytes)
{
    int saved = errno;
    bool is_open = !hcct_confined && mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0;
    errno = saved;
    return is_open;
}

size_t hcct_memory_share(size_t wanted, unsigned parts)
{
    if (hcct_confined)
        return wanted;
    int saved = errno;
    struct rlimit space, data;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY &&
        space.rlim_cur / parts < wanted)
        wanted = (size_t)(space.rlim_cur / parts);
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY &&
        data.rlim_cur / parts < wanted)
        wanted = (size_t)(data.rlim_cur / parts);
    errno = saved;
    return wanted;
}

static void unmap(void *memory, size_t bytes)
{
    int saved = errno;
    if (memory && !hcct_confined)
        hcct_pages_unmap(memory, bytes);
    errno = saved;
}

void hcct_memory_unmap(void *memory, size_t bytes)
{
    if (memory)
        atomic_fetch_sub_explicit(&mapped_bytes, bytes, memory_order_relaxed);
    unmap(memory, bytes);
}

void hcct_memory_release(void *memory, size_t bytes)
{
    unmap(memory, bytes);
}

void hcct_memory_give_up(void *memory, size_t bytes)
{
    if (!memory)
        return;
    atomic_fetch_sub_explicit(&mapped_bytes, bytes, memory_order_relaxed);
    hcct_memory_empty(memory, bytes);
}

void hcct_memory_empty(void *memory, size_t bytes)
{
    int saved = errno;
    if (!hcct_confined)
        hcct_pages_advise(memory, bytes, MADV_DONTNEED);
    errno = saved;
}

bool hcct_memory_wipe_on_fork(void *memory, size_t bytes)
{
    if (hcct_confined)
        return false;
    int saved = errno;
    bool good = hcct_pages_advise(memory, bytes, MADV_WIPEONFORK) == 0;
    errno = saved;
    return good;
}

enum { SPARE_BYTES = 4 << 20 };
static void *spare;

void hcct_memory_keep_spare(void)
{
    enum { PARTS = 16 };
    if (hcct_memory_share(SIZE_MAX, PARTS) / 2 >= SPARE_BYTES &&
        hcct_memory_share(SIZE_MAX, PARTS) < SIZE_MAX)
        spare = hcct_memory_reserve(SPARE_BYTES);
}

void hcct_memory_give_spare(void)
{
    enum { ENOUGH = 64 << 20 };
    void *other = spare ? hcct_memory_reserve(ENOUGH) : NULL;
    hcct_memory_release(other, ENOUGH);
    if (other)
        return;
    hcct_memory_release(spare, SPARE_BYTES);
    spare = NULL;
}

size_t hcct_memory_bytes(void)
{
    return atomic_load_explicit(&mapped_bytes, memory_order_relaxed);
}
