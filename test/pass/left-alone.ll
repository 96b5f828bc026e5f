; What is not instrumented: functions with noprofile or naked, copies from elsewhere, ifunc resolvers with all that they
; call, hcct's own and the sanitizers' functions; calls of intrinsics, assembler and functions that never call back.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @other()
declare i64 @strlen(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @noprofile() noprofile {
  call void @other()
  ret void
}

; CHECK-LABEL: define void @noprofile()
; CHECK-NEXT: call void @other()
; CHECK-NEXT: ret void

define void @naked() naked {
  call void asm sideeffect "ret", ""()
  unreachable
}

; CHECK-LABEL: define void @naked()
; CHECK-NEXT: call void asm
; CHECK-NEXT: unreachable

define available_externally void @elsewhere() {
  call void @other()
  ret void
}

; CHECK-LABEL: define available_externally void @elsewhere()
; CHECK-NEXT: call void @other()
; CHECK-NEXT: ret void

@chosen = ifunc void (), ptr @resolver

define internal ptr @resolver() {
  call void @helper()
  ret ptr @other
}

; CHECK-LABEL: define internal ptr @resolver()
; CHECK-NEXT: call void @helper()
; CHECK-NEXT: ret ptr @other

define internal void @helper() {
  call void @helpers_helper()
  ret void
}

; CHECK-LABEL: define internal void @helper()
; CHECK-NEXT: call void @helpers_helper()
; CHECK-NEXT: ret void

define internal void @helpers_helper() {
  ret void
}

; CHECK-LABEL: define internal void @helpers_helper()
; CHECK-NEXT: ret void

define internal void @asan.module_ctor() {
  call void @other()
  ret void
}

; CHECK-LABEL: define internal void @asan.module_ctor()
; CHECK-NEXT: call void @other()
; CHECK-NEXT: ret void

; Counted, but none of its calls has code around it.
define i64 @harmless_calls(ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 8, i1 false)
  call void asm sideeffect "nop", ""()
  %n = call i64 @strlen(ptr %p)
  ret i64 %n
}

; CHECK-LABEL: define i64 @harmless_calls(
; CHECK: %hcct.given = load
; CHECK: call void @llvm.memset
; CHECK-NEXT: call void asm
; CHECK-NEXT: [[N:%.*]] = call i64 @strlen(ptr %p)
; CHECK-NEXT: ret i64 [[N]]
; CHECK-NOT: hcct_push
; CHECK: }

; A function of this module that has a harmless name and is local calls back as any other.
define internal void @abs(ptr %p) {
  call void %p()
  ret void
}

; CHECK-LABEL: define internal void @abs(ptr %p, ptr nest
; CHECK: @__hcct_miss(

define void @calls_own_abs(ptr %p) {
  call void @abs(ptr %p)
  ret void
}

; CHECK-LABEL: define void @calls_own_abs(
; CHECK: call void @abs(ptr %p, ptr nest
