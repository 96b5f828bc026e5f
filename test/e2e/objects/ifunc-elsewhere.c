// An ifunc resolver that calls a function of another file, which would be instrumented: a warning names the function. Once
// the filter names all that the resolver reaches, there is no warning, and the program runs; so does one that is linked as
// a whole, without a filter.
// RUN: split-file %s %t && cd %t
// RUN: %hcct-cc -O2 -I%inputs -c main.c -o unfiltered.o 2>&1 | grep -c 'warning: hcct: an ifunc resolver calls pick, and' | grep -x 1
// RUN: for o in -O0 -O2 '-O2 -static'; do %hcct-cc --hcct-filter=filter $o -I%inputs main.c other.c -o program > err 2>&1 && not grep . err && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/program || exit 1; done
// RUN: for o in '' -static; do %hcct-cc -flto -fuse-ld=lld -O2 $o -I%inputs main.c other.c -o program > err 2>&1 && not grep . err && \
// RUN:   sh %inputs/exact.sh %hcct-decode %s %t/program || exit 1; done
//--- filter
fun:pick
fun:helper
//--- main.c
#include "e2e.h"
int pick(void);
static NOINLINE void leaf(void) { work(); }
static void chosen(void) { leaf(); work(); }
static void (*resolve(void))(void) { return pick() ? chosen : leaf; }
void function(void) __attribute__((ifunc("resolve")));
int main(void)
{
    function();
    return 0;
}
//--- other.c
#include "e2e.h"
static volatile int choice = 1;
NOINLINE int helper(void) { return choice; }
NOINLINE int pick(void) { return helper() + helper(); }
// CHECK: main 1
// CHECK-NEXT: main;[function];chosen 1
// CHECK-NEXT: main;[function];chosen;leaf 1
