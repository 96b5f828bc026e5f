/* Half a million contexts out of a hundred functions: walks through layers of templates. A function calls one
 * of three of the next layer, the first with 6, the second with 3 and the third with 1 chance in 10. So paths
 * are of very different weight, and the lightest ones keep coming. 12 layers have up to 3^12 paths.
 *
 *     layers WALKS */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace
{

constexpr int LAYERS = 12, WIDTH = 8;

struct Walk {
    uint64_t state, steps;

    unsigned draw()
    {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return static_cast<unsigned>((state >> 33) % 10);
    }
};

template <int layer, int index> struct Node {
    template <int site> using Next = Node<layer + 1, (3 * index + site + layer) % WIDTH>;

    __attribute__((noinline)) static void visit(Walk &walk)
    {
        walk.steps++;
        unsigned chance = walk.draw();
        if (chance < 6)
            Next<0>::visit(walk);
        else if (chance < 9)
            Next<1>::visit(walk);
        else
            Next<2>::visit(walk);
        __asm__ volatile("" : : : "memory"); /* no tail call */
    }
};

template <int index> struct Node<LAYERS, index> {
    __attribute__((noinline)) static void visit(Walk &walk)
    {
        walk.steps++;
    }
};

} // namespace

int main(int argc, char **argv)
{
    Walk walk = { 1, 0 };
    long walks = argc > 1 ? strtol(argv[1], nullptr, 10) : 1000;
    for (long i = 0; i < walks; i++)
        Node<0, 0>::visit(walk);
    printf("%llu\n", static_cast<unsigned long long>(walk.steps));
    return 0;
}
