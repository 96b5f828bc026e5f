/* A lock on the records of objects. A thread that writes a profile holds them while it reads them. A thread
 * that unloads an object holds them while it removes them. Recursive. Only while busy. */
#ifndef HCCT_RUNTIME_CORE_HOLD_H
#define HCCT_RUNTIME_CORE_HOLD_H

#include <stdbool.h>

/* Takes the lock. Waits without limit for another thread. */
void hcct_hold(void);
/* The same with a limit in milliseconds; false if another thread still holds the lock then. */
bool hcct_hold_within(int limit_ms);
void hcct_hold_release(void);
/* Whether the calling thread holds the lock. */
bool hcct_hold_is_own(void);
/* In a forked child: frees the lock unless the calling thread holds it. */
void hcct_hold_after_fork(void);

#endif
