// Overloads, templates, a static of two files' name, recursion, and calls through the library.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace app {
struct item {
    int key;
    std::string name;
};
template <class T> struct store {
    std::map<int, T> items;
    __attribute__((noinline)) void put(int key, const T &value) { items[key] = value; }
    __attribute__((noinline)) const T *find(int key) const
    {
        auto found = items.find(key);
        return found == items.end() ? nullptr : &found->second;
    }
};
__attribute__((noinline)) bool before(const item &a, const item &b) { return a.name < b.name; }
__attribute__((noinline)) int score(int x) { return x % 7; }
__attribute__((noinline)) int score(long x) { return static_cast<int>(x % 5); }
__attribute__((noinline)) long work(int n)
{
    store<item> all;
    std::vector<item> found;
    for (int i = 0; i < n; i++)
        all.put(i, item{i, std::to_string(i * 7919 % 1000)});
    long sum = 0;
    for (int i = 0; i < 2 * n; i++)
        if (const item *it = all.find(i)) {
            found.push_back(*it);
            sum += score(i) + score(static_cast<long>(i));
        }
    std::sort(found.begin(), found.end(), before);
    return sum + found[0].key;
}
__attribute__((noinline)) long odd(int n);
__attribute__((noinline)) long even(int n) { return n ? odd(n - 1) + work(1) : work(2); }
__attribute__((noinline)) long odd(int n) { return n ? even(n - 1) + score(n) : 0; }
} // namespace app

static __attribute__((noinline)) long again(int n) { return n > 0 ? again(n - 1) + again(n - 3) + app::score(n) : 0; }

int main()
{
    std::function<long(int)> by_library = app::even;
    std::printf("%ld\n", app::work(400) + app::odd(9) + again(12) + by_library(6));
}
