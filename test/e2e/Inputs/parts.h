/* A program in one file, or in two: that with PART defined has what main calls, that with WHOLE has main. */
#include "e2e.h"

#ifdef WHOLE
void part(void);
#else
NOINLINE void part(void)
{
    for (int i = 0; i < 1000; i++)
        work();
}
#endif

#ifndef PART
int main(void)
{
    part();
    part();
    return 0;
}
#endif
