; The measuring build: a measured function tells the runtime when it begins, behind its count, and when it ends: at every return, in front of a call
; that stays a sibling call; in landing pads and behind setjmp it says that it is the one that runs. One that is not measured keeps
; what was measured at its entry, and puts that back there, if it has such places. A harmless call in tail position becomes a plain one.
; RUN: env HCCT_CLOCK=1 %opt -passes='hcct,verify' -S %s | FileCheck %s
; RUN: echo 'fun:sibling' > %t && env HCCT_CLOCK=%t %opt -passes='hcct,verify' -S %s | FileCheck --check-prefix=HOLDS %s
; RUN: env HCCT_CLOCK=0 %opt -passes='hcct,verify' -S %s | FileCheck --check-prefix=PLAIN %s
; RUN: env HCCT_CLOCK=1 %opt -passes='hcct,verify' -S %s | llc -O2 -relocation-model=pic | FileCheck --check-prefix=CODE %s
; RUN: sed 's/x86_64-pc/aarch64-unknown/' %s > %t.ll && env HCCT_CLOCK=1 %opt -passes='hcct,verify' -S %t.ll | llc -O2 | FileCheck --check-prefix=CODE %s
target triple = "x86_64-pc-linux-gnu"

; PLAIN-NOT: hcct_clock
; PLAIN-NOT: @__hcct_thread{{[a-z_]*}}, i64 32
declare i32 @__gxx_personality_v0(...)
declare i32 @_setjmp(ptr) returns_twice
declare i64 @strlen(ptr)

; CHECK-LABEL: define void @callee(
; CHECK: %hcct.clock = alloca [2 x i64], align 8
; CHECK: call preserve_mostcc void @__hcct_clock_enter(i64 %hcct.word, ptr %hcct.clock)
; CHECK-NEXT: call preserve_mostcc void @__hcct_clock_leave(ptr %hcct.clock)
; CHECK-NEXT: ret void
; HOLDS-LABEL: define void @callee(
; HOLDS-NOT: clock
; HOLDS: ret void
define void @callee() {
  ret void
}

; CHECK-LABEL: define void @sibling(
; CHECK: call preserve_mostcc void @__hcct_clock_leave(ptr %hcct.clock)
; CHECK-NEXT: tail call void @callee()
; CHECK-NEXT: ret void
; HOLDS-LABEL: define void @sibling(
; HOLDS: call preserve_mostcc void @__hcct_clock_enter(
; CODE-LABEL: sibling:
; CODE: {{jmp|b}}{{[[:space:]]+}}callee
define void @sibling() {
  tail call void @callee()
  ret void
}

; CHECK-LABEL: define i64 @harmless(
; CHECK: [[LENGTH:%.*]] = call i64 @strlen(ptr %text)
; CHECK-NEXT: call preserve_mostcc void @__hcct_clock_leave(ptr %hcct.clock)
; CHECK-NEXT: ret i64 [[LENGTH]]
; HOLDS-LABEL: define i64 @harmless(
; HOLDS: tail call i64 @strlen(ptr %text)
define i64 @harmless(ptr %text) {
  %length = tail call i64 @strlen(ptr %text)
  ret i64 %length
}

; CHECK-LABEL: define i32 @twice(
; CHECK: call i32 @_setjmp(
; CHECK-NEXT: store atomic i64 %hcct.word, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 32) monotonic
; CHECK-NEXT: store atomic ptr %hcct.clock, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 40) monotonic
; HOLDS-LABEL: define i32 @twice(
; HOLDS: [[WORD:%.*]] = load atomic i64, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 32) monotonic
; HOLDS-NEXT: [[FRAME:%.*]] = load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 40) monotonic
; HOLDS-NEXT: store atomic i64 [[WORD]], ptr %hcct.clock monotonic
; HOLDS: call i32 @_setjmp(
; HOLDS-NEXT: [[WORD:%.*]] = load atomic i64, ptr %hcct.clock monotonic
; HOLDS: store atomic i64 [[WORD]], ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 32) monotonic
define i32 @twice(ptr %environment) {
  %first = call i32 @_setjmp(ptr %environment) returns_twice
  call void @callee()
  ret i32 %first
}

; CHECK-LABEL: define void @lands(
; CHECK: landingpad
; CHECK-NEXT: catch ptr null
; CHECK-NEXT: store atomic i64 %hcct.word, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 32) monotonic
; CHECK-NEXT: store atomic ptr %hcct.clock, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 40) monotonic
define void @lands() personality ptr @__gxx_personality_v0 {
  invoke void @callee() to label %back unwind label %pad
back:
  ret void
pad:
  %caught = landingpad { ptr, i32 } catch ptr null
  ret void
}

; CHECK: declare preserve_mostcc void @__hcct_clock_enter(i64, ptr) [[USUAL:#[0-9]+]]
; CHECK: attributes [[USUAL]] = { nounwind }
