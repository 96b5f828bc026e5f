; In a whole program what a call through a pointer leads to is guessed: the few functions of its type whose address is taken, or, if
; they are many, those of them that stand at the same offset of a structure. A right guess is a numbered call.
; RUN: env HCCT_WHOLE_PROGRAM=1 %opt -passes='internalize,hcct,verify' -internalize-public-api-list=main -S %s | %unlabelled | FileCheck %s
; Elsewhere that is so for the module's own functions; of a shared object, where each of these may be replaced, none is.
; RUN: %opt -passes='internalize,hcct,verify' -internalize-public-api-list=main -S %s | %unlabelled | FileCheck --check-prefix=PART %s
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck --check-prefix=NONE %s
; NONE-NOT: hcct.guessed
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@one = global ptr @single
@tables = global [2 x { ptr, ptr }] [{ ptr, ptr } { ptr @a, ptr @b }, { ptr, ptr } { ptr @c, ptr @d }]
@other = global { ptr } { ptr @e }

define i32 @main(ptr %table, ptr %p, ptr %q) personality ptr @personality {
  %first = load ptr, ptr @one
  %x = call i32 %first(i32 1)
  %second.at = getelementptr inbounds i8, ptr %table, i64 8
  %second = load ptr, ptr %second.at
  call void %second(i64 2)
  call void %p(i64 3)
  call i8 %q()
  invoke i32 %first(i32 4) to label %end unwind label %end.too
end:
  ret i32 %x
end.too:
  %exception = landingpad { ptr, i32 } cleanup
  ret i32 0
}

; One function has that type.
; CHECK-LABEL: define i32 @main(
; CHECK: [[OTHER:%.*]] = icmp ne ptr %first, @single
; CHECK-NEXT: br i1 [[OTHER]], label %[[PUSH:hcct.other[0-9]*]], label %[[GUESSED:hcct.guessed[0-9]*]], !prof
; CHECK: [[X:%.*]] = call i32 %first(i32 1)
; Of five, two stand at that offset.
; CHECK: [[OTHER_B:%.*]] = icmp ne ptr %second, @b
; CHECK-NEXT: br i1 [[OTHER_B]], label %[[TRY_D:hcct.other[0-9]*]], label
; CHECK: call void %second(i64 2)
; Where it is not known from where the pointer is, they are too many; of another type is none.
; CHECK-NOT: icmp ne ptr %p
; CHECK: call void %p(i64 3)
; CHECK-NOT: icmp ne ptr %q
; CHECK: call i8 %q()
; An invoke, too, is there twice.
; CHECK: icmp ne ptr %first, @single
; CHECK-NEXT: br i1 {{.*}}, label %[[INVOKE_PUSH:hcct.other[0-9]*]], label %[[INVOKE_GUESSED:hcct.guessed[0-9]*]], !prof
; CHECK: invoke i32 %first(i32 4)
; CHECK-NEXT: to label %[[DONE:.*]] unwind label %end.too
; CHECK: [[DONE]]:
; CHECK: br label %end
; CHECK: end.too:
; CHECK: call preserve_mostcc void @__hcct_arrive(
; CHECK-NEXT: ret i32 0
; CHECK: [[PUSH]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_outline({{.*}}, ptr {{.*}}, i64 %hcct.word)
; CHECK-NEXT: [[AGAIN:%.*]] = call i32 %first(i32 1)
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK: [[GUESSED]]:
; CHECK-NEXT: [[WORD:%.*]] = add i64 %hcct.word, {{[0-9]+}}
; CHECK-NEXT: store atomic i64 [[WORD]], ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK: [[TRY_D]]:
; CHECK-NEXT: icmp ne ptr %second, @d
; CHECK: [[INVOKE_PUSH]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_push_outline({{.*}}, ptr {{.*}}, i64 %hcct.word)
; CHECK-NEXT: invoke i32 %first(i32 4)
; CHECK-NEXT: to label %[[BACK:.*]] unwind label %end.too
; CHECK: [[INVOKE_GUESSED]]:
; CHECK-NEXT: add i64 %hcct.word, {{[0-9]+}}
; CHECK-NEXT: store atomic i64 {{.*}}, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK: [[BACK]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: br label %[[DONE]]

; The delta is the program's, but nothing asks whether there is one.
; PART-LABEL: define i32 @main(
; PART: [[OTHER:%.*]] = icmp ne ptr %first, @single
; PART-NEXT: br i1 [[OTHER]], label %[[PUSH:hcct.other[0-9]*]], label %[[GUESSED:hcct.guessed[0-9]*]], !prof
; PART: [[PUSH]]:
; PART-NEXT: call preserve_mostcc void @__hcct_push_outline({{.*}}, ptr {{.*}}, i64 %hcct.word)
; PART: [[GUESSED]]:
; PART-NEXT: [[DELTA:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @hcct.state{{[.0-9]*}}, i64 {{[0-9]+}})
; PART-NEXT: [[WORD:%.*]] = add i64 %hcct.word, [[DELTA]]
; PART-NEXT: store atomic i64 [[WORD]], ptr @__hcct_thread{{[a-z_]*}} monotonic

declare i32 @personality(...)

define i32 @single(i32 %x) {
  ret i32 %x
}

define void @a(i64 %x) {
  ret void
}

define void @b(i64 %x) {
  ret void
}

define void @c(i64 %x) {
  ret void
}

define void @d(i64 %x) {
  ret void
}

define void @e(i64 %x) {
  ret void
}

; A tail call is guessed as any other. What may lead back to where it comes from is no use as a guess: it would push in any case.
define void @tail(ptr %p) {
  %x = tail call fastcc i16 @around(ptr %p)
  tail call void %p(i16 %x)
  ret void
}

; CHECK-LABEL: define internal void @tail(
; CHECK: icmp ne ptr %p, @end
; CHECK: tail call void %p(i16
; CHECK: hcct.leave:
; CHECK-NEXT: phi ptr
; CHECK-NEXT: call void %p(i16

define internal fastcc i16 @around(ptr %p) {
  %x = call i16 %p(ptr %p)
  ret i16 %x
}

; CHECK-LABEL: define internal {{.*}}i16 @around(
; CHECK-NOT: hcct.guessed
; CHECK: ret i16

define i16 @back(ptr %p) {
  %x = call fastcc i16 @around(ptr %p)
  ret i16 %x
}

define void @end(i16 %x) {
  ret void
}

@kept = global [3 x ptr] [ptr @tail, ptr @end, ptr @back]

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
