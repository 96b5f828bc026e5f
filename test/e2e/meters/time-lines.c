// metric=time: lines get the shares of CPU time that they took by the thread's own clock: in a function, in one that is inlined there, where
// the C library was called, in a thread and in a plugin; also in a static program.
// REQUIRES: libdw, cpu-timers
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %hcct-cc -O2 -gline-tables-only -DPLUGIN -fPIC -shared -I%inputs %s -o plugin.so
// RUN: %hcct-cc -O2 -gline-tables-only -I%inputs %s -lpthread -o dynamic
// RUN: %hcct-cc -O2 -g -static -I%inputs %s -lpthread -o static
// RUN: python3 %inputs/time_lines.py %hcct-decode dynamic ./plugin.so && python3 %inputs/time_lines.py %hcct-decode static
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "spend.h"

static volatile long worked_so_far;

/* The rest of the line takes so long: told as "file:line seconds". */
#define TIMED(code) \
    do { double from = cpu_now(); code; printf("%s:%d %.4f\n", strrchr(__FILE__, '/') + 1, __LINE__, cpu_now() - from); } while (0)
#define LOOP(millions) for (long i = 0; i < (millions) * 1000000L; i++) worked_so_far += i

#ifdef PLUGIN
void run(void);
void run(void)
{
    TIMED(LOOP(200));
}
#else
static NOINLINE void leaf(void)
{
    TIMED(LOOP(60));
}

static inline __attribute__((always_inline)) void inlined(long millions)
{
    TIMED(LOOP(millions));
    leaf();
}

static NOINLINE void called(void)
{
    TIMED(LOOP(100));
    inlined(150);
}

static NOINLINE void clear(char *memory, size_t size)
{
    TIMED(for (int i = 0; i < 3000; i++) memset(memory, i, size));
}

static void *thread(void *unused)
{
    TIMED(LOOP(120));
    return unused;
}

int main(int count, char **arguments)
{
    static char memory[1 << 18];
    pthread_t other;
    called();
    clear(memory, sizeof memory);
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
    void *plugin = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    if (plugin)
        ((void (*)(void))dlsym(plugin, "run"))();
    TIMED(LOOP(90));
    return 0;
}
#endif
