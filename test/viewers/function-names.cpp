// --view=callers and peek find a C++ function by the end of its name: with template arguments, parameters, or without them.
// RUN: %hcct-c++ -O1 %s -o %t.x && HCCT_OPTIONS=mode=cct:output=%t.bin %t.x
// RUN: for name in 'Vec<int, 2>::operator[]' 'Vec::operator[]' 'lib::Vec::operator<' 'Vec::operator<' 'Cache::get' 'operator()(int)' 'Call::operator()(int)'; do %hcct-decode "--view=callers=$name" %t.bin | grep main && %hcct-decode "--view=peek=$name" %t.bin || exit 1; done
// RUN: %hcct-decode '--view=callers=Vec<int, 2>::operator[]' --format=folded --all %t.bin | not grep 'operator<'
namespace lib {
template <class T, int N> struct Vec {
    T at[N];
    __attribute__((noinline)) T &operator[](int i) { __asm__ volatile(""); return at[i]; }
    __attribute__((noinline)) bool operator<(const Vec &other) const { __asm__ volatile(""); return at[0] < other.at[0]; }
};
template <class T> struct Cache {
    T value;
    __attribute__((noinline)) T get() { __asm__ volatile(""); return value; }
};
struct Call {
    __attribute__((noinline)) int operator()(int i) { __asm__ volatile(""); return i; }
};
}

int main()
{
    lib::Vec<int, 2> a = { { 1, 2 } }, b = { { 3, 4 } };
    lib::Cache<int> cache = { 1 };
    lib::Call call;
    return a[0] + (a < b) + cache.get() + call(0) > 9;
}
