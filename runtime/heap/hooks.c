/* See hooks.h. Each function calls the one whose place it took, and tells heap.h of the block.
 *
 * Operator new and delete of the C++ library call malloc and free, and are not in the list for that reason.
 * Those of an allocator (tcmalloc, jemalloc) do not: they are, if one object has both. What an allocator
 * calls of itself (a calloc its malloc) is no call of the program's, unless it is the C library.
 *
 * A block is forgotten before it is freed, and known after it was allocated. So a block that another thread
 * gets at the same address is never mistaken for it. */
#define _GNU_SOURCE
#include "runtime/heap/hooks.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "runtime/base/say.h"
#include "runtime/core/busy.h"
#include "runtime/core/meter.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/mapped.h"
#include "runtime/heap/resize.h"
#include "runtime/heap/settings.h"
#include "runtime/heap/tables/sample.h"
#include "runtime/heap/usual.h"
#include "runtime/heap/wrap.h"
#include "runtime/objects/redirect.h"

typedef void *allocate(size_t bytes);
typedef void *allocate_aligned(size_t first, size_t second);
typedef void release(void *address);
typedef void release_sized(void *address, size_t bytes);
typedef void release_aligned(void *address, size_t bytes, size_t alignment);

static struct {
    allocate *malloc, *valloc, *pvalloc;
    allocate_aligned *calloc, *memalign, *aligned_alloc;
    int (*posix_memalign)(void **to, size_t alignment, size_t bytes);
    void *(*realloc)(void *old, size_t bytes);
    void *(*reallocarray)(void *old, size_t count, size_t bytes);
    release *free;
    void *(*dlopen)(const char *path, int flags);
    void *(*dlsym)(void *handle, const char *name);
    void *(*mmap)(void *, size_t, int, int, int, off_t), *(*mmap64)(void *, size_t, int, int, int, off_t);
    int (*munmap)(void *address, size_t bytes);
    /* operator new and delete: with nothrow, alignment, size */
    allocate *new_one, *new_array;
    allocate_aligned *new_one_nothrow, *new_array_nothrow, *new_one_aligned, *new_array_aligned;
    void *(*new_one_aligned_nothrow)(size_t, size_t, const void *),
        *(*new_array_aligned_nothrow)(size_t, size_t, const void *);
    release *delete_one, *delete_array;
    release_sized *delete_one_sized, *delete_array_sized, *delete_one_aligned, *delete_array_aligned,
        *delete_one_nothrow, *delete_array_nothrow;
    release_aligned *delete_one_sized_aligned, *delete_array_sized_aligned, *delete_one_aligned_nothrow,
        *delete_array_aligned_nothrow;
} real;

#define CALLER __builtin_return_address(0)

/* How many more calls of ours look for new objects. We jump to dlopen, so we do not see it return. The calls
 * that follow look instead, those of constructors too. */
static _Thread_local unsigned looks_left;
enum { LOOKS = 64 };

static void look(void)
{
    if (__builtin_expect(looks_left, 0)) {
        looks_left--;
        hcct_heap_sample_hold(looks_left);
        hcct_redirect_look();
    }
}

/* Overwrites the stack below the caller's frame. The allocator and our own code have left the block's address
 * there. A later frame may lie over it without writing to it, and the scan of heap_scan would take that for
 * a pointer to a lost block (test/e2e/leaks/stale.c). */
