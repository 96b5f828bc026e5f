/* The run-time API of hcct: for programs that want to say something to their own profiler.
 *
 * Works in a program without instrumentation too: the functions below are wrappers that test a weak symbol,
 * so nothing has to be linked, and do nothing then.
 * Threads: every function may be called from any thread. */
#ifndef HCCT_HCCT_H
#define HCCT_HCCT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inlined at -O0 too, so that they are no function with a context of its own. __inline: also where C90 is
 * asked for. */
#define HCCT_API_WRAPPER static __inline __attribute__((always_inline))

int __hcct_api_dump(void) __attribute__((weak));
void __hcct_api_reset(void) __attribute__((weak));
void __hcct_api_start(void) __attribute__((weak));
void __hcct_api_stop(void) __attribute__((weak));
uint64_t __hcct_api_context(void) __attribute__((weak, nothrow));
int __hcct_api_context_pin(void) __attribute__((weak, nothrow));
int __hcct_api_phase(const char *) __attribute__((weak, nothrow));
void __hcct_api_count(uint64_t) __attribute__((weak, nothrow));
void __hcct_api_heap_allocate(const void *, size_t) __attribute__((weak, nothrow));
void __hcct_api_heap_free(const void *) __attribute__((weak, nothrow));
int __hcct_api_on_new_context(void (*)(uint64_t, void *), void *) __attribute__((weak, nothrow));
uint64_t __hcct_api_new_context_count(void) __attribute__((weak, nothrow));
size_t __hcct_api_context_describe(char *, size_t) __attribute__((weak, nothrow));
size_t __hcct_api_context_describe_interrupted(char *, size_t) __attribute__((weak, nothrow));

/* Writes the profile of the calls so far to the output file; the exit writes the whole run again. What other
 * threads do meanwhile is counted up to some moment of the call. Returns 1, or 0 if there is no profiler or
 * the file could not be written (one warning on stderr). Not async-signal-safe. Keeps errno. */
HCCT_API_WRAPPER int hcct_dump(void)
{
    return __hcct_api_dump ? __hcct_api_dump() : 0;
}

/* Sets every count to zero; the contexts that calls in progress are in are kept. Not async-signal-safe. Keeps
 * errno. */
HCCT_API_WRAPPER void hcct_reset(void)
{
    if (__hcct_api_reset)
        __hcct_api_reset();
}

/* Counts, or stops counting, the calls of all threads; contexts are tracked all the time. Counting is on at
 * the start, unless HCCT_OPTIONS=counting=off. Not async-signal-safe. Keeps errno. */
HCCT_API_WRAPPER void hcct_start(void)
{
    if (__hcct_api_start)
        __hcct_api_start();
}

HCCT_API_WRAPPER void hcct_stop(void)
{
    if (__hcct_api_stop)
        __hcct_api_stop();
}

/* From now on the calls of all threads belong to the phase of that name; NULL or "": to none. The profile has
 * counts for each phase, which hcct-decode --phase=NAME shows, and they add up to those of the run. Phases do
 * not nest, and a name may come again. What other threads count meanwhile belongs to one of the two phases.
 * A name has at most 63 bytes; the rest of a longer one is ignored. The first 16 names are told apart; the
 * others are one phase, [other phases]. Returns 1; 0 if calls do not belong to that phase now, because there
 * is no profiler or no room for the phase, or with metric=heap (one warning on stderr). Takes as long as a
 * look at the slots of all threads. Not async-signal-safe in general; in a signal handler that was set up by
 * sigaction or signal it is. Keeps errno. */
HCCT_API_WRAPPER int hcct_phase(const char *name)
{
    return __hcct_api_phase ? __hcct_api_phase(name) : 0;
}

/* Attributes `weight` of anything (bytes, items) to the current context, that of the function that calls.
 * Counted with HCCT_OPTIONS=metric=weight only, when calls are not; there it takes some 50 ns, else a few.
 * Called from code that is not instrumented, it counts for the call that left instrumented code
 * (main;[qsort]); for [unknown] where nothing was called by any. Not async-signal-safe in general; in a
 * signal handler that was set up by sigaction or signal it is. Keeps errno. */
HCCT_API_WRAPPER void hcct_count(uint64_t weight)
{
    if (__hcct_api_count)
        __hcct_api_count(weight);
}

/* For allocators of the program's own: the block at `address` was given out, with so many bytes, in the
 * current context; or was taken back. Counted with HCCT_OPTIONS=metric=heap only, as malloc and free are (an
 * address has one block: the first block of a slab from malloc takes the slab's place). Call the first after,
 * the second before another thread may get the block. Takes some 50 ns, with another metric a few.
 * Thread-safe; in a signal handler as hcct_count. Keeps errno. */
