// Guessed calls that an exception may leave: right and wrong guesses, each returning or throwing, with a result or none, landing pads that
// call on, and a callee that catches what a library threw through it.
// RUN: split-file %s %t && cd %t && %clang++ -O2 -fPIC -shared library.cpp -o liblibrary.so
// RUN: %clang++ -O2 main.cpp -L. -llibrary -Wl,-rpath,. -o plain && ./plain > plain.txt
// RUN: %hcct-c++ -O2 -flto main.cpp -L. -llibrary -Wl,-rpath,. -o x && HCCT_OPTIONS=mode=cct:output=x.bin ./x | cmp - plain.txt
// RUN: %hcct-decode --all --format=folded x.bin | FileCheck main.cpp && %hcct-decode --all x.bin | FileCheck --check-prefix=SOUND main.cpp
// RUN: python3 %hcct-source/bench/pushes.py x.bin | FileCheck --check-prefix=PUSHES main.cpp
// RUN: HCCT_OPTIONS=mode=cct:recursion=fold:output=x.bin ./x && %hcct-decode --all x.bin | FileCheck --check-prefix=SOUND main.cpp
// RUN: for level in -O0 -O1 -O2; do \
// RUN:   HCCT_SHADOW=1 %hcct-c++ $level -g1 -flto main.cpp -L. -llibrary -Wl,-rpath,. %shadow -o y -lpthread && \
// RUN:   HCCT_OPTIONS=mode=cct:output=y.bin HCCT_SHADOW_FILE=y.txt ./y | cmp - plain.txt && %hcct-decode --all --format=json -o y.json y.bin && \
// RUN:   python3 %oracle/compare.py y.json y.txt || exit 1; done
//--- library.cpp
int library(int x)
{
    if (x % 3 == 0)
        throw x;
    return x + 1;
}
int library_calls(int (*back)(int, int), int x)
{
    try {
        return back(x, 0);
    } catch (int caught) {
        return -caught;
    }
}
//--- main.cpp
#include <cstdio>
#define NOINLINE __attribute__((noinline))

int library(int);
int library_calls(int (*)(int, int), int);

NOINLINE static int leaf(int x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}
NOINLINE static int returns(int x)
{
    return leaf(x) * 2;
}
NOINLINE static int throws(int x)
{
    if (x % 2)
        throw leaf(x);
    return leaf(x) + 1;
}
/* Frames that the library's exceptions left are still there when it calls on. */
NOINLINE static int catches(int x)
{
    try {
        return leaf(library(x));
    } catch (int caught) {
        return leaf(caught);
    }
}

/* Not of the type that it is called as. */
NOINLINE static int other(unsigned long x)
{
    if ((int)x % 2)
        throw leaf((int)x);
    return leaf((int)x) + 3;
}

struct Cleanup {
    int *sum;
    ~Cleanup() { *sum += leaf(1); }
};

static int (*volatile pointer)(int);
static void (*volatile action)(int *);

NOINLINE static void store(int *to)
{
    if (*to % 5 == 0)
        throw 5;
    *to += leaf(2);
}

/* Both calls are invokes. Guessed are three functions of that type, and one of the other. */
NOINLINE static int run(int x, int)
{
    int sum = x;
    {
        Cleanup cleanup = { &sum };
        sum += pointer(x);
        action(&sum);
    }
    return leaf(sum);
}

NOINLINE static int attempt(int x, int)
{
    try {
        return run(x, 0);
    } catch (int caught) {
        return leaf(caught);
    }
}

int main()
{
    int (*const functions[])(int) = { returns, throws, catches, library, reinterpret_cast<int (*)(int)>(other) };
    int sum = 0;
    action = store;
    for (int i = 0; i < 60; i++) {
        pointer = functions[i % 5];
        sum = sum * 3 + attempt(i, 0);
        sum = sum * 3 + library_calls(attempt, i + 1);
        sum = sum * 3 + library_calls(run, i + 2);
    }
    std::printf("%d\n", sum);
}
// CHECK-DAG: main;attempt(int, int);run(int, int);other(unsigned long);leaf(int) 12
// CHECK-DAG: main;attempt(int, int);run(int, int);throws(int);leaf(int) 12
// CHECK-DAG: main;[library_calls(int (*)(int, int), int)];run(int, int);catches(int);leaf(int) 12
// Only what is called as of another type is pushed by the call through a pointer.
// PUSHES: {{^ +}}36 {{.*}} pointer
// SOUND: sound: nothing dropped, nothing lost