static __attribute__((noinline)) void wipe_stack(void)
{
    char room[HCCT_STACK_TO_COUNT / 2];
    memset(room, 0, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}

/* What is to be done with a block that did not pass (sample.h). An address of NULL is no block, and counts
 * for nothing. Its callers are jumped to, so that those that find that a block passes need no stack frame. */
static void *know(void *address, size_t bytes, const void *caller)
{
    look();
    hcct_heap_allocated(address, bytes, caller);
    if (__builtin_expect(hcct_heap_settings.scan, 0))
        wipe_stack();
    return address;
}

/* --- C ------------------------------------------------------------------------------------------- */

/* take_NAME with these parameters, which are given to the allocator as they are: `bytes` is one of them. */
#define TAKE(name, parameters, arguments)                                                                    \
    static __attribute__((noinline)) void *know_##name parameters                                            \
    {                                                                                                        \
        return know(real.name arguments, bytes, CALLER);                                                     \
    }                                                                                                        \
    static void *take_##name parameters                                                                      \
    {                                                                                                        \
        if (hcct_heap_sample_passes(bytes))                                                                  \
            return real.name arguments;                                                                      \
        __attribute__((musttail)) return know_##name arguments;                                              \
    }
#define ALLOCATES(name) TAKE(name, (size_t bytes), (bytes))
#define ALLOCATES_ALIGNED(name) TAKE(name, (size_t alignment, size_t bytes), (alignment, bytes))
#define RELEASES(name)                                                                                       \
    static __attribute__((noinline)) void forget_by_##name(void *address)                                    \
    {                                                                                                        \
        hcct_heap_freed(address);                                                                            \
        real.name(address);                                                                                  \
    }                                                                                                        \
    static void take_##name(void *address)                                                                   \
    {                                                                                                        \
        if (hcct_heap_filter_may_have((uintptr_t)address))                                                   \
            forget_by_##name(address);                                                                       \
        else                                                                                                 \
            real.name(address);                                                                              \
    }
ALLOCATES(malloc)
ALLOCATES(valloc)
ALLOCATES(pvalloc)
ALLOCATES_ALIGNED(memalign)
ALLOCATES_ALIGNED(aligned_alloc)
RELEASES(free)

/* Most changes are usual ones (usual.h), and nobody has to look afterwards (meter.h). */
static bool counts_all(void)
{
    return !hcct_heap_settings.sample && !hcct_heap_settings.scan && !hcct_meter_look;
}

/* Where something is not usual, these functions jump on to the next one. So they need few registers, and no
 * stack frames. */
#define GO_ON(call) __attribute__((musttail)) return call

static __attribute__((noinline)) void *count_anyhow(size_t bytes, void *address)
{
    look();
    if (!hcct_heap_allocated_quickly(address, bytes))
        hcct_heap_allocated_anyhow(address, bytes, CALLER);
    return address;
}

static __attribute__((noinline)) void *count_redelivering(size_t bytes, void *address)
{
    (void)bytes;
    hcct_heap_section_redeliver();
    return address;
}

#define COUNTS_BY(name, way)                                                                                 \
    static __attribute__((noinline)) void *count_##name(size_t bytes, void *address)                         \
    {                                                                                                        \
        if (!hcct_heap_may_be_usual((uintptr_t)address) ||                                                   \
            !hcct_heap_allocated_usually(way, false, (uintptr_t)address, bytes))                             \
            GO_ON(count_anyhow(bytes, address));                                                             \
        if (hcct_heap_section_deferred())                                                                    \
            GO_ON(count_redelivering(bytes, address));                                                       \
        return address;                                                                                      \
    }
COUNTS_BY(alone, HCCT_HEAP_ALONE)
COUNTS_BY(locked, HCCT_HEAP_LOCKED)

/* The program calls it with one parameter. */
static void *count_malloc(size_t bytes, void *address)
{
    address = real.malloc(bytes);
    if (__builtin_expect(looks_left, 0))
        GO_ON(count_anyhow(bytes, address));
    if (hcct_heap_section_is_way(HCCT_HEAP_ALONE))
        GO_ON(count_alone(bytes, address));
    if (hcct_heap_section_is_way(HCCT_HEAP_LOCKED))
        GO_ON(count_locked(bytes, address));
    GO_ON(count_anyhow(bytes, address));
}

static __attribute__((noinline)) void end_anyhow(void *address)
{
    if (!hcct_heap_freed_quickly(address))
        hcct_heap_freed_anyhow(address);
    real.free(address);
}

static __attribute__((noinline)) void end_redelivering(void *address)
{
    hcct_heap_section_redeliver();
    real.free(address);
}

#define ENDS_BY(name, way)                                                                                   \
    static __attribute__((noinline)) void end_##name(void *address)                                          \
    {                                                                                                        \
        if (!hcct_heap_freed_usually(way, false, (uintptr_t)address))                                        \
            GO_ON(end_anyhow(address));                                                                      \
        if (hcct_heap_section_deferred())                                                                    \
            GO_ON(end_redelivering(address));                                                                \
        GO_ON(real.free(address));                                                                           \
    }
ENDS_BY(alone, HCCT_HEAP_ALONE)
ENDS_BY(locked, HCCT_HEAP_LOCKED)

static void count_free(void *address)
{
    if (__builtin_expect(!address, 0))
        GO_ON(real.free(address));
    if (hcct_heap_section_is_way(HCCT_HEAP_ALONE))
        GO_ON(end_alone(address));
    if (hcct_heap_section_is_way(HCCT_HEAP_LOCKED))
        GO_ON(end_locked(address));
    GO_ON(end_anyhow(address));
}

static __attribute__((noinline)) void *know_calloc(size_t count, size_t bytes)
{
    return know(real.calloc(count, bytes), count * bytes, CALLER);
}

static void *take_calloc(size_t count, size_t bytes)
{
    if (hcct_heap_sample_passes(count * bytes))
        return real.calloc(count, bytes);
    __attribute__((musttail)) return know_calloc(count, bytes);
}

static int take_posix_memalign(void **to, size_t alignment, size_t bytes)
{
    int error = real.posix_memalign(to, alignment, bytes);
    if (!error && !hcct_heap_sample_passes(bytes))
        know(*to, bytes, CALLER);
    return error;
}

/* With 0 bytes, realloc may free the block and return NULL; that is then no failure. Only errno tells the two
 * apart where it returns NULL, and the C libraries set it. */
static void *finish_resize(struct hcct_heap_resize resize, void *address, size_t bytes, int saved,
                           const void *caller)
{
    look();
    if (!address && (bytes || errno == ENOMEM))
        hcct_heap_resize_undo(resize);
    else
        hcct_heap_resize_end(resize, address, bytes, caller);
    if (errno == 0)
        errno = saved;
    return address;
}

/* Out of line: its frame holds the block's address, and is wiped after it. */
static __attribute__((noinline)) void *resize(void *old, size_t bytes, const void *caller)
{
    struct hcct_heap_resize resize = hcct_heap_resize_begin(old);
    int saved = errno;
    errno = 0;
    void *address = real.realloc(old, bytes);
    return finish_resize(resize, address, bytes, saved, caller);
}

static __attribute__((noinline, cold)) void *resize_and_wipe(void *old, size_t bytes, const void *caller)
{
    void *address = resize(old, bytes, caller);
    wipe_stack();
    return address;
}

static void *resize_tidily(void *old, size_t bytes, const void *caller)
{
    return __builtin_expect(hcct_heap_settings.scan, 0) ? resize_and_wipe(old, bytes, caller)
                                                        : resize(old, bytes, caller);
}

static __attribute__((noinline)) void *know_realloc(void *old, size_t bytes)
{
    return resize_tidily(old, bytes, CALLER);
}

static void *take_realloc(void *old, size_t bytes)
{
    if (!hcct_heap_filter_may_have((uintptr_t)old) && hcct_heap_sample_passes(bytes))
        return real.realloc(old, bytes);
    __attribute__((musttail)) return know_realloc(old, bytes);
}

/* Where the product fits, reallocarray is realloc. The C library's own one calls realloc by its table of
 * functions, so that the block would count twice. */
static void *take_reallocarray(void *old, size_t count, size_t each)
{
    size_t bytes;
    return __builtin_mul_overflow(count, each, &bytes) ? real.reallocarray(old, count, each)
                                                       : resize_tidily(old, bytes, CALLER);
}

/* --- C++, by allocators only --------------------------------------------------------------------- */

#define NEWS(name) TAKE(name, (size_t bytes), (bytes))
#define NEWS_WITH(name) TAKE(name, (size_t bytes, size_t second), (bytes, second))
#define NEWS_WITH_BOTH(name)                                                                                 \
    TAKE(name, (size_t bytes, size_t alignment, const void *nothrow), (bytes, alignment, nothrow))
#define DELETES_WITH(name)                                                                                   \
    static void take_##name(void *address, size_t second)                                                    \
    {                                                                                                        \
        if (hcct_heap_filter_may_have((uintptr_t)address))                                                   \
            hcct_heap_freed(address);                                                                        \
        real.name(address, second);                                                                          \
    }
#define DELETES_WITH_BOTH(name)                                                                              \
    static void take_##name(void *address, size_t second, size_t third)                                      \
    {                                                                                                        \
        if (hcct_heap_filter_may_have((uintptr_t)address))                                                   \
            hcct_heap_freed(address);                                                                        \
        real.name(address, second, third);                                                                   \
    }
NEWS(new_one)
NEWS(new_array)
NEWS_WITH(new_one_nothrow)
NEWS_WITH(new_array_nothrow)
NEWS_WITH(new_one_aligned)
NEWS_WITH(new_array_aligned)
NEWS_WITH_BOTH(new_one_aligned_nothrow)
NEWS_WITH_BOTH(new_array_aligned_nothrow)
RELEASES(delete_one)
RELEASES(delete_array)
DELETES_WITH(delete_one_sized)
DELETES_WITH(delete_array_sized)
DELETES_WITH(delete_one_aligned)
DELETES_WITH(delete_array_aligned)
DELETES_WITH(delete_one_nothrow)
DELETES_WITH(delete_array_nothrow)
DELETES_WITH_BOTH(delete_one_sized_aligned)
DELETES_WITH_BOTH(delete_array_sized_aligned)
DELETES_WITH_BOTH(delete_one_aligned_nothrow)
DELETES_WITH_BOTH(delete_array_aligned_nothrow)

/* --- the dynamic linker -------------------------------------------------------------------------- */

/* It looks at its caller's return address, so it must be jumped to. */
static void *take_dlopen(const char *path, int flags)
{
    looks_left = LOOKS;
    hcct_heap_sample_hold(true);
    if (flags & RTLD_DEEPBIND)
        hcct_redirect_deep();
    __attribute__((musttail)) return real.dlopen(path, flags);
}

static void *take_dlsym(void *handle, const char *name)
{
    looks_left = looks_left ? looks_left : 1;
    look();
    if (name && strcmp(name, "dlopen") == 0) /* its calls are not seen then */
        hcct_redirect_deep();
    __attribute__((musttail)) return real.dlsym(handle, name);
}

/* --- what the program maps itself ---------------------------------------------------------------- */

static void *take_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    return hcct_heap_mapped(real.mmap(address, bytes, protection, flags, file, offset), bytes, protection,
                            flags);
}

