/* See calendar.h. */
#include "runtime/base/calendar.h"

#include <time.h>

static uint64_t start_ns;

uint64_t hcct_calendar_now_ns(void)
{
    struct timespec now = { 0, 0 };
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void hcct_calendar_begin(void)
{
    start_ns = hcct_calendar_now_ns();
}

uint64_t hcct_calendar_start_ns(void)
{
    return start_ns;
}
