/* The time of day: when this process began, and now. In nanoseconds since 1970. Async-signal-safe. */
#ifndef HCCT_RUNTIME_BASE_CALENDAR_H
#define HCCT_RUNTIME_BASE_CALENDAR_H

#include <stdint.h>

/* At the start of the process, and of a forked child. */
void hcct_calendar_begin(void);
uint64_t hcct_calendar_start_ns(void);
uint64_t hcct_calendar_now_ns(void);

#endif
