int named_for_c(int);

__attribute__((noinline)) int in_c(int times, int (*call)(int))
{
    int sum = named_for_c(times);
    for (int i = 0; i < times; i++)
        sum += call(i);
    return sum;
}
