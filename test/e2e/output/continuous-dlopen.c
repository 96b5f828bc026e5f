// continuous=1: functions of a shared object that dlopen brings, also after another one, are in the file that a kill leaves.
// RUN: %hcct-cc -O1 -DPLUGIN=first -shared -fPIC -I%inputs %s -o %t.first.so
// RUN: %hcct-cc -O1 -DPLUGIN=second -shared -fPIC -I%inputs %s -o %t.second.so
// RUN: %hcct-cc -O1 -I%inputs %s -ldl -o %t.x
// RUN: for mode in cct hcct; do rm -f %t.bin* && (HCCT_OPTIONS=mode=$mode:continuous=1:output=%t.bin %t.x %t.first.so %t.second.so || true) && \
// RUN:   %hcct-decode %t.bin | grep 'sound: nothing dropped' && \
// RUN:   %hcct-decode --format=folded --all %t.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s || exit 1; done
// CHECK-DAG: main 1
// CHECK-DAG: main;first 2
// CHECK-DAG: main;second 2
// CHECK-DAG: main;{{(\[dlsym\];)?}}first;inside 6
// CHECK-DAG: main;{{(\[dlsym\];)?}}second;inside 6
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include "e2e.h"

#ifdef PLUGIN
static NOINLINE void inside(void)
{
    work();
}

__attribute__((visibility("default"))) void PLUGIN(void)
{
    for (int i = 0; i < 3; i++)
        inside();
    work();
}
#else
int main(int count, char **arguments)
{
    static const char *const names[] = { "", "first", "second" };
    for (int i = 1; i < count; i++) {
        void *library = dlopen(arguments[i], RTLD_NOW);
        void (*function)(void) = library ? (void (*)(void))dlsym(library, names[i]) : NULL;
        if (!function)
            return 1;
        function();
        function();
    }
    kill(getpid(), SIGKILL);
}
#endif
