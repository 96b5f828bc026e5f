// Long names, 60 levels deep, with branches.
static volatile int sink;

template <int N> struct a_rather_long_name_of_a_class {
    [[gnu::noinline]] static void go(int x)
    {
        sink = sink + x;
        a_rather_long_name_of_a_class<N - 1>::go(x);
        if (N % 7 == 0)
            a_rather_long_name_of_a_class<(N > 7 ? N - 7 : 0)>::go(x);
        sink = sink + x;
    }
};

template <> struct a_rather_long_name_of_a_class<0> {
    [[gnu::noinline]] static void go(int x)
    {
        sink = sink + x;
    }
};

int main()
{
    a_rather_long_name_of_a_class<28>::go(1);
}
