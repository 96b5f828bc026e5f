/* The registry: all instrumented objects of the process. discover.c finds them, numbering.c numbers them,
 * unload.c keeps what is left of them.
 *
 * An object names its records in a PT_NOTE (hcct/abi.h). Usually all objects are found at start, and are
 * numbered together. An object that is found later (dlopen) gets ids after all others. Calls between it and
 * earlier objects push. Objects that were unloaded stay in the registry: their ids were counted, and the
 * numbered calls tell what the ids mean.
 *
 * Invariants
 *   1. a base or delta does not change while its object is loaded;
 *   2. a call is numbered only if the callee's address, as the dynamic linker resolved it, is the body of the
 *      callee's record;
 *   3. an object that is loaded again takes its old place, with its old ids, only if each of its numbered
 *      calls leads to the function that it led to, and that one has its old ids too. Otherwise it is new.
 * Threads: the registry has a lock of its own. No thread holds it together with the table lock. */
#ifndef HCCT_RUNTIME_OBJECTS_REGISTRY_H
#define HCCT_RUNTIME_OBJECTS_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"
#include "hcct/abi.h"

struct hcct_object {
    /* the records: in the image while the object is loaded, afterwards in the copy */
    const struct hcct_function *start, *stop;
    const struct hcct_call_label *calls, *calls_stop; /* in the image */
    uintptr_t image, image_end;                       /* where it is or was loaded */
    char *copy; /* of [image, image_end) without code, made when it was unloaded */
    bool early; /* found at start, so it is never unloaded */
    bool loaded;
    struct hcct_function first; /* the first record, as it was when the object was found */
    bool clocks;                /* some of it with --hcct-clock */
    uint32_t own;               /* own functions: enum hcct_library */
    bool numbered;              /* its functions had ids when it was numbered last */
    /* its old records, from when it took its old place until its functions have their old ids; then NULL */
    const struct hcct_function *before;
    char path[256];
    char build_id[65]; /* hexadecimal */
};

/* For hcct_registry_object only. Objects that are found stand behind the others, until it is known which of
 * them are new. */
enum { HCCT_OBJECTS_FOUND = 64 };
/* HCCT_OBJECT_LIMIT + HCCT_OBJECTS_FOUND of them, mapped when the first is found. */
extern __attribute__((visibility("hidden"))) struct hcct_object *hcct_registry_objects;
extern bool hcct_registry_lacks_memory; /* for them, when one was found */
/* Whether this is a static program, and the C library cannot tell of objects yet. Then the first object is
 * the program, and the only one. */
extern bool hcct_registry_is_early;

size_t hcct_registry_object_count(void);
/* An object whose records are lost has start == stop. */
static inline const struct hcct_object *hcct_registry_object(size_t index)
{
    return &hcct_registry_objects[index];
}
/* How many times records were moved or lost. */
uint32_t hcct_registry_move_count(void);
/* Another number whenever objects were added, moved or lost. */
uint64_t hcct_registry_stamp(void);

/* --- the lock: call these only while busy ------------------------------------------------------------ */

/* To read: the objects and their records stay as they are. False if another thread keeps it for long. In a
 * forked child that may be for ever. Async-signal-safe. */
bool hcct_registry_hold(void);
void hcct_registry_let_go(void);
/* Whether the calling thread has taken the lock by hcct_registry_hold. */
bool hcct_registry_is_held(void);
/* To change the registry. */
void hcct_registry_lock(void);
/* False if another thread keeps it for longer. */
bool hcct_registry_lock_within(int limit_ms);
void hcct_registry_unlock(void);
/* Call these around fork. Usually the forking thread holds the lock during fork, so that the child has the
 * registry whole. If another thread keeps the lock, fork continues after a second: the loader may be what
 * calls fork, and the other thread may wait for the loader. */
void hcct_registry_before_fork(void);
void hcct_registry_after_fork(bool in_child);

/* --- changes, under the lock ------------------------------------------------------------------------- */

/* Whether there is memory for objects. If not, they are not numbered, and their calls count as dropped. */
bool hcct_registry_has_places(void);
/* The first `count` objects are in the list. */
void hcct_registry_set_count(size_t count);
/* The object was unloaded, and its records are `by` bytes behind where they were. */
void hcct_registry_move(struct hcct_object *object, ptrdiff_t by);
/* Its records are gone. The functions that were counted have no names. */
void hcct_registry_lose(struct hcct_object *object);
/* Nothing refers to it any more. */
void hcct_registry_forget(struct hcct_object *object);

#endif
