/* Calls step() after each instruction, by the processor's trap flag. x86-64. */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OUTSIDE __attribute__((no_profile_instrument_function, noinline))

extern "C" {
OUTSIDE void step(int, siginfo_t *, void *context);
void back_from_step(void);
__asm__("back_from_step: movl $15, %eax; syscall");
}

/* By the system call itself: sigaction would make a handler of the program's of it. */
OUTSIDE static void begin_steps(void)
{
    struct {
        void (*handler)(int, siginfo_t *, void *);
        unsigned long flags;
        void (*restorer)(void);
        unsigned long mask;
    } action = { step, 0x04000000 | SA_NODEFER | SA_SIGINFO, back_from_step, 0 };
    syscall(SYS_rt_sigaction, SIGTRAP, &action, NULL, 8);
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
}

OUTSIDE static void end_steps(void)
{
    __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
}
