// Virtual calls that a whole program guesses by the class hierarchy: single and multiple inheritance (thunks), local classes, many classes that
// are no relatives but have functions of equal types at equal places, exceptions through guessed calls, and a class from a library that dlopen
// brings, which nobody can guess.
// REQUIRES: turn-4
// RUN: split-file %s %t && cd %t && %hcct-c++ -O2 -g1 -fPIC -shared -fno-lto plugin.cpp -o plugin.so
// RUN: %clang++ -O2 main.cpp -o plain -ldl && ./plain > plain.txt && ./plain ./plugin.so > plain-plugin.txt
// Without the hierarchy 361 calls push, with it those to the library: 60 of its class's functions, one of what dlsym found.
// RUN: %hcct-c++ -O2 -flto main.cpp -o x -ldl && HCCT_OPTIONS=mode=cct:output=x.bin ./x ./plugin.so | cmp - plain-plugin.txt
// RUN: python3 %hcct-source/bench/pushes.py x.bin | FileCheck --check-prefix=NONE main.cpp
// RUN: %hcct-c++ -O2 -flto -fwhole-program-vtables main.cpp -o x -ldl && HCCT_OPTIONS=mode=cct:output=x.bin ./x ./plugin.so | cmp - plain-plugin.txt
// RUN: python3 %hcct-source/bench/pushes.py x.bin | FileCheck --check-prefix=GUESSED main.cpp
// RUN: %hcct-decode --all --format=folded x.bin | FileCheck main.cpp && %hcct-decode --all x.bin | FileCheck --check-prefix=SOUND main.cpp
// However clang comes to tell the hierarchy. The library's class would break the word that -fvisibility=hidden gives.
// RUN: for mode in "-fvisibility=hidden -fwhole-program-vtables" "-fvisibility=hidden -fwhole-program-vtables -fvirtual-function-elimination" \
// RUN:   "-fvisibility=hidden -fsanitize=cfi-vcall" "-fvisibility=hidden -fsanitize=cfi-vcall -fwhole-program-vtables"; do \
// RUN:   %hcct-c++ -O2 -flto $mode main.cpp -o x -ldl && HCCT_OPTIONS=mode=cct:output=x.bin ./x | cmp - plain.txt && \
// RUN:   python3 %hcct-source/bench/pushes.py x.bin | FileCheck --check-prefix=ALL main.cpp || exit 1; done
// Exact in any case.
// RUN: HCCT_SHADOW=1 %hcct-c++ -O2 -g1 -fPIC -shared -fno-lto plugin.cpp -o plugin.so
// RUN: for mode in "-O2 -flto" "-O0 -flto -fwhole-program-vtables" "-O2 -flto -fwhole-program-vtables" "-O2 -flto=thin -fwhole-program-vtables" \
// RUN:   "-O1 -flto -fvisibility=hidden -fsanitize=cfi-vcall" "-O2 -fvisibility=hidden -flto=thin -fsanitize=cfi-vcall"; do echo "$mode" && \
// RUN:   case $mode in *cfi*) library=;; *) library=./plugin.so;; esac && \
// RUN:   HCCT_SHADOW=1 %hcct-c++ $mode -g1 main.cpp -rdynamic %shadow -o y -ldl -lpthread && \
// RUN:   HCCT_OPTIONS=mode=cct:output=y.bin HCCT_SHADOW_FILE=y.txt ./y $library > y.out && cmp y.out plain${library:+-plugin}.txt && \
// RUN:   %hcct-decode --all --format=json -o y.json y.bin && python3 %oracle/compare.py y.json y.txt || exit 1; done
//--- classes.h
#define NOINLINE __attribute__((noinline))

struct Shape {
    virtual long area(long x) = 0;
    virtual long edge(long x) = 0;
};

struct Named {
    virtual long name(long x) = 0;
    long letters = 3;
};
//--- plugin.cpp
#include "classes.h"

namespace
{
struct Foreign : Shape {
    long area(long x) override { return x * 7; }
    long edge(long x) override
    {
        if (x % 4 == 0)
            throw x;
        return x * 9;
    }
};
} // namespace

extern "C" Shape *make()
{
    static Foreign foreign;
    return &foreign;
}
//--- main.cpp
#include <cstdio>
#include <dlfcn.h>

