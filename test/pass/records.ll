; A function's records: in its comdat if it has one, associated with it, kept by the compiler but not by the linker.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

$shared = comdat any

declare void @other()

define linkonce_odr void @shared() comdat {
  call void @other()
  ret void
}

define void @plain() {
  call void @other()
  ret void
}

; CHECK-DAG: @hcct.state = private global {{.*@hcct.function .*}} zeroinitializer }, section ".data.hcct.open", comdat($shared), align 8, !associated ![[SHARED:[0-9]+]]
; CHECK-DAG: @hcct.function = private constant {{.*}}, section "hcct_functions", comdat($shared), align 4, !associated ![[SHARED]]
; CHECK-DAG: @hcct.sites = private constant {{.*}}, section "hcct_sites", comdat($shared), align 4, !associated ![[SHARED]]
; CHECK-DAG: @hcct.state.{{[0-9]+}} = private global {{.*@hcct.function.[0-9].*}} zeroinitializer }, section ".data.hcct.open", align 8, !associated ![[PLAIN:[0-9]+]]
; CHECK-DAG: @hcct.function.{{[0-9]+}} = private constant {{.*}}, section "hcct_functions", align 4, !associated ![[PLAIN]]
; CHECK-DAG: @hcct.sites.{{[0-9]+}} = private constant {{.*}}, section "hcct_sites", align 4, !associated ![[PLAIN]]
; An external callee's address is in a comdat of its own.
; CHECK-DAG: @__hcct_symbol.other = linkonce_odr hidden constant { ptr, [2 x i32] } { ptr @other, {{.*}}@hcct.text.other {{.*}}, comdat
; Only the note and the version's symbol are retained.
; CHECK-DAG: @llvm.compiler.used = {{.*}}@hcct.function
; CHECK-DAG: @llvm.used = appending global [2 x ptr] [ptr @hcct.note, ptr @__hcct_symbol.__hcct_abi_15_link_with_hcct_cc_or_libhcct_a]
; CHECK-DAG: @hcct.note = private constant {{.*}}@__start_hcct_functions{{.*}}@__stop_hcct_functions{{.*}}, section ".note.hcct", align 4
; A body that the dynamic linker does not redirect.
; CHECK-DAG: @hcct.body{{[.0-9]*}} = private alias void (), ptr @plain
; CHECK-DAG: ![[SHARED]] = !{ptr @shared}
; CHECK-DAG: ![[PLAIN]] = !{ptr @plain}

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