HCCT_API_WRAPPER void hcct_heap_allocate(const void *address, size_t bytes)
{
    if (__hcct_api_heap_allocate)
        __hcct_api_heap_allocate(address, bytes);
}
HCCT_API_WRAPPER void hcct_heap_free(const void *address)
{
    if (__hcct_api_heap_free)
        __hcct_api_heap_free(address);
}

/* The current context as one number, which `hcct-decode --context` reads with the profile of this very run.
 * It is that of the instrumented function that calls; in a signal handler it begins with the signal. Called
 * from code that is not instrumented, it is that of the call that left instrumented code (main;[qsort]), 0
 * where nothing was called by any. mode=cct keeps every context that was counted, mode=hcct the hot ones;
 * hcct_context_pin() keeps any. Async-signal-safe. Keeps errno. */
HCCT_API_WRAPPER uint64_t hcct_context(void)
{
    return __hcct_api_context ? __hcct_api_context() : 0;
}

/* Keeps the current context, so that the profile can tell what its number means. Returns 1; 0 if that is not
 * possible: all 16384 pins are taken, memory is short, or there is no profiler or no context. Not
 * async-signal-safe. Keeps errno. */
HCCT_API_WRAPPER int hcct_context_pin(void)
{
    return __hcct_api_context_pin ? __hcct_api_context_pin() : 0;
}

/* Writes the path of the current context to `buffer`, as "main;f;g" with the names that the linker saw,
 * zero-terminated. What does not fit into `size` bytes is left out in front, behind "...". Returns the length
 * of the whole path, as snprintf does; 0 if there is no context. Takes some microseconds, in large programs
 * the first time a millisecond. Async-signal-safe. Keeps errno. */
HCCT_API_WRAPPER size_t hcct_context_describe(char *buffer, size_t size)
{
    if (__hcct_api_context_describe)
        return __hcct_api_context_describe(buffer, size);
    if (size)
        *buffer = 0;
    return 0;
}

/* For signal handlers: writes the path that the thread was in when the signal came, in the form of
 * hcct_context_describe. It is that of the instrumented function that ran, or that had called the code
 * that did, which is found by unwinding the stack. Where that is not possible (no unwind tables, a damaged
 * stack, a fault in the profiler) it goes as far as the newest push, which is a call through a pointer, a
 * recursive one, or one to code that is not instrumented, and ends in ";...": what that call led to is not
 * known ("..." alone: there is none). Of handlers that interrupt each other it is what the innermost
 * interrupted. Returns the length of the whole path; 0 outside of handlers, in those that were not set up
 * by sigaction or signal, and where no instrumented code ran. Takes some microseconds, in large programs
 * the first time a millisecond. Async-signal-safe, also after a fault, on an alternate stack, or at the
 * end of the stack. Keeps errno. */
HCCT_API_WRAPPER size_t hcct_context_describe_interrupted(char *buffer, size_t size)
{
    if (__hcct_api_context_describe_interrupted)
        return __hcct_api_context_describe_interrupted(buffer, size);
    if (size)
        *buffer = 0;
    return 0;
}

/* With HCCT_OPTIONS=known=FILE: how many contexts this process has entered so far that FILE lacks. Each
 * counts once, also those of other threads and of signal handlers. 0 without `known`. Async-signal-safe.
 * Keeps errno. */
HCCT_API_WRAPPER uint64_t hcct_new_context_count(void)
{
    return __hcct_api_new_context_count ? __hcct_api_new_context_count() : 0;
}

/* With HCCT_OPTIONS=known=FILE: from now on `callback` is called once for each context that FILE lacks, with
 * hcct_context()'s number for it. The call comes at the context's first entry, in the thread that enters it,
 * before the function does anything; several threads may run `callback` at once. It may do whatever that
 * function may do at its start: allocate, lock, print, call this API. hcct_context, hcct_context_pin and
 * hcct_context_describe speak of the new context then. What it calls is not counted, and never new. It has to
 * return or to throw; errno is kept. `argument` is passed on to it. Contexts whose first entry is in a signal
 * handler are counted by hcct_new_context_count, and have no call. Another `callback` replaces this one; NULL
 * ends the calls. Returns 1; 0 without `known`. Not async-signal-safe. */
HCCT_API_WRAPPER int hcct_on_new_context(void (*callback)(uint64_t context, void *argument), void *argument)
{
    return __hcct_api_on_new_context ? __hcct_api_on_new_context(callback, argument) : 0;
}

#ifdef __cplusplus
}
#endif
#endif
