/* A recursion; in the next version (-DB) another function begins it. */
static volatile int worked;

static __attribute__((noinline)) void down(int depth)
{
    if (depth)
        down(depth - 1);
    worked++;
}

#ifdef B
static __attribute__((noinline)) void added(int depth)
{
    down(depth);
    worked++;
}
#define down added
#endif

int main(void)
{
    down(100000);
    return 0;
}
