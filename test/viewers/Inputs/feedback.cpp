/* Mangled names and inlined frames for clang's sample profiles: `member` and `twice` are inlined before calls are counted.
 *
 *     main 1 ─ @4 box::twice ─┬─ @2 box::member ─ @3 (anonymous namespace)::far 1000
 *                             └─ @2 box::member ─ @3 (anonymous namespace)::far 1000 */
volatile int sink;

namespace {
__attribute__((noinline)) int far(int x)
{
    return sink += x;
}
}

struct box {
    int value;
    inline __attribute__((always_inline)) int member(int x)
    {

        return far(x + value);
    }
    inline __attribute__((always_inline)) int twice(int x)
    {
        return member(x) + member(x + 1);
    }
};

int main()
{
    box it = { sink };
    for (int i = 0; i < 1000; i++)
        sink = it.twice(i);
    return 0;
}
