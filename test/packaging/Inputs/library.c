__attribute__((noinline)) static int leaf(int n)
{
    __asm__ volatile("");
    return n + 1;
}

int add(int n)
{
    return leaf(n) + 1;
}
