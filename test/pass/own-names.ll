; A definition by a name that the runtime interposes gives its module a group, with which the runtime's own group is
; dropped. Declarations, local functions, copies from elsewhere and other names give none.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: ${{__hcct_own_longjmp}} = comdat any
; CHECK: ${{__hcct_own_signal}} = comdat any
; CHECK-NOT: __hcct_own{{.*}}comdat any
; CHECK-DAG: @__hcct_own_longjmp = private constant i8 0, comdat
; CHECK-DAG: @__hcct_own_signal = private constant i8 0, comdat
; CHECK: @llvm.compiler.used = {{.*}}@__hcct_own_longjmp{{.*}}@__hcct_own_signal
@signal = global i32 0

declare i32 @sigaction()

define internal void @swapcontext() {
  ret void
}

define available_externally void @pthread_exit() {
  ret void
}

define void @longjmp() {
  ret void
}

define i32 @__sigaction() {
  call void @swapcontext()
  %1 = call i32 @sigaction()
  ret i32 %1
}
