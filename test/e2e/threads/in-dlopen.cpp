// A constructor that dlopen runs waits for a thread, and that thread throws the process's first exception: the runtime must not need
// the loader's lock for it, which dlopen holds. The plugin is instrumented, or not; the program has an unwinder from the start, or not.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hcct-c++ -O1 -fPIC -shared -DPLUGIN %s -o instrumented.so -lpthread && %clang++ -O1 -fPIC -shared -DPLUGIN %s -o plain.so -lpthread
// RUN: %hcct-c++ -O1 %s -o cxx -lpthread && %hcct-cc -x c -O1 -c %s -o host.o && %hcct-cc host.o -rdynamic -o c
// RUN: for program in ./cxx ./c; do for plugin in ./instrumented.so ./plain.so; do timeout 300 $program $plugin || exit 1; done; done
// RUN: HCCT_OPTIONS=mode=cct timeout 300 ./cxx ./instrumented.so && %hcct-decode --format=folded --all ids.bin | FileCheck %s
#ifdef PLUGIN
#include <stdexcept>
#include <thread>

extern "C" int caught = 0;

extern "C" __attribute__((noinline)) void parse(volatile int *x)
{
    if (*x == 3)
        throw std::runtime_error("3");
    *x = 0;
}

extern "C" __attribute__((noinline)) void handled() { caught++; }

extern "C" __attribute__((noinline)) void run()
{
    volatile int x = 3;
    for (int i = 0; i < 2; i++)
        try {
            parse(&x);
        } catch (std::exception &) {
            handled();
        }
}

__attribute__((constructor)) static void init()
{
    std::thread(run).join();
}
#else
#include <dlfcn.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    return !plugin || *(int *)dlsym(plugin, "caught") != 2;
}
#endif
// CHECK: main 1
// CHECK-DAG: run;handled 2
// CHECK-DAG: run;parse 2
