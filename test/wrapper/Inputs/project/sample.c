int twice(int x);

int sample(int x)
{
    return twice(x) + 1;
}
