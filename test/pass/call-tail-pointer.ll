; A tail call through a pointer is a plain one between a push and a pop, unless it is musttail, or tail calls may lead from its callee back to it.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
; RUN: %opt -passes='hcct,verify' %s | llc -O2 -o - | FileCheck %s --check-prefix=ASM
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @other_type(
; CHECK-NOT: push_tail
; CHECK-NOT: tail call void %p(
; CHECK: call void %p()
; CHECK-NEXT: store atomic ptr %hcct.top{{[0-9]*}}, ptr {{.*}}@__hcct_thread
; CHECK-NEXT: ret void
; ASM-LABEL: other_type:
; ASM-NOT: jmpq
; ASM: callq *
; ASM: .size other_type
define void @other_type(ptr %p) {
  tail call void %p()
  ret void
}

; CHECK-LABEL: define i32 @must(
; CHECK: call preserve_mostcc void @__hcct_push_tail_open(i64 %hcct.word,{{.*}} ptr %p{{[,)]}}
; CHECK-NEXT: [[Y:%.*]] = musttail call i32 %p(ptr %p)
; CHECK-NEXT: ret i32 [[Y]]
define i32 @must(ptr %p) {
  %y = musttail call i32 %p(ptr %p)
  ret i32 %y
}

; A convention by which each call in tail position is one.
; CHECK-LABEL: define tailcc void @by_convention(
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
; CHECK: tail call tailcc void %p()
define tailcc void @by_convention(ptr %p) {
  tail call tailcc void %p()
  ret void
}

; The pointer may be of a function of its own type, and lead here again. If the callee turns out to be no instrumented one, the call is plain.
; CHECK-LABEL: define void @own_type(
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(i64 %hcct.word,{{.*}} ptr %p{{[,)]}}
; CHECK-NEXT: [[GIVEN:%.*]] = load atomic i64, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK-NEXT: [[NONE:%.*]] = icmp eq i64 [[GIVEN]], 1
; CHECK-NEXT: br i1 [[NONE]], label %[[LEAVE:.*]], label %[[TAIL:[0-9]+]], !prof
; CHECK: [[TAIL]]:
; CHECK-NEXT: tail call void %p(ptr %p, i8 %x)
; CHECK-NEXT: ret void
; CHECK: [[LEAVE]]:
; CHECK-NEXT: call void %p(ptr %p, i8 %x)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: ret void
; ASM-LABEL: own_type:
; ASM: jmpq *
define void @own_type(ptr %p, i8 %x) {
  tail call void %p(ptr %p, i8 %x)
  ret void
}

; A local function whose address nobody takes is not called through a pointer.
; CHECK-LABEL: define internal void @called_by_name(
; CHECK-NOT: push_tail
; CHECK: call void %p(ptr %p, i16 %x)
define internal void @called_by_name(ptr %p, i16 %x) {
  tail call void %p(ptr %p, i16 %x)
  ret void
}

define void @calls_by_name(ptr %p) {
  tail call void @called_by_name(ptr %p, i16 1)
  ret void
}

; An interpreter: each instruction ends in a tail call of what fetches the next one, which has another type.
; CHECK-LABEL: define internal i64 @fetch(
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
; CHECK: tail call i64 %p(ptr %code, i64 %n)
define internal i64 @fetch(ptr %code) {
  %p = load ptr, ptr %code
  %n = load i64, ptr %code
  %r = tail call i64 %p(ptr %code, i64 %n)
  ret i64 %r
}

define internal i64 @step(ptr %code, i64 %n) {
  %next = getelementptr ptr, ptr %code, i64 %n
  %r = tail call i64 @fetch_alias(ptr %next)
  ret i64 %r
}

@fetch_alias = internal alias i64 (ptr), ptr @fetch

; The same with a pointer in both directions.
; CHECK-LABEL: define i128 @even(
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
define i128 @even(ptr %p) {
  %r = tail call i128 %p(ptr %p, i1 true)
  ret i128 %r
}

; CHECK-LABEL: define i128 @odd(
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
define i128 @odd(ptr %p, i1 %x) {
  %r = tail call i128 %p(ptr %p)
  ret i128 %r
}

; What runs the interpreter is in no loop. Nor is it where a call of a loop is no tail call.
; CHECK-LABEL: define i64 @run(
; CHECK-NOT: push_tail
; CHECK: call i64 %p(ptr %code, i64 0)
define i64 @run(ptr %p, ptr %code, ptr %end) {
  %r = tail call i64 %p(ptr %code, i64 0)
  ret i64 %r
}

; CHECK-LABEL: define float @front(
; CHECK-NOT: push_tail
; CHECK: call float %p(ptr %p, i64 0)
define float @front(ptr %p) {
  %r = tail call float %p(ptr %p, i64 0)
  ret float %r
}

define float @back(ptr %p, i64 %x) {
  %r = call float @front(ptr %p)
  %s = fadd float %r, 1.0
  ret float %s
}

@instructions = constant [1 x ptr] [ptr @step]
