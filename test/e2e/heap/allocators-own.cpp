// --hcct-allocator and --hcct-deallocator: a block that a function of the program gives out counts once, below its callers, and what it gets from malloc meanwhile does not.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for how in "-O0" "-O1" "-O2" "-O2 -flto"; do %hcct-c++ $how -g -Werror '--hcct-allocator=^(xmalloc|table|outer|fails|again|in_line|Pool::take)\(;grow@3;Slab<.*>::get' \
// RUN:   '--hcct-deallocator=^Pool::give;^grow@2;^again' %s -o x && env HCCT_OPTIONS=metric=heap:mode=cct ./x && %hcct-decode --value=blocks --all --names=short --format=folded ids.bin > blocks && %hcct-decode --value=live --all --names=short --format=folded ids.bin > live && \
// RUN:   %hcct-decode --value=resized --all --names=short --format=folded ids.bin > resized && FileCheck --check-prefix=BLOCKS --match-full-lines --input-file=blocks %s && FileCheck --check-prefix=LIVE --match-full-lines --input-file=live %s && \
// RUN:   FileCheck --check-prefix=RESIZED --match-full-lines --input-file=resized %s && test $(grep -vc libstdc blocks) = 12 && env HCCT_OPTIONS=output=calls.bin ./x && env HCCT_OPTIONS=metric=heap:mode=hcct:output=hot.bin ./x && \
// RUN:   %hcct-decode --value=blocks --all --names=short --format=folded hot.bin | diff blocks - || exit 1; done
// Without the option malloc counts, and the size of what it returns.
// RUN: %hcct-c++ -O1 -g %s -o x && env HCCT_OPTIONS=metric=heap:mode=cct ./x && %hcct-decode --value=blocks --all --names=short --format=folded ids.bin | FileCheck --check-prefix=WITHOUT --match-full-lines %s
// WITHOUT: main;wraps;xmalloc;[malloc] 10
//
// BLOCKS-DAG: main;wraps;xmalloc 10
// BLOCKS-DAG: main;pools;Pool::take 50
// BLOCKS-DAG: main;pointer;Pool::take 5
// BLOCKS-DAG: main;outer 3
// BLOCKS-DAG: main;table 1
// BLOCKS-DAG: main;resizes;grow 3
// BLOCKS-DAG: main;resizes;again 3
// BLOCKS-DAG: main;typed;Slab<double>::get 2
// BLOCKS-DAG: main;typed;Slab<char>::get 1
// BLOCKS-DAG: main;throws;fails 1
// BLOCKS-DAG: main;throws;[malloc] 1
// BLOCKS-DAG: main;in_line 1
// LIVE-DAG: main;wraps;xmalloc 700
// LIVE-DAG: main;pools;Pool::take 400
// LIVE-DAG: main;pointer;Pool::take 50
// LIVE-DAG: main;outer 600
// LIVE-DAG: main;table 60
// LIVE-DAG: main;resizes;grow 1000
// LIVE-DAG: main;resizes;again 30
// LIVE-DAG: main;throws;fails 5
// LIVE-DAG: main;throws;[malloc] 77
// RESIZED-DAG: main;resizes;grow 2
// RESIZED-DAG: main;resizes;again 2
// RESIZED-NOT: {{.*}}xmalloc{{.*}}
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define FUNCTION __attribute__((noinline, optnone)) static
// Memory from malloc as it is.
FUNCTION void *xmalloc(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p)
        abort();
    return p;
}

// Blocks of slabs: the first one of each has the slab's address.
struct Pool {
    char *slab = nullptr;
    size_t used = 0;
    __attribute__((noinline)) void *take(size_t bytes)
    {
        if (!slab || used + bytes > 200) {
            slab = static_cast<char *>(malloc(200));
            used = 0;
        }
        used += bytes;
        return slab + used - bytes;
    }
    __attribute__((noinline)) void give(void *block)
    {
        if (block)
            *static_cast<volatile char *>(block) = 1;
    }
};

template <class T> struct Slab {
    T items[8];
    unsigned used = 0;
    inline __attribute__((always_inline)) T *get(unsigned bytes)
    {
        used += bytes / sizeof(T);
        return &items[used - bytes / sizeof(T)];
    }
};

// The parameter is not there any more after optimization.
static inline __attribute__((always_inline)) void *in_line(size_t bytes)
{
    return malloc(bytes * 2);
}

FUNCTION __attribute__((alloc_size(2, 3))) void *table(void *unused, size_t count, unsigned each)
{
    return unused ? unused : calloc(count, each);
}

// Passes on what another one gives out.
FUNCTION void *outer(size_t bytes)
{
    return xmalloc(bytes + 100);
}

// realloc with another order of parameters, which fails for 0xdead bytes.
FUNCTION void *grow(size_t old_bytes, void *old, size_t bytes)
{
    if (bytes == 0xdead)
        return nullptr;
    void *p = malloc(bytes);
    if (old)
        memcpy(p, old, old_bytes);
    free(old);
    return p;
}

FUNCTION void *again(void *old, size_t bytes)
{
    return realloc(old, bytes);
}

FUNCTION void *fails(size_t bytes)
{
    void *p = malloc(bytes);
    if (bytes == 1) {
        free(p);
        throw 1;
    }
    return p;
}

static Pool pool;
static void *volatile kept[64];
static Slab<double> doubles;
static Slab<char> chars;

FUNCTION void wraps()
{
    for (int i = 0; i < 10; i++)
        kept[i] = xmalloc(100);
    for (int i = 0; i < 3; i++)
        free(kept[i]);
}

FUNCTION void pools()
{
    void *blocks[50];
    for (void *&block : blocks)
        block = pool.take(10);
    for (int i = 0; i < 10; i++)
        pool.give(blocks[i]);
}

FUNCTION void pointer()
{
    void *(Pool::*volatile take)(size_t) = &Pool::take;
    for (int i = 0; i < 5; i++)
        kept[10 + i] = (pool.*take)(10);
}

FUNCTION void resizes()
{
    void *p = grow(0, nullptr, 10);
    p = grow(10, p, 500);
    p = grow(500, p, 1000);
    kept[15] = grow(1000, p, 0xdead); // the block stays
    kept[16] = p;
    p = again(nullptr, 10);
    p = again(p, 20);
    kept[17] = again(p, 30);
}

FUNCTION void typed()
{
    kept[18] = doubles.get(16);
    kept[19] = doubles.get(8);
    kept[20] = chars.get(4);
}

FUNCTION void throws()
{
    try {
        kept[21] = fails(1);
    } catch (int) {
        kept[22] = malloc(77); // not in the allocator any more
    }
    kept[23] = fails(5);
}

int main()
{
    wraps();
    pools();
    pointer();
    resizes();
    typed();
    throws();
    for (int i = 0; i < 3; i++)
        kept[24 + i] = outer(200);
    kept[27] = table(nullptr, 20, 3);
    kept[28] = in_line(8);
    return kept[15] != nullptr;
}
