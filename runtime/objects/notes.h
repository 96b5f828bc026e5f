/* Reads what the notes of an object tell (hcct/abi.h): where its records are, and how it was compiled. */
#ifndef HCCT_RUNTIME_OBJECTS_NOTES_H
#define HCCT_RUNTIME_OBJECTS_NOTES_H

#include <stddef.h>

#include "runtime/objects/registry.h"

/* Adds what a segment of notes, which is in memory as loaded, says to what is known of `object`. */
void hcct_notes_read(struct hcct_object *object, const char *at, size_t bytes);

#endif
