/* Pins: contexts that the program asked to keep (hcct_context_pin). The profile has them and their chains,
 * even if they are not monitored. */
#ifndef HCCT_RUNTIME_STACK_PINS_H
#define HCCT_RUNTIME_STACK_PINS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/node.h"
#include "runtime/stack/here.h"

struct hcct_pin {
    _Atomic uint64_t word; /* 0: free */
    hcct_node node;
    uint32_t unused;
};

/* For a loop over all pins, in no order: the pin after `last`, or the first if that is NULL. NULL at the end.
 * Under the table lock. */
const struct hcct_pin *hcct_pins_next(const struct hcct_pin *last);
/* In a forked child that does not have the nodes of its parent. */
void hcct_pins_forget(void);
/* Pins a live context. False if there is no room. Under the table lock. */
bool hcct_pins_add(struct hcct_here here);
/* Whether the context is pinned. Needs no lock. */
bool hcct_pins_has(uint64_t word);

#endif
