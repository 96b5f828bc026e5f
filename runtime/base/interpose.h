/* Functions of the C library that the runtime stands in front of.
 *
 * What the program would have called without us, in this order: a sanitizer's `__interceptor_NAME`, the next
 * definition that the dynamic linker finds, and in a static program, where there is none, another name of the
 * same code in libc.a. */
#ifndef HCCT_RUNTIME_BASE_INTERPOSE_H
#define HCCT_RUNTIME_BASE_INTERPOSE_H

#include <dlfcn.h>
#include <stddef.h>

#define INTERPOSED __attribute__((visibility("default"), used))
/* Of what a sanitizer calls before it has begun. */
#define HCCT_UNSANITIZED __attribute__((disable_sanitizer_instrumentation))

/* Weak: a static program does not take the dynamic linker from libc.a for it. */
extern __typeof__(dlsym) dlsym __attribute__((weak));
extern __typeof__(dlopen) dlopen __attribute__((weak));

/* The next definition of `name`, or NULL. Not async-signal-safe: to be asked at the start. */
static inline void *hcct_next_function(const char *name)
{
    return dlsym ? dlsym(RTLD_NEXT, name) : NULL;
}

#endif
