/* work(r) calls step 2, 5 or 8 times. */
static volatile int done;

__attribute__((noinline)) static void step(void)
{
    done++;
}

void work(int rank)
{
    for (int i = 0; i < 2 + 3 * rank; i++)
        step();
}
