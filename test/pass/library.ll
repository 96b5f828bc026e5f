; A call of a library function that leads back to the program only by what it may have of its own in the library's stead is passed
; by where it has none of that; what the site tells, and the note of the module's own, is enum hcct_library of hcct/abi.h.
; RUN: split-file %s %t
; RUN: %opt -passes='hcct,verify' -S %t/calls.ll | %unlabelled | FileCheck %t/calls.ll
; RUN: for own in "malloc 1" "_ZdaPvmSt11align_val_t 1" "strdup 1" "__cxa_throw 2" "_ZSt20__throw_length_errorPKc 2" "_ZSt24__throw_out_of_range_fmtPKcz 2" \
; RUN:   "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm 4" "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_ 4" \
; RUN:   "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendIPKcEERS4_T_S8_ 0" \
; RUN:   "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIwESaIwEE9_M_createERmm 0" "fwrite 8" "mallocs 0" "_ZSt27__throw_bad_optional_accessv 0" "_ZSt1x 0"; do set -- $own && \
; RUN:   for kind in define "define weak" "define linkonce_odr" "define hidden"; do \
; RUN:   sed "s/OWN/$1/; s/KIND/$kind/" %t/own.ll | %opt -passes=hcct,verify -S | %unlabelled | FileCheck -DBITS=$2 %t/own.ll || exit 1; done; \
; RUN:   sed "s/OWN/$1/; s/KIND/define internal/" %t/own.ll | %opt -passes=hcct,verify -S | %unlabelled | FileCheck -DBITS=0 %t/own.ll || exit 1; \
; RUN:   sed "s/OWN/other/; s/KIND/define/; s/AS/$1/" %t/own.ll | %opt -passes=hcct,verify -S | %unlabelled | FileCheck -DBITS=$2 %t/own.ll || exit 1; done
; RUN: for setter in "_ZSt15set_new_handlerPFvvE 2" "_ZSt13set_terminatePFvvE 2" "_ZSt14set_unexpectedPFvvE 2" "fopencookie 8" "funopen 8" \
; RUN:   "register_printf_function 8" "register_printf_specifier 8" "register_printf_type 8" "fopen 0"; do set -- $setter && \
; RUN:   sed "s/OWN/other/; s/KIND/define/; s/@__gxx_none/@$1/" %t/own.ll | %opt -passes=hcct,verify -S | %unlabelled | FileCheck -DBITS=$2 %t/own.ll || exit 1; done
;--- own.ll
target triple = "x86_64-pc-linux-gnu"

@AS = alias i32 (ptr), ptr @OWN
declare ptr @__gxx_none(ptr)

define void @start(ptr %p) {
  store ptr @__gxx_none, ptr %p
  ret void
}

KIND i32 @OWN(ptr %p) {
  ret i32 0
}

; CHECK: @hcct.note = {{.*}}, i32 {{[0-9]+}}, i32 0, i32 [[BITS]], i32 {{.*}}], section
;--- calls.ll
target triple = "x86_64-pc-linux-gnu"

declare ptr @_Znwm(i64)
declare void @_ZdlPv(ptr)
declare i32 @puts(ptr)
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr, ptr)
declare void @_ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEED1Ev(ptr)
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_(ptr, ptr)
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendI4MineEERS4_T_S7_(ptr, ptr)
declare i32 @__gxx_personality_v0(...)

define linkonce_odr ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %text, ptr %capacity, i64 %old) {
  ret ptr %text
}

; What the sites tell, a word behind the callee: the kind, whether the code pushes in any case (32), whether it can note the call (64), the weight, and what the callee leads to.
; CHECK: @hcct.sites = {{.*}}@__hcct_symbol._Znwm to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 229441,
; CHECK-SAME: @__hcct_symbol._ZdlPv to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 98305,
; CHECK-SAME: @__hcct_symbol.puts to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 622625,
; CHECK-SAME: basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 491585,
; CHECK-SAME: basic_stringIwSt11char_traitsIwESaIwEED1Ev to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 491585,
; Not a constructor, which copies characters by a template; not a template; not what the module has itself.
; CHECK-SAME: basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_ to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 32769,
; CHECK-SAME: basic_stringIcSt11char_traitsIcESaIcEE6appendI4MineEERS4_T_S7_ to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 32769,
; CHECK-SAME: basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm to {{[^,]*,[^,]*,[^,]*,[^,]*,}} i32 32769,

