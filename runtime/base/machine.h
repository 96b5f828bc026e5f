/* What the runtime knows of the machine: all of it is here, once for each.
 *
 * A new machine defines each function and macro of one of these blocks. Outside of the runtime it needs
 * is_supported in pass/instrument.c, has_nest_register in pass/prepare/parameter.c, the triples in
 * wrapper/arguments.c and wrapper/linker.c, and the thread pointer and the frames in decoder/debugger/.
 * format/checksum.c has a quick way for some machines, and one in plain C for all. */
#ifndef HCCT_RUNTIME_BASE_MACHINE_H
#define HCCT_RUNTIME_BASE_MACHINE_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#if defined(__x86_64__)

#include <cpuid.h>

/* The kernel's name of the machine (linux/audit.h). */
#define HCCT_MACHINE_AUDIT_ARCH AUDIT_ARCH_X86_64

/* The dynamic linker's ways to fill in the address of a function (elf.h). */
#define HCCT_MACHINE_RELOC_ADDRESS 1 /* R_X86_64_64 */
#define HCCT_MACHINE_RELOC_DATA 6    /* R_X86_64_GLOB_DAT */
#define HCCT_MACHINE_RELOC_SLOT 7    /* R_X86_64_JUMP_SLOT */

/* Of a ucontext_t (machine_context.h): the program counter, the stack pointer, and parameter `n` of a system
 * call, from 0. */
#define HCCT_MACHINE_PC(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RIP])
#define HCCT_MACHINE_SP(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RSP])
#define HCCT_MACHINE_PARAMETER(context, n)                                                                   \
    ((uintptr_t)(context)                                                                                    \
         ->uc_mcontext.gregs[(const int[]){ REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9 }[n]])

/* Its general registers by DWARF's numbers; those of the stack pointer and of the return address. */
#define HCCT_MACHINE_REGISTER(context, n)                                                                    \
    ((uintptr_t)(context)->uc_mcontext.gregs[(const int[]){                                                  \
        REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10,     \
        REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 }[n]])
enum { HCCT_MACHINE_SP_NUMBER = 7, HCCT_MACHINE_REGISTERS = 16, HCCT_MACHINE_RETURN_NUMBER = 16 };

/* The flags that the C library adds in sigaction. */
#define HCCT_MACHINE_SA_FLAGS 0x04000000 /* SA_RESTORER */

/* A jump to a function, in assembly. */
#define HCCT_MACHINE_JUMP "jmp"

/* LLVM's own, as clang has no builtin for it. __builtin_frame_address would make each function that asks keep
 * a frame pointer. */
void *hcct_machine_return_address_place(void) __asm__("llvm.addressofreturnaddress.p0");
/* The caller's stack pointer at its call of this very function: what an inline push stores. */
#define HCCT_CALLER_SP ((uintptr_t)hcct_machine_return_address_place() + sizeof(void *))
/* What a call puts on the stack. */
#define HCCT_CALL_BYTES sizeof(void *)

/* The return address of the function that was entered at `sp`; 0: it is in a register, and nobody knows
 * it. */
static inline uint64_t hcct_machine_return_address(uintptr_t sp)
{
    return *(const uint64_t *)sp;
}

