/* When the profile is written: at each end of the process, and in between. output/writer.h writes it.
 *
 * All but the first two are async-signal-safe. */
#ifndef HCCT_RUNTIME_BOUNDARY_WRITE_H
#define HCCT_RUNTIME_BOUNDARY_WRITE_H

#include <stdbool.h>

/* Before this nothing is written. */
void hcct_write_start(void);
/* In a forked child. */
void hcct_write_begin_child(void);
/* Whether this process was forked by a profiled one. */
bool hcct_write_is_child(void);

/* Writes the profile if it has changed. Call this in every way that the program ends. Does nothing in a vfork
 * child, whose calls are counted in its parent. */
void hcct_write_profile(void);
/* Writes the profile, changed or not. False if it cannot be written. */
bool hcct_write_profile_again(void);
/* Writes a snapshot, unless the program has begun to end. If the profile has not changed since the last one,
 * it is written only if `is_asked_for`. False if another thread is writing, or unloading code: try again
 * later. */
bool hcct_write_snapshot(bool is_asked_for);
/* The profile of this process is in another file: it writes no more. Not inherited by forked children. */
void hcct_write_hand_over(void);

#endif
