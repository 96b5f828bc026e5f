; An ifunc resolver runs before thread-local data exists. What it calls in its module is left alone, also by an alias. Each
; other function that it may reach has one warning; not so what never calls back, what belongs to the compiler or the C
; library, what the filter names, and what is called by a resolver that is `noprofile`.
; RUN: echo 'fun:filtered' > %t.filter && HCCT_FILTER=%t.filter %opt -passes='hcct,verify' -S %s -o %t.ll 2> %t.err
; RUN: FileCheck %s < %t.ll && FileCheck --check-prefix=WARN --match-full-lines --implicit-check-not='{{.}}' %s < %t.err
target triple = "x86_64-pc-linux-gnu"

@pointer = global ptr null
@chosen = ifunc void (), ptr @resolver
@quiet = ifunc void (), ptr @noprofile
@by_alias = internal alias ptr (), ptr @aliased

declare void @outside()
declare void @filtered()
declare i64 @strlen(ptr)
declare i32 @__cpu_indicator_init()
declare i64 @getauxval(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; WARN: warning: hcct: an ifunc resolver calls outside, and {{.*}}no_profile_instrument_function
; WARN: warning: hcct: an ifunc resolver calls a function through a pointer, and {{.*}}
; WARN: warning: hcct: an ifunc resolver calls copied, and {{.*}}

define internal ptr @resolver() {
  call void @outside()
  call void @outside()
  call void @filtered()
  %cpu = call i32 @__cpu_indicator_init()
  %hardware = call i64 @getauxval(i64 16)
  %length = call i64 @strlen(ptr @pointer)
  call void @llvm.memset.p0.i64(ptr @pointer, i8 0, i64 8, i1 false)
  call void asm sideeffect "nop", ""()
  %callee = load ptr, ptr @pointer
  call void %callee()
  %result = call ptr @by_alias()
  ret ptr %result
}

; CHECK-LABEL: define internal ptr @aliased()
; CHECK-NEXT: call void @copied()
define internal ptr @aliased() {
  call void @copied()
  ret ptr @outside
}

define available_externally void @copied() {
  ret void
}

define internal ptr @noprofile() noprofile {
  call void @not_warned_of()
  ret ptr @outside
}

declare void @not_warned_of()
