// Calls of code that --hcct-time-only compiled are missing in a profile of calls: the run says so of each object, once, also of one that
// dlopen loads, and the profile is not called exact, nor are sums of it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hcct-cc -O1 --hcct-time-only -DLIBRARY -fPIC -shared %s -o lib1.so && cp lib1.so lib2.so && %hcct-cc -O1 -DLIBRARY -fPIC -shared %s -o counted.so
// RUN: %hcct-cc -O1 %s -o x && %hcct-cc -O1 --hcct-time %s -o timed && %hcct-cc -O1 --hcct-time-only %s -o only
// RUN: HCCT_OPTIONS=mode=cct:output=all.bin ./x ./counted.so 2> err && count 0 < err && %hcct-decode all.bin | FileCheck --check-prefix=ALL %s && %hcct-decode --format=json all.bin | not grep uncounted
// ALL: 21 calls in 2 contexts, every count exact
// ALL: sound: nothing dropped, nothing lost
// RUN: HCCT_OPTIONS=mode=cct:output=one.bin ./x ./lib1.so 2> err && FileCheck --check-prefix=SAID %s < err && %hcct-decode one.bin | FileCheck --check-prefix=ONE %s
// SAID: hcct: {{.*}}/lib1.so has code that was compiled by --hcct-time-only: its calls are not counted (metric=time is for it)
// SAID-NOT: hcct
// ONE: 1 call in 1 context{{$}}
// ONE: not exact: calls of code that was compiled by --hcct-time-only, in lib1.so, are not counted
// ONE-NOT: {{exact|sound}}
// RUN: %hcct-decode --format=json one.bin | tr -d ' \n' | grep -c '"uncounted":\["[^"]*/lib1.so"\]' && %hcct-decode --format=pprof one.bin | gzip -dc | grep -a -c 'all calls of code compiled by --hcct-time-only'
// The object that the run begins with, and both; what a crash leaves; samples of calls.
// RUN: HCCT_OPTIONS=mode=cct:output=both.bin LD_PRELOAD=./lib2.so ./x ./lib1.so 2> err && grep -c 'time-only' err | grep -x 2 && %hcct-decode both.bin | FileCheck --check-prefix=BOTH %s
// BOTH: in lib2.so and 1 more object, are not counted
// RUN: HCCT_OPTIONS=mode=cct:output=kill.bin not --crash ./x ./lib1.so kill 2> err && %hcct-decode kill.bin | FileCheck --check-prefix=KILL %s
// KILL: not exact: calls of code that was compiled by --hcct-time-only, in lib1.so, are not counted
// Sums tell all such objects, each once; also by names.
// RUN: HCCT_OPTIONS=mode=cct:output=two.bin ./x ./lib2.so 2> err && %hcct-merge --force -o force.bin all.bin one.bin both.bin one.bin && %hcct-decode --format=json force.bin | tr -d ' \n' | grep -c '"uncounted":\["[^"]*/lib1.so","[^"]*/lib2.so"\]'
// RUN: %hcct-merge -o same.bin one.bin one.bin && %hcct-decode same.bin | FileCheck --check-prefix=SAME %s && %hcct-merge -S 1M -o outside.bin one.bin one.bin && %hcct-decode outside.bin | FileCheck --check-prefix=SAME %s
// SAME: 2 runs
// SAME: not exact: calls of code that was compiled by --hcct-time-only, in lib1.so, are not counted
// RUN: %hcct-decode --force --format=json all.bin one.bin two.bin | tr -d ' \n' | grep -c '"uncounted":\["[^"]*/lib1.so","[^"]*/lib2.so"\]'
// RUN: %hcct-compare all.bin one.bin | FileCheck --check-prefix=COMPARED %s
// COMPARED: A 21 calls all.bin{{$}}
// COMPARED-NEXT: B 1 call one.bin (calls of code that was compiled by --hcct-time-only are not counted)
// Nothing of this where time is what is asked for; and where nothing at all was counted, it says why.
// RUN: HCCT_OPTIONS=metric=time:output=time.bin ./timed ./lib1.so 2> err && count 0 < err && %hcct-decode --format=json time.bin 2> none | not grep uncounted
// RUN: HCCT_OPTIONS=output=only.bin ./only ./lib1.so 2> err && mv only other && %hcct-decode only.bin | FileCheck --check-prefix=NONE %s
// NONE: no calls were counted (N = 0): the program, or a part of it, was compiled by hcct-cc --hcct-time-only
// A file that names an object that it does not have is refused.
// RUN: python3 %inputs/uncounted.py one.bin > bad.bin; not %hcct-decode bad.bin 2>&1 | grep 'an uncounted object does not exist or is out of order'
#ifdef LIBRARY
int twice(int x);

__attribute__((noinline)) int twice(int x)
{
    __asm__ volatile("");
    return 2 * x;
}
#else
#include <dlfcn.h>
#include <signal.h>

int main(int count, char **arguments)
{
    void *library = dlopen(arguments[1], RTLD_NOW);
    int (*twice)(int) = (int (*)(int))dlsym(library, "twice"), sum = 0;
    for (int i = 0; i < 20; i++)
        sum += twice(i);
    if (count > 2)
        raise(SIGSEGV);
    return sum != 380;
}
#endif
