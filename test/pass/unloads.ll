; A module of a shared object has a last destructor, one for the object, that tells the runtime that its records may go; a
; module of an executable has none.
; RUN: split-file %s %t
; RUN: %opt -passes='hcct,verify' -S %t/library.ll | FileCheck %s
; RUN: %opt -passes='hcct,verify' -S %t/executable.ll | FileCheck %s --check-prefix=NONE --implicit-check-not=__hcct_unload
;--- library.ll
target triple = "x86_64-pc-linux-gnu"
define void @f() {
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"PIC Level", i32 2}
; CHECK: @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @__hcct_object_unloads, ptr @__hcct_object_unloads }]
; CHECK: define linkonce_odr hidden void @__hcct_object_unloads() comdat {
; CHECK-NEXT: call void @__hcct_unload(ptr @__start_hcct_functions)
; CHECK-NEXT: ret void
;--- executable.ll
target triple = "x86_64-pc-linux-gnu"
define void @f() {
  ret void
}
!llvm.module.flags = !{!0, !1}
!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 7, !"PIE Level", i32 2}
; NONE: define void @f()
