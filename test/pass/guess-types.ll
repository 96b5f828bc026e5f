; In a whole program a virtual call is guessed by the class hierarchy where tables and tests tell it: the functions that stand at the call's
; offset in the tables of the class and of what is derived from it, whatever else of that type there is.
; RUN: env HCCT_WHOLE_PROGRAM=1 %opt -passes='internalize,hcct,verify' -internalize-public-api-list=main -S %s | FileCheck %s
; The compile step notes at the calls what they are of, as the link's optimizations take away what tells it.
; RUN: env HCCT_LTO=link %opt -passes='default<O0>,verify' -S %s | FileCheck --check-prefix=NOTED %s
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; All are of R. B, C and D are of A, too, and D also of E, with another table in its table. F is a local class.
@A = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @a0, ptr @a1] }, !type !0, !type !1
@B = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @b0, ptr @a1] }, !type !0, !type !1, !type !2
@C = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @c0, ptr @c1] }, !type !0, !type !1
@D = constant { [4 x ptr], [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @d0, ptr @a1], [4 x ptr] [ptr null, ptr null, ptr @pure, ptr @d1] },
  !type !0, !type !1, !type !3
@E = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @e0, ptr @e1] }, !type !0, !type !4
@F = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @f0, ptr @f1_alias] }, !type !0, !type !5
@other = constant ptr @other_type
@f1_alias = alias void (ptr), ptr @f1

declare i1 @llvm.type.test(ptr, metadata)
declare i1 @llvm.public.type.test(ptr, metadata)
declare { ptr, i1 } @llvm.type.checked.load(ptr, i32, metadata)
declare void @llvm.assume(i1)
declare void @pure()

