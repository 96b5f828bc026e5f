; Each call that may lead to instrumented code, and returns, has a label in front of it, which names its site; the copy
; between a push and a pop too. Two calls do not become one. A function without such calls has one label, for its record.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
; RUN: for machine in x86_64 aarch64; do for level in 0 2; do \
; RUN:   %opt -mtriple=$machine-unknown-linux-gnu -passes=hcct %s | llc -mtriple=$machine-unknown-linux-gnu -relocation-model=pic -O$level -o - | \
; RUN:   FileCheck --check-prefix=ASM %s || exit 1; done; done
target triple = "x86_64-unknown-linux-gnu"

declare i32 @other(i32)
declare ptr @malloc(i64)

define i32 @calls(i32 %x, ptr %pointer) {
  %a = call i32 @other(i32 %x)
  %b = call i32 %pointer(i32 %a)
  %c = call ptr @malloc(i64 1)
  %d = call i32 @leaf(i32 %b)
  %e = add i32 %d, 1
  ret i32 %e
}

define i32 @last(i32 %x) {
  %y = tail call i32 @other(i32 %x)
  ret i32 %y
}

define i32 @leaf(i32 %x) {
  ret i32 %x
}

define i32 @meets(i1 %which) {
  br i1 %which, label %first, label %second
first:
  %a = call i32 @leaf(i32 1)
  br label %end
second:
  %b = call i32 @leaf(i32 1)
  br label %end
end:
  ret i32 0
}

; CHECK-LABEL: define i32 @calls(
; CHECK: asm sideeffect {{.*}}hcct_calls{{.*}}(ptr @hcct.state, ptr @hcct.sites)
; CHECK-NEXT: call i32 @other(i32 %x) #[[ONE:[0-9]+]]
; CHECK: asm sideeffect {{.*}}hcct_calls{{.*}}(ptr @hcct.state, ptr getelementptr {{.*}}@hcct.sites, i64 {{[0-9]+}}))
; CHECK-NEXT: call i32 %pointer(
; CHECK-NOT: hcct_calls
; CHECK: call ptr @malloc(
; CHECK-NOT: call ptr @malloc(
; CHECK: asm sideeffect {{.*}}hcct_calls
; CHECK-NEXT: call i32 @leaf(
; CHECK-LABEL: define i32 @last(
; CHECK: asm sideeffect {{.*}}hcct_calls{{.*}}(ptr @hcct.state.{{[0-9]+}}, ptr @hcct.function{{.*}})
; CHECK: attributes #[[ONE]] = { {{.*}}nomerge

; ASM-LABEL: meets:
; ASM: .Lhcct_call{{[0-9]+}}:
; ASM: {{call|bl}}{{[a-z]*[[:space:]]+}}leaf
; ASM: .Lhcct_call{{[0-9]+}}:
; ASM: {{call|bl}}{{[a-z]*[[:space:]]+}}leaf
