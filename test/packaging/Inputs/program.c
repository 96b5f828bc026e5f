int add(int n);

int main(void)
{
    return add(1) + add(2) + add(3) == 12 ? 0 : 1;
}