; CHECK-LABEL: define internal void @a_first(
; CHECK: icmp ne ptr %f, @a0
; CHECK: call void %f(
; CHECK: icmp ne ptr %f, @b0
; CHECK: icmp ne ptr %f, @c0
; CHECK: icmp ne ptr %f, @d0
; CHECK-NOT: icmp ne ptr %f
; NOTED-LABEL: define {{.*}}void @a_first(
; NOTED: call void %f(ptr {{.*}}) #[[A_FIRST:[0-9]+]]
define void @a_first(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.public.type.test(ptr %table, metadata !"_ZTS1A")
  call void @llvm.assume(i1 %is)
  %f = load ptr, ptr %table
  call void %f(ptr %object)
  ret void
}

; CHECK-LABEL: define internal void @a_second(
; CHECK: icmp ne ptr %f, @a1
; CHECK: call void %f(
; CHECK: icmp ne ptr %f, @c1
; CHECK-NOT: icmp ne ptr %f
; NOTED-LABEL: define {{.*}}void @a_second(
; NOTED: call void %f(ptr {{.*}}) #[[A_SECOND:[0-9]+]]
define void @a_second(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.type.test(ptr %table, metadata !"_ZTS1A")
  br i1 %is, label %call, label %trap
call:
  %at = getelementptr inbounds i8, ptr %table, i64 8
  %f = load ptr, ptr %at
  call void %f(ptr %object)
  ret void
trap:
  unreachable
}

; A test and a load in one.
; CHECK-LABEL: define internal void @b_first(
; CHECK: icmp ne ptr %f, @b0
; CHECK-NOT: icmp ne ptr %f
; NOTED-LABEL: define {{.*}}void @b_first(
; NOTED: call void %f(ptr {{.*}}) #[[B_FIRST:[0-9]+]]
define void @b_first(ptr %object) {
  %table = load ptr, ptr %object
  %checked = call { ptr, i1 } @llvm.type.checked.load(ptr %table, i32 0, metadata !"_ZTS1B")
  %is = extractvalue { ptr, i1 } %checked, 1
  call void @llvm.assume(i1 %is)
  %f = extractvalue { ptr, i1 } %checked, 0
  call void %f(ptr %object)
  ret void
}

; Of a second base, for which the table of D has one of its own; what is not instrumented is no guess.
; CHECK-LABEL: define internal void @e_both(
; CHECK: icmp ne ptr %f, @e0
; CHECK-NOT: icmp ne ptr %f,
; CHECK: icmp ne ptr %g, @d1
; CHECK-NOT: icmp ne ptr %f,
; CHECK: icmp ne ptr %g, @e1
; CHECK-NOT: icmp ne ptr %g
define void @e_both(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.type.test(ptr %table, metadata !"_ZTS1E")
  call void @llvm.assume(i1 %is)
  %f = load ptr, ptr %table
  call void %f(ptr %object)
  %at = getelementptr inbounds i8, ptr %table, i64 8
  %g = load ptr, ptr %at
  call void %g(ptr %object)
  ret void
}

; A pointer that is tested for other classes on other ways: only what a test leads to counts. What stands there by an alias is the function.
; CHECK-LABEL: define internal void @either(
; CHECK: icmp ne ptr %f, @b0
; CHECK-NOT: icmp ne ptr %f,
; CHECK: icmp ne ptr %g, @f1
; CHECK-NOT: icmp ne ptr %f
; NOTED-LABEL: define {{.*}}void @either(
; NOTED-DAG: call void %f(ptr {{.*}}) #[[B_FIRST]]
; NOTED-DAG: call void %g(ptr {{.*}}) #[[F_SECOND:[0-9]+]]
define void @either(ptr %object, i1 %which) {
  %table = load ptr, ptr %object
  br i1 %which, label %of_b, label %of_f
of_b:
  %is_b = call i1 @llvm.type.test(ptr %table, metadata !"_ZTS1B")
  call void @llvm.assume(i1 %is_b)
  %f = load ptr, ptr %table
  call void %f(ptr %object)
  ret void
of_f:
  %is_f = call i1 @llvm.type.test(ptr %table, metadata !6)
  call void @llvm.assume(i1 %is_f)
  %at = getelementptr inbounds i8, ptr %table, i64 8
  %g = load ptr, ptr %at
  call void %g(ptr %object)
  ret void
}

; A class of which there is no table here, though there is a function of that type; a class with too many.
; CHECK-LABEL: define internal void @unknown(
; CHECK-NOT: icmp ne ptr %f
; CHECK-NOT: icmp ne ptr %g
; CHECK: call void %g(
define void @unknown(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.type.test(ptr %table, metadata !"_ZTS1G")
  call void @llvm.assume(i1 %is)
  %f = load ptr, ptr %table
  call void %f(i64 1)
  %is_r = call i1 @llvm.type.test(ptr %table, metadata !"_ZTS1R")
  call void @llvm.assume(i1 %is_r)
  %g = load ptr, ptr %table
  call void %g(ptr %object)
  ret void
}

; In tail position, where pushes are slow, they are not too many. (It stays there, as @tail may be called so, too.)
@loop = constant ptr @tail
; CHECK-LABEL: define internal void @tail(
; CHECK-DAG: icmp ne ptr %f, @a0
; CHECK-DAG: icmp ne ptr %f, @b0
; CHECK-DAG: icmp ne ptr %f, @c0
; CHECK-DAG: icmp ne ptr %f, @d0
; CHECK-DAG: icmp ne ptr %f, @e0
; CHECK-DAG: icmp ne ptr %f, @f0
; CHECK: call preserve_mostcc void @__hcct_push_tail_pointer(
define void @tail(ptr %object) {
  %table = load ptr, ptr %object
  %is = call i1 @llvm.type.test(ptr %table, metadata !"_ZTS1R")
  call void @llvm.assume(i1 %is)
  %f = load ptr, ptr %table
  tail call void %f(ptr %object)
  ret void
}

; Such a function is guessed where it is not known to be a virtual call.
; CHECK-LABEL: define internal void @plain(
; CHECK: icmp ne ptr %f, @other_type
define void @plain(ptr %f) {
  call void %f(i64 1)
  ret void
}

; CHECK: !hcct.callees = !{![[FIRST:[0-9]+]]
; CHECK-DAG: = !{!"_ZTS1A+0", ptr @a0, ptr @b0, ptr @c0, ptr @d0}
; CHECK-DAG: = !{!"_ZTS1A+8", ptr @a1, ptr @c1}
; CHECK-DAG: = !{!"_ZTS1G+0"}
; CHECK-DAG: = !{!"{{.*}}guess-types.ll#1", ptr @f1}

; NOTED-DAG: attributes #[[A_FIRST]] = { {{.*}}"hcct-virtual"="_ZTS1A+0" }
; NOTED-DAG: attributes #[[A_SECOND]] = { {{.*}}"hcct-virtual"="_ZTS1A+8" }
; NOTED-DAG: attributes #[[B_FIRST]] = { {{.*}}"hcct-virtual"="_ZTS1B+0" }
; NOTED-DAG: attributes #[[F_SECOND]] = { {{.*}}"hcct-virtual"="{{.*}}guess-types.ll#1" }
; NOTED: !hcct.virtual = !{![[NOTE:[0-9]+]],
; NOTED-DAG: ![[NOTE]] = !{!"_ZTS1A+0", i64 0, !"_ZTS1A"}
; NOTED-DAG: !{!"{{.*}}guess-types.ll#1", i64 8, ![[LOCAL:[0-9]+]]}
; NOTED-DAG: ![[LOCAL]] = distinct !{}

define void @a0(ptr %object) {
  ret void
}
define void @a1(ptr %object) {
  ret void
}
define void @b0(ptr %object) {
  ret void
}
define void @c0(ptr %object) {
  ret void
}
define void @c1(ptr %object) {
  ret void
}
define void @d0(ptr %object) {
  ret void
}
define void @d1(ptr %object) {
  ret void
}
define void @e0(ptr %object) {
  ret void
}
define void @e1(ptr %object) {
  ret void
}
define void @f0(ptr %object) {
  ret void
}
define void @f1(ptr %object) {
  ret void
}
define void @other_type(i64 %x) {
  ret void
}
define i32 @main() {
  ret i32 0
}

!0 = !{i64 16, !"_ZTS1R"}
!1 = !{i64 16, !"_ZTS1A"}
!2 = !{i64 16, !"_ZTS1B"}
!3 = !{i64 48, !"_ZTS1E"}
!4 = !{i64 16, !"_ZTS1E"}
!5 = !{i64 16, !6}
!6 = distinct !{}

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
