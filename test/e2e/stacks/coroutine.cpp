// C++ coroutines: what resumes one is the caller of its part.
// RUN: %hcct-c++ -std=c++20 -O0 -I%inputs %s -o %t.0 && %t.0
// RUN: %hcct-c++ -std=c++20 -O2 -I%inputs %s -o %t.2 && env CHECKS=O2 sh %inputs/exact.sh %hcct-decode %s %t.2
#include <coroutine>

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

NOINLINE Task steps(int count)
{
    for (int i = 0; i < count; i++) {
        leaf();
        co_await std::suspend_always{};
    }
}

extern "C" NOINLINE void resume(std::coroutine_handle<> handle)
{
    handle.resume();
    work();
}

int main()
{
    Task task = steps(2);
    resume(task.handle);
    resume(task.handle);
    resume(task.handle);
    bool done = task.handle.done();
    task.handle.destroy();
    return !done;
}
// O2: main 1
// O2-NEXT: main;_Z5stepsi 1
// O2-NEXT: main;_Z5stepsi.destroy 1
// O2-NEXT: main;resume 3
// O2-NEXT: main;resume;_Z5stepsi.resume 3
// O2-NEXT: main;resume;_Z5stepsi.resume;leaf 2
