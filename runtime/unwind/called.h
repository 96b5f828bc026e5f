/* Which function the program called, of those that have no contexts: [memcmp] instead of [libc.so.6].
 *
 * The stack is unwound from the library up to the program. The return address there is behind the call that
 * left it. If that is a direct call through a slot of the dynamic linker's (objects/slot.h), directly or by a
 * stub (PLT), the slot's symbol is what the program called. What the library calls itself does not count:
 * below a call of qsort all of the library is [qsort].
 *
 * Invariant: a name is right, or there is none. So calls through registers and variables have none, nor have
 * those by which a function of the program ends (a sibling call leaves no return address). */
#ifndef HCCT_RUNTIME_UNWIND_CALLED_H
#define HCCT_RUNTIME_UNWIND_CALLED_H

#include "runtime/objects/leaf.h"

/* The leaf for code in `object`, which has no contexts: that of hcct_leaf_name, or of the function that the
 * program called, or `object`. `context`: a signal handler's third argument. Under the table lock.
 * Async-signal-safe; keeps errno. Cost: some microseconds, more for the first look at a call. */
struct hcct_leaf *hcct_called_leaf(const void *context, struct hcct_leaf *object);

#endif