#include "classes.h"

NOINLINE static long leaf(long x)
{
    __asm__ volatile("" : "+r"(x));
    return x + 1;
}

struct Square : Shape {
    long area(long x) override { return leaf(x) * 2; }
    long edge(long x) override { return leaf(x) * 3; }
};

struct Big : Square {
    long area(long x) override
    {
        if (x % 3 == 0)
            throw leaf(x);
        return leaf(x) * 4;
    }
};

/* Its second table has a thunk. */
struct Label : Shape, Named {
    long area(long x) override { return leaf(x) * 5; }
    long edge(long x) override { return leaf(x) * 6; }
    long name(long x) override { return leaf(x) + letters; }
};

struct Word : Named {
    long name(long x) override { return leaf(x) * 8; }
};

/* No relatives; what they have at the same places is of the same type. */
template <int N> struct Stranger {
    virtual long one(long x) { return leaf(x) + N; }
    virtual long two(long x) { return leaf(x) - N; }
};

namespace
{
struct Base {
    virtual long count(long x) { return leaf(x) * 11; }
};
struct Derived : Base {
    long count(long x) override { return leaf(x) * 12; }
};
} // namespace

template <int N> NOINLINE static long meet(long x)
{
    static Stranger<N> stranger;
    Stranger<N> *volatile pointer = &stranger;
    return pointer->one(x) + pointer->two(x);
}

NOINLINE static long measure(Shape *shape, long x)
{
    return shape->area(x) + shape->edge(x);
}

struct Cleanup {
    long *sum;
    ~Cleanup() { *sum += leaf(1); }
};

/* These are invokes. */
NOINLINE static long measure_and_clean(Shape *shape, long x)
{
    long sum = 0;
    {
        Cleanup cleanup = { &sum };
        sum += shape->area(x);
        sum -= shape->edge(x);
    }
    return sum;
}

NOINLINE static long attempt(Shape *shape, long x)
{
    try {
        return measure_and_clean(shape, x);
    } catch (long caught) {
        return leaf(caught);
    }
}

NOINLINE static long read(Named *named, long x)
{
    return named->name(x) + 1;
}

NOINLINE static long count(Base *base, long x)
{
    return base->count(x) + 1;
}

int main(int argc, char **argv)
{
    Square square;
    Big big;
    Label label;
    Word word;
    Base base;
    Derived derived;
    Shape *volatile shapes[] = { &square, &big, &label, nullptr };
    Named *volatile names[] = { &label, &word };
    Base *volatile bases[] = { &base, &derived };
    long sum = 0;
    int kinds = 3;
    if (argc > 1) {
        void *library = dlopen(argv[1], RTLD_NOW);
        if (!library)
            return std::puts(dlerror());
        shapes[kinds++] = reinterpret_cast<Shape *(*)()>(dlsym(library, "make"))();
    }
    for (long i = 0; i < 60; i++) {
        Shape *shape = shapes[i % kinds];
        try {
            sum = sum * 3 + measure(shape, i);
        } catch (long caught) {
            sum -= caught;
        }
        sum = sum * 3 + attempt(shape, i) + read(names[i % 2], i) + count(bases[i % 2], i);
    }
    std::printf("%ld\n", sum + meet<1>(1) + meet<2>(2) + meet<3>(3) + meet<4>(4) + meet<5>(5));
}
// CHECK-DAG: main;attempt(Shape*, long);measure_and_clean(Shape*, long);(anonymous namespace)::Foreign::edge(long) 15
// CHECK-DAG: main;attempt(Shape*, long);measure_and_clean(Shape*, long);Big::area(long);leaf(long) 15
// CHECK-DAG: main;count((anonymous namespace)::Base*, long);(anonymous namespace)::Derived::count(long);leaf(long) 30
// CHECK-DAG: main;measure(Shape*, long);Square::edge(long);leaf(long) 25
// CHECK-DAG: main;read(Named*, long);non-virtual thunk to Label::name(long);leaf(long) 30
// NONE: {{^ +}}361 {{.*}} pointer
// GUESSED: {{^ +}}61 {{.*}} pointer
// ALL: {{^ +}}0 {{.*}} pointer
// SOUND: sound: nothing dropped, nothing lost
