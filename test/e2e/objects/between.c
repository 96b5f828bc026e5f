// Calls through objects that are instrumented and objects that are not, in turn and in both directions: executable, plain library, instrumented
// library, plain library, executable; and the reverse, a plain executable with instrumented libraries around a plain one.
// RUN: split-file %s %t && cd %t
// RUN: for level in 0 2; do %clang -O$level -shared -fPIC -DNAME=plain -I%inputs library.c -o libplain.so && %hcct-cc -O$level -shared -fPIC -DNAME=counted -I%inputs library.c -o libcounted.so && \
// RUN:   %hcct-cc -O$level -shared -fPIC -DNAME=second -I%inputs library.c -o libsecond.so && \
// RUN:   %hcct-cc -O$level -I%inputs main.c ./libplain.so ./libcounted.so ./libsecond.so -o $level && sh %inputs/exact.sh %hcct-decode %s %t/$level && \
// RUN:   %clang -O$level -I%inputs main.c ./libplain.so ./libcounted.so ./libsecond.so -o plain$level && env CHECKS=PLAIN sh %inputs/exact.sh %hcct-decode %s %t/plain$level || exit 1; done
//--- chain.h
/* A list of functions, each of which calls the next one with the rest. */
struct chain;
typedef void link(const struct chain *);
struct chain {
    link *function;
};
void plain(const struct chain *), counted(const struct chain *), second(const struct chain *);
//--- library.c
#include "chain.h"
#include "e2e.h"
#define JOIN(a, b) a##b
#define WITHIN(name) JOIN(name, _within)
static NOINLINE void WITHIN(NAME)(const struct chain *rest)
{
    if (rest->function)
        rest->function(rest + 1);
    work();
}
NOINLINE void NAME(const struct chain *rest)
{
    WITHIN(NAME)(rest);
    work();
}
//--- main.c
#include "chain.h"
#include "e2e.h"
static NOINLINE void own(const struct chain *rest)
{
    if (rest->function)
        rest->function(rest + 1);
    work();
}
int main(void)
{
    static const struct chain first[] = {{counted}, {plain}, {own}, {plain}, {second}, {0}};
    static const struct chain twice[] = {{plain}, {plain}, {second}, {counted}, {own}, {plain}, {own}, {0}};
    plain(first);
    counted(first + 1);
    second(twice);
    plain(twice + 1);
    own(first);
    return 0;
}
// CHECK: main 1
// CHECK-NEXT: main;[plain];counted 1
// CHECK-NEXT: main;[plain];counted;counted_within 1
// CHECK-NEXT: main;[plain];counted;counted_within;own 1
// CHECK-NEXT: main;[plain];counted;counted_within;own;second 1
// CHECK-NEXT: main;[plain];counted;counted_within;own;second;second_within 1
// CHECK-NEXT: main;[plain];second 1
// CHECK-NEXT: main;[plain];second;second_within 1
// CHECK-NEXT: main;[plain];second;second_within;counted 1
// CHECK-NEXT: main;[plain];second;second_within;counted;counted_within 1
// CHECK-NEXT: main;[plain];second;second_within;counted;counted_within;own 1
// CHECK-NEXT: main;[plain];second;second_within;counted;counted_within;own;own 1
// CHECK-NEXT: main;counted 1
// CHECK-NEXT: main;counted;counted_within 1
// CHECK-NEXT: main;counted;counted_within;own 1
// CHECK-NEXT: main;counted;counted_within;own;second 1
// CHECK-NEXT: main;counted;counted_within;own;second;second_within 1
// CHECK-NEXT: main;own 1
// CHECK-NEXT: main;own;counted 1
// CHECK-NEXT: main;own;counted;counted_within 1
// CHECK-NEXT: main;own;counted;counted_within;own 1
// CHECK-NEXT: main;own;counted;counted_within;own;second 1
// CHECK-NEXT: main;own;counted;counted_within;own;second;second_within 1
// CHECK-NEXT: main;second 1
// CHECK-NEXT: main;second;second_within 1
// CHECK-NEXT: main;second;second_within;second 1
// CHECK-NEXT: main;second;second_within;second;second_within 1
// CHECK-NEXT: main;second;second_within;second;second_within;counted 1
// CHECK-NEXT: main;second;second_within;second;second_within;counted;counted_within 1
// CHECK-NEXT: main;second;second_within;second;second_within;counted;counted_within;own 1
// CHECK-NEXT: main;second;second_within;second;second_within;counted;counted_within;own;own 1
// PLAIN: counted 3
// PLAIN-NEXT: counted;counted_within 3
// PLAIN-NEXT: counted;counted_within;second 3
// PLAIN-NEXT: counted;counted_within;second;second_within 3
// PLAIN-NEXT: second 2
// PLAIN-NEXT: second;second_within 2
// PLAIN-NEXT: second;second_within;counted 1
// PLAIN-NEXT: second;second_within;counted;counted_within 1
// PLAIN-NEXT: second;second_within;second 1
// PLAIN-NEXT: second;second_within;second;second_within 1
// PLAIN-NEXT: second;second_within;second;second_within;counted 1
// PLAIN-NEXT: second;second_within;second;second_within;counted;counted_within 1
