; Behind a call that returns twice the frames that a longjmp left are taken off.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @_setjmp(ptr) returns_twice
declare void @other()

define void @catches(ptr %buffer) {
  %again = call i32 @_setjmp(ptr %buffer) returns_twice
  call void @other()
  ret void
}

; CHECK-LABEL: define void @catches(
; CHECK: call i32 @_setjmp(ptr %buffer)
; CHECK-NEXT: call ptr @llvm.addressofreturnaddress
; CHECK-NEXT: ptrtoint
; CHECK-NEXT: call preserve_mostcc void @__hcct_arrive(
; CHECK: call void @other()
