; HCCT_EXTERNALS: a stand-in is called in front of each direct call of a function that the module does not instrument, unless its delta says that somebody else
; counts. Assembly, pointers, intrinsics that are no calls, and hooks of other instrumentation are left alone.
; RUN: env HCCT_EXTERNALS=1 %opt -passes='hcct,verify' -S %s | FileCheck %s
; RUN: env HCCT_EXTERNALS='^(write|plain::thrower.*)$' %opt -passes='hcct,verify' -S %s | FileCheck --check-prefix=SOME %s
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck --check-prefix=OFF %s
target triple = "x86_64-pc-linux-gnu"

declare i64 @write(i32, ptr, i64)
declare i32 @printf(ptr, ...)
declare void @_ZN5plain7throwerEi(i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare double @llvm.floor.f64(double)
declare void @__asan_report_load8(i64)
declare i32 @__gxx_personality_v0(...)

define i64 @leaves(i32 %file, ptr %text, i64 %length) {
  %written = call i64 @write(i32 %file, ptr %text, i64 %length)
  ret i64 %written
}

define i32 @formats(ptr %text) {
  %n = tail call i32 (ptr, ...) @printf(ptr %text)
  ret i32 %n
}

define void @copies(ptr %to, ptr %from, i64 %length) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %length, i1 false)
  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 64, i1 false)
  ret void
}

define double @none(ptr %pointer, double %x) {
  call void %pointer()
  call void asm sideeffect "nop", ""()
  call void @__asan_report_load8(i64 0)
  %y = call double @llvm.floor.f64(double %x)
  ret double %y
}

define void @catches() personality ptr @__gxx_personality_v0 {
  invoke void @_ZN5plain7throwerEi(i32 1) to label %done unwind label %lands
done:
  ret void
lands:
  %pad = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %pad
}

define void @calls_own() {
  call void @catches()
  ret void
}

; The stand-in's record refers to what it stands for, has its name, and the flag EXTERNAL (8).
; CHECK-DAG: @__hcct_symbol.write = linkonce_odr hidden global { ptr, [2 x i32] } { ptr @write, 
; CHECK-DAG: @__hcct_symbol.memcpy = linkonce_odr hidden global { ptr, [2 x i32] } { ptr @memcpy, 
; CHECK-DAG: @hcct.function{{[.0-9]*}} = private constant [11 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @__hcct_symbol.write to i64){{.*}}, i32 0, i32 0, i32 0, i32 8, i32 {{.*}}@hcct.text.write to i64){{.*}}, i32 0, i32 0, i32 0, i32 0]

; CHECK-LABEL: define i64 @leaves(
; CHECK: [[DELTA:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @hcct.state{{[.0-9]*}}, i64 {{[0-9]+}})
; CHECK-NEXT: [[NONE:%.*]] = icmp eq i64 [[DELTA]], -1
; CHECK-NEXT: br i1 [[NONE]], label %[[BEHIND:[0-9a-z.]+]], label %[[COUNT:[0-9a-z.]+]]
; CHECK: [[COUNT]]:
; CHECK: [[WORD:%.*]] = add i64 %hcct.word
; CHECK-NEXT: [[PASSED:%.*]] = inttoptr i64 [[WORD]] to ptr
; CHECK-NEXT: call void @hcct.external.write(ptr nest [[PASSED]])
; CHECK-NEXT: br label %[[BEHIND]]
; CHECK: [[BEHIND]]:
; CHECK: call i64 @write(

; CHECK-LABEL: define i32 @formats(
; CHECK: call void @hcct.external.printf(
; CHECK: tail call i32 (ptr, ...) @printf(

; CHECK-LABEL: define void @copies(
; CHECK: call void @hcct.external.memcpy(
; CHECK: call void @llvm.memcpy.p0.p0.i64(
; CHECK-NOT: hcct.external
; CHECK: call void @llvm.memset.p0.i64(

; CHECK-LABEL: define double @none(
; CHECK-NOT: hcct.external
; CHECK-LABEL: define void @catches(
; CHECK: call void @hcct.external._ZN5plain7throwerEi(
; CHECK: invoke void @_ZN5plain7throwerEi(
; CHECK-LABEL: define void @calls_own(
; CHECK-NOT: hcct.external
; CHECK-LABEL: define internal void @hcct.external.write(ptr nest

; SOME-NOT: hcct.external.printf
; SOME-NOT: hcct.external.memcpy
; SOME-LABEL: define i64 @leaves(
; SOME: call void @hcct.external.write(
; SOME-LABEL: define void @catches(
; SOME: call void @hcct.external._ZN5plain7throwerEi(
; SOME-NOT: call void @hcct.external.
; OFF-NOT: hcct.external
; OFF-NOT: @memcpy
