; Assembly that calls is a push like a call through a pointer; other assembly is none.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='hcct,verify' -S %s | FileCheck %s
; RUN: sed 's/CALL [*]%%rax/BLR x1/; s/call elsewhere/bl elsewhere/; s/mov %%bl/call/' %s > %t.ll && %opt -mtriple=aarch64-unknown-linux-gnu -passes='hcct,verify' -S %t.ll | FileCheck %t.ll

; CHECK-LABEL: define void @calls(
; CHECK: call void asm sideeffect "call elsewhere"
; CHECK-NEXT: store atomic ptr [[BEFORE:%hcct.top[0-9]*]], ptr getelementptr inbounds (i8, ptr @__hcct_thread, i64 8)
; CHECK: call preserve_mostcc void @__hcct_push_outline(
; CHECK: hcct.push:
; CHECK: llvm.read_register
; CHECK: store atomic ptr {{.*}} getelementptr inbounds (i8, ptr @__hcct_thread, i64 8)
; CHECK: hcct.pushed:
; CHECK-NEXT: [[BEFORE]] = phi ptr
; CHECK: }
define void @calls() {
  call void asm sideeffect "call elsewhere", "~{memory}"()
  ret void
}

; CHECK-LABEL: define void @calls_in_capitals(
; CHECK: hcct.push:
; CHECK: }
define void @calls_in_capitals() {
  call void asm sideeffect "lea 1f, %rax\0A\09CALL *%rax", "~{memory}"()
  ret void
}

; CHECK-LABEL: define void @does_not(
; CHECK-NOT: hcct.push
; CHECK: }
define void @does_not() {
  call void asm sideeffect "syscall # recall callback, .call_it\0A\09mov %bl, %al; mov call_count, %eax", "~{memory}"()
  ret void
}
