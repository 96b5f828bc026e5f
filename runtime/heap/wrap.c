/* See wrap.h. __real_NAME is what the linker makes of NAME in a link with --wrap=NAME. reallocarray is not in
 * the list, as it calls realloc. */
#include "runtime/heap/wrap.h"

#ifndef HCCT_SHARED

#define WRAPPER __attribute__((visibility("default"), used))

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void __real_free(void *);

/* An allocator of the program's own need not have these. A reference that is not weak would then bring the C
 * library's malloc into the link, beside the program's. */
#define OPTIONAL __attribute__((weak))
OPTIONAL void *__real_memalign(size_t, size_t);
OPTIONAL void *__real_aligned_alloc(size_t, size_t);
OPTIONAL int __real_posix_memalign(void **, size_t, size_t);
OPTIONAL void *__real_valloc(size_t);
OPTIONAL void *__real_pvalloc(size_t);

/* The names themselves, which the link makes __wrap_NAME. Without a weak reference lld takes the C library's
 * definition of a wrapped name, even if __real_NAME is weak. */
OPTIONAL void *memalign(size_t, size_t);
OPTIONAL void *aligned_alloc(size_t, size_t);
OPTIONAL int posix_memalign(void **, size_t, size_t);
OPTIONAL void *valloc(size_t);
OPTIONAL void *pvalloc(size_t);
static void (*const weak_names[])(void) __attribute__((used)) = {
    (void (*)(void))memalign, (void (*)(void))aligned_alloc, (void (*)(void))posix_memalign,
    (void (*)(void))valloc,   (void (*)(void))pvalloc,
};

static struct hcct_heap_functions functions = { __real_malloc,         __real_calloc,   __real_realloc,
                                                __real_free,           __real_memalign, __real_aligned_alloc,
                                                __real_posix_memalign, __real_valloc,   __real_pvalloc };

struct hcct_heap_functions *hcct_heap_wrapped = &functions;

/* Each is a jump, so that the return address is the caller's. */
#define GO_ON(call) __attribute__((musttail)) return call

WRAPPER void *__wrap_malloc(size_t bytes)
{
    GO_ON(functions.malloc(bytes));
}

WRAPPER void *__wrap_calloc(size_t count, size_t bytes)
{
    GO_ON(functions.calloc(count, bytes));
}

WRAPPER void *__wrap_realloc(void *old, size_t bytes)
{
    GO_ON(functions.realloc(old, bytes));
}

WRAPPER void __wrap_free(void *address)
{
    GO_ON(functions.free(address));
}

WRAPPER void *__wrap_memalign(size_t alignment, size_t bytes)
{
    GO_ON(functions.memalign(alignment, bytes));
}

WRAPPER void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    GO_ON(functions.aligned_alloc(alignment, bytes));
}

WRAPPER int __wrap_posix_memalign(void **to, size_t alignment, size_t bytes)
{
    GO_ON(functions.posix_memalign(to, alignment, bytes));
}

WRAPPER void *__wrap_valloc(size_t bytes)
{
    GO_ON(functions.valloc(bytes));
}

WRAPPER void *__wrap_pvalloc(size_t bytes)
{
    GO_ON(functions.pvalloc(bytes));
}

#endif
