; Another target is left alone, with one warning; the two that are supported are not.
; RUN: for t in i386-pc-linux-gnu bpf x86_64-pc-windows-msvc x86_64-apple-macosx x86_64-pc-linux-gnux32 nvptx64-nvidia-cuda aarch64-pc-freebsd; do \
; RUN:   %opt -mtriple=$t -passes='hcct,verify' -S %s -o %t.ll 2> %t.err; grep -c 'warning: hcct: this target is not supported' %t.err | grep -x 1 && \
; RUN:   wc -l < %t.err | grep -x 1 && not grep hcct_ %t.ll || exit 1; done
; RUN: for t in x86_64-pc-linux-gnu x86_64-unknown-linux-musl aarch64-unknown-linux-gnu aarch64-linux-android; do \
; RUN:   %opt -mtriple=$t -passes='hcct,verify' -S %s 2>&1 | FileCheck %s || exit 1; done
; CHECK-NOT: warning
; CHECK: @__hcct_thread{{[a-z_]*}}
; CHECK: define void @function()
; CHECK: @__hcct_enter_or_miss
; CHECK-NOT: warning

define void @function() {
  ret void
}