static void *take_mmap64(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    return hcct_heap_mapped(real.mmap64(address, bytes, protection, flags, file, offset), bytes, protection,
                            flags);
}

static int take_munmap(void *address, size_t bytes)
{
    hcct_heap_unmapped(bytes);
    return real.munmap(address, bytes);
}

/* --- start --------------------------------------------------------------------------------------- */

/* The executable has an allocator only if the link leads its calls to wrap.h. */
#define TAKES(name, field) { name, (void *)take_##field, (void **)&real.field, true, true, false }
#define TAKES_LINKER(name, stays) { #name, (void *)take_##name, (void **)&real.name, stays, false, false }
/* Of the executable alone, unless it is the allocator: a library may be one. */
#define TAKES_MAPPING(name) { #name, (void *)take_##name, (void **)&real.name, true, true, true }
enum { C_COUNT = 15 };
static const struct hcct_redirection all[] = {
    TAKES("malloc", malloc), /* the first one: redirect.h */
    TAKES("calloc", calloc),
    TAKES("realloc", realloc),
    TAKES("reallocarray", reallocarray),
    TAKES("free", free),
    TAKES("memalign", memalign),
    TAKES("aligned_alloc", aligned_alloc),
    TAKES("posix_memalign", posix_memalign),
    TAKES("valloc", valloc),
    TAKES("pvalloc", pvalloc),
    TAKES_LINKER(dlopen, false),
    TAKES_LINKER(dlsym, true), /* allocators call it when they start */
    TAKES_MAPPING(mmap),
    TAKES_MAPPING(mmap64),
    TAKES_MAPPING(munmap),
    TAKES("_Znwm", new_one),
    TAKES("_Znam", new_array),
    TAKES("_ZnwmRKSt9nothrow_t", new_one_nothrow),
    TAKES("_ZnamRKSt9nothrow_t", new_array_nothrow),
    TAKES("_ZnwmSt11align_val_t", new_one_aligned),
    TAKES("_ZnamSt11align_val_t", new_array_aligned),
    TAKES("_ZnwmSt11align_val_tRKSt9nothrow_t", new_one_aligned_nothrow),
    TAKES("_ZnamSt11align_val_tRKSt9nothrow_t", new_array_aligned_nothrow),
    TAKES("_ZdlPv", delete_one),
    TAKES("_ZdaPv", delete_array),
    TAKES("_ZdlPvm", delete_one_sized),
    TAKES("_ZdaPvm", delete_array_sized),
    TAKES("_ZdlPvSt11align_val_t", delete_one_aligned),
    TAKES("_ZdaPvSt11align_val_t", delete_array_aligned),
    TAKES("_ZdlPvRKSt9nothrow_t", delete_one_nothrow),
    TAKES("_ZdaPvRKSt9nothrow_t", delete_array_nothrow),
    TAKES("_ZdlPvmSt11align_val_t", delete_one_sized_aligned),
    TAKES("_ZdaPvmSt11align_val_t", delete_array_sized_aligned),
    TAKES("_ZdlPvSt11align_val_tRKSt9nothrow_t", delete_one_aligned_nothrow),
    TAKES("_ZdaPvSt11align_val_tRKSt9nothrow_t", delete_array_aligned_nothrow),
};

