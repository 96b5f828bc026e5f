// A static chain (nested functions, __builtin_call_with_static_chain): the callee finds the pointer, through a trampoline too.
// RUN: split-file %s %t && cd %t && %clang -O2 -c %inputs/library.c -o library.o
// RUN: for level in 0 2; do %clang -w -O$level -fpass-plugin=%plugin -c nested.ll -o nested.o && \
// RUN:   %hcct-cc -O$level -I%inputs main.c nested.o library.o -z execstack -o $level && sh %inputs/exact.sh %hcct-decode %s %t/$level || exit 1; done
//--- nested.ll
target triple = "x86_64-pc-linux-gnu"
declare void @leaf()
declare void @call(ptr)
declare void @llvm.init.trampoline(ptr, ptr, ptr)
declare ptr @llvm.adjust.trampoline(ptr)
define i64 @nested(ptr nest %chain, i64 %n) noinline {
  call void @leaf()
  %value = load i64, ptr %chain
  %sum = add i64 %value, %n
  store i64 %sum, ptr %chain
  ret i64 %sum
}
define internal void @through(ptr nest %chain) noinline {
  call i64 @local(ptr nest %chain, i64 100)
  call void @leaf()
  ret void
}
define internal i64 @local(ptr nest %chain, i64 %n) noinline {
  call void @call(ptr @leaf)
  %value = load i64, ptr %chain
  %sum = add i64 %value, %n
  store i64 %sum, ptr %chain
  ret i64 %sum
}
define void @outer(ptr %variable) noinline {
  %room = alloca [32 x i8], align 16
  call i64 @nested(ptr nest %variable, i64 10)
  call void @llvm.init.trampoline(ptr %room, ptr @through, ptr %variable)
  %pointer = call ptr @llvm.adjust.trampoline(ptr %room)
  call void @call(ptr %pointer)
  call void @leaf()
  ret void
}
//--- main.c
#include "e2e.h"
NOINLINE void leaf(void) { work(); }
long nested(long);
void outer(long *);
int main(void)
{
    long variable = 1;
    if (__builtin_call_with_static_chain(nested(5), &variable) != 6 || variable != 6)
        return 1;
    outer(&variable);
    return variable == 116 ? 0 : 2;
}
// CHECK: main 1
// CHECK-NEXT: main;nested 1
// CHECK-NEXT: main;nested;leaf 1
// CHECK-NEXT: main;outer 1
// CHECK-NEXT: main;outer;[call];through 1
// CHECK-NEXT: main;outer;[call];through;leaf 1
// CHECK-NEXT: main;outer;[call];through;local 1
// CHECK-NEXT: main;outer;[call];through;local;[call];leaf 1
// CHECK-NEXT: main;outer;leaf 1
// CHECK-NEXT: main;outer;nested 1
// CHECK-NEXT: main;outer;nested;leaf 1
