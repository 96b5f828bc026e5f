/* Functions of the C library that the runtime interposes.
 *
 * Each has to call the function that the program would have called without the runtime. That is the first of
 * these that exists: a sanitizer's `__interceptor_NAME`; the next definition that the dynamic linker finds;
 * in a static program, where the linker finds none, another name of the same code in libc.a. */
#ifndef HCCT_RUNTIME_BASE_INTERPOSE_H
#define HCCT_RUNTIME_BASE_INTERPOSE_H

#include <dlfcn.h>
#include <stddef.h>

#define INTERPOSED __attribute__((visibility("default"), used))
/* For functions that a sanitizer calls before it has initialised itself. */
#define HCCT_UNSANITIZED __attribute__((disable_sanitizer_instrumentation))

/* Weak, so that a static program does not link the dynamic linker from libc.a because of them. */
extern __typeof__(dlsym) dlsym __attribute__((weak));
extern __typeof__(dlopen) dlopen __attribute__((weak));

/* The next definition of `name`, or NULL. Not async-signal-safe: call it at start. */
static inline void *hcct_interpose_next(const char *name)
{
    return dlsym ? dlsym(RTLD_NEXT, name) : NULL;
}

#endif
