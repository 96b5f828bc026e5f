// With more contexts than memory has room for, each function's number of calls is exact all the same: with threads, handlers, phases, a library
// that comes and goes, a forked child, and after hcct_reset; and in sums of such profiles.
// RUN: split-file %s %t && cd %t && %hcct-cc -O1 -fPIC -shared -I. library.c -o library.so
// RUN: for flags in -O1 "-O2 -flto"; do %hcct-cc $flags -I. -I%inputs main.c -lpthread -ldl -o x || exit 1; \
// RUN:   for how in plain threads handlers phases library reset; do rm -f *.bin && \
// RUN:     HCCT_OPTIONS=memory=300K:phi=0.01:epsilon=0.001:output=%t/$how.bin ./x $how > counted && python3 %inputs/functions.py %hcct-decode counted $how.bin && \
// RUN:     python3 %inputs/functions.py %hcct-decode counted $how.bin $how.bin && %hcct-decode --view=flat $how.bin | not grep error || exit 1; done; done
// RUN: rm -f *.bin* && HCCT_OPTIONS=memory=300K:phi=0.01:epsilon=0.001:output=%t/fork.bin ./x fork > all && \
// RUN:   sed -n "s/^parent //p" all > counted && python3 %inputs/functions.py %hcct-decode counted fork.bin && \
// RUN:   sed -n "s/^child //p" all > counted && python3 %inputs/functions.py %hcct-decode counted fork.bin.[0-9]*
// What a filter chooses has contexts only, and says what may be missing.
// RUN: HCCT_OPTIONS=memory=300K:phi=0.01:epsilon=0.001:output=some.bin ./x plain > counted && %hcct-decode --view=flat --focus=often some.bin | grep ' error .* up to '
//--- calls.h
/* Functions that call each other as the bits of a seed say: nearly each call is a context of its own. */
#include <stdatomic.h>

#define FUNCTION(name, next)                                                                                 \
    atomic_ulong of_##name;                                                                                  \
    __attribute__((noinline)) void name(unsigned seed, int depth)                                            \
    {                                                                                                        \
        atomic_fetch_add(&of_##name, 1);                                                                     \
        if (depth)                                                                                           \
            next(seed * 1103515245u + 12345u, depth - 1);                                                    \
    }
//--- library.c
#include "calls.h"

static void spread(unsigned seed, int depth);
FUNCTION(p, spread)
FUNCTION(q, spread)

static void spread(unsigned seed, int depth)
{
    (seed >> 20 & 1 ? p : q)(seed, depth);
    (seed >> 21 & 1 ? p : q)(seed + 1, depth);
}
//--- main.c
#include "calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hcct/hcct.h"

enum { DEPTH = 13, THREADS = 4 };

static void spread(unsigned seed, int depth);
FUNCTION(a, spread)
FUNCTION(b, spread)
FUNCTION(c, spread)
FUNCTION(d, spread)
FUNCTION(seldom, spread)
FUNCTION(often, spread)

static void spread(unsigned seed, int depth)
{
    switch (seed >> 20 & 3) {
    case 0:
        a(seed, depth);
        b(seed + 1, depth);
        break;
    case 1:
        c(seed, depth);
        break;
    case 2:
        b(seed, depth);
        d(seed + 1, depth);
        a(seed + 2, depth - (depth > 0));
        break;
    default:
        d(seed, depth);
        if (seed % 1000 == 7)
            seldom(seed, 0);
    }
}

static void run(unsigned first)
{
    for (unsigned seed = first; seed < first + 40; seed++)
        a(seed, DEPTH);
    for (int i = 0; i < 20000; i++)
        often(0, 0);
}

static void *run_thread(void *number)
{
    run(*(unsigned *)number);
    return NULL;
}

static void handle(int signal)
{
    b((unsigned)signal * 77, 4);
}

static void in_threads(void)
{
    pthread_t threads[THREADS];
    static unsigned numbers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i * 1000;
        pthread_create(&threads[i], NULL, run_thread, &numbers[i]);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void with_handlers(void)
{
    signal(SIGUSR1, handle);
    for (unsigned i = 0; i < 200; i++) {
        a(i, 8);
        raise(SIGUSR1);
    }
    run(5);
}

static void with_phases(void)
{
    for (int i = 0; i < 6; i++) {
        hcct_phase(i % 2 ? "odd" : "even");
        run((unsigned)i * 100);
    }
}

static void with_library(void)
{
    unsigned long of_library[2] = { 0, 0 };
    for (int i = 0; i < 3; i++) {
        run((unsigned)i * 500);
        void *library = dlopen("./library.so", RTLD_NOW);
        void (*called)(unsigned, int) = (void (*)(unsigned, int))dlsym(library, "p");
        for (unsigned seed = 0; seed < 20; seed++)
            called(seed, 9);
        of_library[0] += *(unsigned long *)dlsym(library, "of_p");
        of_library[1] += *(unsigned long *)dlsym(library, "of_q");
        dlclose(library);
    }
    printf("p %lu\nq %lu\n", of_library[0], of_library[1]);
}

static void forget(void)
{
    of_a = of_b = of_c = of_d = of_seldom = of_often = 0;
    hcct_reset();
}

static void tell(const char *before)
{
    printf("%sa %lu\n%sb %lu\n%sc %lu\n%sd %lu\n%sseldom %lu\n%soften %lu\n", before, of_a, before, of_b, before, of_c, before, of_d, before,
           of_seldom, before, of_often);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    run(1);
    if (!strcmp(how, "threads"))
        in_threads();
    else if (!strcmp(how, "handlers"))
        with_handlers();
    else if (!strcmp(how, "phases"))
        with_phases();
    else if (!strcmp(how, "library"))
        with_library();
    else if (!strcmp(how, "reset")) {
        forget();
        run(77);
    } else if (!strcmp(how, "fork")) {
        fflush(stdout);
        if (!fork()) {
            of_a = of_b = of_c = of_d = of_seldom = of_often = 0;
            run(11);
            tell("child ");
            return 0;
        }
        wait(NULL);
        run(3);
        tell("parent ");
        return 0;
    }
    tell("");
    return 0;
}
