; A whole program in one module: once all but main is local, its calls are prenumbered and the functions get their words as arguments.
; RUN: %opt -passes='internalize,hcct,verify' -internalize-public-api-list=main -S %s | %unlabelled | FileCheck %s
; Where it is said to be all that is, its numbers are constants, and the runtime has nothing left to number: main is 16, first
; 32, second 48 (by main) and 64.
; RUN: env HCCT_WHOLE_PROGRAM=1 %opt -passes='internalize,hcct,verify' -internalize-public-api-list=main -S %s | \
; RUN:   %unlabelled | FileCheck --check-prefix=FIXED %s
; FIXED: @hcct.state = private global { [6 x i32], [4 x i32] } { [6 x i32] [i32 16, i32 0, i32 16, i32 0, {{.*}}@hcct.function {{.*}}, i32 0], [4 x i32] [i32 16, i32 0, i32 32, i32 0] }
; FIXED: @hcct.state.2 = private global { [6 x i32], [2 x i32] } { [6 x i32] [i32 32, i32 0, i32 16, i32 0, {{.*}}@hcct.function.1 {{.*}}, i32 0], [2 x i32] [i32 32, i32 0] }
; FIXED: @hcct.state.4 = private global { [6 x i32], [0 x i32] } { [6 x i32] [i32 48, i32 0, i32 32, i32 0, {{.*}}@hcct.function.3 {{.*}}, i32 0], [0 x i32] zeroinitializer }
; FIXED-LABEL: define i32 @main(
; FIXED: [[FIRST:%.*]] = add i64 %hcct.word, 16
; FIXED-NEXT: [[PASSED:%.*]] = inttoptr i64 [[FIRST]] to ptr
; FIXED-NEXT: call void @first(ptr nest [[PASSED]])
; FIXED-NEXT: [[SECOND:%.*]] = add i64 %hcct.word, 32
; FIXED-LABEL: define internal void @first(
; FIXED: [[SECOND:%.*]] = add i64 %hcct.word, 32
; FIXED-NEXT: [[PASSED:%.*]] = inttoptr i64 [[SECOND]] to ptr
; FIXED-NEXT: call void @second(ptr nest [[PASSED]])
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
