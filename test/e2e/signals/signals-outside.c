// Handlers that code which is not instrumented installs, by a library that is linked, and that call instrumented code back:
// roots of their own as well.
// RUN: split-file %s %t && cd %t && %clang -O2 -fPIC -shared library.c -o library.so
// RUN: %hcct-cc -O0 -I%inputs main.c library.so -Wl,-rpath,%t -o 0 && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -I%inputs main.c library.so -Wl,-rpath,%t -o 2 && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- library.c
#include <signal.h>
static void (*call_back)(void);
static void handler(int signal)
{
    (void)signal;
    call_back();
    call_back();
}
void install(void (*function)(void))
{
    struct sigaction action = {.sa_handler = handler};
    call_back = function;
    sigaction(SIGUSR1, &action, 0);
    signal(SIGUSR2, handler);
}
int is_installed(void)
{
    struct sigaction action;
    sigaction(SIGUSR2, 0, &action);
    return action.sa_handler == handler && signal(SIGUSR2, handler) == handler;
}
//--- main.c
#include <signal.h>

#include "e2e.h"

void install(void (*)(void));
int is_installed(void);

NOINLINE void leaf(void) { work(); }
static void (*volatile pointer)(void) = leaf;

void back(void)
{
    pointer();
    work();
}

NOINLINE void send(int signal)
{
    raise(signal);
    leaf();
}

int main(void)
{
    install(back);
    for (int i = 0; i < 100; i++) {
        send(SIGUSR1);
        send(SIGUSR2);
    }
    return !is_installed();
}
// CHECK: [signal 10];back 200
// CHECK-NEXT: [signal 10];back;leaf 200
// CHECK-NEXT: [signal 12];back 200
// CHECK-NEXT: [signal 12];back;leaf 200
// CHECK-NEXT: main 1
// CHECK-NEXT: main;send 200
// CHECK-NEXT: main;send;leaf 200
