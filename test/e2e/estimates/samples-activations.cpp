// With edges=all-new a sample counts each activation that is new since the last one, once. So a function whose activations all last for two strides
// or more, which is one sample at least, counts its calls times the period, exactly: whatever alloca, recursion, tail calls, longjmp, exceptions,
// handlers, fibers and threads do to the stack between. And with period=1 each call is a sample, so that no caller is ever new, and all counts are
// exact.
// RUN: %hcct-c++ -O2 %s -lpthread -o %t
// RUN: env HCCT_OPTIONS=mode=cct:output=%t.exact %t && %hcct-decode --all --format=folded %t.exact > %t.exact.txt
// RUN: env HCCT_OPTIONS=mode=cct:sample=calls:period=1:edges=all-new:output=%t.1 %t && %hcct-decode --all --format=folded %t.1 > %t.1.txt
// RUN: diff %t.exact.txt %t.1.txt
// RUN: for i in 1 2 3; do env HCCT_OPTIONS=mode=cct:sample=calls:period=97:edges=all-new:output=%t.97 %t && %hcct-decode --all --format=folded %t.97 > %t.97.txt && \
// RUN:   python3 %inputs/samples_activations.py 97 %t.exact.txt %t.97.txt || exit 1; done
#include <alloca.h>
#include <csetjmp>
#include <csignal>
#include <pthread.h>
#include <stdexcept>
#include <ucontext.h>
#define NOINLINE __attribute__((noinline))

NOINLINE static void leaf() { __asm__ volatile(""); }

/* Two strides and more. */
NOINLINE static void work()
{
    for (int i = 0; i < 200; i++)
        leaf();
}

/* --- long_*: lasts for two strides each time; the oracle looks for this prefix ---------------------- */

NOINLINE static int long_alloca(int size)
{
    volatile char *bytes = static_cast<volatile char *>(alloca(size));
    bytes[0] = 1;
    work();
    return bytes[0];
}

NOINLINE static int long_recursion(int depth)
{
    if (depth == 0)
        work();
    else
        long_recursion(depth - 1);
    __asm__ volatile("");
    return depth;
}

static void (*volatile work_pointer)() = work;
NOINLINE static void long_tail() { work_pointer(); }
NOINLINE static void long_tails() { long_tail(); }

static jmp_buf back;
NOINLINE static void long_jumper(int depth)
{
    if (depth == 0) {
        work();
        longjmp(back, 1);
    }
    long_jumper(depth - 1);
    __asm__ volatile("");
}

NOINLINE static void long_thrower(int depth)
{
    if (depth == 0) {
        work();
        throw std::runtime_error("");
    }
    long_thrower(depth - 1);
    __asm__ volatile("");
}

static void handler(int) { leaf(); }
static void long_handler(int) { work(); }

/* The interrupted activations go on, and are not new behind the handler. */
NOINLINE static void long_interrupted(int signal)
{
    for (int i = 0; i < 20; i++) {
        work();
        raise(signal);
        leaf();
    }
}

static ucontext_t home, fiber;
static char stack[65536];
NOINLINE static void long_fiber()
{
    for (;;) {
        work();
        swapcontext(&fiber, &home);
        leaf();
    }
}

/* Its activation goes on while the fiber runs, and the fiber's while this one does. */
NOINLINE static void long_switcher()
{
    for (int i = 0; i < 20; i++) {
        work();
        swapcontext(&home, &fiber);
        leaf();
    }
}

NOINLINE static void *long_thread(void *)
{
    for (int i = 0; i < 10; i++)
        long_recursion(3);
    return nullptr;
}

NOINLINE static void long_exceptions()
{
    for (int i = 0; i < 30; i++)
        try {
            long_thrower(i % 5);
        } catch (const std::exception &) {
        }
}

NOINLINE static void long_jumps()
{
    for (volatile int i = 0; i < 30; i = i + 1)
        if (!setjmp(back))
            long_jumper(i % 5);
}

int main()
{
    for (int i = 0; i < 30; i++) {
        long_alloca(16 + i % 7 * 4000);
        long_recursion(i % 6);
        long_tails();
    }
    long_jumps();
    long_exceptions();
    signal(SIGUSR1, handler);
    signal(SIGUSR2, long_handler);
    long_interrupted(SIGUSR1);
    long_interrupted(SIGUSR2);
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = sizeof stack;
    makecontext(&fiber, long_fiber, 0);
    long_switcher();
    pthread_t thread;
    pthread_create(&thread, nullptr, long_thread, nullptr);
    long_thread(nullptr);
    pthread_join(thread, nullptr);
}
