; invoke: the pop is on the edge of the return, which no other predecessor of the block takes; a landing pad first
; takes off what the exception left. That is left to the runtime where it pushes anyhow, and nothing else happens up to the resume.
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
  %exception = landingpad { ptr, i32 } catch ptr null
  call void @other()
  ret void
}

; CALL-LABEL: define void @invokes(
; CALL: call preserve_mostcc void @__hcct_call({{.*}}, i64 %hcct.word)
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
; CHECK-NEXT: catch ptr null
; CHECK-NEXT: [[AT:%.*]] = call ptr @llvm.addressofreturnaddress
; CHECK-NEXT: [[SP:%.*]] = ptrtoint ptr [[AT]] to i64
; CHECK-NEXT: call preserve_mostcc void @__hcct_arrive(i64 [[SP]])
; CHECK: call void @other()

define internal void @local() noinline {
  ret void
}

; Only cleans up, by calls that the runtime pushes, or none.
define void @cleans_up(i1 %c, ptr %p) personality ptr @__gxx_personality_v0 {
  invoke void @other() to label %done unwind label %pad
done:
  invoke void @other() to label %more unwind label %empty
more:
  ret void
pad:
  %exception = landingpad { ptr, i32 } cleanup
  br i1 %c, label %calls, label %last
calls:
  call void @other()
  br label %last
last:
  call void %p()
  resume { ptr, i32 } %exception
empty:
  %another = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %another
}

; CHECK-LABEL: define void @cleans_up(
; CHECK-NOT: @__hcct_arrive(
; CHECK: ret void
; CHECK-NOT: @__hcct_arrive(
; CHECK-LABEL: define void @calls_on(

; Goes on with a numbered call: no push would take dead frames off before it.
define void @calls_on() personality ptr @__gxx_personality_v0 {
  invoke void @other() to label %done unwind label %pad
done:
  ret void
pad:
  %exception = landingpad { ptr, i32 } cleanup
  br label %last
last:
  call void @local()
  resume { ptr, i32 } %exception
}

; CHECK: landingpad
; CHECK: call preserve_mostcc void @__hcct_arrive(
; CHECK-LABEL: define void @goes_on(

; Goes on in the function, for the exception is caught by one that was inlined.
define void @goes_on() personality ptr @__gxx_personality_v0 {
  invoke void @other() to label %done unwind label %pad
done:
  ret void
pad:
  %exception = landingpad { ptr, i32 } cleanup
  br label %done
}

; CHECK: landingpad
; CHECK: call preserve_mostcc void @__hcct_arrive(
; CHECK: {{^}}}
