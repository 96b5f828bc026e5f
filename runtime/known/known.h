/* HCCT_OPTIONS=known=FILE: calls are counted as without it, and the first entry into each context that the
 * profile FILE lacks is noticed: such a context is *new*. For residual testing and fuzzing: which contexts
 * did this run reach that no run before reached?
 *
 * known=none   nothing is known: every context is new at its first entry.
 *
 * Where a new context is found: its key is in no slot, so its first call misses; and it is in no table, so
 * that miss takes the table lock (way 5 of count/miss.c). There its key is looked up in `seen`, a table of
 * the known keys and of the new ones so far. A hit costs what it costs without `known`. With mode=hcct and a
 * full summary all misses take the lock, as batches would hide new keys in them.
 *
 * Invariants
 *   1. a context is counted as new at most once in a process. It is missed only if `seen` had no memory: then
 *      `unnoted` counts the call;
 *   2. the callback runs in the thread whose call was the first, at the entry of the function, after the call
 *      was counted; not busy and without a lock;
 *   3. while it runs, calls of its thread are not counted, but those of signal handlers are: they have a
 *      level of their own. Contexts that begin in a handler are noticed and have no callback.
 * Memory: 24 bytes for each slot of `seen`, which is 3/8 to 3/4 full. With mode=hcct at most LIMIT keys.
 * Source: D'Elia et al., SPE 2015, section 1 (residual testing); Bond and McKinley, OOPSLA 2007. */
#ifndef HCCT_RUNTIME_KNOWN_KNOWN_H
#define HCCT_RUNTIME_KNOWN_KNOWN_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_known;

/* What HCCT_OPTIONS asks for (core/settings.h): a path, or "none"; empty: nothing. */
extern __attribute__((visibility("hidden"))) char hcct_known_path[1024];

/* From now on `callback` gets the word of each new context; NULL: nobody does. False if there is no known=.
 * Not async-signal-safe. */
bool hcct_known_tell(void (*callback)(uint64_t context, void *argument), void *argument);
/* New contexts of this process so far. Async-signal-safe. */
uint64_t hcct_known_found(void);

#endif