#ifndef HCCT_SHARED
__attribute__((weak)) struct hcct_heap_functions *hcct_heap_wrapped = NULL;
#endif

/* What the link leads the executable's calls to (wrap.h): in a static program, and with
 * --hcct-allocator=malloc. Else NULL. */
static struct hcct_heap_functions *wrapped_functions(void)
{
#ifdef HCCT_SHARED
    return NULL;
#else
    return hcct_heap_wrapped;
#endif
}

/* `linked`: what they were before any address was replaced. Where the executable has no allocator of its own,
 * these are addresses from the dynamic linker, too. */
static void wrap(struct hcct_heap_functions *functions, const struct hcct_heap_functions *linked)
{
#define WRAPS(name) (real.name = linked->name, functions->name = take_##name)
    WRAPS(malloc);
    WRAPS(calloc);
    WRAPS(realloc);
    WRAPS(free);
    WRAPS(memalign);
    WRAPS(aligned_alloc);
    WRAPS(posix_memalign);
    WRAPS(valloc);
    WRAPS(pvalloc);
    if (counts_all()) {
        functions->malloc = (allocate *)(void *)count_malloc;
        functions->free = count_free;
    }
}

const void *hcct_heap_hooks_allocator(void)
{
    return (const void *)real.malloc;
}

