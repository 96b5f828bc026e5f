/* Program counter and stack pointer of a machine context: a signal handler's third argument, or
 * swapcontext's. Async-signal-safe. */
#ifndef HCCT_RUNTIME_BASE_MACHINE_CONTEXT_H
#define HCCT_RUNTIME_BASE_MACHINE_CONTEXT_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first: <ucontext.h> names registers with it only"
#endif

#include <stdint.h>
#include <ucontext.h>

#include "runtime/base/machine.h"

static inline uintptr_t hcct_machine_context_pc(const ucontext_t *context)
{
    return HCCT_MACHINE_PC(context);
}

static inline uintptr_t hcct_machine_context_sp(const ucontext_t *context)
{
    return HCCT_MACHINE_SP(context);
}

/* The return address of the function that the context begins with, if makecontext made the context and it has
 * not run. For any other context the result is any number: on x86-64 it is read from the top of the stack. */
static inline uintptr_t hcct_machine_context_return(const ucontext_t *context)
{
#if defined(__x86_64__)
    return *(const uintptr_t *)HCCT_MACHINE_SP(context);
#else
    return (uintptr_t)context->uc_mcontext.regs[30];
#endif
}

/* Parameter `n` of a system call that has just ended. Not 0: some machines have the result there. */
static inline uintptr_t hcct_machine_context_parameter(const ucontext_t *context, int n)
{
    return HCCT_MACHINE_PARAMETER(context, n);
}

#endif
