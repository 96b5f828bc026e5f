// A C++ coroutine that each time is resumed on another thread: what resumes it is its caller there.
// RUN: %hcct-c++ -std=c++20 -O0 -I%inputs %s -o %t.0 -lpthread && %t.0
// RUN: %hcct-c++ -std=c++20 -O2 -I%inputs %s -o %t.2 -lpthread && sh %inputs/exact.sh %hcct-decode %s %t.2
#include <coroutine>
#include <pthread.h>

#include "e2e.h"

extern "C" NOINLINE void leaf()
{
    work();
}

struct Task {
    struct promise_type {
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

extern "C" NOINLINE void nest(int depth)
{
    if (depth)
        nest(depth - 1);
    else
        leaf();
    work();
}

NOINLINE Task steps(int count)
{
    for (int i = 0; i < count; i++) {
        nest(1);
        co_await std::suspend_always{};
    }
}

extern "C" NOINLINE void resume(std::coroutine_handle<> handle)
{
    handle.resume();
    work();
}

extern "C" void *on_thread(void *task)
{
    resume(((Task *)task)->handle);
    work();
    return nullptr;
}

int main()
{
    Task task = steps(100);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        pthread_create(&thread, nullptr, on_thread, &task);
        pthread_join(thread, nullptr);
    }
    resume(task.handle);
    bool done = task.handle.done();
    task.handle.destroy();
    return !done;
}
// CHECK: main 1
// CHECK-NEXT: main;_Z5stepsi 1
// CHECK-NEXT: main;_Z5stepsi.destroy 1
// CHECK-NEXT: main;resume 1
// CHECK-NEXT: main;resume;_Z5stepsi.resume 1
// CHECK-NEXT: on_thread 100
// CHECK-NEXT: on_thread;resume 100
// CHECK-NEXT: on_thread;resume;_Z5stepsi.resume 100
// CHECK-NEXT: on_thread;resume;_Z5stepsi.resume;nest 100
// CHECK-NEXT: on_thread;resume;_Z5stepsi.resume;nest;nest 100
// CHECK-NEXT: on_thread;resume;_Z5stepsi.resume;nest;nest;leaf 100
