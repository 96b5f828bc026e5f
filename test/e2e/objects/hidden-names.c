// A program whose link hides hcct's names from its libraries (--exclude-libs, a version script): the libraries' runtime stays
// idle, says so, and leaves the program's profile in place, with all of the program's own calls.
// RUN: rm -rf %t && split-file %s %t && cd %t && %hcct-cc -O1 -fPIC -shared library.c -o library.so
// RUN: for how in "bfd -rdynamic -Wl,--exclude-libs,ALL" "lld -rdynamic -Wl,--exclude-libs,ALL" "bfd -Wl,--version-script=names" "lld -Wl,--version-script=names"; do \
// RUN:   %hcct-cc -O1 -fuse-ld=$how main.c ./library.so -o x && for mode in cct hcct; do rm -f ids.bin* && \
// RUN:   if env HCCT_OPTIONS=mode=$mode ./x 2> err; then exit 1; else test $? = 7 || exit 1; fi; grep -c 'program.s link hides.*not counted' err | grep -x 1 && \
// RUN:   test $(ls ids.bin* | wc -l) = 1 && %hcct-decode --all --format=json | FileCheck --check-prefix=CALLS main.c && \
// RUN:   %hcct-decode --all --format=folded | awk '{n=split($1,f,";"); c[f[n]]+=$2} END {for (k in c) print k, c[k]}' | sort | FileCheck --match-full-lines main.c || exit 1; done; done
//--- names
{ global: back; main; local: *; };
//--- library.c
int back(int count);
__attribute__((noinline)) static int local(int count) { return back(count) + back(count); }
int enter(int count) { return local(count) + 1; }
//--- main.c
int enter(int count);
__attribute__((noinline)) static int work(int count) { return count + 1; }
__attribute__((noinline)) int back(int count) { return work(count) + 1; }
int main(void)
{
    return enter(1);
}
// CALLS: "calls": 5,
// CHECK: back 2
// CHECK-NEXT: main 1
// CHECK-NEXT: work 2
// CHECK-NOT: {{.}}
