; Functions that are to be small (-Os, -Oz), or are cold, get calls of the runtime in place of code in line: at the entry, and for whatever their calls would
; else get. What they number without a test stays so.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
; RUN: sed 's/optsize/minsize optsize/' %s > %t.ll
; RUN: %opt -passes='hcct,verify' -S %t.ll | %unlabelled | FileCheck %s
; RUN: sed 's/optsize/cold/' %s > %t.ll
; RUN: %opt -passes='hcct,verify' -S %t.ll | %unlabelled | FileCheck %s
; RUN: sed 's/ optsize//' %s > %t.ll
; RUN: %opt -passes='hcct,verify' -S %t.ll | %unlabelled | FileCheck %s --check-prefix=QUICK
; RUN: sed 's/ optsize/ noinline optnone/' %s > %t.ll
; RUN: %opt -passes='hcct,verify' -S %t.ll | %unlabelled | FileCheck %s --check-prefix=UNOPTIMIZED
target triple = "x86_64-pc-linux-gnu"

@table = global ptr @small

declare void @elsewhere()
declare ptr @malloc(i64)

define ptr @small(ptr %p) optsize {
  call void %p()
  call void @elsewhere()
  call void @local()
  %q = call ptr @malloc(i64 8)
  call void @elsewhere()
  ret ptr %q
}

; CHECK-LABEL: define ptr @small(
; CHECK-NEXT: [[GIVEN:%.*]] = load atomic i64, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK-NEXT: store atomic i64 1, ptr @__hcct_thread{{[a-z_]*}} monotonic
; CHECK-NEXT: [[NOBODYS:%.*]] = icmp ule i64 [[GIVEN]], 2
; CHECK-NEXT: br i1 [[NOBODYS]], label %[[ENTER:.*]], label %[[KNOWN:[^,]*]]
; CHECK: [[WORD:%.*]] = phi i64 [ [[GIVEN]], %[[KNOWN]] ], [ [[SLOW:%.*]], %[[ENTER]] ]
; CHECK: call preserve_mostcc void @__hcct_push_outline({{.*}}@hcct.sites{{.*}}, i64 [[WORD]])
; CHECK-NEXT: call void %p()
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NEXT: call preserve_mostcc void @__hcct_call({{.*}}@hcct.sites{{.*}}, i64 [[WORD]])
; CHECK-NEXT: call void @elsewhere()
; CHECK-NEXT: call preserve_mostcc void @__hcct_called(ptr {{.*}}@hcct.state
; CHECK-NEXT: [[DELTA:%.*]] = load i64, ptr {{.*}}@hcct.state
; CHECK-NEXT: [[SUM:%.*]] = add i64 [[WORD]], [[DELTA]]
; CHECK-NEXT: [[PASSED:%.*]] = inttoptr i64 [[SUM]] to ptr
; CHECK-NEXT: call void @local(ptr nest [[PASSED]])
; CHECK-NEXT: call preserve_mostcc void @__hcct_call_noted(
; CHECK-NEXT: call ptr @malloc(i64 8)
; CHECK-NEXT: call preserve_mostcc void @__hcct_called_noted(
; CHECK: ret ptr
; CHECK: [[ENTER]]:
; CHECK: call preserve_mostcc void @__hcct_enter_or_miss(
; CHECK-NEXT: [[SLOW]] = load atomic i64, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 56) monotonic
; CHECK: [[KNOWN]]:
; CHECK-NEXT: call preserve_mostcc void @__hcct_count(i64 poison, i64 poison, i64 poison, i64 poison, ptr @hcct.state, i64 [[GIVEN]])
; CHECK-NEXT: br label
; CHECK-NOT: hcct.slot
; CHECK-LABEL: define internal void @local(

; QUICK-LABEL: define ptr @small(
; QUICK-NOT: @__hcct_count
; QUICK: load i64, ptr %hcct.slot
; QUICK-NOT: @__hcct_count

; At -O0 it is the same, but that a call which may be numbered gets a frame only where it is not: frames of all calls would
; fill the context stack.
; UNOPTIMIZED-LABEL: define ptr @small(
; UNOPTIMIZED: call preserve_mostcc void @__hcct_push_outline(
; UNOPTIMIZED-NEXT: call void %p()
; UNOPTIMIZED-NEXT: call preserve_mostcc void @__hcct_pop()
; UNOPTIMIZED-NEXT: call preserve_mostcc void @__hcct_call(i64 poison, i64 poison, i64 poison, i64 poison, ptr [[SITE:.*]], i64 %hcct.word)
; UNOPTIMIZED-NEXT: call void @elsewhere()
; UNOPTIMIZED-NEXT: call preserve_mostcc void @__hcct_called(ptr {{.*}}@hcct.state
; UNOPTIMIZED-NOT: hcct.slot
; UNOPTIMIZED: call preserve_mostcc void @__hcct_count(
; UNOPTIMIZED-NOT: hcct.slot
; UNOPTIMIZED-LABEL: define internal void @local(

define internal void @local() {
  ret void
}

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
