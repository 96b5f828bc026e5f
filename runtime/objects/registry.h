/* The instrumented objects of the process, and their numbering.
 *
 * Objects announce their records by a PT_NOTE (hcct/abi.h). Those found together are numbered together; one
 * that is found later (dlopen) gets ids behind all others, and calls between it and earlier objects push.
 *
 * Invariants
 *   1. a base or delta that was written never changes while its object is loaded;
 *   2. an edge is encoded only if the callee's address, as the dynamic linker resolved it, is the record's
 *      own body.
 * Threads: a lock of its own, never held together with the table lock. Signals: discovery is not
 * async-signal-safe. */
#ifndef HCCT_RUNTIME_OBJECTS_REGISTRY_H
#define HCCT_RUNTIME_OBJECTS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/abi.h"

#define HCCT_OBJECT_LIMIT 512

/* An object's records: in its image while it is loaded, in a copy of it afterwards. */
struct hcct_object {
    const struct hcct_function *start, *stop;
    uintptr_t image, image_end; /* where it is or was loaded */
    char *copy;                 /* of [image, image_end), but for code, made when it was unloaded */
    bool early;                 /* there from the start: never unloaded */
    bool loaded;
    struct hcct_function first; /* the first record, as it was when the object was found */
    bool restores;              /* all of it was compiled by --hcct-time */
    bool uncounted;             /* some of it by --hcct-time-only */
    bool clocks;                /* some of it by --hcct-clock */
    uint32_t own;               /* enum hcct_library: what some of it has of its own */
    bool numbered;              /* has ids, unless it is loaded again and looked at before it has */
    char path[256];
    char build_id[65]; /* hexadecimal */
};

/* Finds and numbers the objects that are new; one that was unloaded and comes again gets its ids again. Keeps
 * errno. */
void hcct_registry_discover(void);
/* Notices what was unloaded without __hcct_unload, so that nobody reads its records. Takes no lock of the
 * loader's, and gives up after a second if another thread does not come back from there. Keeps errno. */
void hcct_registry_lose_unloaded(void);
/* Around fork, so that no other thread is in the middle of any of this, nor keeps the lock in the child.
 * Bounded: after a second the fork goes on nevertheless, since it may come from inside the loader, where
 * another thread waits for this one. */
void hcct_registry_before_fork(void);
void hcct_registry_after_fork(bool in_child);
/* Ids that were given, from HCCT_ID_FIRST on. */
extern __attribute__((visibility("hidden"))) uint64_t hcct_registry_id_count;
/* Whether `id` is any function's. */
static inline bool hcct_registry_is_id(uint64_t id)
{
    return id - HCCT_ID_FIRST < __atomic_load_n(&hcct_registry_id_count, __ATOMIC_RELAXED);
}
size_t hcct_registry_object_count(void);
/* Keeps the objects and their records as they are. False if another thread does for too long: a forked child
 * may never see it end. Only while busy, which makes it async-signal-safe. */
bool hcct_registry_hold(void);
void hcct_registry_let_go(void);
/* How often records were moved or lost. */
uint32_t hcct_registry_move_count(void);
/* The registry's own. */
extern __attribute__((visibility("hidden"))) struct hcct_object hcct_objects[HCCT_OBJECT_LIMIT];
/* An object whose records are gone (unloaded behind our back) has start == stop. */
static inline const struct hcct_object *hcct_registry_object(size_t index)
{
    return &hcct_objects[index];
}

static inline struct hcct_state *hcct_function_state(const struct hcct_function *function)
{
    return (struct hcct_state *)(uintptr_t)hcct_rel_get(&function->state);
}

#endif
