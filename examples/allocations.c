/* An allocator that knows who allocated what: every block carries the calling context it was made in, 8
 * bytes; what is left at the end is told by context.
 *
 *     hcct-cc -O2 -g examples/allocations.c -o allocations && ./allocations
 *     hcct-decode --context=0x…
 * / */
#include <hcct/hcct.h>
#include <stdio.h>
#include <stdlib.h>

struct block {
    struct block *next, **link;
    size_t bytes;
    uint64_t context;
};

static struct block *blocks;

static void *add_block(size_t bytes, uint64_t context)
{
    struct block *block = malloc(sizeof *block + bytes);
    if (!block)
        return NULL;
    *block = (struct block){ blocks, &blocks, bytes, context };
    if (blocks)
        blocks->link = &block->next;
    blocks = block;
    return block + 1;
}

/* The context is asked for where the caller is. Pinned, so that it is known whether it is hot or not. */
#define allocate(bytes) (hcct_context_pin(), add_block((bytes), hcct_context()))

static void give_back(void *memory)
{
    struct block *block = (struct block *)memory - 1;
    *block->link = block->next;
    if (block->next)
        block->next->link = block->link;
    free(block);
}

/* The sum for each context; there are few in this example. */
static void report(void)
{
    for (struct block *first = blocks; first; first = first->next) {
        size_t bytes = 0, count = 0;
        struct block *earlier = blocks;
        while (earlier->context != first->context)
            earlier = earlier->next;
        if (earlier != first)
            continue;
        for (struct block *at = first; at; at = at->next)
            if (at->context == first->context) {
                bytes += at->bytes;
                count++;
            }
        printf("%zu bytes in %zu blocks from 0x%016llx\n", bytes, count, (unsigned long long)first->context);
    }
}

__attribute__((noinline)) static char *make_name(void)
{
    return allocate(32);
}

__attribute__((noinline)) static void use(void)
{
    give_back(make_name());
}

__attribute__((noinline)) static void leak(void)
{
    (void)make_name();
    (void)allocate(1000);
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        use();
        leak();
    }
    report();
    return 0;
}
