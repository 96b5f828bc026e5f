; With HCCT_LTO=link the compile step marks what is to be instrumented, and nothing else; the pipelines of a link instrument that.
; RUN: env HCCT_LTO=link %opt -passes='thinlto-pre-link<O1>,verify' -S %s -o %t.thin && FileCheck --check-prefix=MARKED %s < %t.thin
; RUN: env HCCT_LTO=link %opt -passes='lto-pre-link<O1>,verify' -S %s -o %t.full && FileCheck --check-prefix=MARKED %s < %t.full
; RUN: env HCCT_LTO=link %opt -passes='lto-pre-link<O0>,verify' -S %s | FileCheck --check-prefix=MARKED %s
; RUN: %opt -passes='lto<O1>,verify' -S %t.full -o %t.linked && FileCheck %s < %t.linked
; RUN: env HCCT_LTO=link %opt -passes='lto<O1>,verify' -S %t.full | diff - %t.linked
; RUN: env HCCT_LTO=link %opt -passes='thinlto<O1>,verify' -S %t.thin | FileCheck %s
; A module that has no marks is none that was left.
; RUN: %opt -passes='lto<O1>,verify' -S %s | FileCheck --check-prefix=NONE %s
; RUN: %opt -passes='thinlto<O1>,verify' -S %s | FileCheck --check-prefix=NONE %s
; Else the compile step instruments, and the link does not do it again.
; RUN: %opt -passes='lto-pre-link<O1>,verify' -S %s -o %t.done && FileCheck %s < %t.done
; RUN: %opt -passes='lto<O1>,verify' -S %t.done | FileCheck %s
source_filename = "source.c"
target triple = "x86_64-pc-linux-gnu"

define void @visible(ptr %p) {
  call void %p()
  call void @local(ptr %p)
  ret void
}

define internal void @local(ptr %p) noinline {
  call void %p()
  ret void
}

define void @unprofiled(ptr %p) noprofile {
  call void %p()
  ret void
}

; MARKED-DAG: @__hcct_lto = weak_odr hidden constant ptr @__hcct_lto_not_linked_by_hcct_cc_with_flto_and_lld
; MARKED-DAG: @llvm.used = {{.*}}@__hcct_lto
; MARKED-DAG: @__hcct_abi_15_link_with_hcct_cc_or_libhcct_a = external
; MARKED-NOT: @__hcct_miss
; MARKED-DAG: define void @visible({{.*}} #[[VISIBLE:[0-9]+]]
; MARKED-DAG: define internal {{.*}}void @local({{.*}} #[[LOCAL:[0-9]+]]
; MARKED-DAG: define void @unprofiled({{.*}} #[[UNPROFILED:[0-9]+]]
; MARKED-NOT: @__hcct_miss
; MARKED-DAG: attributes #[[VISIBLE]] = { {{.*}}"hcct"="00:source.c"{{.*}} }
; MARKED-DAG: attributes #[[LOCAL]] = { {{.*}}"hcct"="00:source.c" "hcct-name"="local"{{.*}} }

; CHECK-NOT: @__hcct_lto_not_linked
; CHECK: define {{.*}}@visible(
; CHECK-COUNT-1: call preserve_mostcc void @__hcct_enter_or_miss(
; CHECK: define {{.*}}@local(
; CHECK-COUNT-1: call preserve_mostcc void @__hcct_miss(
; CHECK-NOT: call preserve_mostcc void @__hcct_{{enter_or_miss|miss}}(
; CHECK-NOT: "hcct"=

; NONE-NOT: @__hcct
