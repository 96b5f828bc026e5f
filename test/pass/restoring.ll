; The restoring build keeps the running function's word in the thread's fourth word: stored at the entry, what was there is put
; back at every return, in front of a call that stays a sibling call, and its own again in landing pads and behind setjmp.
; A function that is entered afresh where nothing ran tells the runtime. A harmless call in tail position becomes a plain one.
; RUN: env HCCT_TIME=1 %opt -passes='hcct,verify' -S %s | FileCheck %s
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck --check-prefix=PLAIN %s
target triple = "x86_64-pc-linux-gnu"

; PLAIN-NOT: @__hcct_thread{{[a-z_]*}}, i64 24
@table = global ptr @callee
declare i32 @__gxx_personality_v0(...)
declare i32 @_setjmp(ptr) returns_twice
declare i64 @strlen(ptr)

; CHECK-LABEL: define void @callee(
; CHECK: %hcct.word = phi
; CHECK-NEXT: [[SAVED:%hcct.saved[0-9]*]] = load atomic i64, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24) monotonic
; CHECK-NEXT: store atomic i64 %hcct.word, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24) monotonic
; CHECK: [[NOW:%.*]] = load atomic i64, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24) monotonic
; CHECK: icmp eq i64 [[NOW]], 0
define void @callee() {
  ret void
}

; CHECK-LABEL: define void @sibling(
; CHECK: store atomic i64 %hcct.saved{{[0-9]*}}, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24) monotonic
; CHECK-NEXT: tail call void @callee()
; CHECK-NEXT: ret void
define void @sibling() {
  tail call void @callee()
  ret void
}

; CHECK-LABEL: define i64 @harmless(
; CHECK: [[LENGTH:%.*]] = call i64 @strlen(ptr %text)
; CHECK-NEXT: store atomic i64 %hcct.saved{{[0-9]*}}, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24) monotonic
; CHECK-NEXT: ret i64 [[LENGTH]]
define i64 @harmless(ptr %text) {
  %length = tail call i64 @strlen(ptr %text)
  ret i64 %length
}

; CHECK-LABEL: define i32 @twice(
; CHECK: call i32 @_setjmp(
; CHECK-NEXT: store atomic i64 %hcct.word, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24) monotonic
define i32 @twice(ptr %environment) {
  %first = call i32 @_setjmp(ptr %environment) returns_twice
  call void @callee()
  ret i32 %first
}

; CHECK-LABEL: define void @lands(
; CHECK: landingpad
; CHECK-NEXT: catch ptr null
; CHECK-NEXT: store atomic i64 %hcct.word, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24) monotonic
define void @lands() personality ptr @__gxx_personality_v0 {
  invoke void @callee() to label %back unwind label %pad
back:
  ret void
pad:
  %caught = landingpad { ptr, i32 } catch ptr null
  ret void
}
