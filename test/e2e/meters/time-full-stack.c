// Samples that come where the stack is almost full, or on a small alternate stack: those that have no room are lost, and told. For a tick
// itself, 1 KB beside the kernel's part is enough.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O1 %s -lpthread -o x
// RUN: for metric in time wall; do for where in own alternate; do HCCT_OPTIONS=metric=$metric:frequency=250:output=%t/$metric-$where.bin ./x $where | grep -x done || exit 1; done; done
// RUN: for where in own alternate; do %hcct-decode time-$where.bin | grep 'CPU time lost' && %hcct-decode --all --format=folded time-$where.bin | grep '^thread;.*spin ' || exit 1; done
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <ucontext.h>

#ifdef __x86_64__
#define SP gregs[REG_RSP]
#else
#define SP sp
#endif
#define OUT __attribute__((noinline))
enum { STACK = 1 << 20, GUARD = 65536, STEP = 256 };

OUT static int spin(void)
{
    struct timespec now, end;
    int sum = 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    do {
        for (int i = 0; i < 100000; i++)
            sum += i ^ sum;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - end.tv_sec) * 1000000000 + now.tv_nsec - end.tv_nsec < 30000000);
    return sum;
}

// Spins with so much left of the stack. The library's first calls have been made.
OUT static int spin_with(char *start, size_t room)
{
    char here;
    volatile char *fill = alloca((size_t)(&here - start) - room);
    fill[0] = 1;
    return spin() + fill[0];
}

// What the kernel puts on the stack for a signal, which depends on the processor.
static volatile size_t frame;

static void measure(int signal, siginfo_t *info, void *context)
{
    frame = (size_t)(((ucontext_t *)context)->uc_mcontext.SP - (uintptr_t)__builtin_frame_address(0));
}

static int is_alternate;
static char *alternate; // behind a page that nobody may write to

static void *thread(void *stack)
{
    sigaction(SIGUSR1, &(struct sigaction){ .sa_sigaction = measure, .sa_flags = SA_SIGINFO }, NULL);
    pthread_kill(pthread_self(), SIGUSR1);
    size_t least = frame + 1024;
    spin();
    for (size_t room = least; room < least + 4096; room += STEP) {
        if (is_alternate) {
            stack_t small = { .ss_sp = alternate, .ss_size = room };
            sigaltstack(&small, NULL);
            spin();
        } else {
            spin_with(stack, room);
        }
    }
    stack_t none = { .ss_flags = SS_DISABLE };
    sigaltstack(&none, NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t other;
    pthread_attr_t attributes;
    is_alternate = !strcmp(argv[argc - 1], "alternate");
    char *memory = mmap(NULL, 3 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *stack = memory + 2 * STACK;
    mprotect(stack - GUARD, GUARD, PROT_NONE);
    mprotect(memory, GUARD, PROT_NONE);
    alternate = memory + GUARD;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, STACK);
    pthread_create(&other, &attributes, thread, stack);
    pthread_join(other, NULL);
    puts("done");
    return 0;
}
