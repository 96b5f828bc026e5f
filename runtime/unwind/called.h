/* Which function the program called, of those that have no contexts: [memcmp] instead of [libc.so.6].
 *
 * The stack is unwound from the library up to the program. The return address there is behind the call that
 * left it. If that is a direct call through a slot of the dynamic linker's (objects/slot.h), directly or by a
 * stub (PLT), the slot's symbol is what the program called. What the library calls itself does not count:
 * below a call of qsort all of the library is [qsort].
 * Other calls go through registers, or lead to a function of the program that ends by another call: a sibling
 * call leaves no return address. There it is the library's oldest function on the stack, if the library's
 * symbols name it.
 *
 * Invariants
 *   1. a call through a slot has the name of what it called, or none;
 *   2. behind any other call a name is that of a function that runs. It is what the program called, or what
 *      that ended by calling.
 * The runtime's own functions in the executable count as the program's. */
#ifndef HCCT_RUNTIME_UNWIND_CALLED_H
#define HCCT_RUNTIME_UNWIND_CALLED_H

#include "runtime/objects/leaf.h"

/* The leaf for code in `object`, which has no contexts: that of hcct_leaf_name, or of the function that the
 * program called, or `object`. `context`: a signal handler's third argument. Under the table lock.
 * Async-signal-safe; keeps errno. Cost: some microseconds, 10 to 200 where the library's symbols
 * are read. */
struct hcct_leaf *hcct_called_leaf(const void *context, struct hcct_leaf *object);

#endif
