/* Suppressions of leaks, in the syntax of LeakSanitizer: lines "leak:PATTERN", empty lines, and comments that
 * begin with #. A leak is suppressed if the pattern matches the function, the source file or the object (a
 * library, the program) of one of the frames of the context that allocated it.
 *
 * A pattern matches if it is found anywhere in the text. ^ at its begin stands for the begin of the text, $
 * for its end, * for any letters. Each piece between them is taken at its first place behind the last one, as
 * LeakSanitizer does: so "a$" does not match "aba". */
#ifndef HCCT_DECODER_QUERY_SUPPRESSIONS_H
#define HCCT_DECODER_QUERY_SUPPRESSIONS_H

#include "decoder/tree/tree.h"
#include "format/error.h"

struct hcct_suppression {
    const char *pattern;
    uint64_t contexts, blocks, bytes; /* what it was used for: the caller counts */
};

struct hcct_suppressions {
    char *text;
    struct hcct_suppression *list;
    uint32_t count, capacity;
};

/* Reads the file. On false *error has the line as offset, or none. Close it in any case. */
bool hcct_suppressions_open(struct hcct_suppressions *suppressions, const char *name,
                            struct hcct_error *error);
void hcct_suppressions_close(struct hcct_suppressions *suppressions);
/* The first one that matches the path to the node, or NULL. False when memory is out. */
bool hcct_suppressions_find(const struct hcct_suppressions *suppressions, const struct hcct_tree *tree,
                            const struct hcct_frames *frames, uint32_t node, struct hcct_suppression **found);

bool hcct_suppressions_match(const char *pattern, const char *text);

#endif
