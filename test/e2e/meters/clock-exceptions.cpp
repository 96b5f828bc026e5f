// metric=clock: what an exception leaves has its time up to the throw; what catches it, or cleans up on its way, goes on where it was: in measured
// functions, in instrumented ones that are not measured (their time is that of the nearest one above that is), in code that
// is not instrumented.
// RUN: split-file %s %t && cd %t && %clang++ -O2 -c -I%inputs library.cpp -o library.o
// RUN: for level in 0 2; do %hcct-c++ --hcct-clock=chosen -O$level -I%inputs main.cpp library.o -o x && \
// RUN:   HCCT_OPTIONS=metric=clock:output=ids.bin ./x > book && %hcct-decode --all --format=json -o json && python3 %inputs/clock_book.py json book || exit 1; done
// The same where the link instruments.
// RUN: %hcct-c++ --hcct-clock=chosen -flto -O2 -I%inputs -c main.cpp && %hcct-c++ -flto -O2 main.o library.o -o x
// RUN: HCCT_OPTIONS=metric=clock:output=ids.bin ./x > book && %hcct-decode --all --format=json -o json && python3 %inputs/clock_book.py json book
//--- chosen
# By name, or by file.
fun:main
fun:_Z*measured*
src:*other.cpp
//--- library.cpp
extern "C" void catching(void (*throws)())
{
    try {
        throws();
    } catch (int) {
    }
}
//--- main.cpp
#include "elapse.h"

extern "C" void catching(void (*throws)());

NOINLINE void measured_thrower(const char *own, int value)
{
    elapse(own, 40);
    if (value)
        throw value;
}

NOINLINE void other_thrower(int value)
{
    elapse("main;measured_catcher", 40); /* not measured: its caller's */
    if (value)
        throw value;
}

/* A landing pad of its own on the way. */
struct cleanup {
    const char *path;
    NOINLINE ~cleanup() { elapse(path, 30); }
};

NOINLINE void measured_cleans()
{
    cleanup object = { "main;measured_catcher;measured_cleans" };
    measured_thrower("main;measured_catcher;measured_cleans;measured_thrower", 1);
}

NOINLINE void other_cleans()
{
    cleanup object = { "main;measured_catcher" };
    measured_thrower("main;measured_catcher;other_cleans;measured_thrower", 1);
}

NOINLINE void measured_catcher()
{
    try {
        measured_cleans();
    } catch (int) {
        elapse("main;measured_catcher", 40);
    }
    try {
        other_thrower(1);
    } catch (int) {
        elapse("main;measured_catcher", 40);
    }
    try {
        other_cleans();
    } catch (int) {
        elapse("main;measured_catcher", 40);
    }
}

NOINLINE void other_catcher()
{
    try {
        measured_thrower("main;other_catcher;measured_thrower", 1);
    } catch (int) {
        elapse("main", 40);
    }
    elapse("main", 40);
}

static void calls_back()
{
    measured_thrower("main;measured_outside;[catching];calls_back;measured_thrower", 1);
}

NOINLINE void measured_outside()
{
    catching(calls_back);
    elapse("main;measured_outside", 60);
}

int main()
{
    measured_catcher();
    other_catcher();
    elapse("main", 50);
    measured_outside();
    return 0;
}
