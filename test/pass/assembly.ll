; Assembly that calls is a push like a call through a pointer; other assembly is none. Fences beside it name what a call may change and is not
; reserved.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
; RUN: sed 's/CALL [*]%%rax/BLR x1/; s/call elsewhere/bl elsewhere/; s/mov %%bl/call/' %s > %t.ll && %opt -mtriple=aarch64-unknown-linux-gnu -passes='hcct,verify' -S %t.ll | %unlabelled | FileCheck %t.ll

; CHECK-LABEL: define void @calls(
; CHECK: call preserve_mostcc void @__hcct_push_outline(
; CHECK-NEXT: call void asm sideeffect "", "[[CLOBBERS:~{(rax},~{rcx},~{rdx},~{rsi},~{rdi},~{r8},~{r9},~{r10},~{r11},~{xmm0},.*,~{xmm31|x0},.*,~{x17},~{x18},~{x30},~{v0},.*,~{v7},~{v16},.*,~{v31)}]]"()
; CHECK-NEXT: call void asm sideeffect "{{call|bl}} elsewhere"
; CHECK-NEXT: call void asm sideeffect "", "[[CLOBBERS]]"()
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK: }
define void @calls() {
  call void asm sideeffect "call elsewhere", "~{memory}"()
  ret void
}

; CHECK-LABEL: define void @calls_in_capitals(
; CHECK: @__hcct_push_outline(
; CHECK: }
define void @calls_in_capitals() {
  call void asm sideeffect "lea 1f, %rax\0A\09CALL *%rax", "~{memory}"()
  ret void
}

; CHECK-LABEL: define void @does_not(
; CHECK-NOT: hcct_push
; CHECK-NOT: asm sideeffect ""
; CHECK: }
define void @does_not() {
  call void asm sideeffect "syscall # recall callback, .call_it\0A\09mov %bl, %al; mov call_count, %eax", "~{memory}"()
  ret void
}

; CHECK-LABEL: define void @reserves(
; CHECK: call void asm sideeffect "", "~{{[{](rax|x0)[}]}},
; CHECK-NOT: ~{r9}
; CHECK-NOT: ~{x1}
; CHECK-NOT: ~{x18}
; CHECK-SAME: ~{{[{](r10|x10)[}]}},
; CHECK: }
define void @reserves() "target-features"="+a,+reserve-r9,+reserve-x1,+reserve-x18" {
  call void asm sideeffect "call elsewhere", "~{memory}"()
  ret void
}

; CHECK-LABEL: define void @jumps(
; CHECK: call void asm sideeffect "", "~{
; CHECK-NEXT: callbr void asm sideeffect "{{call|bl}} elsewhere"
; CHECK: next:
; CHECK-NEXT: call void asm sideeffect "", "~{
; CHECK: out:
; CHECK-NEXT: call void asm sideeffect "", "~{
; CHECK: }
define void @jumps() {
  callbr void asm sideeffect "call elsewhere", "!i,~{memory}"()
          to label %next [label %out]
next:
  ret void
out:
  ret void
}
