# Functions that switch stacks, with the names and parameters of Boost.Context's. A context is the stack pointer of the stack that was left.
    .macro switch_stack
    push %rbp
    push %rbx
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, %rax
    mov %rdi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbx
    pop %rbp
    .endm

    .text
    .globl make_fcontext, jump_fcontext, ontop_fcontext
    .type make_fcontext, @function
make_fcontext:
    and $-16, %rdi
    lea -72(%rdi), %rax
    mov %rdx, 32(%rax)
    lea begin(%rip), %rcx
    mov %rcx, 48(%rax)
    ret
begin:
    mov %rax, %rdi
    mov %rdx, %rsi
    call *%rbx
    ud2

    .type jump_fcontext, @function
jump_fcontext:
    switch_stack
    mov %rsi, %rdx
    ret

    .type ontop_fcontext, @function
ontop_fcontext:
    switch_stack
    mov %rax, %rdi
    jmp *%rdx
    .section .note.GNU-stack, "", @progbits
