; A direct call to a function of the API that is about its caller's context finds the caller's own word where a
; numbered callee would, and is no call site of its own; other functions of the API are told nothing.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: @hcct.function = {{.*}} i32 0, i32 0,

declare i64 @__hcct_api_context()
declare i32 @__hcct_api_context_pin()
declare void @__hcct_api_reset()

; CHECK-LABEL: define i64 @own
; CHECK: %hcct.word = phi
; CHECK: store atomic i64 %hcct.word, ptr @__hcct_thread{{[a-z_]*}} monotonic, align 8, !nosanitize
; CHECK-NEXT: %[[C:.*]] = call i64 @__hcct_api_context()
; CHECK-NEXT: store atomic i64 %hcct.word, ptr @__hcct_thread{{[a-z_]*}} monotonic, align 8, !nosanitize
; CHECK-NEXT: call i32 @__hcct_api_context_pin()
; CHECK-NEXT: call void @__hcct_api_reset()
; CHECK-NEXT: ret i64 %[[C]]
define i64 @own() {
  %c = call i64 @__hcct_api_context()
  %p = call i32 @__hcct_api_context_pin()
  call void @__hcct_api_reset()
  ret i64 %c
}
