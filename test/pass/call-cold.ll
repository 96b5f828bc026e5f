; What is seldom passed gets the shortest code: a call of the runtime in front, which pushes unless the call is numbered, and one behind.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @elsewhere(i32)
declare i32 @__gxx_personality_v0(...)

define void @start(i32 %x, ptr %p) personality ptr @__gxx_personality_v0 {
  %seldom = icmp eq i32 %x, 0
  br i1 %seldom, label %cold, label %done, !prof !0
cold:
  call void @elsewhere(i32 %x)
  call void %p(i32 %x)
  call void @start(i32 %x, ptr %p)
  invoke void %p(i32 %x) to label %done unwind label %caught
done:
  ret void
caught:
  %exception = landingpad { ptr, i32 } cleanup
  call void @fail(i32 %x)
  unreachable
}

; CHECK-LABEL: define void @start(
; CHECK: cold:
; CHECK-NEXT: call preserve_mostcc void @__hcct_call({{.*}}, ptr @hcct.sites{{[^)]*}}, i64 %hcct.word)
; CHECK-NEXT: call void @elsewhere(i32 %x)
; CHECK-NEXT: call preserve_mostcc void @__hcct_called(ptr {{.*}}@hcct.state
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_outline({{.*}}, ptr getelementptr inbounds {{.*}}, i64 %hcct.word)
; CHECK-NEXT: call void %p(i32 %x)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_outline(
; CHECK-NEXT: [[TOP:%.*]] = load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
; CHECK-NEXT: [[PREFIX:%.*]] = load atomic i64, ptr [[TOP]] monotonic
; CHECK-NEXT: [[BASE:%.*]] = load atomic i64, ptr @hcct.state monotonic
; CHECK-NEXT: [[WORD:%.*]] = add i64 [[PREFIX]], [[BASE]]
; CHECK-NEXT: store atomic i64 [[WORD]], ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK-NEXT: call void @start(i32 %x, ptr %p)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_outline(
; CHECK-NEXT: invoke void %p(i32 %x)
; CHECK-NEXT: to label %[[BACK:.*]] unwind label %caught
; CHECK: [[BACK]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; Where a call never returns, nothing is behind it.
; CHECK: caught:
; CHECK: call void @fail(i32 %x)
; CHECK-NEXT: unreachable

define void @fail(i32 %x) noreturn {
  unreachable
}

; One that may come back a second time leaves it to what stands there for that.
declare i32 @setjmp_here(ptr) returns_twice

define i32 @twice(i32 %x, ptr %buffer) {
  %seldom = icmp eq i32 %x, 0
  br i1 %seldom, label %cold, label %done, !prof !0
cold:
  %y = call i32 @setjmp_here(ptr %buffer)
  ret i32 %y
done:
  ret i32 0
}

; CHECK-LABEL: define i32 @twice(
; CHECK: cold:
; CHECK-NEXT: call preserve_mostcc void @__hcct_call(
; CHECK-NEXT: call i32 @setjmp_here(
; CHECK-NOT: @__hcct_called
; CHECK: call preserve_mostcc void @__hcct_arrive(
; CHECK-NOT: @__hcct_called
; CHECK: ret i32

!0 = !{!"branch_weights", i32 1, i32 1000}

; A push in line is larger than a test: of what is passed once in four times, calls that push are short and those that may be numbered
; are not. One in two is worth both.
define void @now_and_then(i32 %x, ptr %p) {
  %quarter = icmp eq i32 %x, 0
  br i1 %quarter, label %rare, label %other, !prof !1
rare:
  call void %p(i32 %x)
  call void @elsewhere(i32 %x)
  br label %other
other:
  %half = icmp eq i32 %x, 1
  br i1 %half, label %usual, label %done, !prof !2
usual:
  call void %p(i32 %x)
  br label %done
done:
  ret void
}
!1 = !{!"branch_weights", i32 1, i32 3}
!2 = !{!"branch_weights", i32 1, i32 1}

; CHECK-LABEL: define void @now_and_then(
; CHECK: rare:
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_outline(
; CHECK-NEXT: call void %p(i32 %x)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK: [[DELTA:%hcct.delta.*]] = load
; CHECK-NEXT: icmp sle i64 [[DELTA]], 0
; CHECK: usual:
; CHECK-NEXT: [[SEEN:%.*]] = load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic

; Hardly ever: a push in any case, as it stands behind landing pads, too.
define void @hardly_ever(i32 %x) {
  %never = icmp eq i32 %x, 0
  br i1 %never, label %rare, label %done, !prof !3
rare:
  call void @elsewhere(i32 %x)
  br label %done
done:
  ret void
}
!3 = !{!"branch_weights", i32 1, i32 1048575}

; CHECK-LABEL: define void @hardly_ever(
; CHECK: rare:
; CHECK-NEXT: call preserve_mostcc void @__hcct_push(
; CHECK-NEXT: call void @elsewhere(i32 %x)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
