// --view=callers and peek find a C++ function by the end of its name: with template arguments, parameters, or without them.
// RUN: %hcct-c++ -O1 %s -o %t.x && HCCT_OPTIONS=mode=cct:output=%t.bin %t.x
// RUN: for name in 'Vec<int, 2>::operator[]' 'Vec::operator[]' 'lib::Vec::operator<' 'Vec::operator<' 'Cache::get' 'operator()(int)' 'Call::operator()(int)'; do %hcct-decode "--view=callers=$name" %t.bin | grep main && %hcct-decode "--view=peek=$name" %t.bin || exit 1; done
// A tree shows of long names that are alike only where they differ.
// RUN: %hcct-decode --all %t.bin | FileCheck %s
// CHECK-DAG: - lib::Rules<...>::visit [... left_key ...] #
// CHECK-DAG: - lib::Rules<...>::visit [... right_key ...] #
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
template <class... T> struct Rules {
    __attribute__((noinline)) static int visit(int i) { __asm__ volatile(""); return i; }
};
template <int N> struct Key {};
struct left_key {}; struct right_key {};
template <class T> using Long = Rules<Key<1>, Key<2>, Key<3>, Key<4>, Key<5>, Key<6>, T, Key<7>, Key<8>, Key<9>, Key<10>, Key<11>>;
struct Call {
    __attribute__((noinline)) int operator()(int i) { __asm__ volatile(""); return i; }
};
}

int main()
{
    lib::Vec<int, 2> a = { { 1, 2 } }, b = { { 3, 4 } };
    lib::Cache<int> cache = { 1 };
    lib::Call call;
    return a[0] + (a < b) + cache.get() + call(0) + lib::Long<lib::left_key>::visit(1) + lib::Long<lib::right_key>::visit(1) > 9;
}
