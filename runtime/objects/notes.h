/* Reads what the notes of an object tell: where its records are, how it was compiled (hcct/abi.h), and if it
 * has a runtime. */
#ifndef HCCT_RUNTIME_OBJECTS_NOTES_H
#define HCCT_RUNTIME_OBJECTS_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/objects/registry.h"

struct dl_phdr_info; /* link.h */

/* Adds what a segment of notes, which is in memory as loaded, says to what is known of `object`. */
void hcct_notes_read(struct hcct_object *object, const char *at, size_t bytes);
/* Where a loaded object is, and what its notes tell. `start` is NULL if it has no records. */
struct hcct_object hcct_notes_object(const struct dl_phdr_info *info);

/* A note of the executable's runtime, by which a library's runtime finds it where the link hid its names. */
#define HCCT_NOTES_RUNTIME_TYPE 2
#define HCCT_NOTES_RUNTIME()                                                                                 \
    __asm__(".pushsection .note.hcct.runtime, \"a\", %note\n.balign 4\n.long 5, 0, 2\n"                      \
            ".asciz \"" HCCT_NOTE_NAME "\"\n.balign 4\n.popsection")

/* Whether such a note is in a segment of notes. */
bool hcct_notes_have_runtime(const char *at, size_t bytes);

#endif
