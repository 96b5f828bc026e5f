// A constructor that dlopen runs waits for threads: one throws the process's first exception, the other calls pthread_exit. The runtime
// must not need the loader's lock for that, which dlopen holds. The plugin is instrumented, or not; the program has an unwinder from the
// start, or not. (The C library itself needs the lock at the first pthread_exit, so that one comes before.)
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %hcct-c++ -O1 -fPIC -shared -DPLUGIN %s -o instrumented.so -lpthread && %clang++ -O1 -fPIC -shared -DPLUGIN %s -o plain.so -lpthread
// RUN: %hcct-c++ -O1 %s -o cxx -lpthread && %hcct-cc -x c -O1 -c %s -o host.o && %hcct-cc host.o -rdynamic -o c
// RUN: for program in ./cxx ./c; do for plugin in ./instrumented.so ./plain.so; do timeout 300 $program $plugin || exit 1; done; done
// RUN: HCCT_OPTIONS=mode=cct timeout 300 ./cxx ./instrumented.so && %hcct-decode --format=folded --all ids.bin | FileCheck %s
#ifdef PLUGIN
#include <pthread.h>
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

struct Local {
    ~Local() { handled(); }
};

extern "C" void *end(void *)
{
    Local local;
    pthread_exit(&caught);
}

__attribute__((constructor)) static void init()
{
    std::thread(run).join();
    pthread_t thread;
    void *result = nullptr;
    if (pthread_create(&thread, nullptr, end, nullptr) == 0 && pthread_join(thread, &result) == 0 && result == &caught)
        caught += 10;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void *first(void *unused)
{
    pthread_exit(unused);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, first, NULL) != 0 || pthread_join(thread, NULL) != 0)
        return 2;
    void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    return !plugin || *(int *)dlsym(plugin, "caught") != 13;
}
#endif
// CHECK: {{^}}end 1
// CHECK: {{^}}end;handled 1
// CHECK: {{^}}first(void*) 1
// CHECK: {{^}}main 1
// CHECK-DAG: run;handled 2
// CHECK-DAG: run;parse 2
