/* With an argument it leaks, churns and splits more, so that each value of the heap changes in contexts of its own. The numbers are worked out in
 * check_diff_values.py. With -DMORE another function is in between. */
#include <stdlib.h>

/* A name that no C has, but symbols may. */
void leak(int more) __asm__("</script><b id=\"x\">leak&amp,");

static void *volatile kept;

/* Ends the newest block's time as such. */
__attribute__((noinline)) void other(void)
{
    void *volatile block = malloc(16);
    free(block);
}

/* As many blocks and bytes on both sides; one stays. */
__attribute__((noinline)) void leak(int more)
{
    void *volatile block = malloc(100);
    other();
    if (more)
        kept = block;
    else
        free(block);
}

__attribute__((noinline)) void churn(int more)
{
    for (int i = 0; i < (more ? 15 : 10); i++) {
        void *volatile block = malloc(64);
        free(block);
    }
}

/* 400 bytes on both sides: of one block, or of four. */
__attribute__((noinline)) void split(int more)
{
    void *blocks[4];
    int count = more ? 4 : 1;
    for (int i = 0; i < count; i++)
        blocks[i] = malloc(400 / (size_t)count);
    other();
    for (int i = 0; i < count; i++)
        free(blocks[i]);
}

/* The heap is largest here. */
__attribute__((noinline)) void top(void)
{
    void *volatile block = malloc(100000);
    other();
    free(block);
}

__attribute__((noinline)) void work(int more)
{
    leak(more);
    churn(more);
    split(more);
    __asm__ volatile("");
}

#ifdef MORE
__attribute__((noinline)) void between(int more)
{
    work(more);
    __asm__ volatile("");
}
#define work between
#endif

int main(int argc, char **argv)
{
    (void)argv;
    work(argc > 1);
    top();
    return 0;
}
