# What as reports, in one file.
        .text
        .globl  start
start:  mov     %eax, %rbx, %rcx
        nonsense $1
        jmp     1b
        .if     1
        .macro  twice x
        twice   \x
        .endm
        .cfi_endproc
        .long   start - other
        .set    start, 5
        .section "
        .include "nowhere.inc"
