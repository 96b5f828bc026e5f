// A profile that is written while another thread loads and unloads an instrumented library, whose destructor forks: no crash,
// and the counts add up.
// REQUIRES: turn-4
// RUN: split-file %s %t && cd %t && %hcct-cc -O2 -shared -fPIC -I%inputs library.c -o library.so
// RUN: %hcct-cc -O0 -I%inputs -I%hcct-source/include main.c -o 0 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t/0
// RUN: %hcct-cc -O2 -I%inputs -I%hcct-source/include main.c -o 2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t/2
//--- library.c
#include <sys/wait.h>
#include <unistd.h>
#include "e2e.h"
static NOINLINE void inner(void) { work(); }
NOINLINE void entry(void)
{
    inner();
    inner();
}
__attribute__((destructor)) static void unload(void)
{
    static int count;
    pid_t child = count++ ? -1 : fork();
    if (child == 0)
        _exit(0);
    if (child > 0)
        waitpid(child, 0, 0);
}
//--- main.c
#include <dlfcn.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include "e2e.h"
enum { ROUNDS = 500 };
static atomic_int stop;
void *loader(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        void *library = dlopen("./library.so", RTLD_NOW);
        void (*entry)(void) = library ? (void (*)(void))dlsym(library, "entry") : NULL;
        if (!entry)
            abort();
        entry();
        dlclose(library);
    }
    atomic_store(&stop, 1);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, loader, NULL);
    while (!atomic_load(&stop))
        if (!hcct_dump() || usleep(500))
            return 1;
    pthread_join(thread, NULL);
    return 0;
}
// CHECK: loader 1
// CHECK-NEXT: loader;[dlclose];unload 500
// CHECK-NEXT: loader;entry 500
// CHECK-NEXT: loader;entry;inner 1000
// CHECK-NEXT: main 1
