extern "C" int sample(int x);

int main(int count, char **)
{
    return sample(count) - 3;
}
