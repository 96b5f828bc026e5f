; A tail call through a pointer is a plain one, between a push and a pop, unless this activation was entered by such a call, too (the newest frame's stack
; pointer tells): then it stays a sibling call, if its callee is instrumented.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
; RUN: %opt -passes='hcct,verify' %s | llc -O2 -o - | FileCheck %s --check-prefix=ASM
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @usual(
; CHECK: [[TOP:%hcct.top[0-9]*]] = load atomic ptr, ptr {{.*}}@__hcct_thread
; CHECK: [[SP:%hcct.sp[0-9]*]] = load atomic i64, ptr
; CHECK: [[ENTRY:%hcct.sp[0-9]*]] = ptrtoint
; CHECK-NEXT: [[OWN:%.*]] = add i64 [[ENTRY]], 8
; CHECK-NEXT: [[IS_PLAIN:%.*]] = icmp uge i64 [[SP]], [[OWN]]
; CHECK-NEXT: br i1 [[IS_PLAIN]], label %hcct.plain, label %hcct.sibling
; CHECK: [[TAIL:[0-9]+]]:
; CHECK-NEXT: tail call void %p(ptr %p, i8 %x)
; CHECK-NEXT: ret void
; CHECK: hcct.leave:
; CHECK-NEXT: [[UNDER:%.*]] = phi ptr [ {{.*}}, %hcct.pushed ], [ {{.*}}, %hcct.refused ]
; CHECK-NEXT: call void %p(ptr %p, i8 %x)
; CHECK-NEXT: store atomic ptr [[UNDER]], ptr {{.*}}@__hcct_thread
; CHECK-NEXT: ret void
; CHECK: hcct.plain:
; CHECK: br i1 {{.*}}, label %hcct.outline, label %hcct.push
; CHECK: hcct.sibling:
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_tail_pointer(i64 %hcct.word,{{.*}} ptr %p{{[,)]}}
; CHECK-NEXT: [[GIVEN:%.*]] = load atomic i64, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK-NEXT: [[NONE:%.*]] = icmp eq i64 [[GIVEN]], 1
; CHECK-NEXT: br i1 [[NONE]], label %hcct.refused, label %[[TAIL]], !prof
; The frame is marked, by whomever it is made.
; CHECK: hcct.outline:
; CHECK: call preserve_mostcc void @__hcct_push_outline(
; CHECK: [[MADE:%.*]] = load atomic i64, ptr [[FIELD:%.*]] monotonic
; CHECK-NEXT: [[MARKED:%.*]] = sub i64 [[MADE]], 1
; CHECK-NEXT: store atomic i64 [[MARKED]], ptr [[FIELD]]
; CHECK: hcct.push:
; CHECK: [[NOW:%.*]] = call i64 @llvm.read_register
; CHECK-NEXT: [[PUT:%.*]] = sub i64 [[NOW]], 1
; CHECK: store atomic i64 [[PUT]], ptr
; ASM-LABEL: usual:
; ASM: jmpq *
; ASM: .size usual
define void @usual(ptr %p, i8 %x) {
  tail call void %p(ptr %p, i8 %x)
  ret void
}

; What is seldom called has the shorter push.
; CHECK-LABEL: define void @seldom(
; CHECK: hcct.plain:
; CHECK-NOT: hcct.push:
; CHECK: call preserve_mostcc void @__hcct_push_outline(
; CHECK: sub i64 {{.*}}, 1
; CHECK: br label %hcct.leave
define void @seldom(ptr %p, i1 %c) {
  br i1 %c, label %rare, label %usual, !prof !{!"branch_weights", i32 1, i32 1000}
rare:
  tail call void %p(ptr %p, i1 %c)
  ret void
usual:
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

; By this convention each call in tail position is a sibling call.
; CHECK-LABEL: define tailcc void @by_convention(
; CHECK-NOT: hcct.plain
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
; CHECK: ret void
define tailcc void @by_convention(ptr %p) {
  tail call tailcc void %p()
  ret void
}

; Parameters on the stack are between the push's stack pointer and the return address.
; CHECK-LABEL: define void @on_stack(
; CHECK-NOT: hcct.plain
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
; CHECK: ret void
define void @on_stack(ptr %p, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) {
  tail call void %p(ptr %p, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f)
  ret void
}

; CHECK-LABEL: define i128 @wide(
; CHECK-NOT: hcct.plain
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
; CHECK: ret i128
define i128 @wide(ptr %p, i128 %a) {
  %r = tail call i128 %p(ptr %p, i128 %a)
  ret i128 %r
}
