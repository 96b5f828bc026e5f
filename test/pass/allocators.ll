; HCCT_ALLOCATOR, HCCT_DEALLOCATOR: the runtime is told at returns and at the entry, behind a test. The function is not inlined, and its record says that it gives out memory.
; RUN: env HCCT_ALLOCATOR='take$|^resize$' HCCT_DEALLOCATOR='give$|^resize$' %opt -passes='hcct-allocators,verify' -S %s | FileCheck %s
; RUN: env HCCT_ALLOCATOR='take$' %opt -passes='hcct-allocators,hcct,verify' -S %s | FileCheck --check-prefix=RECORD %s
; RUN: %opt -passes='hcct-allocators,verify' -S %s | FileCheck --check-prefix=OFF %s
; OFF-NOT: __hcct
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define ptr @take(ptr %pool, i64 %bytes, i32 %flags)
; CHECK-SAME: #[[KEPT:[0-9]+]]
; CHECK: [[ON:%.*]] = load i32, ptr @__hcct_heap_is_on
; CHECK: [[TEST:%.*]] = icmp ne i32 [[ON]], 0
; CHECK: br i1 [[TEST]], label %[[TELL:.*]], label %[[LEAVE:.*]]
; CHECK: [[TELL]]:
; CHECK-NEXT: call void @__hcct_heap_given(ptr %p, i64 %bytes, i32 0)
; CHECK-NEXT: br label %[[LEAVE]]
; CHECK: [[LEAVE]]:
; CHECK-NEXT: ret ptr %p
; CHECK-NOT: __hcct_heap_given
; CHECK: ret ptr null
; RECORD: @hcct.function = {{.*}}i32 17, i32 trunc (i64 sub (i64 ptrtoint (ptr @hcct.text.take to i64)
; RECORD: @hcct.function.1 = {{.*}}i32 1, i32 trunc (i64 sub (i64 ptrtoint (ptr @hcct.text.give to i64)
; RECORD: store atomic i64 %hcct.word, ptr @__hcct_thread{{[a-z_]*}}
; RECORD-NEXT: call void @__hcct_heap_given(ptr %p, i64 %bytes, i32 0)
define ptr @take(ptr %pool, i64 %bytes, i32 %flags) alwaysinline {
  %p = getelementptr i8, ptr %pool, i64 %bytes
  %fails = icmp eq i32 %flags, 0
  br i1 %fails, label %none, label %some
some:
  ret ptr %p
none:
  ret ptr null
}

; CHECK-LABEL: define void @give(ptr %pool, ptr %block, i64 %bytes)
; CHECK: %local = alloca i32
; CHECK: call void @__hcct_heap_taken(ptr %block, i32 0)
define void @give(ptr %pool, ptr %block, i64 %bytes) {
  %local = alloca i32
  store i32 0, ptr %local
  ret void
}

; A function that resizes has a place in its frame. It also tells that it failed.
; CHECK-LABEL: define ptr @resize(
; CHECK-NEXT: [[PLACE:%.*]] = alloca
; CHECK-NEXT: [[NUMBER:%.*]] = ptrtoint ptr [[PLACE]] to i32
; CHECK-NEXT: [[RESIZES:%.*]] = or i32 [[NUMBER]], 1
; CHECK: call void @__hcct_heap_taken(ptr %old, i32 [[RESIZES]])
; CHECK: [[NUMBER_2:%.*]] = ptrtoint ptr [[PLACE]] to i32
; CHECK: [[RESIZES_2:%.*]] = or i32 [[NUMBER_2]], 1
; CHECK: call void @__hcct_heap_given(ptr null, i64 %bytes, i32 [[RESIZES_2]])
; CHECK: ret ptr null
define ptr @resize(ptr %old, i64 %bytes) {
  ret ptr null
}

; What has to stay a tail call is no place to tell anything.
; CHECK-LABEL: define ptr @tail_take(
; CHECK-NOT: __hcct_heap_given
; CHECK: ret ptr
define ptr @tail_take(ptr %pool, i64 %bytes, i32 %flags) {
  %p = musttail call ptr @take(ptr %pool, i64 %bytes, i32 %flags)
  ret ptr %p
}

; CHECK: #[[KEPT]] = { noinline }
