/* How much code runs, in basic blocks: the same on every machine, however busy. For tests that are compiled
 * with -fsanitize-coverage=trace-pc, which makes each block call the function here. */
#ifndef HCCT_TEST_WORK_H
#define HCCT_TEST_WORK_H

#include <stdint.h>

static uint64_t work_blocks;

__attribute__((no_sanitize("coverage"), used)) void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    work_blocks++;
}

#endif
