// What allocation functions leave on the stack is no pointer to a block, even if a later frame lies there that never writes to it.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in "-O2" "-O2 -static"; do %hcct-cc $how %s -o x || exit 1; \
// RUN:   for function in 0 1 2 3 4 5; do %hcct-run --leaks ./x $function > out; test $? = 23 && grep '^leaked: 100 bytes in 1 block by' out || exit 1; done; done
#include <stdlib.h>
#include <string.h>

static void *volatile block;

__attribute__((noinline)) static void lose(int function)
{
    void *own = NULL;
    switch (function) {
    case 0:
        block = malloc(100);
        break;
    case 1:
        block = calloc(10, 10);
        break;
    case 2:
        block = realloc(NULL, 100);
        break;
    case 3:
        block = realloc(malloc(10), 100);
        break;
    case 4:
        block = aligned_alloc(4, 100);
        break;
    default:
        block = posix_memalign(&own, 64, 100) ? NULL : own;
        memset(&own, 0, sizeof own);
    }
    block = NULL;
}

// Its array lies where the frames of `lose` and of the functions that it called were.
__attribute__((noinline)) static void end(void)
{
    volatile char room[8192];
    room[0] = 0;
    exit(room[0]);
}

int main(int count, char **arguments)
{
    lose(count > 1 ? atoi(arguments[1]) : 0);
    end();
}
