/* `job`, with what is below it, is called by `first`, and in the next version (-DB) by `second`. So is `leaf`. */
#define NOINLINE __attribute__((noinline))
static volatile int worked;

#define LEAF(name)              \
    static NOINLINE void name(void) \
    {                           \
        worked++;               \
    }
LEAF(load)
LEAF(check)
LEAF(store)
LEAF(leaf)
LEAF(other)

static NOINLINE void job(void)
{
    load();
    check();
    store();
    worked++;
}

static NOINLINE void first(void)
{
#ifndef B
    job();
    leaf();
#endif
    other();
    worked++;
}

static NOINLINE void second(void)
{
    other();
#ifdef B
    leaf();
    job();
#endif
    worked++;
}

int main(void)
{
    for (int i = 0; i < 5; i++)
        first();
    for (int i = 0; i < 5; i++)
        second();
    return 0;
}
