/* The functions of the C and C++ libraries that allocate. They call nobody back, so a call to them is no push; but programs
 * replace them by instrumented ones, whose contexts count. So the pass tests for HCCT_DELTA_NONE at calls of these names,
 * and the runtime sets it where the resolved callee is not instrumented. */
#ifndef HCCT_ALLOCATION_H
#define HCCT_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool hcct_is_allocation(const char *name, size_t length)
{
    static const char *const names[] = { "malloc",        "free",           "calloc",
                                         "realloc",       "reallocarray",   "memalign",
                                         "aligned_alloc", "posix_memalign", "malloc_usable_size",
                                         "strdup",        "strndup",        "_ZdlPv",
                                         "_ZdlPvm",       "_ZdaPv",         "_ZdaPvm" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

#endif
