/* Where time goes, by context: the same function, called from two places.
 *
 *     hcct-cc -O2 -gline-tables-only examples/time.c -o time && hcct-run --time ./time
 * / */
#include <stdlib.h>
#include <string.h>

static char text[1 << 20];

__attribute__((noinline)) static unsigned sum(const char *from, size_t length)
{
    unsigned value = 0;
    for (size_t i = 0; i < length; i++)
        value = value * 31 + (unsigned char)from[i];
    return value;
}

__attribute__((noinline)) static unsigned check(void)
{
    unsigned value = 0;
    for (int i = 0; i < 500; i++) {
        text[i]++;
        value += sum(text, sizeof text);
    }
    return value;
}

__attribute__((noinline)) static unsigned fill(void)
{
    unsigned value = 0;
    for (int i = 0; i < 10000; i++) {
        memset(text, i, sizeof text);
        value += sum(text, sizeof text / 30);
    }
    return value;
}

int main(void)
{
    return fill() == check();
}
