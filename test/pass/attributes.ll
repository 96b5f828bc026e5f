; Attributes that the new code breaks are dropped, from functions, declarations and calls; what is instrumented stays
; out of line.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare i32 @pure(i32) #0

define i32 @caller(i32 %x) #0 {
  %y = call i32 @pure(i32 %x) #1
  ret i32 %y
}

define internal i32 @inlined(i32 %x) #2 {
  ret i32 %x
}

@table = global ptr @inlined

attributes #0 = { memory(none) speculatable nounwind }
attributes #1 = { memory(none) }
attributes #2 = { alwaysinline memory(argmem: read) }

; CHECK: declare i32 @pure(i32) #[[DECLARATION:[0-9]+]]
; CHECK: define i32 @caller(i32 %x) #[[CALLER:[0-9]+]]
; CHECK: call i32 @pure(i32 %x){{$}}
; CHECK: define internal i32 @inlined(i32 %x) #[[INLINED:[0-9]+]]
; CHECK: attributes #[[DECLARATION]] = { nounwind }
; CHECK: attributes #[[CALLER]] = { noinline nounwind }
; CHECK: attributes #[[INLINED]] = { noinline }
