// allocate OBJECTS LIVE THREADS: allocates small objects in a few hundred contexts, and keeps the newest LIVE
// of them, in threads that share the work.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

struct Shape {
    virtual ~Shape() {}
    virtual long area() const = 0;
};
struct Square : Shape {
    long side;
    explicit Square(long s) : side(s) {}
    long area() const override
    {
        return side * side;
    }
};
struct Named : Shape {
    std::string name;
    long width, height;
    Named(long w, long h) : name("a name that is too long for the object itself"), width(w), height(h) {}
    long area() const override
    {
        return width * height;
    }
};

__attribute__((noinline)) static Shape *make(uint64_t seed, unsigned depth)
{
    if (depth && seed % 3)
        return make(seed / 3, depth - 1);
    if (depth && seed % 2)
        return make(seed / 2, depth - 1);
    return seed % 5 ? (Shape *)new Square((long)seed % 100) : new Named((long)seed % 10, 7);
}

static long work(uint64_t objects, uint64_t live, uint64_t state)
{
    std::vector<Shape *> kept(live);
    long sum = 0;
    for (uint64_t i = 0; i < objects; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        Shape *&place = kept[i % live];
        delete place;
        place = make(state >> 33, 6);
        sum += place->area();
    }
    for (Shape *shape : kept)
        delete shape;
    return sum;
}

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    uint64_t objects = strtoull(arguments[1], nullptr, 10), live = strtoull(arguments[2], nullptr, 10),
             threads = strtoull(arguments[3], nullptr, 10);
    std::vector<long> sums(threads);
    std::vector<std::thread> all;
    for (uint64_t i = 0; i < threads; i++)
        all.emplace_back([&, i] { sums[i] = work(objects / threads, live / threads, i + 1); });
    for (std::thread &thread : all)
        thread.join();
    long sum = 0;
    for (long one : sums)
        sum += one;
    printf("%ld\n", sum);
}
