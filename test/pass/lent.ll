; Where a callee that is not instrumented may run on memory in its caller's frame, the push's stack pointer is above that memory, and the
; pop looks for this one. So it is for calls through pointers, too, whose push and pop are in line.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @on(ptr)
declare void @free(ptr)

define void @small(ptr %p) {
  %area = alloca [127 x i8]
  call void @on(ptr %area)
  call void %p(ptr %area)
  ret void
}

define void @large(ptr %p) {
  %area = alloca [128 x i8]
  call void @on(ptr %area)
  call void %p(ptr %area)
  call void @large(ptr %p)
  ret void
}

; CHECK-LABEL: define void @small(
; CHECK-NOT: __hcct_pop_lent
; CHECK: [[SP:%[0-9]+]] = call i64 @llvm.read_register
; CHECK-NEXT: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr {{.*}}, i64 16
; CHECK-NEXT: store atomic i64 [[SP]], ptr [[AT]]

; CHECK-LABEL: define void @large(
; CHECK: @__hcct_push(
; CHECK: [[AREA:%[0-9]+]] = call ptr @llvm.addressofreturnaddress
; CHECK-NEXT: [[PLACE:%[.a-z0-9]+]] = ptrtoint ptr [[AREA]] to i64
; CHECK-NEXT: [[LENT:%[0-9]+]] = sub i64 [[PLACE]], 8
; CHECK: store atomic i64 [[LENT]], ptr
; CHECK-NEXT: call void @on(
; CHECK: call preserve_mostcc void @__hcct_pop_lent(i64
; CHECK: llvm.bswap
; CHECK: [[LENT:%[0-9]+]] = sub i64 {{.*}}, 8
; CHECK-NEXT: [[AT:%[0-9]+]] = getelementptr inbounds i8, ptr {{.*}}, i64 16
; CHECK-NEXT: store atomic i64 [[LENT]], ptr [[AT]]
; The callee is instrumented.
; CHECK: llvm.bswap
; CHECK: call i64 @llvm.read_register
; CHECK-NOT: __hcct_pop_lent
; CHECK: declare
