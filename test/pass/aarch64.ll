; AArch64: an entry is told by the word below its stack pointer; a library calls the runtime through a pointer, as lazy binding would not keep the
; registers; a register that is reserved carries no word.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
; RUN: sed 's/"PIC Level", i32 2/"PIC Level", i32 0/' %s | %opt -passes='hcct,verify' -S - | FileCheck --check-prefix=EXECUTABLE %s
target triple = "aarch64-unknown-linux-gnu"

; CHECK: @hcct.to.__hcct_enter_or_miss = private constant ptr @__hcct_enter_or_miss
; CHECK-LABEL: define void @entered(
; CHECK: [[AT:%.*]] = call ptr @llvm.sponentry.p0()
; CHECK: [[SP:%.*]] = ptrtoint ptr [[AT]] to i64
; CHECK: [[ENTRY:%.*]] = sub i64 [[SP]], 8
; CHECK: [[ENTER:%.*]] = load atomic volatile ptr, ptr @hcct.to.__hcct_enter_or_miss
; CHECK: call preserve_mostcc void [[ENTER]](i64 poison, i64 poison, i64 poison, i64 [[ENTRY]], ptr @hcct.state, i64 %hcct.open)
; EXECUTABLE-LABEL: define void @entered(
; EXECUTABLE: call preserve_mostcc void @__hcct_enter_or_miss(
define void @entered() {
  call void @given()
  call void @reserved()
  ret void
}

; CHECK-LABEL: define internal void @given(ptr nest
define internal void @given() {
  ret void
}

; CHECK-LABEL: define internal void @reserved()
define internal void @reserved() "target-features"="+neon,+reserve-x18" {
  ret void
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"PIC Level", i32 2}
