/* Slots: pointers in an object that the dynamic linker fills with the addresses of functions (the global
 * offset table). A relocation in the object's tables names the function of each. */
#ifndef HCCT_RUNTIME_OBJECTS_SLOT_H
#define HCCT_RUNTIME_OBJECTS_SLOT_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* The name of the function whose address belongs into the slot, in the object's own memory; its length goes
 * to *length. NULL if the object has no such slot. A variable of the program that points to a function is
 * none, as it may change. Reads nothing that the kernel does not let be read. Cost: reads the object's
 * relocations, but for those without a symbol. Async-signal-safe; keeps errno. */
const char *hcct_slot_function(const struct link_map *object, uintptr_t slot, size_t *length);

#endif
