; A direct call: the word plus the site's delta is passed on; what is not numbered is called again in the cold, between a
; push and a pop. A call that returns twice is there once.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @other(i32)

define i32 @caller(i32 %x) {
  %y = call i32 @other(i32 %x)
  %z = add i32 %y, 1
  ret i32 %z
}

; CHECK-LABEL: define i32 @caller(
; CHECK: [[DELTA:%.*]] = load {{(atomic )?}}i64, ptr getelementptr inbounds (i8, ptr @hcct.state, i64 24)
; CHECK-NEXT: [[PUSHES:%.*]] = icmp sle i64 [[DELTA]], 0
; CHECK-NEXT: br i1 [[PUSHES]], label %[[PUSH:.*]], label %[[NUMBERED:[^,]*]], !prof
; CHECK: [[CALL:[0-9]+]]:
; CHECK-NEXT: [[Y:%.*]] = call i32 @other(i32 %x)
; CHECK-NEXT: br label %[[BACK:[0-9]+]]
; CHECK: [[BACK]]:
; CHECK-NEXT: [[RESULT:%.*]] = phi i32 [ [[Y]], %[[CALL]] ], [ [[AGAIN:%.*]], %[[PUSH]] ]
; CHECK-NEXT: [[Z:%.*]] = add i32 [[RESULT]], 1
; CHECK-NEXT: ret i32 [[Z]]
; CHECK: [[PUSH]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_push({{.*}}, i64 %hcct.word)
; CHECK-NEXT: [[AGAIN]] = call i32 @other(i32 %x)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: br label %[[BACK]]
; CHECK: [[NUMBERED]]:
; CHECK-NEXT: [[NEXT:%.*]] = add i64 %hcct.word, [[DELTA]]
; CHECK-NEXT: store atomic i64 [[NEXT]], ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK-NEXT: br label %[[CALL]]

declare i32 @setjmp(ptr) returns_twice

define i32 @twice(ptr %environment) {
  %r = call i32 @setjmp(ptr %environment) returns_twice
  ret i32 %r
}

; CHECK-LABEL: define i32 @twice(
; CHECK: call i32 @setjmp(
; CHECK-NOT: call i32 @setjmp(
; CHECK: }

; Nothing comes behind a call that does not return.
declare void @never() noreturn

define void @ends() {
  call void @never()
  unreachable
}

; CHECK-LABEL: define void @ends()
; CHECK: call void @never()
; CHECK-NEXT: unreachable
; CHECK-NOT: @__hcct_pop
; CHECK: }

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
