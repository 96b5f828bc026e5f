// Ten million sibling calls between two files run in a small stack and keep the context stack small.
// Folded: a site that pushes stands in a chain of tail calls once. Of the direct calls pong's is the back edge, which
// pushes; both indirect ones do, of which the first is a plain call.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O2 -I%inputs ping.c pong.c -o 2
// RUN: ulimit -s 256; ulimit -v 1000000; sh %inputs/exact.sh %hcct-decode %s %t/2
// RUN: %hcct-cc -O2 -fPIC -shared -I%inputs pong.c -o libpong.so && %hcct-cc -O2 -I%inputs ping.c ./libpong.so -o shared
// RUN: ulimit -s 256; ulimit -v 1000000; sh %inputs/exact.sh %hcct-decode %s %t/shared
//--- ping.c
#include "e2e.h"
volatile long left;
void pong(void), pong_by_pointer(void);
void (*volatile pong_pointer)(void) = pong_by_pointer;
NOINLINE void ping(void)
{
    if (left-- > 0)
        pong();
}
NOINLINE void ping_by_pointer(void)
{
    if (left-- > 0)
        pong_pointer();
}
int main(void)
{
    left = 10000000;
    ping();
    left = 10000000;
    ping_by_pointer();
    work();
    return 0;
}
//--- pong.c
#include "e2e.h"
extern volatile long left;
void ping(void), ping_by_pointer(void);
void (*volatile ping_pointer)(void) = ping_by_pointer;
NOINLINE void pong(void)
{
    if (left-- > 0)
        ping();
}
NOINLINE void pong_by_pointer(void)
{
    if (left-- > 0)
        ping_pointer();
}
// CHECK: main 1
// CHECK-NEXT: main;ping 1
// CHECK-NEXT: main;ping;pong 1
// CHECK-NEXT: main;ping;pong;ping 5000000
// CHECK-NEXT: main;ping;pong;ping;pong 4999999
// CHECK-NEXT: main;ping_by_pointer 1
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer 1
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer;ping_by_pointer 5000000
// CHECK-NEXT: main;ping_by_pointer;pong_by_pointer;ping_by_pointer;pong_by_pointer 4999999
