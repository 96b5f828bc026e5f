; A module is instrumented once, however often the pass runs.
; RUN: %opt -passes='hcct,verify' -S %s -o %t.once
; RUN: %opt -passes='hcct,hcct,verify' -S %s | diff - %t.once
; RUN: %opt -passes='hcct,verify' -S %t.once | sed 's/;.*//' > %t.twice && sed 's/;.*//' %t.once | diff - %t.twice
; RUN: FileCheck %s < %t.once
target triple = "x86_64-pc-linux-gnu"

define void @function(ptr %p) {
  call void %p()
  ret void
}

; CHECK-COUNT-1: call preserve_mostcc void @__hcct_enter_or_miss(
; CHECK-NOT: call preserve_mostcc void @__hcct_enter_or_miss(
; CHECK: !hcct = !{}
