; A whole program in one module: once all but main is local, its calls are settled and the functions get their words as arguments.
; RUN: %opt -passes='internalize,hcct,verify' -internalize-public-api-list=main -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

define i32 @main() {
  call void @first()
  call void @second()
  ret i32 0
}

; CHECK-LABEL: define i32 @main(
; CHECK: call void @first(ptr nest
; CHECK: call void @second(ptr nest
; CHECK-NOT: @__hcct_push
; CHECK: }

define void @first() noinline {
  call void @second()
  ret void
}

; CHECK-LABEL: define internal void @first(ptr nest
; CHECK-NOT: @__hcct_enter
; CHECK-NOT: @__hcct_push
; CHECK: call void @second(ptr nest
; CHECK: }

define void @second() noinline {
  ret void
}
