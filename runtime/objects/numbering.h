/* Numbers the objects of the registry: whom their sites call, the graph of all that, and what encoding/ makes
 * of it, which goes into their states. Changes no object.
 * Threads: under the registry's lock. Signals: not async-signal-safe. */
#ifndef HCCT_RUNTIME_OBJECTS_NUMBERING_H
#define HCCT_RUNTIME_OBJECTS_NUMBERING_H

#include "runtime/objects/registry.h"

enum hcct_numbered {
    HCCT_NUMBERED,
    HCCT_NUMBERED_NOT,   /* memory or ids are short */
    HCCT_NUMBERED_TWICE, /* two parts of the process were each linked as all of it, with the same ids */
};

/* The objects [first, end), which nobody numbered before; those in front of them keep their ids. */
enum hcct_numbered hcct_numbering_begin(size_t first, size_t end);
/* The object at `index`, whose functions get the ids that they had as `before`. Calls that lead elsewhere now
 * push. */
void hcct_numbering_repeat(size_t index, const struct hcct_object *before);

#endif
