// Bitcode that was left to the link fails in a link that does not instrument it, and says why; HCCT_LTO=compile, or a
// linker that the compile step is told of, has it instrumented there.
// Not here: -flto=thin by LLVM 16. Its ld.lld puts writable and other notes into one PT_NOTE across two segments, and what is
// read at a wrong address is left alone: there is no profile.
// REQUIRES: turn-4
// RUN: rm -rf %t && split-file %s %t && cd %t && for mode in -flto %if !clang-16 %{ -flto=thin %}; do sh each.sh "%hcct-cc" "%clang" $mode -I%inputs || exit 1; done
// RUN: for x in x-*; do case $x in *.bin|*.lost) ;; *) sh %inputs/exact.sh %hcct-decode %s %t/$x || { echo "failed: $x"; exit 1; } ;; esac; done
//--- each.sh
# each.sh HCCT-CC CLANG MODE INCLUDE: CLANG is the one that HCCT-CC calls, as each lld reads the bitcode of its own LLVM.
fails() {
    if "$@" -o fails 2>errors; then
        echo "linked: $*"
        exit 1
    fi
    grep -q "undefined.*__hcct_lto_not_linked_by_hcct_cc_with_flto_and_lld" errors || { cat errors; exit 1; }
}
set -e
cc=$1 clang=$2 mode=$3 include=$4
for file in one two; do
    "$cc" -O2 "$mode" "$include" -fPIC -c $file.c -o $file.o
    env HCCT_LTO=compile "$cc" -O2 "$mode" "$include" -fPIC -c $file.c -o $file-compile.o
done
fails "$clang" "$mode" -fuse-ld=lld one.o two.o
fails "$clang" "$mode" -fuse-ld=lld -shared one.o two.o
fails env HCCT_LTO=compile "$cc" "$mode" -fuse-ld=lld one.o two.o
"$cc" "$mode" one-compile.o two-compile.o -o x-lld$mode
"$cc" "$mode" one.o two-compile.o -o x-mixed$mode
for linker in bfd gold mold; do
    command -v ld.$linker >/dev/null && ls "$("$clang" -print-resource-dir)"/../../LLVMgold.so >/dev/null || continue
    fails "$cc" "$mode" -fuse-ld=$linker one.o two.o
    fails "$cc" "$mode" -fuse-ld=$linker one-compile.o two.o
    "$cc" "$mode" -fuse-ld=$linker one-compile.o two-compile.o -o x-$linker$mode
    "$cc" -O2 "$mode" "$include" -fuse-ld=$linker one.c two.c -o x-$linker-once$mode
done
//--- one.c
#include "e2e.h"
void second(void);
NOINLINE void leaf(void) { work(); }
static NOINLINE void local(void) { leaf(); second(); work(); }
int main(void)
{
    local();
    return 0;
}
//--- two.c
#include "e2e.h"
void leaf(void);
static NOINLINE void local(void) { leaf(); work(); }
NOINLINE void second(void) { local(); work(); }
// CHECK: main 1
// CHECK-NEXT: main;local 1
// CHECK-NEXT: main;local;leaf 1
// CHECK-NEXT: main;local;second 1
// CHECK-NEXT: main;local;second;local 1
// CHECK-NEXT: main;local;second;local;leaf 1
