/* Some hundred contexts, the short ones more often: a small summary keeps some of them, with error bounds. */
static volatile int sink;

static __attribute__((noinline)) void left(int depth);

static __attribute__((noinline)) void right(int depth)
{
    sink++;
    if (depth) {
        left(depth - 1);
        right(depth - 1);
    }
    sink++;
}

static __attribute__((noinline)) void left(int depth)
{
    sink++;
    if (depth) {
        left(depth - 1);
        right(depth - 1);
    }
    sink++;
}

int main(void)
{
    for (int i = 0; i < 700; i++)
        left(i % 7);
    return 0;
}
