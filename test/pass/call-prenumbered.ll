; A call between functions of the module that the numbering keeps in every program needs no test and no pop; one that
; closes a cycle pushes without a test. A function that anybody may call finds its word in the thread's, any other in an argument.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

define void @start(i32 %x) {
  call void @first(i32 %x)
  call void @visible()
  ret void
}

; CHECK-LABEL: define void @start(
; CHECK: [[DELTA:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @hcct.state, i64 24), align 8, !nosanitize
; CHECK-NEXT: [[WORD:%.*]] = add i64 %hcct.word, [[DELTA]]
; CHECK-NEXT: [[PASSED:%.*]] = inttoptr i64 [[WORD]] to ptr
; CHECK-NEXT: call void @first(i32 %x, ptr nest [[PASSED]])
; CHECK-NEXT: load atomic i64, ptr getelementptr inbounds (i8, ptr @hcct.state, i64 32) monotonic
; CHECK: @__hcct_push(
; CHECK: @__hcct_pop(
; CHECK: }

define internal void @first(i32 %x) {
  %more = icmp ne i32 %x, 0
  br i1 %more, label %again, label %done
again:
  call void @second(i32 %x)
  br label %done
done:
  ret void
}

; CHECK-LABEL: define internal void @first(i32 %x, ptr nest %0)
; CHECK-NOT: @__hcct_pop(
; CHECK: }

define internal void @second(i32 %x) {
  %more = icmp ugt i32 %x, 7
  br i1 %more, label %again, label %done, !prof !0
again:
  %less = lshr i32 %x, 1
  call void @first(i32 %less)
  br label %done
done:
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 3}

; CHECK-LABEL: define internal void @second(i32 %x, ptr nest %0)
; CHECK-NOT: load i64, ptr getelementptr inbounds (i8, ptr @hcct.state
; CHECK: %hcct.prefix = phi i64
; CHECK-NEXT: [[BASE:%.*]] = load atomic i64, ptr @hcct.state{{[.0-9]*}} monotonic
; CHECK-NEXT: add i64 %hcct.prefix, [[BASE]]

define void @visible() {
  call void (i32, ...) @varied(i32 1)
  call void @by_itself()
  ret void
}

; A variadic function and one that makes a musttail call keep their parameters.
; CHECK-LABEL: define void @visible()
; CHECK: load i64, ptr getelementptr inbounds (i8, ptr @hcct.state
; CHECK: store atomic i64 {{.*}}, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK-NEXT: call void (i32, ...) @varied(i32 1)
; CHECK: call void @by_itself()
define internal void @varied(i32 %n, ...) {
  ret void
}

define internal void @by_itself() {
  musttail call void @leaves()
  ret void
}

define internal void @leaves() {
  ret void
}

; CHECK-LABEL: define internal void @leaves()
