/* Leaves: frames such as [memcmp] or [libc.so.6], for what code of an object does that has no contexts of its
 * own. A leaf is a prefix node of kind LEAF below the context that called that code (hcct_prefix_leaf). It is
 * named after the function that was called, if that is known (unwind/called.h), otherwise after the object.
 * Threads: under the table lock. Async-signal-safe. */
#ifndef HCCT_RUNTIME_OBJECTS_LEAF_H
#define HCCT_RUNTIME_OBJECTS_LEAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_leaf {
    uintptr_t start, end; /* of the object; both 0: the leaf is no object's */
    const char *path;     /* or another name */
    uint64_t site;        /* of the leaf's nodes */
    uint64_t stamp;       /* of the registry, when has_contexts was found */
    bool has_contexts;    /* the object has instrumented code, so its time is its functions' own */
    bool is_used;         /* a node was made: the file needs the path */
};

/* What the thread does in code without contexts, if that is known: a constant; NULL: the object's name is
 * told. The thread writes it, and its signal handlers read it. */
extern _Thread_local const char *hcct_leaf_name;

/* Whether the dynamic linker has loaded what is at the address, and filled in its places. True if there is no
 * telling. Takes no lock. */
bool hcct_leaf_is_loaded(uintptr_t address);
/* The leaf of the object with the code at `pc`. */
struct hcct_leaf *hcct_leaf_at(uintptr_t pc);
/* The leaf of this name, which has `length` bytes. NULL: it is empty, too long or has a '/', there are too
 * many, or memory is short. */
struct hcct_leaf *hcct_leaf_named(const char *name, size_t length);
/* The site of the leaf of this name; 0: there are too many. */
uint64_t hcct_leaf_site(const char *name);
/* The site of the leaf [unknown], which is used from now on. */
uint64_t hcct_leaf_unknown_site(void);
/* The path of used leaf number `index`, NULL behind the last. */
const char *hcct_leaf_path(size_t index);

#endif
