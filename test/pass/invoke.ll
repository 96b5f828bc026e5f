; invoke: the pop is on the edge of the return, which no other predecessor of the block takes; a landing pad first
; takes off what the exception left.
; In front of a call that is not numbered yet, the runtime numbers it before it pushes, as the code behind asks again.
; RUN: %opt -passes='hcct,verify' -S %s > %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck --check-prefix=CALL %s < %t.ll
target triple = "x86_64-pc-linux-gnu"

declare void @other()
declare i32 @__gxx_personality_v0(...)

define void @invokes(i1 %c, ptr %p) personality ptr @__gxx_personality_v0 {
  br i1 %c, label %direct, label %indirect
direct:
  invoke void @other() to label %shared unwind label %pad
indirect:
  invoke void %p() to label %shared unwind label %pad
shared:
  ret void
pad:
  %exception = landingpad { ptr, i32 } cleanup
  call void @other()
  resume { ptr, i32 } %exception
}

; CALL-LABEL: define void @invokes(
; CALL: call preserve_mostcc void @__hcct_call(i64 %hcct.word,
; CALL-NEXT: br label

; CHECK-LABEL: define void @invokes(
; CHECK: invoke void @other()
; CHECK-NEXT: to label %[[DIRECT:.*]] unwind label %pad
; CHECK: [[DIRECT]]:
; CHECK-NEXT: load {{(atomic )?}}i64, ptr getelementptr inbounds (i8, ptr @hcct.state, i64
; CHECK-NEXT: icmp sle i64
; CHECK-NEXT: br i1 {{.*}}, label %[[POP:.*]], label %
; CHECK: invoke void %p()
; CHECK-NEXT: to label %[[INDIRECT:.*]] unwind label %pad
; CHECK: [[INDIRECT]]:
; CHECK-NEXT: store atomic ptr %{{.*}}, ptr getelementptr inbounds (i8, ptr @__hcct_thread, i64 8) monotonic
; CHECK-NEXT: br label %shared
; CHECK: shared:
; CHECK-NEXT: ret void
; CHECK: pad:
; CHECK-NEXT: landingpad { ptr, i32 }
; CHECK-NEXT: cleanup
; CHECK-NEXT: [[AT:%.*]] = call ptr @llvm.addressofreturnaddress
; CHECK-NEXT: [[SP:%.*]] = ptrtoint ptr [[AT]] to i64
; CHECK-NEXT: call preserve_mostcc void @__hcct_arrive(i64 [[SP]])
; CHECK: call void @other()
