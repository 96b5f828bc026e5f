// A destructor that deletes its object, and one that does not, have one name: 8 calls of the first one, which calls the second one, and 4 others
// of the second one. In a bounded run the calls of step() leave room for no context of them. With -DB it is 9 and 6.
#include <new>

#ifdef B
enum { GOES = 9, STAYS = 6 };
#else
enum { GOES = 8, STAYS = 4 };
#endif

struct Shape {
    virtual ~Shape();
};

struct Circle : Shape {
    ~Circle() override;
};

__attribute__((noinline)) void leaf() { asm volatile(""); }

__attribute__((noinline)) Shape::~Shape()
{
    for (int i = 0; i < 40; i++)
        leaf();
}

Circle::~Circle() { leaf(); }

__attribute__((noinline)) int step(int n, unsigned bits)
{
    if (!n)
        return 0;
    return bits & 1 ? step(n - 1, bits >> 1) * 3 + 1 : step(n - 1, bits >> 1) - step(0, 0);
}

__attribute__((noinline)) void destroy(Shape *shape) { shape->~Shape(); }
__attribute__((noinline)) void remove(Shape *shape) { delete shape; }

int main()
{
    alignas(Circle) static char memory[sizeof(Circle)];
    unsigned bits = 1;
    int sum = 0;
    for (int i = 0; i < STAYS; i++)
        destroy(new (memory) Circle);
    for (int i = 0; i < GOES; i++)
        remove(new Circle);
    for (int i = 0; i < 2000; i++)
        sum += step(24, (bits = bits * 1664525 + 1013904223) >> 8);
    return sum == 1;
}
