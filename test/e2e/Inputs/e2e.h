/* Functions that stay out of line, at every optimization level, and do something that is not optimized away. */
#ifndef E2E_H
#define E2E_H

#define NOINLINE __attribute__((noinline))

static volatile int worked;

static inline __attribute__((always_inline)) void work(void)
{
    worked = worked + 1;
}

#endif
