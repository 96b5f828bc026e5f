void calls_back(unsigned);

__attribute__((noinline)) void in_c(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        calls_back(i);
}
