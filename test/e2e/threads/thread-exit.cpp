// pthread_exit right in a thread's first function, called directly and by a pointer: destructors of C++ thread-local objects begin
// at the root, though no cleanup took off what that function pushed. A cleanup of that function runs where it stands.
// RUN: %hcct-c++ -O0 -I%inputs %s -o %t.0 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.0
// RUN: %hcct-c++ -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
// RUN: %hcct-c++ -O2 -static -I%inputs %s -o %t.s -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.s
#include <pthread.h>
#include <stdlib.h>

#include "e2e.h"

extern "C" {
NOINLINE void leaf() { work(); }
NOINLINE void destroyed()
{
    leaf();
    work();
}
struct Local {
    __attribute__((always_inline)) ~Local() { destroyed(); }
};
NOINLINE void use()
{
    static thread_local Local local;
    (void)&local;
}
static void (*volatile pointer)() = use;
static void (*volatile exit_pointer)(void *) = (void (*)(void *))pthread_exit;
void *directly(void *argument)
{
    pointer();
    pthread_exit(argument);
}
void *by_pointer(void *argument)
{
    pointer();
    exit_pointer(argument);
    return argument;
}
NOINLINE void cleaned() { leaf(); }
static void (*volatile cleaned_pointer)() = cleaned;
struct Cleanup {
    __attribute__((always_inline)) ~Cleanup() { cleaned_pointer(); }
};
void *with_cleanup(void *argument)
{
    Cleanup cleanup;
    pointer();
    exit_pointer(argument);
    return argument;
}
}

int main()
{
    void *(*const bodies[])(void *) = {directly, by_pointer, with_cleanup};
    for (auto body : bodies) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, nullptr, body, (void *)7);
        pthread_join(thread, &result);
        if (result != (void *)7)
            return 1;
    }
    return 0;
}
// CHECK: _ZN5LocalD2Ev 3
// CHECK-NEXT: _ZN5LocalD2Ev;destroyed 3
// CHECK-NEXT: _ZN5LocalD2Ev;destroyed;leaf 3
// CHECK-NEXT: by_pointer 1
// CHECK-NEXT: by_pointer;use 1
// CHECK-NEXT: directly 1
// CHECK-NEXT: directly;use 1
// CHECK-NEXT: main 1
// CHECK-NEXT: with_cleanup 1
// CHECK-NEXT: with_cleanup;cleaned 1
// CHECK-NEXT: with_cleanup;cleaned;leaf 1
// CHECK-NEXT: with_cleanup;use 1
