/* Bytes that a program asks malloc and its kin for, by calling context: a library that counts them with
 * hcct_count() and passes them on to the C library (glibc). It is instrumented itself, so that a call to
 * malloc is one of the context's; it is loaded in front of the C library, or linked:
 *
 *     hcct-cc -O2 -shared -fPIC examples/malloc_bytes.c -o malloc_bytes.so
 *     LD_PRELOAD=./malloc_bytes.so HCCT_OPTIONS=metric=weight:unit=bytes ./program
 *     hcct-decode
 *
 * What libraries that are not instrumented ask for counts below the call that led there: main;[fopen];malloc.
 * Functions of the C library that hcct knows never to call back, printf for example, leave no trace of a
 * call: what they ask for, such as the buffer of stdout, hangs below the last call that does. So the library
 * has strdup and strndup of its own. */
#include <errno.h>
#include <hcct/hcct.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes)
{
    hcct_count(bytes);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    size_t all;
    hcct_count(__builtin_mul_overflow(count, bytes, &all) ? 0 : all);
    return __libc_calloc(count, bytes);
}

/* All of the new size: the old one is not known here. */
void *realloc(void *memory, size_t bytes)
{
    hcct_count(bytes);
    return __libc_realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    hcct_count(bytes);
    return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    hcct_count(bytes);
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    int saved = errno;
    if (alignment % sizeof(void *) || alignment == 0 || alignment & (alignment - 1))
        return EINVAL;
    hcct_count(bytes);
    void *got = __libc_memalign(alignment, bytes);
    errno = saved;
    if (!got)
        return ENOMEM;
    *memory = got;
    return 0;
}

static char *copy(const char *text, size_t length)
{
    hcct_count(length + 1);
    char *to = __libc_malloc(length + 1);
    if (to) {
        memcpy(to, text, length);
        to[length] = 0;
    }
    return to;
}

char *strdup(const char *text)
{
    return copy(text, strlen(text));
}

char *strndup(const char *text, size_t limit)
{
    return copy(text, strnlen(text, limit));
}
