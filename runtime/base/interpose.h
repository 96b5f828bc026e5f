/* Functions of the C library that the runtime interposes.
 *
 * Each has to call the function that the program would have called without the runtime. That is the first of
 * these that exists: a sanitizer's `__interceptor_NAME`; the next definition that the dynamic linker finds;
 * in a static program, where the linker finds none, another name of the same code in libc.a. */
#ifndef HCCT_RUNTIME_BASE_INTERPOSE_H
#define HCCT_RUNTIME_BASE_INTERPOSE_H

#include <dlfcn.h>
#include <stddef.h>

#include "runtime/base/machine.h"

#define INTERPOSED __attribute__((visibility("default"), used))

/* For a name that a program may have a function or a variable of its own with. Ours has to be strong, because
 * sanitizers bring a weak one. `name` is a jump to hcct_interposed_NAME, in a section group. The pass puts a
 * group of the same signature into each file that defines `name` itself (pass/prepare/own_names.c). Linkers
 * keep the first group of a signature. So the program's own definition is used, and is the only one. */
#define HCCT_INTERPOSE_UNLESS_OWN(name)                                                                      \
    __attribute__((visibility("hidden"), used)) __typeof__(name) hcct_interposed_##name;                     \
    __asm__(".pushsection .text.hcct_" #name ",\"axG\",%progbits,__hcct_own_" #name ",comdat\n"              \
            ".globl " #name "\n.type " #name ", %function\n.p2align 4\n" #name ":\n"                         \
            ".cfi_startproc\n" HCCT_MACHINE_JUMP " hcct_interposed_" #name "\n.cfi_endproc\n"                \
            ".size " #name ", .-" #name "\n.popsection")
/* For functions that a sanitizer calls before it has initialised itself. */
#define HCCT_UNSANITIZED __attribute__((disable_sanitizer_instrumentation))

/* Weak, so that a static program does not link the dynamic linker from libc.a because of it. */
extern __typeof__(dlsym) dlsym __attribute__((weak));

/* The next definition of `name`, or NULL. Not async-signal-safe: call it at start. */
static inline void *hcct_interpose_next(const char *name)
{
    return dlsym ? dlsym(RTLD_NEXT, name) : NULL;
}

#endif
