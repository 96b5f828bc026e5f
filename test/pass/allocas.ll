; Allocas of the entry block stay there: they would be dynamic elsewhere.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @use(ptr, ptr, ptr)

define void @locals(i32 %n) {
  %a = alloca i64
  store i64 1, ptr %a
  %b = alloca [100 x i8]
  %c = alloca i8, i32 %n
  call void @use(ptr %a, ptr %b, ptr %c)
  ret void
}

; CHECK-LABEL: define void @locals(
; CHECK-NEXT: %a = alloca i64
; CHECK-NEXT: {{%.*}} = alloca [100 x i8]
; CHECK-NEXT: %hcct.given = load atomic i64
; CHECK: store i64 1, ptr %a
; CHECK-NEXT: %c = alloca i8, i32 %n