static inline uintptr_t hcct_machine_thread_pointer(void)
{
    uintptr_t pointer;
    __asm__ volatile("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
}
/* Whether compiled code can run with it. */
static inline bool hcct_machine_is_thread_pointer(uintptr_t pointer)
{
    return *(const uintptr_t *)pointer == pointer;
}
/* Where the C library keeps its pointer to a thread's table of thread-local storage, from the thread
 * pointer. */
#define HCCT_MACHINE_STORAGE_TABLE 8

/* The 32 bits at `offset` from the thread pointer. */
static inline uint32_t hcct_machine_thread_word(int32_t offset)
{
    uint32_t word;
    __asm__ volatile("movl %%fs:(%1), %0" : "=r"(word) : "r"((intptr_t)offset));
    return word;
}

/* Makes `own`, which is zero, look like the thread pointer `other` to compiled code. That code reads two
 * things there: the thread pointer's own address, which stands there twice, and the stack protector's
 * word. */
static inline void hcct_machine_init_thread_pointer(void *own, const void *other)
{
    enum { HEADER_BYTES = 64 };
    memcpy(own, other, HEADER_BYTES);
    ((uintptr_t *)own)[0] = ((uintptr_t *)own)[2] = (uintptr_t)own;
}

/* Loads a cache line ahead of its use. As assembly: the runtime is compiled for general registers only, and
 * then clang leaves out a __builtin_prefetch, because it takes the instruction for one of SSE. */
static inline void hcct_machine_prefetch(const void *address)
{
    __asm__ volatile("prefetcht0 %0" : : "m"(*(const char *)address));
}

/* Touches the far end of what the calling function may use of the stack without a call: its frame, and the
 * red zone below the stack pointer. */
static inline void hcct_machine_touch_frame(void)
{
    __asm__ volatile("testb $0, -128(%%rsp)" ::: "cc");
}

/* Each of these compares `value` with what is in memory, by a relaxed load that takes no register. A
 * preserve_most function has to save each register that its quick way uses, but for one. */
static inline bool hcct_machine_is_below(uint32_t value, const uint32_t *limit)
{
    __asm__ goto("cmpl %1, %0\n\tjae %l2" : : "r"(value), "m"(*limit) : "cc" : no);
    return true;
no:
    return false;
}

static inline bool hcct_machine_is_equal(uint16_t value, const uint16_t *other)
{
    __asm__ goto("cmpw %0, %1\n\tje %l2" : : "ri"(value), "m"(*other) : "cc" : yes);
    return false;
yes:
    return true;
}

static inline bool hcct_machine_is_equal_byte(uint8_t value, const uint8_t *other)
{
    __asm__ goto("cmpb %0, %1\n\tje %l2" : : "ri"(value), "m"(*other) : "cc" : yes);
    return false;
yes:
    return true;
}

/* Increments what is in memory if it is below the limit. */
static inline bool hcct_machine_increment_below(uint32_t *value, uint32_t limit)
{
    __asm__ goto("cmpl %1, %0\n\tjae %l[no]\n\tincl %0" : "+m"(*value) : "r"(limit) : "cc" : no);
    return true;
no:
    return false;
}

/* The processor's clock. */
static inline uint64_t hcct_machine_ticks(void)
{
    return __builtin_ia32_rdtsc();
}

/* 0: only measuring tells. */
static inline uint64_t hcct_machine_ticks_a_second(void)
{
    return 0;
}

/* Whether the clock goes at one speed, whatever the processor does. */
static inline bool hcct_machine_clock_is_steady(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

/* Whether two processors may show different times. Only the kernel knows whether they do. */
static inline bool hcct_machine_clocks_may_differ(void)
{
    return true;
}

/* Until all loads before it are done. */
static inline void hcct_machine_wait_for_loads(void)
{
    __asm__ volatile("lfence" ::: "memory");
}

static inline __attribute__((always_inline)) uintptr_t hcct_machine_sp(void)
{
    uintptr_t sp;
    __asm__ volatile("movq %%rsp, %0" : "=r"(sp));
    return sp;
}

/* Calls function(of) with the stack that ends at `end`, a multiple of 16. Debuggers and unwinders find the
 * calling function's frame by its frame pointer, which it has because of the last operand. */
static inline __attribute__((always_inline)) void hcct_machine_call_on(uintptr_t end,
                                                                       void (*function)(void *), void *of)
{
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %1, %%rsp\n\tcallq *%2\n\tmovq %%rbx, %%rsp"
                     : "+D"(of)
                     : "r"(end), "r"(function), "r"(__builtin_frame_address(0))
                     : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory");
}

/* Calls a handler of the program for a signal that interrupted `context`. Unwinders take this function for
 * the one that the kernel makes handlers return to: its caller is what the signal interrupted. So the frames
 * of the runtime are not seen. The rules are expressions of rbx, which has the context: the place of each
 * register in uc_mcontext.gregs. Unwinders look for the rules of a signal's frame at the return address
 * itself, so there is an instruction that they hold for. */
static __attribute__((naked, noinline, unused)) void
hcct_machine_call_handler(void (*handler)(int, siginfo_t *, void *), int signal, siginfo_t *info,
                          void *context)
{
    __asm__(".cfi_signal_frame\n\t"
            "pushq %rbx\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset rbx, 0\n\t"
            "movq %rcx, %rbx\n\tmovq %rdi, %rax\n\tmovl %esi, %edi\n\tmovq %rdx, %rsi\n\tmovq %rcx, %rdx\n\t"
            ".cfi_remember_state\n\t"
            ".cfi_escape 0x0f, 4, 0x73, 160 & 0x7f | 0x80, 160 >> 7, 0x06\n\t" /* the stack pointer */
            ".set hcct_number, 0\n\t"                                          /* DWARF's */
            ".irp offset, 144, 136, 152, 128, 112, 104, 120, 160, 40, 48, 56, 64, 72, 80, 88, 96, 168\n\t"
            ".cfi_escape 0x10, hcct_number, 3, 0x73, \\offset & 0x7f | 0x80, \\offset >> 7\n\t"
            ".set hcct_number, hcct_number + 1\n\t"
            ".endr\n\t"
            "callq *%rax\n\tnop\n\t"
            ".cfi_restore_state\n\t"
            "popq %rbx\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore rbx\n\t"
            "retq");
}

/* A system call with six parameters, as the kernel returns. */
static inline __attribute__((always_inline)) long hcct_machine_system_call(long number, const long *of)
{
    long result;
    register long fourth __asm__("r10") = of[3], fifth __asm__("r8") = of[4], sixth __asm__("r9") = of[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(of[0]), "S"(of[1]), "d"(of[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}

/* The number of the system call that ends at `pc`, as far as it can be seen: by the load of it in front. -1:
 * none is seen. */
static inline int hcct_machine_system_call_before(uintptr_t pc)
{
    enum { LOOK_BACK = 24 };
    static const uint8_t call[] = { 0x0f, 0x05 };
    const uint8_t *code = (const uint8_t *)pc;
    if ((pc & 4095) < LOOK_BACK || memcmp(code - 2, call, 2) != 0) /* the page before may not be there */
        return -1;
    for (int back = 7; back <= LOOK_BACK; back++) {
        const uint8_t *load = code - back; /* mov $number, %eax */
        if (load[0] == 0xb8 && !load[3] && !load[4])
            return load[1] | load[2] << 8;
    }
    return -1;
}

/* The stack pointer that a longjmp with this jmp_buf restores; 0: it is not known. glibc hides it
 * (PTR_MANGLE). */
static inline uintptr_t hcct_machine_jump_target(const void *environment)
{
#if defined(__GLIBC__)
    enum { JB_RSP = 6, POINTER_GUARD = 0x30 };
    uint64_t mangled = ((const uint64_t *)environment)[JB_RSP], guard;
    __asm__("movq %%fs:%c1, %0" : "=r"(guard) : "i"(POINTER_GUARD));
    return (uintptr_t)((mangled >> 17 | mangled << 47) ^ guard);
#else
    (void)environment;
    return 0;
#endif
}

#elif defined(__aarch64__)

#define HCCT_MACHINE_AUDIT_ARCH AUDIT_ARCH_AARCH64

#define HCCT_MACHINE_RELOC_ADDRESS 257 /* R_AARCH64_ABS64 */
#define HCCT_MACHINE_RELOC_DATA 1025   /* R_AARCH64_GLOB_DAT */
#define HCCT_MACHINE_RELOC_SLOT 1026   /* R_AARCH64_JUMP_SLOT */

#define HCCT_MACHINE_PC(context) ((uintptr_t)(context)->uc_mcontext.pc)
#define HCCT_MACHINE_SP(context) ((uintptr_t)(context)->uc_mcontext.sp)
#define HCCT_MACHINE_REGISTER(context, n)                                                                    \
    ((uintptr_t)((n) < 31 ? (context)->uc_mcontext.regs[n] : (context)->uc_mcontext.sp))
enum { HCCT_MACHINE_SP_NUMBER = 31, HCCT_MACHINE_REGISTERS = 32, HCCT_MACHINE_RETURN_NUMBER = 30 };
#define HCCT_MACHINE_PARAMETER(context, n) ((uintptr_t)(context)->uc_mcontext.regs[n])

#define HCCT_MACHINE_SA_FLAGS 0

#define HCCT_MACHINE_JUMP "b"

#define HCCT_CALLER_SP ((uintptr_t)__builtin_sponentry())
#define HCCT_CALL_BYTES 0

static inline uint64_t hcct_machine_return_address(uintptr_t sp)
{
    (void)sp;
    return 0;
}

static inline uintptr_t hcct_machine_thread_pointer(void)
{
    return (uintptr_t)__builtin_thread_pointer();
}
static inline bool hcct_machine_is_thread_pointer(uintptr_t pointer)
{
    return pointer;
}
#define HCCT_MACHINE_STORAGE_TABLE 0

static inline uint32_t hcct_machine_thread_word(int32_t offset)
{
    return *(const volatile uint32_t *)((const char *)__builtin_thread_pointer() + offset);
}

static inline void hcct_machine_init_thread_pointer(void *own, const void *other)
{
    (void)own;
    (void)other;
}

static inline void hcct_machine_prefetch(const void *address)
{
    __builtin_prefetch(address, 1);
}

static inline void hcct_machine_touch_frame(void)
{
    __asm__ volatile("ldrb wzr, [sp]");
}

static inline bool hcct_machine_is_below(uint32_t value, const uint32_t *limit)
{
    return value < __atomic_load_n(limit, __ATOMIC_RELAXED);
}

static inline bool hcct_machine_is_equal(uint16_t value, const uint16_t *other)
{
    return value == __atomic_load_n(other, __ATOMIC_RELAXED);
}

static inline bool hcct_machine_is_equal_byte(uint8_t value, const uint8_t *other)
{
    return value == __atomic_load_n(other, __ATOMIC_RELAXED);
}

static inline bool hcct_machine_increment_below(uint32_t *value, uint32_t limit)
{
    if (*value >= limit)
        return false;
    ++*value;
    return true;
}

static inline uint64_t hcct_machine_ticks(void)
{
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

static inline uint64_t hcct_machine_ticks_a_second(void)
{
    uint64_t frequency;
    __asm__("mrs %0, cntfrq_el0" : "=r"(frequency));
    return frequency;
}

static inline bool hcct_machine_clock_is_steady(void)
{
    return true;
}

static inline bool hcct_machine_clocks_may_differ(void)
{
    return false;
}

static inline void hcct_machine_wait_for_loads(void)
{
    __asm__ volatile("dsb ld\n\tisb" ::: "memory");
}

static inline __attribute__((always_inline)) uintptr_t hcct_machine_sp(void)
{
    uintptr_t sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

static inline __attribute__((always_inline)) void hcct_machine_call_on(uintptr_t end,
                                                                       void (*function)(void *), void *of)
{
    register void *x0 __asm__("x0") = of;
    __asm__ volatile("mov x19, sp\n\tmov sp, %1\n\tblr %2\n\tmov sp, x19"
                     : "+r"(x0)
                     : "r"(end), "r"(function), "r"(__builtin_frame_address(0))
                     : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
                       "x14", "x15", "x16", "x17", "x18", "x19", "x30", "cc", "memory");
}

/* Unwinders see the runtime's frames: they know the kernel's own by its place. */
static inline void hcct_machine_call_handler(void (*handler)(int, siginfo_t *, void *), int signal,
                                             siginfo_t *info, void *context)
{
    handler(signal, info, context);
}

static inline __attribute__((always_inline)) long hcct_machine_system_call(long number, const long *of)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = of[0], x1 __asm__("x1") = of[1],
                     x2 __asm__("x2") = of[2], x3 __asm__("x3") = of[3], x4 __asm__("x4") = of[4],
                     x5 __asm__("x5") = of[5];
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
}

static inline int hcct_machine_system_call_before(uintptr_t pc)
{
    (void)pc;
    return -1;
}

#if defined(__GLIBC__)
enum { HCCT_MACHINE_JB_SP = 13 };

/* The number that glibc's setjmp hides stack pointers with (exclusive or). It is in a variable that only
 * glibc sees, so it is found from a jmp_buf with a known stack pointer. */
static __attribute__((noinline, unused)) uint64_t hcct_machine_pointer_guard(void)
{
    jmp_buf here;
    uint64_t sp;
    if (_setjmp(here) != 0)
        return 0;
    __asm__ volatile("mov %0, sp" : "=r"(sp)); /* which setjmp was called with: nothing here moves it */
    return ((const uint64_t *)here)[HCCT_MACHINE_JB_SP] ^ sp;
}
#endif

static inline uintptr_t hcct_machine_jump_target(const void *environment)
{
#if defined(__GLIBC__)
    return (uintptr_t)(((const uint64_t *)environment)[HCCT_MACHINE_JB_SP] ^ hcct_machine_pointer_guard());
#else
    (void)environment;
    return 0;
#endif
}

#else
#error "hcct's runtime is for x86-64 and AArch64: another machine needs a block of its own here"
#endif

#endif
