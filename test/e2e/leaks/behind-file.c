// A mapping without a name that lies behind that of a file is data of an object only up to the object's end.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g %s -o x
// RUN: for file in %s /proc/self/exe; do %hcct-run --leaks ./x $file > out; test $? = 23 && FileCheck %s < out || exit 1; done
// CHECK: leaked: 1234 bytes in 1 block by 1 context
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "Inputs/lose.h"

enum { PAGE_BYTES = 65536, PAGES = 1024 };

int main(int count, char **arguments)
{
    char *at =
        mmap(NULL, (size_t)PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int file = open(arguments[count - 1], O_RDONLY);
    if (file < 0 || mmap(at, PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != at)
        return 1;
    *(void **)(at + (size_t)(PAGES - 1) * PAGE_BYTES) = malloc(1234);
    wipe();
    return 0;
}
