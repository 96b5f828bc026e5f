/* What the C library tells of the object that has an address, without a lock: _dl_find_object (glibc 2.35).
 * Async-signal-safe. Include it behind a definition of _GNU_SOURCE. */
#ifndef HCCT_RUNTIME_BASE_FIND_OBJECT_H
#define HCCT_RUNTIME_BASE_FIND_OBJECT_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
extern __typeof__(_dl_find_object) _dl_find_object __attribute__((weak));

/* Whether it tells at all. */
static inline bool hcct_find_object_is_possible(void)
{
    return _dl_find_object;
}

/* False if no object has the address, or there is no telling. */
static inline bool hcct_find_object(uintptr_t address, struct dl_find_object *found)
{
    return _dl_find_object && _dl_find_object((void *)address, found) == 0;
}
#else
struct dl_find_object {
    void *dlfo_map_start, *dlfo_map_end, *dlfo_eh_frame;
    struct link_map *dlfo_link_map;
};

static inline bool hcct_find_object_is_possible(void)
{
    return false;
}

static inline bool hcct_find_object(uintptr_t address, struct dl_find_object *found)
{
    (void)address, (void)found;
    return false;
}
#endif

#endif
