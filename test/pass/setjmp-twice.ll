; Each call that returns twice has the frames taken off behind it, also the second one of a block.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @_setjmp(ptr) returns_twice
declare void @other()

define void @catches(ptr %a, ptr %b) {
  %x = call i32 @_setjmp(ptr %a) returns_twice
  %y = call i32 @_setjmp(ptr %b) returns_twice
  call void @other()
  ret void
}

; CHECK-LABEL: define void @catches(
; CHECK: call i32 @_setjmp(ptr %a)
; CHECK: call preserve_mostcc void @__hcct_arrive(
; CHECK: call i32 @_setjmp(ptr %b)
; CHECK: call preserve_mostcc void @__hcct_arrive(
; CHECK: call void @other()
