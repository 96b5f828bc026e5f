/* A function of a name that no C has, but symbols may. */
void odd(void) __asm__("</script><b id=\"x\">&amp,#%{{");

static volatile int sink, two = 2;

__attribute__((noinline)) void odd(void)
{
    sink++;
}

int main(void)
{
    for (int i = 0; i < two; i++)
        odd();
    return 0;
}