enum { COUNT = sizeof all / sizeof all[0] };

/* The functions whose calls are led to ours. Returns their number. */
static size_t choose(struct hcct_redirection *chosen)
{
    bool has_own_new = hcct_redirect_same_object("malloc", "_Znwm");
    bool is_of_c_library = hcct_redirect_same_object("malloc", "__errno_location");
    size_t count = has_own_new ? COUNT : C_COUNT;
    memcpy(chosen, all, count * sizeof *chosen);
    for (size_t i = 0; i < count; i++) {
        if (is_of_c_library) /* it allocates for the program, too: strdup */
            chosen[i].stays_in_library = false;
        if (counts_all() && chosen[i].to == (void *)take_malloc)
            chosen[i].to = (void *)count_malloc;
        if (counts_all() && chosen[i].to == (void *)take_free)
            chosen[i].to = (void *)count_free;
    }
    return count;
}

bool hcct_heap_hooks_start(void)
{
    static struct hcct_redirection chosen[COUNT];
    size_t count = choose(chosen);
    struct hcct_heap_functions *wrapped = wrapped_functions(), linked = { 0 };
    if (wrapped)
        linked = *wrapped;
    enum hcct_redirected redirected = hcct_redirect_start(chosen, count, wrapped != NULL);
    if (wrapped) {
        wrap(wrapped, &linked);
        return true;
    }
    switch (redirected) {
    case HCCT_REDIRECTED_STATIC:
        HCCT_SAY(1, hcct_meter->name,
                 "the program is static, and its calls of malloc cannot be seen: nothing is counted (hcct-cc "
                 "-static links it so that they are, unless it is given a --wrap= of malloc or its kin)");
        return false;
    case HCCT_REDIRECTED_OWN:
        HCCT_SAY(1, hcct_meter->name,
                 "the program has a malloc of its own, whose calls cannot be seen: nothing is counted (link "
                 "it with hcct-cc --hcct-allocator=malloc and without a --wrap= of malloc or its kin, or the "
                 "allocator as a shared library)");
        return false;
    case HCCT_REDIRECTED:
        return true;
    }
    return false;
}
