/* For test/compare/diff-order.test, which makes another version of it: another name, and two lines more. */
static volatile int worked;

static __attribute__((noinline)) void leaf(void)
{
    worked++;
}

static __attribute__((noinline)) void other(void)
{
    worked++;
}

static __attribute__((noinline)) void before(int which)
{
    other(); // more lines
    if (which) leaf();

    leaf();

    if (which == 1) leaf();
    worked++;
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        before(i % 5);
    return 0;
}
