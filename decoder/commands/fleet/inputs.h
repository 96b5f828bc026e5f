/* The files that a command with many profiles reads: single ones, all below a folder, and those that a
 * pattern matches, in the order of their names.
 *
 * Of a folder all regular files count but hidden ones and drafts (*.tmp, *.tmp.NUMBER), which running
 * programs are about to rename. Links to folders are not followed there.
 * Memory: the names in one folder and in those above it. */
#ifndef HCCT_DECODER_COMMANDS_INPUTS_H
#define HCCT_DECODER_COMMANDS_INPUTS_H

#include <stdbool.h>

struct hcct_inputs {
    bool (*visit)(void *context, const char *name);
    void *context;
    const char *leaves_out; /* left out below a folder and among matches of a pattern; NULL: nothing */
};

/* Visits all files that `name` stands for. It is a pattern only if it has one of *?[ and no file has that
 * name. Stops, and returns false, when `visit` returned false, or after a complaint. */
bool hcct_inputs_each(const struct hcct_inputs *inputs, const char *name);

#endif
