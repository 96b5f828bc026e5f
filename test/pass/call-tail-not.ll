; A `tail` mark alone makes no sibling call: where something else is returned, or tail calls are off, there is a pop.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @other(i32)

define i32 @returns_another(i32 %x) {
  %y = tail call i32 @other(i32 %x)
  ret i32 %x
}

; CHECK-LABEL: define i32 @returns_another(
; CHECK: call preserve_mostcc void @__hcct_push(
; CHECK: call preserve_mostcc void @__hcct_pop(

define i32 @disabled(i32 %x) "disable-tail-calls"="true" {
  %y = tail call i32 @other(i32 %x)
  ret i32 %y
}

; CHECK-LABEL: define i32 @disabled(
; CHECK: call preserve_mostcc void @__hcct_push(
; CHECK: call preserve_mostcc void @__hcct_pop(
