// Constructors and destructors of static, function-local static and thread-local objects.
// RUN: %hcct-c++ -O0 -I%inputs %s -o %t.0 && env CHECKS=O0,CHECK sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-c++ -O2 -I%inputs %s -o %t.2 && env CHECKS=O2,CHECK sh %inputs/exact.sh %hcct-decode %s %t.2
#include <pthread.h>

#include "e2e.h"

extern "C" {
NOINLINE void made()
{
    work();
}

NOINLINE void gone()
{
    work();
}
}

struct Thing {
    NOINLINE Thing()
    {
        made();
        work();
    }
    NOINLINE ~Thing()
    {
        gone();
        work();
    }
};

static Thing global;

extern "C" {
NOINLINE void use_static()
{
    static Thing local;
    work();
}

NOINLINE void *body(void *)
{
    thread_local Thing own;
    work();
    return nullptr;
}
}

int main()
{
    pthread_t thread;
    use_static();
    use_static();
    pthread_create(&thread, nullptr, body, nullptr);
    pthread_join(thread, nullptr);
    return 0;
}
// O0: _GLOBAL__sub_I_static_objects.cpp 1
// O0-NEXT: _GLOBAL__sub_I_static_objects.cpp;__cxx_global_var_init 1
// O0-NEXT: _GLOBAL__sub_I_static_objects.cpp;__cxx_global_var_init;_ZN5ThingC2Ev 1
// O0-NEXT: _GLOBAL__sub_I_static_objects.cpp;__cxx_global_var_init;_ZN5ThingC2Ev;made 1
// O2: _GLOBAL__sub_I_static_objects.cpp 1
// O2-NEXT: _GLOBAL__sub_I_static_objects.cpp;_ZN5ThingC2Ev 1
// O2-NEXT: _GLOBAL__sub_I_static_objects.cpp;_ZN5ThingC2Ev;made 1
// CHECK-NEXT: _ZN5ThingD2Ev 3
// CHECK-NEXT: _ZN5ThingD2Ev;gone 3
// CHECK-NEXT: body 1
// CHECK-NEXT: body;_ZN5ThingC2Ev 1
// CHECK-NEXT: body;_ZN5ThingC2Ev;made 1
// CHECK-NEXT: main 1
// CHECK-NEXT: main;use_static 2
// CHECK-NEXT: main;use_static;_ZN5ThingC2Ev 1
// CHECK-NEXT: main;use_static;_ZN5ThingC2Ev;made 1
