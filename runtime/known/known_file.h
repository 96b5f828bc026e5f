/* The contexts of a profile of an earlier run (HCCT_OPTIONS=known=FILE). */
#ifndef HCCT_RUNTIME_KNOWN_KNOWN_FILE_H
#define HCCT_RUNTIME_KNOWN_KNOWN_FILE_H

#include <stdbool.h>

#include "runtime/stream/exact.h"

enum hcct_known_by {
    HCCT_KNOWN_BY_NOTHING,
    HCCT_KNOWN_BY_WORD, /* the run has the numbering of this one: its words mean the same here */
    HCCT_KNOWN_BY_PATH, /* it has another one: keys are those of paths (encoding/path_key.h) */
};

/* Adds the contexts of the profile to `table`, each with weight 0. At start, with one thread. NOTHING, after
 * a message, if the file is no sound profile of calls, or memory is short. Keeps errno. */
enum hcct_known_by hcct_known_file_read(const char *path, struct hcct_exact *table);

#endif
