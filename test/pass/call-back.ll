; A call whose callee leads back to it by prenumbered calls is numbered in no program: it pushes in line, without a test.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @main(i32 %x) {
  %y = call i32 @there(i32 %x)
  ret i32 %y
}

; CHECK-LABEL: define internal i32 @there(
; CHECK-NOT: @__hcct_push
; CHECK: call i32 @back(
define internal i32 @there(i32 %x) {
  %y = call i32 @back(i32 %x)
  %z = add i32 %y, 1
  ret i32 %z
}

; CHECK-LABEL: define internal i32 @back(
; CHECK: %hcct.top = load atomic ptr, ptr
; CHECK: call i32 @there(i32 %x, ptr nest [[WORD:%.*]])
; CHECK-NEXT: store atomic ptr [[TOP:%[a-z0-9.]+]], ptr
; CHECK-NOT: @__hcct_push(
; CHECK: [[TOP]] = phi ptr [ %hcct.top, %hcct.push ],
; CHECK: [[PREFIX:%.*]] = phi i64
; CHECK: [[BASE:%.*]] = load atomic i64, ptr @hcct.state{{[.0-9]*}} monotonic
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[PREFIX]], [[BASE]]
; CHECK-NEXT: [[WORD]] = inttoptr i64 [[SUM]] to ptr
define internal i32 @back(i32 %x) {
  %y = call i32 @there(i32 %x)
  %z = add i32 %y, 2
  ret i32 %z
}
