/* Contexts that the program asked for by number (hcct_context_pin): the profile keeps them and their chains,
 * whether they are monitored or not. */
#ifndef HCCT_RUNTIME_STACK_PINS_H
#define HCCT_RUNTIME_STACK_PINS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/node.h"
#include "runtime/stack/here.h"

/* A context that the profile keeps, whether it is monitored or not. */
struct hcct_pin {
    uint64_t word;
    hcct_node node;
    uint32_t unused;
};

/* All pins, in no order: the one behind `last`, NULL to begin and at the end. Under the table lock. */
const struct hcct_pin *hcct_pins_next(const struct hcct_pin *last);
/* From now on pins are in the file of live.h. Under the table lock, or before there are threads. */
void hcct_pins_back(void);
/* In a child whose nodes are not its own. */
void hcct_pins_forget(void);
/* Pins a context, which is live; false if there is no room. Under the table lock. */
bool hcct_pins_add(struct hcct_here here);
/* Without a lock. */
bool hcct_pins_has(uint64_t word);

#endif
