/* Program counter and stack pointer of a machine context: a signal handler's third argument, or
 * swapcontext's. Async-signal-safe. */
#ifndef HCCT_RUNTIME_BASE_MACHINE_CONTEXT_H
#define HCCT_RUNTIME_BASE_MACHINE_CONTEXT_H

#ifndef _GNU_SOURCE
#error "define _GNU_SOURCE first: <ucontext.h> names registers with it only"
#endif

#include <stdint.h>
#include <ucontext.h>

static inline uintptr_t hcct_machine_context_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static inline uintptr_t hcct_machine_context_sp(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)context->uc_mcontext.sp;
#endif
}

#endif
