/* A context as text, in the process itself. */
#ifndef HCCT_RUNTIME_PATH_H
#define HCCT_RUNTIME_PATH_H

#include <stddef.h>

#include "runtime/context.h"

/* As hcct_context_describe. Async-signal-safe; only while not busy. */
size_t hcct_path_describe(struct hcct_here here, char *buffer, size_t size);

#endif
