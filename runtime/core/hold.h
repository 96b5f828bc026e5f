/* Records of objects stay as they are while a thread holds them: who writes a profile reads them, who unloads
 * an object takes them away. A thread may hold them several times. Only while busy. */
#ifndef HCCT_RUNTIME_CORE_HOLD_H
#define HCCT_RUNTIME_CORE_HOLD_H

#include <stdbool.h>

/* Waits for another thread as long as it takes. */
void hcct_hold(void);
/* The same for so many milliseconds; false if another thread still holds them. */
bool hcct_hold_within(int limit_ms);
void hcct_hold_release(void);
/* Whether the calling thread holds them. */
bool hcct_hold_is_own(void);
/* In a forked child: no other thread does. */
void hcct_hold_after_fork(void);

#endif
