/* Linked by --wrap=malloc: the program's own wrapper is called, once by main. */
#include <stdlib.h>

static volatile int calls;

void *__real_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    calls++;
    return __real_malloc(bytes);
}

int main(void)
{
    calls = 0; /* the C library's, before main */
    char *volatile block = malloc(3);
    return !block || calls != 1;
}
