// Two versions of calls of the instances of one template. The instances differ in their names only.
static volatile long worked;

__attribute__((noinline)) void leaf(int value)
{
    worked += value;
}

template <typename Type> __attribute__((noinline)) void put(Type times)
{
    for (int i = 0; i < static_cast<int>(times); i++)
        leaf(i);
}

template <typename Type> __attribute__((noinline)) void get(Type times)
{
    for (int i = 0; i < static_cast<int>(times); i++)
        leaf(i);
}

#ifdef B
const int chars = 10, longs = 30;
#else
const int chars = 30, longs = 10;
#endif

__attribute__((noinline)) void in_one_line()
{
    // clang-format off
    for (int i = 0; i < 30; i++) { if (i < chars) put('\5'); if (i < longs) put(7L); }
    // clang-format on
    worked = worked + 1;
}

__attribute__((noinline)) void changed_places()
{
#ifdef B
    for (int i = 0; i < 4; i++)
        put(3L);
    for (int i = 0; i < 6; i++)
        put('\2');
#else
    for (int i = 0; i < 5; i++)
        put('\2');
    for (int i = 0; i < 5; i++)
        put(3L);
#endif
    worked = worked + 1;
}

// put<char> becomes put<short>; put<long> stays.
__attribute__((noinline)) void one_gone()
{
#ifdef B
    for (int i = 0; i < 7; i++)
        put(1L);
    for (int i = 0; i < 9; i++)
        put(static_cast<short>(2));
#else
    for (int i = 0; i < 8; i++)
        put('\2');
    for (int i = 0; i < 8; i++)
        put(1L);
#endif
    worked = worked + 1;
}

__attribute__((noinline)) void two_added()
{
    put('\4');
    get('\4');
#ifdef B
    put(static_cast<short>(4));
    get(4L);
#endif
    worked = worked + 1;
}

// Other instances, in the other order.
__attribute__((noinline)) void crossed()
{
#ifdef B
    get(2L);
    put(static_cast<short>(3));
#else
    put('\3');
    get('\2');
#endif
    worked = worked + 1;
}

int main()
{
    two_added();
    crossed();
    in_one_line();
    changed_places();
    one_gone();
    return 0;
}
