// What C++ does with memory has the bytes and blocks by function that an independent counter sees in the same program by plain clang: all forms of new and delete, constructors that throw, std::pmr,
// shared pointers, containers, coroutines, threads, jumps, forks, failures, libraries that come and go.
//
// REQUIRES: turn-6
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clang -O2 -shared -fPIC %S/Inputs/counter.c -o counter.so && %clang -O1 -shared -fPIC -DPLUGIN -x c %s -o plugin.so
// RUN: for how in -O0 -O1 "-O2 -flto"; do %clang++ -std=c++20 -fsized-deallocation $how -fuse-ld=lld -rdynamic %s -o plain -ldl -lpthread && %hcct-c++ -std=c++20 -fsized-deallocation $how -rdynamic %s -o x -ldl -lpthread && ./plain > wanted && \
// RUN:   env LD_PRELOAD=./counter.so COUNTED=counted ./plain > out && diff wanted out && env HCCT_OPTIONS=metric=heap:mode=cct ./x | diff wanted - && \
// RUN:   python3 %S/Inputs/counted.py %hcct-decode ids.bin counted || exit 1; done
#ifdef PLUGIN
#include <stdlib.h>
void *plugin_make(size_t bytes) { return malloc(bytes); }
#else
#include <any>
#include <cerrno>
#include <coroutine>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <functional>
#include <future>
#include <list>
#include <malloc.h>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <vector>

