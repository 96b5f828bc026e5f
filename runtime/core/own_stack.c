/* See own_stack.h. */
#define _GNU_SOURCE
#include "runtime/core/own_stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/core/busy.h"
#include "runtime/core/notice.h"

/* Five times what a profile takes, as a handler of a fault may run here, too. The guards on both sides are
 * larger than 2,000,000 bytes: valgrind takes a smaller step of the stack pointer for one on the same stack,
 * and all memory in between for ended. */
enum { STACK_BYTES = 65536, GUARD_BYTES = 2 << 20 };

static uintptr_t start, end; /* both 0: there was no memory for it */
static _Atomic int
    owner;             /* the thread on it; the exchange in take() pairs with a store in hcct_own_stack_run */
static uintptr_t left; /* the owner's stack pointer before */

static bool is_here(void)
{
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    return sp >= start && sp < end;
}

void hcct_own_stack_start(void)
{
    char *memory = hcct_memory_reserve(GUARD_BYTES + STACK_BYTES + GUARD_BYTES);
    if (!memory || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0 ||
        mprotect(memory + GUARD_BYTES + STACK_BYTES, GUARD_BYTES, PROT_NONE) != 0)
        return;
    start = (uintptr_t)memory + GUARD_BYTES;
    end = start + STACK_BYTES;
}

void hcct_own_stack_after_fork(void)
{
    atomic_store(&owner, is_here() ? (int)syscall(SYS_gettid) : 0);
}

uintptr_t hcct_own_stack_left(void)
{
    return is_here() ? left : 0;
}

static bool take(int thread, int limit_ms)
{
    for (int nobody = 0; !atomic_compare_exchange_strong(&owner, &nobody, thread); nobody = 0) {
        if (limit_ms-- == 0)
            return false;
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL); /* no cancellation point */
    }
    return true;
}

struct call {
    bool (*function)(int value);
    int value;
    bool result;
};

static void make(void *call)
{
    struct call *of = call;
    of->result = of->function(of->value);
}

/* Has a frame of its own, from which debuggers and unwinders find the caller's. The program's registers are
 * in it: a search for pointers begins there. */
static __attribute__((noinline)) void change_stack(struct call *call)
{
    __builtin_unwind_init();
    left = hcct_machine_sp();
    hcct_machine_call_on(end, make, call);
}

/* The kernel's mask of signals. A sigset_t is 16 times as large, and the stack may be small. */
#define BIT(signal) (UINT64_C(1) << ((signal) - 1))

bool hcct_own_stack_run(int limit_ms, bool (*function)(int value), int value)
{
    struct call call = { function, value, false };
    int thread, cancel_state;
    /* a sandbox: no system call, and nothing is written */
    if (hcct_confined)
        return function(value);
    hcct_notice();
    thread = (int)syscall(SYS_gettid);
    /* the owner again: a fault struck while it wrote, and its handler ends the program */
    bool is_nested = atomic_load(&owner) == thread;
    if (!start || is_nested)
        return (limit_ms || is_nested) && function(value);
    /* first of all: a handler that leaves by a jump must not leave while the stack is taken */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    uint64_t mask,
        all = ~(BIT(SIGTRAP) | BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGSYS));
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &mask, sizeof all);
    bool is_taken = take(thread, limit_ms);
    if (is_taken)
        change_stack(&call);
    if (is_taken)
        atomic_store(&owner, 0);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
    pthread_setcancelstate(cancel_state, NULL);
    return is_taken ? call.result : limit_ms && function(value);
}
