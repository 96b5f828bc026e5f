/* The functions that take the place of malloc and its kin (redirect.h). */
#ifndef HCCT_RUNTIME_HEAP_HOOKS_H
#define HCCT_RUNTIME_HEAP_HOOKS_H

#include <stdbool.h>

/* From now on calls are led to our functions. False, after a message, if they cannot be. */
bool hcct_heap_hooks_start(void);
/* The function that allocates. */
const void *hcct_heap_hooks_allocator(void);

#endif
