/* At -O2 `middle` and `small` are inlined. */
static volatile int worked;

static __attribute__((noinline)) void leaf(void)
{
    worked++;
}

static void small(void)
{
    worked++;
}

static void middle(void)
{
    for (volatile int i = 0; i < 7; i++) {
        leaf();
        small();
    }
}

int main(void)
{
    for (volatile int i = 0; i < 10; i++)
        middle();
    return 0;
}
