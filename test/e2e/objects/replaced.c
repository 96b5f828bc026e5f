// A definition that the link does not take (-z muldefs, objcopy --weaken-symbol, --defsym): calls in its own file lead to the one that runs, as
// do all others: numbered, as pushes (the other one leads back), in recursion. If that one is not instrumented, what it calls back is below it.
// RUN: split-file %s %t && for o in 0 2; do for f in kept replaced; do %hcct-cc -O$o -I%inputs -c %t/$f.c -o %t/$f$o.o || exit 1; done; done
// RUN: %clang -O2 -I%inputs -c %t/kept.c -o %t/plain.o && objcopy --weaken-symbol=other --weaken-symbol=twice %t/replaced2.o %t/weak2.o
// RUN: for l in bfd gold lld; do for o in 0 2; do %hcct-cc -fuse-ld=$l -Wl,-z,muldefs %t/kept$o.o %t/replaced$o.o -o %t/m-$l$o 2>/dev/null || exit 1; done; %hcct-cc -fuse-ld=$l %t/weak2.o %t/kept2.o -o %t/w-$l || exit 1; done
// RUN: env HCCT_NUMBERS=start %hcct-cc -Wl,-z,muldefs %t/kept2.o %t/replaced2.o -o %t/s-bfd
// RUN: for x in m-bfd0 m-bfd2 m-gold0 m-gold2 m-lld0 m-lld2 w-bfd w-gold w-lld s-bfd; do HCCT_OPTIONS=output=%t/bin %t/$x && %hcct-decode --format=folded --all %t/bin | LC_ALL=C sort | FileCheck --match-full-lines --implicit-check-not='{{.}}' %s || exit 1; done
// RUN: for l in bfd gold lld; do %hcct-cc -fuse-ld=$l -Wl,-z,muldefs %t/plain.o %t/replaced2.o -o %t/p-$l && HCCT_OPTIONS=output=%t/bin %t/p-$l && %hcct-decode --format=folded --all %t/bin | LC_ALL=C sort | FileCheck --match-full-lines --implicit-check-not='{{.}}' --check-prefix=PLAIN %s || exit 1; done
// CHECK: main 1
// CHECK-NEXT: main;again 1
// CHECK-NEXT: main;again;twice 1
// CHECK-NEXT: main;again;twice;again 1
// CHECK-NEXT: main;again;twice;again;twice 1
// CHECK-NEXT: main;again;twice;again;twice;again 1
// CHECK-NEXT: main;again;twice;again;twice;again;twice 1
// CHECK-NEXT: main;again;twice;again;twice;again;twice;leaf 1
// CHECK-NEXT: main;again;twice;again;twice;leaf 1
// CHECK-NEXT: main;again;twice;leaf 1
// CHECK-NEXT: main;in_file 1
// CHECK-NEXT: main;in_file;other 2
// CHECK-NEXT: main;in_file;other;below 2
// CHECK-NEXT: main;in_file;other;leaf 2
// What the compiler numbered needs no test in the code, so there is no push.
// PLAIN: [unknown];again 2
// PLAIN-NEXT: [unknown];below 2
// PLAIN-NEXT: main 1
// PLAIN-NEXT: main;again 1
// PLAIN-NEXT: main;in_file 1
//--- kept.c
#include "e2e.h"

void again(int n);
void below(void);
NOINLINE void leaf(void) { work(); }
NOINLINE void other(void) { leaf(); below(); }
NOINLINE void twice(int n)
{
    leaf();
    if (n)
        again(n - 1);
    work();
}
//--- replaced.c
#include "e2e.h"

NOINLINE void below(void) { work(); }
NOINLINE void other(void) { work(); work(); }
NOINLINE void in_file(void) { other(); other(); }
void again(int n);
NOINLINE void twice(int n)
{
    work();
    if (n)
        again(n - 1);
    work();
}
NOINLINE void again(int n)
{
    twice(n);
    work();
}
int main(void)
{
    in_file();
    again(2);
    return 0;
}
