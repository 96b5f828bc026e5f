/* Computes for some seconds, until it has been asked for its profile and has written it. */
#include <time.h>
#include <unistd.h>

static volatile unsigned sum;
__attribute__((noinline)) static void step(void)
{
    sum++;
}

int main(void)
{
    time_t end = time(NULL) + 20;
    while (time(NULL) < end && access("busy.bin", F_OK) != 0)
        for (int i = 0; i < 100000; i++)
            step();
    return 0;
}
