; A call through a pointer, and recursion, push in line; the top of the context stack is put back behind the call.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

define i32 @indirect(ptr %p) {
  %y = call i32 %p(i32 1)
  %z = add i32 %y, 1
  ret i32 %z
}

; CHECK-LABEL: define i32 @indirect(
; CHECK: [[SEEN:%hcct.top[0-9]*]] = load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
; CHECK: [[FRAME:%.*]] = getelementptr inbounds i8, ptr [[SEEN]], i64 32
; CHECK: [[MASK:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 24)
; CHECK: [[BITS:%.*]] = and i64 {{.*}}, [[MASK]]
; CHECK: [[OUT:%.*]] = icmp eq i64 [[BITS]], 0
; CHECK-NEXT: br i1 [[OUT]], label %[[OUTLINE:.*]], label %[[PUSH:[^,]*]], !prof
; CHECK: [[CALL:[0-9]+]]:
; CHECK-NEXT: [[Y:%.*]] = call i32 %p(i32 1)
; CHECK-NEXT: store atomic ptr [[TOP:%.*]], ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
; CHECK-NEXT: [[Z:%.*]] = add i32 [[Y]], 1
; CHECK-NEXT: ret i32 [[Z]]
; CHECK: [[OUTLINE]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_outline({{.*}}, ptr @hcct.sites{{[.0-9]*}}, i64 %hcct.word)
; CHECK-NEXT: [[MADE:%.*]] = load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
; CHECK: [[UNDER:%.*]] = getelementptr inbounds i8, ptr [[MADE]], i64 -32
; CHECK-NEXT: br label %[[PUSHED:.*]]
; CHECK: [[PUSH]]:
; CHECK-NEXT: [[PRODUCT:%.*]] = mul i64 %hcct.word, [[SITE:-?[0-9]+]]
; CHECK-NEXT: [[PREFIX:%.*]] = call i64 @llvm.bswap.i64(i64 [[PRODUCT]])
; CHECK-NEXT: store atomic i64 [[PREFIX]], ptr [[FRAME]] monotonic
; CHECK: store atomic i64 [[SITE]], ptr
; CHECK: store atomic ptr [[FRAME]], ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
; CHECK: [[PUSHED]]:
; CHECK-NEXT: [[TOP]] = phi ptr [ [[SEEN]], %[[PUSH]] ], [ [[UNDER]], %[[OUTLINE]] ]
; The word stays HCCT_WORD_NONE: the callee takes its prefix from the context stack.
; CHECK-NOT: store atomic i64 {{.*}}, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK: br label %[[CALL]]

define internal void @recursive(i32 %depth) {
  %more = icmp ne i32 %depth, 0
  br i1 %more, label %again, label %done
again:
  %next = sub i32 %depth, 1
  call void @recursive(i32 %next)
  br label %done
done:
  ret void
}

; CHECK-LABEL: define internal void @recursive(i32 %depth, ptr nest %0)
; CHECK-NOT: @__hcct_push(
; CHECK: call void @recursive(i32 %next, ptr nest [[PASSED:%[0-9]+]])
; CHECK-NEXT: store atomic ptr {{.*}}, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
; CHECK: call preserve_mostcc void @__hcct_push_outline({{.*}}, ptr @hcct.sites{{[.0-9]*}}, i64 %hcct.word)
; CHECK: [[OUTLINE:%[0-9]+]] = load atomic i64, ptr %{{.*}} monotonic
; CHECK: [[INLINE:%[0-9]+]] = call i64 @llvm.bswap.i64(
; CHECK: [[PREFIX:%[^ ]*]] = phi i64 [ [[INLINE]], %{{[^ ]*}} ], [ [[OUTLINE]], %{{[^ ]*}} ]
; CHECK: [[BASE:%.*]] = load atomic i64, ptr @hcct.state{{[.0-9]*}} monotonic
; CHECK-NEXT: [[WORD:%.*]] = add i64 [[PREFIX]], [[BASE]]
; CHECK-NEXT: [[PASSED]] = inttoptr i64 [[WORD]] to ptr
; CHECK-NOT: store atomic i64 {{.*}}, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK: }

define void @start() {
  call void @recursive(i32 3)
  ret void
}

; Behind a pop the top is known, until a function is called.
define void @twice(ptr %p, ptr %q) {
  call void %p()
  store i32 1, ptr %q
  call void %p()
  %old = call i64 @strlen(ptr %q)
  call void %p()
  ret void
}
declare i64 @strlen(ptr)

; CHECK-LABEL: define void @twice(
; CHECK: load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8)
; CHECK: call void %p()
; CHECK-NEXT: store atomic ptr [[TOP:%.*]], ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8)
; CHECK-NEXT: store i32 1, ptr %q
; CHECK-NEXT: getelementptr inbounds i8, ptr [[TOP]], i64 32
; CHECK: call void %p()
; CHECK: call i64 @strlen(
; CHECK-NEXT: load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8)

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