// The counter and the profile tell blocks apart by the innermost of these functions on the stack.
#define CASE extern "C" __attribute__((noinline)) void
#define CHECK(condition) \
    if (!(condition)) \
    printf("%s: not so: %s\n", __func__, #condition)

static void *volatile sink;
static volatile size_t huge = ~size_t(0) / 4;

template <class T> static T *use(T *pointer)
{
    sink = (void *)pointer;
    return pointer;
}

struct alignas(64) Wide {
    char bytes[100];
};
struct alignas(4096) Page {
    char bytes[10];
};
struct Cookie {
    int x;
    ~Cookie() { sink = this; }
};
struct Own {
    char bytes[77];
    static void *operator new(size_t bytes) { return malloc(bytes + 3); }
    static void operator delete(void *p) { free(p); }
    static void *operator new[](size_t bytes) { return calloc(1, bytes); }
    static void operator delete[](void *p) { free(p); }
};
struct Throws {
    char bytes[200];
    explicit Throws(bool does)
    {
        if (does)
            throw 5;
    }
};
struct Holds {
    std::string text{ std::string(300, 'x') };
    Throws throws{ true };
};

CASE f_new()
{
    delete use(new long);
    delete[] use(new char[33]);
    use(new char[34]);
    delete use(new Wide);
    delete[] use(new Wide[3]);
    delete use(new Page);
    use(new (std::align_val_t(256)) char[500]);
    delete[] use(new (std::nothrow) char[71]);
    CHECK(!use(new (std::nothrow) char[huge]));
    operator delete(use(new (std::nothrow) Wide), std::align_val_t(64), std::nothrow);
    operator delete(use(operator new(91, std::nothrow)), std::nothrow);
    operator delete(use(operator new(123)), size_t(123));
    operator delete[](use(operator new[](124, std::align_val_t(128))), size_t(124), std::align_val_t(128));
}

CASE f_classes()
{
    delete use(new Own);
    delete[] use(new Own[4]);
    use(new Own);
    alignas(Wide) static char room[sizeof(Wide)];
    use(new (room) Wide)->~Wide();
    delete[] use(new Cookie[10]);
    use(new Cookie[5]);
}

CASE f_throws()
{
    for (int i = 0; i < 5; i++)
        try {
            use(new Throws(true));
        } catch (int) {
        }
    try {
        use(new Holds[3]);
    } catch (int) {
    }
    try {
        use(new char[huge]);
    } catch (const std::bad_alloc &) {
        use(malloc(40));
    }
    try {
        std::vector<int> many;
        many.reserve(many.max_size() + size_t(1));
    } catch (const std::length_error &error) {
        use(strdup(error.what()));
    }
}

CASE f_library()
{
    std::pmr::monotonic_buffer_resource buffer(1000);
    std::pmr::vector<std::pmr::string> strings(&buffer);
    for (int i = 0; i < 100; i++)
        strings.emplace_back("a string that is long enough not to be in place");
    std::pmr::unsynchronized_pool_resource pool;
    std::pmr::list<int> numbers(&pool);
    for (int i = 0; i < 100; i++)
        numbers.push_back(i);
    auto wide = std::make_shared<Wide>();
    std::shared_ptr<int> shared(new int(5));
    std::weak_ptr<int> weak = shared;
    shared.reset();
    static auto kept = std::make_shared<std::string>(400, 'y');
    std::map<int, std::string> map;
    std::unordered_map<std::string, int> hashed;
    std::deque<int> deque;
    for (int i = 0; i < 500; i++) {
        map[i % 50] = std::string(100, 'z');
        hashed[std::to_string(i) + " a key that is not in place"] = i;
        deque.push_back(i);
    }
    std::any any = std::string(200, 'a');
    std::function<size_t()> function = [map] { return map.size(); };
    std::ostringstream text;
    for (int i = 0; i < 300; i++)
        text << i << ' ';
    use(strdup(text.str().c_str()));
    CHECK(function() == 50);
}

struct Task {
    struct promise_type {
        Task get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int) { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

CASE f_push(std::vector<int> *numbers, int number)
{
    numbers->push_back(number);
}

static Task numbers_up_to(int n, std::vector<int> *numbers)
{
    for (int i = 0; i < n; i++) {
        f_push(numbers, i);
        co_yield i;
    }
}

CASE f_coroutine(std::vector<int> *numbers)
{
    Task task = numbers_up_to(20, numbers);
    while (!task.handle.done())
        task.handle.resume();
    task.handle.destroy();
}

static void *work(void *bytes)
{
    thread_local std::string local(500, 'l');
    thread_local std::unique_ptr<int> owned(new int(7));
    sink = &local;
    return malloc((size_t)bytes);
}

CASE f_threads()
{
    for (size_t i = 0; i < 3; i++) {
        pthread_t thread;
        void *block;
        pthread_create(&thread, nullptr, work, (void *)(600 + i));
        pthread_join(thread, &block);
        free(block);
    }
    std::thread([] { use(malloc(48)); }).join();
    CHECK(std::async(std::launch::async, [] { return std::string(700, 'q'); }).get().size() == 700);
}

static jmp_buf back;

extern "C" __attribute__((noinline)) void f_leaves(int depth)
{
    sink = malloc(60 + depth);
    if (depth == 5)
        longjmp(back, 1);
    f_leaves(depth + 1);
    sink = nullptr;
}

CASE f_c()
{
    if (!setjmp(back))
        f_leaves(0);
    void *volatile p = realloc(nullptr, 10);
    p = realloc(p, 100000);
    p = realloc(p, 5);
    errno = 0;
    CHECK(!realloc(p, huge) && errno == ENOMEM);
    errno = 7;
    p = realloc(p, 50);
    CHECK(errno == 7 && !realloc(p, 0));
    p = reallocarray(nullptr, 10, 7);
    p = reallocarray(p, 20, 7);
    CHECK(!reallocarray(p, huge, 30) && errno == ENOMEM);
    free(p);
    errno = 5;
    free(malloc(0));
    free(aligned_alloc(64, 0));
    void *volatile untouched = &back;
    CHECK(posix_memalign((void **)&untouched, 3, 10) == EINVAL && untouched == &back && errno == 5);
    CHECK(posix_memalign((void **)&p, 64, 640) == 0 && (size_t)p % 64 == 0);
    free(p);
    free(memalign(128, 1000));
    char *used = (char *)malloc(13);
    size_t usable = malloc_usable_size(used);
    memset(used, 1, usable);
    free(realloc(used, usable + 1));
    mallopt(M_MMAP_THRESHOLD, 4096);
    p = malloc(100000);
    free(realloc(p, 200000));
    malloc_trim(0);
}

CASE f_processes()
{
    int status = 0;
    void *block = malloc(81);
    pid_t child = fork();
    if (!child) {
        free(block);
        use(malloc(82));
        _exit(3);
    }
    waitpid(child, &status, 0);
    CHECK(WEXITSTATUS(status) == 3);
    std::thread([] {
        int status = 0;
        pid_t child = fork();
        if (!child) {
            use(malloc(83));
            _exit(4);
        }
        waitpid(child, &status, 0);
        CHECK(WEXITSTATUS(status) == 4);
    }).join();
    free(block);
    child = vfork();
    if (!child) {
        execl("/bin/true", "true", nullptr);
        _exit(9);
    }
    waitpid(child, &status, 0);
    CHECK(status == 0);
}

CASE f_plugin()
{
    for (int i = 0; i < 3; i++) {
        void *library = dlopen("./plugin.so", RTLD_NOW);
        auto make = (void *(*)(size_t))dlsym(library, "plugin_make");
        free(make(900));
        make(901);
        dlclose(library);
    }
}

int main()
{
    f_new();
    f_classes();
    f_throws();
    f_library();
    std::vector<int> numbers;
    f_coroutine(&numbers);
    f_threads();
    f_c();
    f_processes();
    f_plugin();
    printf("%zu\n", numbers.size());
}
#endif
