// hcct_reset() while a block is out of the tables, as its function resizes it: what was allocated before is forgotten, and its end changes nothing.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g -I%hcct-source/include --hcct-allocator='^(make|again)$' --hcct-deallocator='^again' %s -o x && env HCCT_OPTIONS=metric=heap:mode=cct ./x
// RUN: %hcct-decode --value=peak --all --format=folded ids.bin | FileCheck --match-full-lines %s && %hcct-decode --format=json --all ids.bin | grep -o '"peak_bytes":[ 0-9]*\|"peak":[ 0-9]*' | head -1 | grep -w 300
// CHECK: main;again 300
// CHECK-NOT: {{.+}}
#include <hcct/hcct.h>
#include <stdlib.h>

#define FUNCTION __attribute__((noinline, optnone)) static
FUNCTION void *make(size_t bytes)
{
    return malloc(bytes);
}

FUNCTION void *again(void *old, size_t bytes)
{
    hcct_reset();
    return realloc(old, bytes);
}

int main(void)
{
    void *p = make(100);
    return !again(p, 300);
}
