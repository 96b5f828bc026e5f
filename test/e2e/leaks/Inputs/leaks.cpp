/* Loses blocks in three ways, and keeps some that are still reachable. Exit status: the number in the first argument. */
#include <cstdlib>
#include <string>
#include <vector>

namespace shop {
struct Order {
    std::string name;
    Order *next;
};

/* What the last call left on the stack does not count: it is overwritten. */
__attribute__((noinline)) static void scrub()
{
    volatile char stack[16384];
    for (unsigned i = 0; i < sizeof stack; i++)
        stack[i] = 0;
}

__attribute__((noinline)) Order *make(int number)
{
    return new Order{ std::string(100, char('a' + number % 26)), nullptr };
}

__attribute__((noinline)) void forget(int count)
{
    for (int i = 0; i < count; i++)
        make(i)->next = nullptr;
}

__attribute__((noinline)) void cycle()
{
    Order *a = make(1), *b = make(2);
    a->next = b;
    b->next = a;
}
} // namespace shop

extern "C" __attribute__((noinline)) void *third_party(std::size_t bytes)
{
    void *block = malloc(bytes);
    asm volatile("" : "+r"(block)); /* so that the call stays */
    return block;
}

static std::vector<int> *volatile kept;

int main(int argc, char **argv)
{
    kept = new std::vector<int>(1000);
    if (argc > 2) {
        shop::forget(10);
        shop::cycle();
    }
    third_party(48);
    shop::scrub();
    return argc > 1 ? atoi(argv[1]) : 0;
}