define void @tells(ptr %text) {
  %new = call ptr @_Znwm(i64 8)
  call void @_ZdlPv(ptr %new)
  call i32 @puts(ptr %text)
  call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr %text, ptr %text)
  call void @_ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEED1Ev(ptr %text)
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_(ptr %text, ptr %text)
  call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendI4MineEERS4_T_S7_(ptr %text, ptr %text)
  call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %text, ptr %text, i64 8)
  ret void
}

; Passed often: beside the library's as the runtime says, which may note it.
define ptr @often() {
  %new = call ptr @_Znwm(i64 8)
  %more = getelementptr i8, ptr %new, i64 1
  ret ptr %more
}

; CHECK-LABEL: define ptr @often(
; CHECK: [[DELTA:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @hcct.state{{[.0-9]*}}, i64 24)
; CHECK-NEXT: [[OTHER:%.*]] = icmp ne i64 [[DELTA]], -1
; CHECK-NEXT: br i1 [[OTHER]], label %[[REPLACED:[^,]*]], label %[[CALL:[0-9]+]], !prof
; CHECK: [[CALL]]:
; CHECK-NEXT: call ptr @_Znwm(i64 8)
; CHECK: [[ASKED:hcct.tested.*]]: ; preds
; CHECK: call preserve_mostcc void @__hcct_call_noted({{.*}}, i64 %hcct.word)
; CHECK-NEXT: call ptr @_Znwm(i64 8)
; CHECK: call preserve_mostcc void @__hcct_called_noted(
; CHECK: [[REPLACED]]:
; CHECK-NEXT: br label %[[ASKED]]
; CHECK-NOT: call ptr @_Znwm(
; CHECK-NOT: icmp sle
; CHECK-LABEL: define i32 @prints(

; stdio's, which hardly a program has of its own: beside it always a push.
define i32 @prints(ptr %text) {
  %count = call i32 @puts(ptr %text)
  %more = add i32 %count, 1
  ret i32 %more
}

; CHECK: icmp ne i64 {{.*}}, -1
; CHECK: call i32 @puts(
; CHECK-NOT: icmp sle
; CHECK: call preserve_mostcc void @__hcct_push(
; CHECK-NEXT: call i32 @puts(
; CHECK-NEXT: call preserve_mostcc void @__hcct_pop()
; CHECK-NOT: icmp sle
; CHECK-LABEL: define void @seldom(

; Seldom, but not hardly ever: tested in line all the same, an invoke too.
define void @seldom(i64 %n) personality ptr @__gxx_personality_v0 {
  %some = icmp eq i64 %n, 0
  br i1 %some, label %cool, label %done, !prof !0
cool:
  %new = call ptr @_Znwm(i64 %n)
  %newer = invoke ptr @_Znwm(i64 9) to label %done unwind label %caught
done:
  ret void
caught:
  %exception = landingpad { ptr, i32 } cleanup
  call void @_ZdlPv(ptr %new)
  resume { ptr, i32 } %exception
}
!0 = !{!"branch_weights", i32 1, i32 6}

; CHECK: cool:
; CHECK-NEXT: [[DELTA:%.*]] = load i64, ptr getelementptr inbounds (i8, ptr @hcct.state{{[.0-9]*}}, i64 24)
; CHECK-NEXT: [[OTHER:%.*]] = icmp ne i64 [[DELTA]], -1
; CHECK-NEXT: br i1 [[OTHER]], label %[[REPLACED:[^,]*]], label %[[CALL:[0-9]+]], !prof
; CHECK: [[CALL]]:
; CHECK-NEXT: call ptr @_Znwm(i64 %n)
; CHECK: icmp ne i64 {{.*}}, -1
; CHECK: invoke ptr @_Znwm(i64 9)
; CHECK-NOT: icmp
; Hardly ever, as where exceptions arrive: a push, untested, and no pop in front of the end.
; CHECK: caught:
; CHECK: call preserve_mostcc void @__hcct_push(
; CHECK-NEXT: call void @_ZdlPv(
; CHECK-NEXT: resume
; CHECK: call preserve_mostcc void @__hcct_call_noted(
; CHECK: call preserve_mostcc void @__hcct_call_noted(
; CHECK-NEXT: invoke ptr @_Znwm(i64 9)
; CHECK-NEXT: to label %[[BACK:[^ ]*]] unwind label %caught
; CHECK: [[BACK]]:
; CHECK-NEXT: = call ptr asm "leaq
; CHECK-NEXT: call preserve_mostcc void @__hcct_called_noted(
; CHECK-NOT: icmp sle
; CHECK: {{^}}}
