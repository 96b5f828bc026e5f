// A program whose notes are gone runs, and says once that there is no profile. What strip takes by default is not missed.
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O2 %s -o x && cp x y && strip x && ./x 2> err && count 0 < err && %hcct-decode --all --format=folded ids.bin | grep -x 'main;leaf 3'
// RUN: rm ids.bin && strip -R '.note.*' y && ./y 2> err && count 1 < err && grep "hcct: the notes of the program's file are gone" err && test ! -e ids.bin
// RUN: for options in mode=cct; do env HCCT_OPTIONS=$options ./y 2> err && count 1 < err && test ! -e ids.bin || exit 1; done
// RUN: env HCCT_OPTIONS=verbosity=0 ./y 2> err && count 0 < err
// RUN: %hcct-cc -O2 -static %s -o s && strip -R '.note.*' s && ./s 2> err && count 1 < err && test ! -e ids.bin
// A runtime in a program without instrumented code says nothing.
// RUN: %clang -O2 %s -o plain && env LD_PRELOAD=%hcct-prefix/lib/hcct/libhcct_rt.so ./plain 2> err && count 0 < err
#include <sys/wait.h>
#include <unistd.h>

static volatile int calls;

__attribute__((noinline)) void leaf(void)
{
    calls++;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        leaf();
    if (fork() == 0) {
        leaf();
        _exit(0);
    }
    return wait(0) < 0 || calls != 3;
}
