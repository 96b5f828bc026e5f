/* The checks of the unit tests: a failed one is printed and counted, and the test goes on. */
#ifndef HCCT_TEST_CHECK_H
#define HCCT_TEST_CHECK_H

#include <stdio.h>

static unsigned long check_count;
static unsigned long check_failures;

/* Prints the first failures only: one bug in a loop of millions should not fill the disk. */
static inline void check_that(int holds, const char *file, int line, const char *condition)
{
    check_count++;
    if (!holds && check_failures++ < 20)
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, condition);
}

static inline int check_done(void)
{
    printf("%lu checks, %lu failed\n", check_count, check_failures);
    return check_failures != 0;
}

#define CHECK(condition) check_that((condition) ? 1 : 0, __FILE__, __LINE__, #condition)

/* The last statement of main: returns the exit status. */
#define CHECK_DONE() return check_done()

#endif
