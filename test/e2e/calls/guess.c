/* Calls through pointers that are guessed, in a whole program and in a file of its own: right and wrong guesses, one site with several callees, pointers of a wrong
 * type, to functions of a library and to what dlsym found, tail calls, and functions that a linker folds.
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: %clang -O2 %s -o plain -rdynamic -ldl
 * RUN: for how in -flto -flto=thin -fPIE -fPIC; do \
 * RUN:   %hcct-cc -O2 -g1 $how %s -o x -rdynamic -ldl && HCCT_OPTIONS=mode=cct:output=x.bin ./x > x.txt && \
 * RUN:   ./plain | cmp - x.txt && %hcct-decode --all --format=folded x.bin | FileCheck %s && \
 * RUN:   HCCT_OPTIONS=mode=cct:recursion=fold:output=x.bin ./x && %hcct-decode --all x.bin | FileCheck --check-prefix=SOUND %s || exit 1; done
 * RUN: for how in "-flto -Wl,--icf=all" "-flto -no-pie -Wl,--icf=safe" "-fuse-ld=lld -no-pie -Wl,--icf=all" -flto=thin; do \
 * RUN:   HCCT_SHADOW=1 %hcct-cc -O1 -g1 -fno-pie %s $how %shadow -o y -rdynamic -ldl -lpthread && \
 * RUN:   HCCT_OPTIONS=mode=cct:output=y.bin HCCT_SHADOW_FILE=y.txt ./y && %hcct-decode --all --format=json -o y.json y.bin && \
 * RUN:   python3 %oracle/compare.py y.json y.txt || exit 1; done
 * SOUND: sound: nothing dropped, nothing lost
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct operations {
    int (*prepare)(int);
    int (*apply)(int);
};

__attribute__((noinline)) static int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}
__attribute__((noinline)) static int one(int x) { return leaf(x); }
__attribute__((noinline)) static int two(int x) { return leaf(x) + 2; }
__attribute__((noinline)) static int same(int x) { return x * 5; }
__attribute__((noinline)) static int same_too(int x) { return x * 5; }
__attribute__((noinline)) static int again(int x);
static const struct operations tables[] = { { one, two }, { two, same }, { same_too, again } };

__attribute__((noinline)) static int run(const struct operations *table, int x)
{
    return table->prepare(x) + table->apply(x);
}

/* Called by what it calls: some of the guesses would be back edges. */
__attribute__((noinline)) static int again(int x)
{
    return x > 0 ? run(&tables[x % 3], x - 1) : 0;
}

__attribute__((noinline)) static int tail(const struct operations *table, int x)
{
    return table->apply(x);
}

__attribute__((noinline)) int visible(int x) { return leaf(x) + 7; }

static int called;
__attribute__((noinline)) static void wrong_type(long x) { called += leaf((int)x) != 0; }

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 30; i++)
        sum += run(&tables[i % 3], i) + tail(&tables[i % 3], i);
    int (*volatile pointer)(int) = abs;
    sum += pointer(-3);
    pointer = (int (*)(int))dlsym(RTLD_DEFAULT, "visible");
    sum += pointer(4);
    pointer = (int (*)(int))(void (*)(void))wrong_type;
    pointer(5);
    printf("%d %d\n", sum, called);
    return 0;
}
/* CHECK-DAG: main;run;one;leaf 10
 * CHECK-DAG: main;run;two;leaf 20
 * CHECK-DAG: main;tail;two;leaf 10
 * CHECK-DAG: main;visible;leaf 1
 * CHECK-DAG: main;wrong_type;leaf 1
 */
