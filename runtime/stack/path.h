/* A context as text, in the process itself. */
#ifndef HCCT_RUNTIME_STACK_PATH_H
#define HCCT_RUNTIME_STACK_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/stack/here.h"

/* As hcct_context_describe. `whole`: else the path goes on, nobody knows how, which the text tells by "..."
 * at its end. Async-signal-safe. */
size_t hcct_path_describe(struct hcct_here here, bool whole, char *buffer, size_t size);
/* From an instrumented function's context to that of its newest instrumented caller; false if there is none,
 * or it is not known. While the registry is held. */
bool hcct_path_caller(struct hcct_here *here);

#endif
