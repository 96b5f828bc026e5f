/* Slots: pointers in an object that the dynamic linker fills with the addresses of functions (the global
 * offset table). A relocation in the object's tables names the function of each. Where there is no slot, the
 * object that defines the function tells its name. */
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

/* The name of the function that begins at the address, and that the object defines for others. Of several
 * names the one with the fewest underscores in front, of these the shortest. NULL: there is none. Cost: reads
 * the object's symbols. Async-signal-safe; keeps errno. */
const char *hcct_slot_exported(const struct link_map *object, uintptr_t address, size_t *length);

#endif
