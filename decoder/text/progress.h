/* How far a long decode is, for somebody who waits at a terminal. One line on stderr shows it from the second
 * second on, and is erased in the end.
 *
 * The library notes in hcct_progress what it does and how far it is. The signal handler of a timer reads that
 * and prints. Where nothing is shown, noting costs two stores.
 * Threads: one; its own handler reads what it notes. Signals: the handler formats without stdio and keeps
 * errno; calls that it interrupts go on (SA_RESTART). */
#ifndef HCCT_DECODER_TEXT_PROGRESS_H
#define HCCT_DECODER_TEXT_PROGRESS_H

#include <stdint.h>

struct hcct_progress {
    const char *volatile phase;    /* NULL: nothing to show */
    volatile uint64_t done, total; /* total 0: not known */
};

extern struct hcct_progress hcct_progress;

/* Begins a phase: "reading", "decoding". The text is plain ASCII and outlives the phase. total 0: not
 * known. */
static inline void hcct_progress_phase(const char *phase, uint64_t total)
{
    hcct_progress.total = 0; /* first, as the handler divides `done` by it */
    hcct_progress.done = 0;
    hcct_progress.phase = phase;
    hcct_progress.total = total;
}

/* Shows progress from now on, if stderr is a terminal. */
void hcct_progress_show(void);
/* Erases it, and shows nothing from then on. May be called at any time. */
void hcct_progress_end(void);

#endif
