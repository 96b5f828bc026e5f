; Numbers of a whole program that an instruction has no room for are loaded from the record; those that it has room for are constants. Each
; function here calls the next one eight times, so that each has eight times the contexts of the one before.
; RUN: awk 'BEGIN { print "target triple = \"x86_64-pc-linux-gnu\"\ndefine i32 @main() {\n  call void @f1()\n  ret i32 0\n}"; \
; RUN:   for (i = 1; i < 14; i++) { printf "define internal void @f%%d() {\n", i; for (j = 0; j < 8; j++) printf "  call void @f%%d()\n", i + 1; print "  ret void\n}" } \
; RUN:   print "define internal void @f14() {\n  ret void\n}" }' > %t.ll
; RUN: env HCCT_WHOLE_PROGRAM=1 %opt -passes='hcct,verify' -S %t.ll | FileCheck %s

; CHECK-LABEL: define internal void @f1(
; CHECK-NOT: load i64, ptr {{.*}}@hcct.state
; CHECK: add i64 %hcct.word, {{[0-9]+$}}
; CHECK: call void @f2(
; CHECK-LABEL: define internal void @f12(
; CHECK: [[FIRST:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @hcct.state[[STATE:[.0-9]*]], i64 24)
; CHECK-NEXT: add i64 %hcct.word, [[FIRST]]
; CHECK: call void @f13(
; CHECK: [[SECOND:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @hcct.state[[STATE]], i64 32)
; CHECK-NEXT: add i64 %hcct.word, [[SECOND]]
; CHECK: call void @f13(
