/* See memory.h. */
#include "decoder/text/memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "decoder/text/progress.h"

int hcct_memory_status = 1;
void (*hcct_memory_before_end)(void);

/* What streams still hold is not written. */
void hcct_memory_end(void)
{
    hcct_progress_end();
    if (hcct_memory_before_end)
        hcct_memory_before_end();
    fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
    _exit(hcct_memory_status);
}

void *hcct_memory_got(void *memory)
{
    if (!memory)
        hcct_memory_end();
    return memory;
}

/* malloc(0) may be NULL. */
static size_t at_least_one(size_t count)
{
    return count ? count : 1;
}

void *hcct_memory_array(size_t count, size_t element_bytes)
{
    return hcct_memory_got(reallocarray(NULL, at_least_one(count), element_bytes));
}

void *hcct_memory_zeros(size_t count, size_t element_bytes)
{
    return hcct_memory_got(calloc(at_least_one(count), element_bytes));
}

void hcct_memory_grow(void *vector, uint32_t *capacity, uint32_t count, size_t element_bytes)
{
    if (!hcct_vector_grow(vector, capacity, count, element_bytes))
        hcct_memory_end();
}

void hcct_memory_add(struct hcct_table *table, uint32_t hash, uint32_t index)
{
    if (!hcct_table_add(table, hash, index))
        hcct_memory_end();
}

char *hcct_memory_print(const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return hcct_memory_got(length < 0 ? NULL : text);
}
