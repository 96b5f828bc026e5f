/* The path of a context, as text, for the running program. */
#ifndef HCCT_RUNTIME_STACK_PATH_H
#define HCCT_RUNTIME_STACK_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/stack/here.h"

/* Like hcct_context_describe. If `whole` is false, the path has an unknown end, written as "...".
 * Async-signal-safe. */
size_t hcct_path_describe(struct hcct_here here, bool whole, char *buffer, size_t size);
/* Goes from an instrumented function's context to that of its newest instrumented caller. False if there is
 * none, or it is not known. While the registry is held. */
bool hcct_path_caller(struct hcct_here *here);
/* Whether a function of the path has one of these flags (enum hcct_function_flag). `with_last`: the last
 * instrumented one counts, too. While the registry is held. */
bool hcct_path_has(struct hcct_here here, uint32_t flags, bool with_last);
/* The key of an instrumented function's context by its call sites (encoding/path_key.h); 0 if a part of it is
 * not known. While the registry is held. */
uint64_t hcct_path_key(struct hcct_here here);

#endif
