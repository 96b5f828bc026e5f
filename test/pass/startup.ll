; Code that initializes a file's objects runs once: its entry and its calls are calls of the runtime, without a frame where a call is
; numbered. Calls in loops are in line.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @make(ptr)
declare ptr @_Znwm(i64)

define internal void @initializer(ptr %object) section ".text.startup" {
entry:
  call void @make(ptr %object)
  %new = call ptr @_Znwm(i64 8)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @make(ptr %new)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %done, !prof !0
done:
  ret void
}

@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @initializer, ptr null }]
!0 = !{!"branch_weights", i32 99, i32 1}

; CHECK-LABEL: define internal void @initializer(
; CHECK-NOT: %hcct.slots
; CHECK: [[SITE:%.*]] = call ptr asm
; CHECK-NEXT: call preserve_mostcc void @__hcct_call({{.*}}, ptr [[SITE]], i64 [[WORD:%.*]])
; CHECK-NEXT: call void @make(
; CHECK: call preserve_mostcc void @__hcct_called(
; CHECK: call preserve_mostcc void @__hcct_call_noted({{.*}}, i64 [[WORD]])
; CHECK-NEXT: call ptr @_Znwm(i64 8)
; CHECK: call preserve_mostcc void @__hcct_called_noted(
; CHECK-NOT: @__hcct_call
; CHECK: icmp sle i64
; CHECK-NOT: @__hcct_call
; CHECK: call preserve_mostcc void @__hcct_count(
; CHECK-NOT: @__hcct_call
; CHECK: {{^}}}
