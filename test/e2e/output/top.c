// hcct-top: of a program that is told how often to call what, each table has the calls since the one before and in all; then it says how the program ended:
// a zombie has, a process whose first thread alone has ended has not.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.x -lpthread
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:dump=1:output=out.bin python3 %inputs/top.py tables %hcct-top %t.x out.bin || exit 1; done
// On a terminal: the screen and the terminal's settings are given back, whether q, a signal or the end of the program ends it.
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=dump=1:output=out.bin python3 %inputs/top.py terminal %hcct-top %t.x out.bin
// Without a profile yet it waits for the first one.
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=dump=1:output=out.bin python3 %inputs/top.py waits %hcct-top %t.x out.bin
// What is no file of a running program.
// RUN: cd %t && rm -f out.bin && echo | HCCT_OPTIONS=output=plain.bin %t.x && not %hcct-top plain.bin 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: cd %t && not %hcct-top nowhere.bin 2>&1 | FileCheck --check-prefix=NOWHERE %s
// RUN: cd %t && echo nothing > other.bin && not %hcct-top other.bin 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: cd %t && for wrong in --interval=0 --interval=x --count=x --top= --phase=x --depth=1 "a b"; do (%hcct-top $wrong; echo $?) 2> log | grep -qx 2 && test -s log || exit 1; done
// PLAIN: hcct-top: plain.bin: is the profile of a program that has ended, or runs without HCCT_OPTIONS=dump=1; hcct-decode shows it
// NOWHERE: hcct-top: nowhere.bin: No such file or directory
// RUN: rm -rf %t.empty && mkdir %t.empty && cd %t.empty && not %hcct-top 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: hcct-top: ids.bin: no such file; HCCT_OPTIONS=dump=1 ./program writes it when asked, but not while it waits
// OTHER: hcct-top: other.bin: not a profile
// `hcct top` is the same, from the folder of hcct.
// RUN: cd %t && not %hcct-build/bin/hcct top nowhere.bin 2>&1 | FileCheck --check-prefix=NOWHERE %s
// RUN: (%hcct-build/bin/hcct flop; echo $?) 2>&1 | FileCheck --check-prefix=FLOP %s
// FLOP: hcct: flop: not a command of hcct
// FLOP: {{^}}2
#include <poll.h>
#include <pthread.h>
#include <stdio.h>

#include "e2e.h"

static NOINLINE void f(void)
{
    work();
}

static NOINLINE void g(void)
{
    f();
    work();
}

static NOINLINE void has_a_longer_name(void)
{
    work();
}

/* A program that waits does not answer hcct-top: this one computes until there is a line. */
static inline __attribute__((always_inline)) void wait_for_line(void)
{
    while (poll(&(struct pollfd){.fd = 0, .events = POLLIN}, 1, 0) == 0)
        ;
}

/* Lines of "f 5" or "g 7"; each is answered when the calls are made. */
static inline __attribute__((always_inline)) void serve(void)
{
    char which;
    long calls;
    setbuf(stdin, NULL);
    for (;;) {
        wait_for_line();
        if (scanf(" %c %ld", &which, &calls) != 2)
            break;
        while (calls-- > 0)
            if (which == 'f')
                f();
            else if (which == 'h')
                has_a_longer_name();
            else
                g();
        puts("done");
        fflush(stdout);
    }
}

static void *thread(void *argument)
{
    serve();
    return argument;
}

/* With an argument another thread does it, and the first one has ended. */
int main(int argc, char **argv)
{
    pthread_t other;
    if (argc > 1 && !pthread_create(&other, NULL, thread, argv))
        pthread_exit(NULL);
    serve();
    return 0;
}
