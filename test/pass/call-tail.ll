; Nothing comes between a call in tail position and its ret; one that leaves instrumented code, which the delta tells,
; is a plain call between a push and a pop, unless it is musttail. (Through pointers: call-tail-pointer.ll)
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
; RUN: %opt -passes='hcct,verify' %s | llc -O2 -o - | FileCheck %s --check-prefix=ASM
target triple = "x86_64-pc-linux-gnu"

declare i32 @other(i32)

define i32 @tail(i32 %x) {
  %y = tail call i32 @other(i32 %x)
  ret i32 %y
}

; CHECK-LABEL: define i32 @tail(
; CHECK: [[Y:%.*]] = tail call i32 @other(i32 %x)
; CHECK-NEXT: ret i32 [[Y]]
; CHECK: icmp eq i64 {{.*}}, 0
; CHECK: call preserve_mostcc void @__hcct_push({{.*}}, i64 %hcct.word)
; CHECK-NEXT: [[PLAIN:%.*]] = call i32 @other(i32 %x)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: ret i32 [[PLAIN]]
; CHECK: call preserve_mostcc void @__hcct_push_tail(i64 %hcct.word,
; ASM-LABEL: tail:
; ASM: jmp other

define i32 @musttail(i32 %x) {
  %y = musttail call i32 @other(i32 %x)
  ret i32 %y
}

; CHECK-LABEL: define i32 @musttail(
; CHECK-NOT: @__hcct_pop
; CHECK-NOT: call i32 @other(
; CHECK: [[Y:%.*]] = musttail call i32 @other(i32 %x)
; CHECK-NEXT: ret i32 [[Y]]
; CHECK: call preserve_mostcc void @__hcct_push_tail(i64 %hcct.word,
; ASM-LABEL: musttail:
; ASM: jmp other

; The return that a tail call branches to is copied behind it, as the code generator would.
define i32 @branches(i1 %c, i32 %x) {
  br i1 %c, label %yes, label %no
yes:
  %y = tail call i32 @other(i32 %x)
  br label %done
no:
  %z = tail call i32 @other(i32 7)
  br label %done
done:
  %r = phi i32 [ %y, %yes ], [ %z, %no ]
  ret i32 %r
}

; CHECK-LABEL: define i32 @branches(
; CHECK: [[Y:%.*]] = tail call i32 @other(i32 %x)
; CHECK-NEXT: ret i32 [[Y]]
; CHECK: [[Z:%.*]] = tail call i32 @other(i32 7)
; CHECK-NEXT: ret i32 [[Z]]
; ASM-LABEL: branches:
; ASM: jmp other
; ASM: jmp other
; ASM: .size branches
