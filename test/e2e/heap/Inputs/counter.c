/* To preload: counts what malloc and its kin give out, by the innermost function on the stack whose name begins with f_. At the end it writes lines "function allocated blocks live live-blocks" to the
 * file that COUNTED names. Knows nothing of hcct: stacks are walked by backtrace. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);
void __libc_free(void *);

enum { PLACES = 1 << 16, FUNCTIONS = 64, GONE = 1 };
static struct {
    uintptr_t address;
    size_t bytes;
    int function;
} places[PLACES];
static struct {
    char name[40];
    long bytes, blocks, live, live_blocks;
} functions[FUNCTIONS];
static int function_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int inside __attribute__((tls_model("initial-exec")));

/* -1: the dynamic linker allocates for itself. */
static int find_function(void)
{
    void *frames[64];
    const char *name = NULL;
    int is_callers = 1; /* the first frame that is not ours */
    Dl_info found, own;
    dladdr((void *)find_function, &own);
    for (int i = 0, count = backtrace(frames, 64); i < count && !name; i++) {
        if (!dladdr((char *)frames[i] - 1, &found) || found.dli_fbase == own.dli_fbase)
            continue;
        if (is_callers && strstr(found.dli_fname, "/ld-"))
            return -1;
        is_callers = 0;
        name = found.dli_sname && !strncmp(found.dli_sname, "f_", 2) ? found.dli_sname : NULL;
    }
    name = name ? name : "none";
    for (int i = 0; i < function_count; i++)
        if (!strcmp(functions[i].name, name))
            return i;
    strncpy(functions[function_count].name, name, sizeof functions[0].name - 1);
    return function_count++;
}

static unsigned place_of(uintptr_t address)
{
    unsigned at = (unsigned)(address >> 4) * 2654435761u % PLACES;
    while (places[at].address && places[at].address != address)
        at = (at + 1) % PLACES;
    return at;
}

static void end(unsigned at)
{
    functions[places[at].function].live -= (long)places[at].bytes;
    functions[places[at].function].live_blocks--;
    places[at].address = GONE;
}

static void *count(void *block, size_t bytes, void *ended)
{
    int saved = errno;
    if (inside)
        return block;
    inside = 1;
    pthread_mutex_lock(&lock);
    unsigned at = ended ? place_of((uintptr_t)ended) : 0;
    if (ended && places[at].address)
        end(at);
    int function = block ? find_function() : -1;
    if (function >= 0) {
        functions[function].bytes += (long)bytes;
        functions[function].live += (long)bytes;
        functions[function].blocks++;
        functions[function].live_blocks++;
        at = place_of((uintptr_t)block);
        places[at].address = (uintptr_t)block;
        places[at].bytes = bytes;
        places[at].function = function;
    }
    pthread_mutex_unlock(&lock);
    inside = 0;
    errno = saved;
    return block;
}

void *malloc(size_t bytes)
{
    return count(__libc_malloc(bytes), bytes, NULL);
}
void *calloc(size_t n, size_t bytes)
{
    return count(__libc_calloc(n, bytes), n * bytes, NULL);
}
void *memalign(size_t alignment, size_t bytes)
{
    return count(__libc_memalign(alignment, bytes), bytes, NULL);
}
void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}
void free(void *block)
{
    count(NULL, 0, block);
    __libc_free(block);
}
void *realloc(void *old, size_t bytes)
{
    void *block = __libc_realloc(old, bytes);
    return block || !bytes ? count(block, bytes, old) : NULL;
}
int posix_memalign(void **to, size_t alignment, size_t bytes)
{
    if (!alignment || alignment % sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    void *block = memalign(alignment, bytes);
    *to = block ? block : *to;
    return block ? 0 : ENOMEM;
}

__attribute__((destructor(101))) static void tell(void)
{
    inside = 1;
    FILE *to = fopen(getenv("COUNTED"), "w");
    for (int i = 0; to && i < function_count; i++)
        fprintf(to, "%s %ld %ld %ld %ld\n", functions[i].name, functions[i].bytes, functions[i].blocks,
                functions[i].live, functions[i].live_blocks);
    if (to)
        fclose(to);
}
