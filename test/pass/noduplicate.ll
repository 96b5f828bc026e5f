; A call that may stand in the code only once (noduplicate, convergent) is not repeated, in tail position neither; another is.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='hcct,verify' -S %s | FileCheck %s

declare i32 @outside(i32)
declare i32 @once(i32) noduplicate
declare i32 @together(i32) convergent

; CHECK-LABEL: define void @plain(
; CHECK-COUNT-2: call i32 @outside(
; CHECK-NOT: call i32 @outside(
; CHECK: }
define void @plain() {
  %r = call i32 @outside(i32 1)
  store volatile i32 %r, ptr null
  ret void
}

; CHECK-LABEL: define void @marked_callee(
; CHECK-COUNT-1: call i32 @once(
; CHECK-NOT: call i32 @once(
; CHECK: }
define void @marked_callee() {
  %r = call i32 @once(i32 1)
  store volatile i32 %r, ptr null
  ret void
}

; CHECK-LABEL: define void @marked_call(
; CHECK-COUNT-1: call i32 @outside(
; CHECK-NOT: call i32 @outside(
; CHECK: }
define void @marked_call() {
  %r = call i32 @outside(i32 1) noduplicate
  store volatile i32 %r, ptr null
  ret void
}

; CHECK-LABEL: define void @convergent(
; CHECK-COUNT-1: call i32 @together(
; CHECK-NOT: call i32 @together(
; CHECK: }
define void @convergent() {
  %r = call i32 @together(i32 1)
  store volatile i32 %r, ptr null
  ret void
}

; CHECK-LABEL: define i32 @tail(
; CHECK-COUNT-1: call i32 @once(
; CHECK-NOT: call i32 @once(
; CHECK: }
define i32 @tail() {
  %r = tail call i32 @once(i32 1)
  ret i32 %r
}

; CHECK-LABEL: define i32 @tail_pointer(
; CHECK-COUNT-1: call i32 %pointer(
; CHECK-NOT: call i32 %pointer(
; CHECK: }
define i32 @tail_pointer(ptr %pointer) {
  %r = tail call i32 %pointer(i32 1) noduplicate
  ret i32 %r
}
