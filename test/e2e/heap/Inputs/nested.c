// A pool whose function that resizes a block tries another one first, which does it in place or fails.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FUNCTION __attribute__((noinline))
static _Alignas(16) char pool[1 << 16];
static size_t used;

struct block {
    size_t bytes, unused;
};

FUNCTION void *pool_alloc(size_t bytes)
{
    struct block *block = (struct block *)(void *)(pool + used);
    used += sizeof *block + (bytes + 15) / 16 * 16;
    if (used > sizeof pool)
        return NULL;
    block->bytes = bytes;
    return block + 1;
}

FUNCTION void pool_free(void *block)
{
    *(volatile char *)block = 1;
}

FUNCTION void *pool_extend(void *old, size_t bytes)
{
    struct block *block = (struct block *)old - 1;
    if (bytes > block->bytes)
        return NULL;
    block->bytes = bytes;
    return old;
}

// Has a part of its frame that is made late.
FUNCTION void *pool_resize(void *old, size_t bytes)
{
    if (pool_extend(old, bytes))
        return old;
    if (bytes > sizeof pool)
        return NULL;
    size_t old_bytes = ((struct block *)old - 1)->bytes;
    char *copy = __builtin_alloca(old_bytes);
    memcpy(copy, old, old_bytes);
    void *to = pool_alloc(bytes);
    return to ? memcpy(to, copy, old_bytes) : NULL;
}

FUNCTION static void moves(void)
{
    void *block = pool_resize(pool_alloc(100), 1000);
    pool_free(block);
}

FUNCTION static void *in_place(void)
{
    return pool_resize(pool_alloc(100), 50);
}

FUNCTION static void *fails(void)
{
    void *block = pool_alloc(10);
    return pool_resize(block, SIZE_MAX) ? NULL : block;
}

int main(void)
{
    moves();
    return !in_place() || !fails();
}
