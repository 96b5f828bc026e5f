// Names and paths to ask for: templates, overloads, operators, a lambda, recursion of one function and of two, library code in between.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#define KEEP __attribute__((noinline))

namespace shop {
template <typename Key> struct Tree {
    std::map<Key, int> items;
    KEEP int walk(int depth) { return depth ? walk(depth - 1) + 1 : find(Key()); }
    KEEP int find(const Key &key) { return ++items[key]; }
};
struct Price {
    int cents;
    KEEP bool operator<(const Price &other) const { return cents < other.cents; }
    KEEP int operator()(int count) const { return cents * count; }
};
KEEP int parse(int text);
KEEP int parse(const std::string &text) { return parse(int(text.size())); }
KEEP int even(int n);
KEEP int odd(int n) { return n ? even(n - 1) : 0; }
KEEP int even(int n) { return n ? odd(n - 1) : 1; }
KEEP int parse(int text) { return even(text); }
} // namespace shop

static KEEP int leaf(int n) { return n + 1; }
static KEEP int apply(std::vector<int> &numbers)
{
    int sum = 0;
    std::for_each(numbers.begin(), numbers.end(), [&](int n) { sum += leaf(n); });
    return sum;
}

int main()
{
    std::vector<shop::Price> prices{ { 3 }, { 1 }, { 2 }, { 5 }, { 4 } };
    std::vector<int> numbers{ 1, 2, 3 };
    shop::Tree<int> by_number;
    shop::Tree<std::string> by_name;
    std::sort(prices.begin(), prices.end());
    int sum = apply(numbers) + leaf(1) + prices[0](3);
    for (int i = 0; i < 4; i++)
        sum += by_number.walk(i) + by_name.walk(2 * i) + shop::parse(i) + shop::parse(std::string("ab"));
    return sum == 0;
}
