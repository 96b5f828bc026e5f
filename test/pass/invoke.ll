; invoke: what may be numbered is there twice, and the landing pad has what it had from both. The pop is on the edge of the return, which
; no other predecessor of the block takes; a landing pad first takes off what the exception left. That is left to the runtime where it
; pushes anyhow, and nothing else happens up to the resume. There is no pop there either.
; RUN: %opt -passes='hcct,verify' -S %s > %t.ll
; RUN: %unlabelled %t.ll | FileCheck %s
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

; CHECK-LABEL: define void @invokes(
; CHECK: direct:
; CHECK-NEXT: load {{(atomic )?}}i64, ptr getelementptr inbounds (i8, ptr @hcct.state, i64
; CHECK-NEXT: icmp sle i64
; CHECK-NEXT: br i1 {{.*}}, label %[[PUSH:[^,]*]], label %
; CHECK: invoke void @other()
; CHECK-NEXT: to label %[[DIRECT:.*]] unwind label %pad
; CHECK: [[DIRECT]]:
; CHECK-NEXT: br label %shared
; CHECK: invoke void %p()
; CHECK-NEXT: to label %[[INDIRECT:.*]] unwind label %pad
; CHECK: [[INDIRECT]]:
; CHECK-NEXT: store atomic ptr %{{.*}}, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
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
; CHECK: [[PUSH]]:
; CHECK: call preserve_mostcc void @__hcct_push({{.*}}, i64 %hcct.word)
; CHECK-NEXT: invoke void @other()
; CHECK-NEXT: to label %[[BACK:.*]] unwind label %pad
; CHECK: [[BACK]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: br label %[[DIRECT]]

declare i32 @gives(i32)

; Both results meet behind, and the landing pad has the same value from both.
define i32 @results(i1 %c, i32 %x) personality ptr @__gxx_personality_v0 {
  br i1 %c, label %first, label %second
first:
  %a = invoke i32 @gives(i32 %x) to label %done unwind label %pad
second:
  %b = invoke i32 @gives(i32 1) to label %done unwind label %pad
done:
  %result = phi i32 [ %a, %first ], [ %b, %second ]
  ret i32 %result
pad:
  %value = phi i32 [ %x, %first ], [ 7, %second ]
  %exception = landingpad { ptr, i32 } cleanup
  store volatile i32 %value, ptr null
  resume { ptr, i32 } %exception
}

; CHECK-LABEL: define i32 @results(
; CHECK: [[A:%.*]] = invoke i32 @gives(i32 %x)
; CHECK: [[A_BOTH:%.*]] = phi i32 [ [[A]], %{{.*}} ], [ [[A_AGAIN:%.*]], %{{.*}} ]
; CHECK: [[B:%.*]] = invoke i32 @gives(i32 1)
; CHECK: [[B_BOTH:%.*]] = phi i32 [ [[B]], %{{.*}} ], [ [[B_AGAIN:%.*]], %{{.*}} ]
; CHECK: %result = phi i32 [ [[A_BOTH]], %{{.*}} ], [ [[B_BOTH]], %{{.*}} ]
; CHECK: %value = phi i32 [ %x, %{{.*}} ], [ 7, %{{.*}} ], [ %x, %[[A_BLOCK:[^ ]*]] ], [ 7, %[[B_BLOCK:[^ ]*]] ]
; CHECK: [[A_BLOCK]]:
; CHECK: [[A_AGAIN]] = invoke i32 @gives(i32 %x)
; CHECK: [[B_BLOCK]]:
; CHECK: [[B_AGAIN]] = invoke i32 @gives(i32 1)

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
; CHECK-NOT: @__hcct_{{arrive|pop}}(
; CHECK: calls:
; CHECK: call preserve_mostcc void @__hcct_push(
; CHECK-NEXT: call void @other()
; CHECK-NEXT: br label %last
; CHECK: last:
; CHECK: call preserve_mostcc void @__hcct_push_outline(
; CHECK-NEXT: call void %p()
; CHECK-NEXT: resume
; CHECK-NOT: @__hcct_arrive(
; CHECK-LABEL: define void @frame_grows(

; Takes memory from the stack between the calls, so that the frame of the first would be above the stack pointer of the second.
define void @frame_grows(i64 %n) personality ptr @__gxx_personality_v0 {
  invoke void @other() to label %done unwind label %pad
done:
  ret void
pad:
  %exception = landingpad { ptr, i32 } cleanup
  call void @other()
  %more = alloca i8, i64 %n
  store volatile i8 0, ptr %more
  call void @other()
  resume { ptr, i32 } %exception
}

; CHECK: landingpad
; CHECK: call preserve_mostcc void @__hcct_arrive(
; CHECK: call preserve_mostcc void @__hcct_push(
; CHECK: call void @other()
; CHECK-NEXT: call ptr @llvm.addressofreturnaddress
; CHECK: call preserve_mostcc void @__hcct_pop_lent(
; CHECK-NEXT: %more = alloca
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
; CHECK-LABEL: define i32 @returns_to_phis(

; The block that it returns to has phis of one value each: both copies come there, each with its own result.
define i32 @returns_to_phis(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %result = invoke i32 @gives(i32 %x) to label %done unwind label %pad
done:
  %mine = phi i32 [ %x, %entry ]
  %its = phi i32 [ %result, %entry ]
  %both = add i32 %mine, %its
  ret i32 %both
pad:
  %exception = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %exception
}

; CHECK: %[[USUAL:.*]] = invoke i32 @gives(i32 %x)
; CHECK-NEXT: to label %[[DONE:.*]] unwind
; CHECK: [[DONE]]:
; CHECK-NEXT: phi i32 [ %[[USUAL]], %[[AT:.*]] ], [ %[[AGAIN:.*]], %[[BACK:.*]] ]
; CHECK-NEXT: %mine = phi i32 [ %x, %[[AT]] ], [ %x, %[[BACK]] ]
; CHECK-NEXT: %its = phi i32 [ %[[USUAL]], %[[AT]] ], [ %[[AGAIN]], %[[BACK]] ]
; CHECK: %[[AGAIN]] = invoke i32 @gives(i32 %x)
