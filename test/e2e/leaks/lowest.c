// A leak is found if its block is the only one, or the one with the lowest address.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in "-O1" "-O1 -static" "-O1 -static-pie"; do %hcct-cc $how -g %s -o x 2> warnings || exit 1; \
// RUN:   for count in 1 2 10; do %hcct-run --leaks ./x $count > out; test $? = 23 && FileCheck --check-prefix=COUNT$count %s < out || exit 1; done; %hcct-run --leaks ./x 0 || exit 1; done
// COUNT1: leaked: 10 bytes in 1 block by 1 context; still reachable: 0 bytes in 0 blocks
// COUNT2: leaked: 30 bytes in 2 blocks by 1 context; still reachable: 0 bytes in 0 blocks
// COUNT10: leaked: 550 bytes in 10 blocks by 1 context; still reachable: 0 bytes in 0 blocks
#include <stdlib.h>

static size_t sum;

__attribute__((noinline)) static void lose(size_t bytes)
{
    void *volatile block = malloc(bytes);
    sum += block != NULL;
    block = NULL;
}

int main(int count, char **arguments)
{
    for (int i = 0, most = count > 1 ? atoi(arguments[1]) : 0; i < most; i++)
        lose((size_t)(i + 1) * 10);
    return sum > 10;
}
