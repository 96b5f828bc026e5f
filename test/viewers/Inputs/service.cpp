/* Threads of std::thread, whose functions share a namespace; some calls are in a library's algorithm. */
#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline))

namespace acme::shop {
static std::mutex lock;
static std::map<std::string, long> sums;
static volatile int seen;

NOINLINE static int price(int item)
{
    seen = item;
    return item % 7 * 3 + 1;
}

NOINLINE static int discount(int item)
{
    return item % 3 ? 0 : price(item) / 2;
}

NOINLINE static long total(const std::vector<int> &items)
{
    long sum = 0;
    for (int item : items)
        sum += price(item) - discount(item);
    return sum;
}

NOINLINE static void handle(int number)
{
    std::vector<int> items;
    for (int i = 0; i < number % 23; i++)
        items.push_back(number + i);
    std::sort(items.begin(), items.end(), [](int a, int b) { return price(a) > price(b); });
    std::lock_guard<std::mutex> guard(lock);
    sums[std::to_string(number % 40)] += total(items);
}

NOINLINE static void worker(int first)
{
    for (int i = first; i < 400; i += 2)
        handle(i);
}
} // namespace acme::shop

int main()
{
    std::thread one(acme::shop::worker, 0), two(acme::shop::worker, 1);
    one.join();
    two.join();
}
