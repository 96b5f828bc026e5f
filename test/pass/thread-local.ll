; The thread's words are local-exec in executables and initial-exec in shared objects. In executables the runtime is called by name,
; in shared objects not by a stub that is bound at the first call.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s --check-prefix=EXECUTABLE
; RUN: (cat %s; echo '!llvm.module.flags = !{!0}'; echo '!0 = !{i32 8, !"PIC Level", i32 2}') > %t.ll
; RUN: %opt -passes='hcct,verify' -S %t.ll | FileCheck %s --check-prefix=SHARED
; RUN: (cat %s; echo '!llvm.module.flags = !{!0, !1}'; echo '!0 = !{i32 8, !"PIC Level", i32 2}'; echo '!1 = !{i32 7, !"PIE Level", i32 2}') > %t.ll
; RUN: %opt -passes='hcct,verify' -S %t.ll | FileCheck %s --check-prefix=EXECUTABLE
; EXECUTABLE: @__hcct_thread{{[a-z_]*}} = external dso_local thread_local(localexec) global
; SHARED: @__hcct_thread{{[a-z_]*}} = external thread_local(initialexec) global
target triple = "x86_64-pc-linux-gnu"

define void @function() {
  ret void
}

; SHARED: declare preserve_mostcc void @__hcct_enter_or_miss(i64, i64, i64, i64, ptr, i64) [[COLD:#[0-9]+]]
; SHARED: attributes [[COLD]] = { cold nounwind nonlazybind }
; EXECUTABLE: declare preserve_mostcc void @__hcct_enter_or_miss(i64, i64, i64, i64, ptr, i64) [[COLD:#[0-9]+]]
; EXECUTABLE: attributes [[COLD]] = { cold nounwind }
