; Code that is compiled for a fixed place (-fno-pie) has no address of ours as a constant, which a position-independent link refuses. Accesses
; have the distance from the instruction, but for those at -O0.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='hcct,verify' -S %s | %unlabelled | FileCheck --check-prefixes=CHECK,LEA %s
; RUN: (cat %s; echo '!llvm.module.flags = !{!0, !1}'; echo '!0 = !{i32 8, !"PIC Level", i32 2}'; echo '!1 = !{i32 7, !"PIE Level", i32 2}') > %t.ll
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='hcct,verify' -S %t.ll | %unlabelled | FileCheck --check-prefixes=CHECK,PIE %s
; RUN: %opt -mtriple=aarch64-unknown-linux-gnu -passes='hcct,verify' -S %s | %unlabelled | FileCheck --check-prefixes=CHECK,ARM %s

; The pointer to another file's function is no constant at a fixed place: else the linker makes it that of a stub.
; LEA: @__hcct_symbol.outside = linkonce_odr hidden global { ptr, [2 x i32] } { ptr @outside, 
; ARM: @__hcct_symbol.outside = linkonce_odr hidden global { ptr, [2 x i32] } { ptr @outside, 
; PIE: @__hcct_symbol.outside = linkonce_odr hidden constant { ptr, [2 x i32] } { ptr @outside, 

@table = internal global [2 x ptr] [ptr @first, ptr @second]

; CHECK-LABEL: define void @optimized(
; LEA: [[DELTA:%[^ ]*]] = load {{.*}}i64, ptr getelementptr inbounds (i8, ptr @hcct.state
; LEA: [[STATE:%[^ ]*]] = call ptr asm "leaq ${1:c}(%rip), $0", "=r,i"(ptr @hcct.state
; LEA: @__hcct_enter_or_miss({{.*}}ptr [[STATE]]
; PIE-NOT: asm
; ARM-NOT: asm
; CHECK: }
define void @optimized() {
  call void @outside()
  %function = load ptr, ptr @table
  call void %function()
  ret void
}

; CHECK-LABEL: define void @unoptimized(
; LEA: [[SITE:%[^ ]*]] = call ptr asm "leaq ${1:c}(%rip), $0", "=r,i"(ptr @hcct.sites
; LEA: @__hcct_call({{.*}}ptr [[SITE]], i64
; LEA: [[DELTA:%[^ ]*]] = call ptr asm "leaq ${1:c}(%rip), $0", "=r,i"(ptr getelementptr inbounds (i8, ptr @hcct.state{{.*}}, i64 24)
; LEA: @__hcct_called(ptr [[DELTA]])
; PIE-NOT: asm
; ARM-NOT: asm
; CHECK: }
define void @unoptimized() noinline optnone {
  call void @outside()
  call void @outside()
  ret void
}

; The address stands before the call, and not where the call before it stands: all of this is verified.
; CHECK-LABEL: define void @unoptimized_branches(
; LEA: {{^}}left:
; LEA-NEXT: call ptr asm "leaq
; LEA: {{^}}right:
; LEA-NEXT: [[SITE:%[^ ]*]] = call ptr asm "leaq
; LEA: @__hcct_call({{.*}}ptr [[SITE]], i64
; CHECK: }
define void @unoptimized_branches(i1 %is_left) noinline optnone {
  br i1 %is_left, label %left, label %right
left:
  call void @outside()
  ret void
right:
  call void @outside()
  ret void
}

define internal void @first() {
  ret void
}

define internal void @second() {
  call void @unoptimized()
  ret void
}

declare void @outside()
