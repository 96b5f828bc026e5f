/* Code with several lines, and with functions that are inlined. lines.py counts at each of its instructions. */
#include <string.h>

static inline __attribute__((always_inline)) int deepest(int n)
{
    return n * n +
           (n ^ 5);
}

static inline __attribute__((always_inline)) int inlined(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += deepest(i);
    return sum;
}

int work(int n, char *to)
{
    memset(to, n, (size_t)n);
    int first = inlined(n);
    to[0] = (char)first;
    return first + inlined(n + 1);
}

int main(void)
{
    static char buffer[100];
    return work(10, buffer) == 0;
}
