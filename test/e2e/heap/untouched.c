// metric=heap leaves the program's heap as it is: the addresses of blocks within a page, what new blocks have in them, and dlerror().
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in "" -no-pie "-fuse-ld=lld"; do %clang -O1 $how %s -o plain -ldl -lpthread && %hcct-cc -O1 $how %s -o x -ldl -lpthread || exit 1; \
// RUN:   env -i HCCT_OPTIONS=mode=cct ./plain > wanted && for options in mode=cct metric=heap metric=heap:mode=cct metric=heap:heap_scan=on metric=heap:heap_sample=4K; do \
// RUN:   env -i HCCT_OPTIONS=$options ./x | diff wanted - || exit 1; done; done
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void tell(const unsigned char *block, size_t bytes)
{
    unsigned sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum = sum * 31 + block[i];
    printf("%zu: %03x %u\n", bytes, (unsigned)((uintptr_t)block & 0xfff), sum);
}

int main(void)
{
    static char room[1 << 16];
    const char *error = dlerror();
    setvbuf(stdout, room, _IOFBF, sizeof room);
    printf("dlerror: %s\n", error ? error : "none");
    for (size_t bytes = 1; bytes < 300; bytes += 7)
        tell(malloc(bytes), bytes);
    for (size_t bytes = 1; bytes < 300; bytes += 7)
        free(malloc(bytes));
    tell(malloc(100000), 100000);
}
