; The entry of a function: the word is taken and cleared, or an argument; one that can be entered by code that did not number the call
; is looked for in its slot as it is, and tested only where nothing counts.
; RUN: %opt -passes='hcct,verify' -S %s | %unlabelled | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

define void @enterable() {
  call void @local()
  ret void
}

; CHECK-LABEL: define void @enterable()
; CHECK-NEXT: [[GIVEN:%.*]] = load atomic i64, ptr @__hcct_thread{{[a-z_]*}} monotonic, align 8, !nosanitize
; CHECK-NEXT: store atomic i64 1, ptr @__hcct_thread{{[a-z_]*}} monotonic, align 8, !nosanitize
; CHECK-NEXT: [[SLOTS:%.*]] = load atomic ptr, ptr {{.*}}@__hcct_thread{{[a-z_]*}}{{.*}} monotonic
; CHECK-NEXT: [[NONE:%.*]] = icmp eq ptr [[SLOTS]], null
; CHECK-NEXT: br i1 [[NONE]], label %[[OFF:.*]], label %[[COUNTING:[^,]*]]
; CHECK: phi i64 [ [[GIVEN]], %[[KNOWN:.*]] ], [ [[GIVEN]], %[[HIT:.*]] ], [ [[SLOW:%.*]], %[[ENTER:.*]] ]
; CHECK: call void @local(
; CHECK: [[ENTER]]:
; CHECK-NEXT: [[OPEN:%.*]] = phi i64 [ [[GIVEN]], %[[OFF]] ], [ [[GIVEN]], %[[COUNTING]] ]
; CHECK-NEXT: [[PLACE:%.*]] = call ptr @llvm.addressofreturnaddress
; CHECK-NEXT: [[SP:%.*]] = ptrtoint ptr [[PLACE]] to i64
; CHECK-NEXT: call preserve_mostcc void @__hcct_enter_or_miss(i64 poison, i64 poison, i64 poison, i64 [[SP]], ptr @hcct.state{{[^,]*}}, i64 [[OPEN]])
; CHECK-NEXT: [[SLOW]] = load atomic i64, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 56) monotonic
; CHECK: [[COUNTING]]:
; CHECK: [[KEY:%.*]] = load i64, ptr %hcct.slot
; CHECK-NEXT: [[MISSED:%.*]] = icmp ne i64 [[KEY]], [[GIVEN]]
; CHECK-NEXT: br i1 [[MISSED]], label %[[ENTER]], label %[[HIT]]
; CHECK: [[OFF]]:
; CHECK-NEXT: [[NOBODYS:%.*]] = icmp ule i64 [[GIVEN]], 2
; CHECK-NEXT: br i1 [[NOBODYS]], label %[[ENTER]], label %[[KNOWN]]

define internal void @local() {
  ret void
}

; Only calls of this module lead here: the word comes as an argument.
; CHECK-LABEL: define internal void @local(ptr nest %0)
; CHECK-NEXT: %hcct.word = ptrtoint ptr %0 to i64
; CHECK-NOT: @__hcct_enter
; CHECK-NOT: store atomic i64 1, ptr @__hcct_thread{{[a-z_]*}}
; CHECK: call preserve_mostcc void @__hcct_miss(i64 poison, i64 poison, i64 poison, i64 poison, ptr @hcct.state{{[^,]*}}, i64 %hcct.word)
; CHECK-NOT: @__hcct_enter
; CHECK: }

; A local function whose address is taken can be entered by anyone, and is often by what numbers no call: then its word is made in line.
@table = global ptr @escapes

define internal void @escapes() {
  ret void
}

; CHECK-LABEL: define internal void @escapes()
; CHECK: call preserve_mostcc void @__hcct_enter_or_miss(i64 poison, i64 poison, i64 poison, i64 {{.*}}, ptr @hcct.state
; CHECK-NEXT: load atomic i64, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 56) monotonic
; CHECK: [[TOP:%.*]] = load atomic ptr, ptr getelementptr inbounds (i8, ptr @__hcct_thread{{[a-z_]*}}, i64 8) monotonic
; CHECK: [[TOP_SP:%.*]] = load atomic i64, ptr
; CHECK: icmp ule i64 [[TOP_SP]], [[SP:%.*]]
; CHECK: [[BASE:%.*]] = load atomic i64, ptr @hcct.state{{.*}} acquire
; CHECK: icmp eq i64 [[BASE]], 0
; CHECK: [[PREFIX:%.*]] = load atomic i64, ptr [[TOP]] monotonic
; CHECK: add i64 [[PREFIX]], [[BASE]]

; So can one that is called by a function that is left alone.
define internal void @from_hidden() {
  ret void
}

; CHECK-LABEL: define internal void @from_hidden()
; CHECK: call preserve_mostcc void @__hcct_enter_or_miss(

define void @hidden() noprofile {
  call void @from_hidden()
  ret void
}

; One that is an argument of its own call too.
define internal void @passed(ptr %self) {
  ret void
}

; CHECK-LABEL: define internal void @passed(
; CHECK: call preserve_mostcc void @__hcct_enter_or_miss(

define void @passes() {
  call void @passed(ptr @passed)
  ret void
}

; And one with an alias.
@alias = alias void (), ptr @aliased

define internal void @aliased() {
  ret void
}

; CHECK-LABEL: define internal void @aliased()
; CHECK: call preserve_mostcc void @__hcct_enter_or_miss(

!llvm.module.flags = !{!900, !901}
!900 = !{i32 8, !"PIC Level", i32 2}
!901 = !{i32 7, !"PIE Level", i32 2}
