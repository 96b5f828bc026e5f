/* Allocates by construction: the test has the sums for each context. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static void *volatile kept;

static NOINLINE void take(void *memory)
{
    kept = memory;
    free(memory);
}

static NOINLINE void make_name(const char *text)
{
    take(strdup(text));
    take(strndup(text, 2));
}

/* Each depth is a context of its own. */
static NOINLINE void make_list(int length)
{
    char *node = malloc(16);
    if (length > 1)
        make_list(length - 1);
    take(node);
}

static void *(*volatile pointer)(size_t) = malloc;

static NOINLINE void grow(void)
{
    char *memory = realloc(NULL, 10);
    take(realloc(memory, 100000));
    take(calloc(3, 7));
    take(pointer(1000));
    void *aligned;
    if (posix_memalign(&aligned, 64, 640) == 0)
        take(aligned);
}

static int compare(const void *a, const void *b)
{
    take(malloc(5));
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    int numbers[2] = { 2, 1 };
    char *line = NULL;
    size_t size = 0;
    for (int i = 0; i < 100; i++)
        make_name("name");
    make_list(3);
    grow();
    qsort(numbers, 2, sizeof *numbers, compare);
    FILE *stream = fmemopen("line\n", 5, "r");
    ssize_t got = getline(&line, &size, stream);
    take(line);
    fclose(stream);
    return got != 5;
}
