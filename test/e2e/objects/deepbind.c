// A library that is loaded with RTLD_DEEPBIND finds another runtime than the program's: that one stays idle, says so, and leaves the program's profile exact.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g -fPIC -shared -DLIBRARY %s -o library.so && %hcct-cc -O1 -g %s -o x -ldl
// RUN: for mode in hcct cct; do rm -f ids.bin* && env HCCT_OPTIONS=mode=$mode ./x 2> err && grep -c 'loaded with RTLD_DEEPBIND.*not counted' err | grep -x 1 && \
// RUN:   test $(ls ids.bin* | wc -l) = 1 && %hcct-decode --all --format=folded | sort | FileCheck --match-full-lines %s && %hcct-decode | grep -x 'sound: nothing dropped, nothing lost' || exit 1; done
// RUN: env HCCT_OPTIONS=verbosity=0 ./x 2> err && test ! -s err
// CHECK: main 1
// CHECK-NEXT: main;back 1
// CHECK-NEXT: main;back;work 1
// CHECK-NEXT: main;work 1
// CHECK-NOT: {{.}}
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static int work(int count)
{
    __asm__ volatile("" : "+r"(count));
    return count;
}

#ifdef LIBRARY
static void handle(int number)
{
    work(number);
}

int library(int (*back)(int))
{
    int status, sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += work(1);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    signal(SIGUSR1, SIG_DFL);
    pid_t child = fork();
    if (!child)
        _exit(work(5));
    waitpid(child, &status, 0);
    return sum == 1000 && WIFEXITED(status) && WEXITSTATUS(status) == 5 ? back(3) : 0;
}
#else
__attribute__((noinline)) static int back(int value)
{
    return work(value) + 1;
}

int main(void)
{
    void *handle = dlopen("./library.so", RTLD_NOW | RTLD_DEEPBIND);
    int (*library)(int (*)(int)) = handle ? (int (*)(int (*)(int)))dlsym(handle, "library") : NULL;
    return library ? library(back) + work(1) != 5 : 1;
}
#endif
