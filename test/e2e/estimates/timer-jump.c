// A handler that comes while the profiler restarts its counter, and leaves by siglongjmp: bursts go on, and so do samples of events.
// REQUIRES: perf-events
// UNSUPPORTED: target-aarch64
// DEFINE: %{replace} = -Wl,--wrap=hcct_system_ioctl
// RUN: %hcct-cc -O2 -I%inputs %s %{replace} -o %t && env HCCT_OPTIONS=mode=cct:budget=10%%:output=%t.bin %t
// RUN: %hcct-decode --all --format=folded %t.bin | FileCheck %s
// RUN: %hcct-cc -O2 -I%inputs %s %{replace} -o %t.time && env HCCT_OPTIONS=mode=cct:metric=page-faults:output=%t.bin %t.time
// RUN: %hcct-decode --all --format=folded %t.bin | FileCheck %s
// CHECK-DAG: main;early;first
// CHECK-DAG: main;late;first
#include "levels.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 64 };

static sigjmp_buf back;
static volatile sig_atomic_t armed, jumps;
static volatile char *pages;
static unsigned touched;

/* The runtime calls this one in place of its own (runtime/system/calls.h): each time that it asks its counter something, a signal comes. */
__attribute__((no_profile_instrument_function)) int __wrap_hcct_system_ioctl(int file, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (armed)
        raise(SIGUSR1);
    return (int)syscall(SYS_ioctl, file, request, argument);
}

static void jump(int number)
{
    (void)number;
    jumps++;
    siglongjmp(back, 1);
}

/* A page fault. */
__attribute__((noinline)) static void leaf(void)
{
    if (touched % PAGES == 0)
        madvise((void *)pages, PAGES * PAGE, MADV_DONTNEED);
    pages[touched++ % PAGES * PAGE] = 1;
}

/* 8^5 contexts of leaf(), as if at random: the profiler takes its lock, and new memory, all the time. */
LEVEL(fifth, leaf())
LEVEL(fourth, fifth(path >> 3))
LEVEL(third, fourth(path >> 3))
LEVEL(second, third(path >> 3))
LEVEL(first, second(path >> 3))

/* Half a second of CPU time: many bursts. */
#define PHASE(name) \
    __attribute__((noinline)) static void name(void) \
    { \
        static unsigned state; \
        clock_t end = clock() + CLOCKS_PER_SEC / 2; \
        sigsetjmp(back, 1); \
        armed = 1; \
        while (clock() < end) { \
            state = state * 1664525 + 1013904223; \
            for (unsigned i = 0; i < 256; i++) \
                first((state >> 17) + i * 128); \
        } \
        armed = 0; \
    }
PHASE(early)
PHASE(late)

int main(void)
{
    pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    signal(SIGUSR1, jump);
    early();
    late();
    if (jumps < 2)
        puts("no signal came");
    return jumps < 2;
}
