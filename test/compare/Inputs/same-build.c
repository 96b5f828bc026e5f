/* Calls that are pushed and numbered ones, two in one line. */
static volatile int sink;

static __attribute__((noinline)) void leaf(void)
{
    sink++;
}

static __attribute__((noinline)) void walk(int count)
{
    for (int i = 0; i < count; i++) {
        leaf();
        sink++;
    }
}

__attribute__((noinline)) void rec(int depth, int count)
{
    if (depth)
        rec(depth - 1, count), walk(count), leaf();
    sink++;
}

int main(int count, char **arguments)
{
    (void)arguments;
    rec(2, count);
    return 0;
}
