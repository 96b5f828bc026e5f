/* Calls of malloc and its kin in a static program, which has no dynamic linker to lead them elsewhere. There
 * the wrappers give --wrap=malloc and so on to the linker (wrapper/linker.c), so that calls go through these
 * functions. Usually each jumps on to the C library's. */
#ifndef HCCT_RUNTIME_HEAP_WRAP_H
#define HCCT_RUNTIME_HEAP_WRAP_H

#include <stddef.h>

struct hcct_heap_functions {
    void *(*malloc)(size_t bytes);
    void *(*calloc)(size_t count, size_t bytes);
    void *(*realloc)(void *old, size_t bytes);
    void (*free)(void *address);
    void *(*memalign)(size_t alignment, size_t bytes);
    void *(*aligned_alloc)(size_t alignment, size_t bytes);
    int (*posix_memalign)(void **to, size_t alignment, size_t bytes);
    void *(*valloc)(size_t bytes);
    void *(*pvalloc)(size_t bytes);
};

/* What the program's calls go to; at first the C library's. NULL in a program that was not linked with
 * --wrap: there nothing brings wrap.o, which has it, into the link, and hooks.c has a weak one. (The address
 * of a weak symbol that is nowhere would do, but gold takes it for the start of the executable.) */
extern struct hcct_heap_functions *hcct_heap_wrapped;

#endif
