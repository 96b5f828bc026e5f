/* How far a long decode is, for somebody who waits at a terminal: one line on stderr, from the second second
 * on, that is erased in the end. The library notes what it does and how far it is; a timer's signal handler
 * shows it.
 *
 * Threads: one, whose own handler reads what it notes. Signals: the handler formats without stdio and keeps
 * errno; calls that it interrupts go on (SA_RESTART). Where nothing is shown, noting costs two stores. */
#ifndef HCCT_DECODER_TEXT_PROGRESS_H
#define HCCT_DECODER_TEXT_PROGRESS_H

#include <stdint.h>

struct hcct_progress {
    const char *volatile phase;    /* NULL: nothing to show */
    volatile uint64_t done, total; /* total 0: not known */
};

extern struct hcct_progress hcct_progress;

/* "reading", "decoding": plain ASCII that stays. */
static inline void hcct_progress_phase(const char *phase, uint64_t total)
{
    hcct_progress.total = 0; /* first: the handler divides by it */
    hcct_progress.done = 0;
    hcct_progress.phase = phase;
    hcct_progress.total = total;
}

/* Shows it from now on, if stderr is a terminal. */
void hcct_progress_show(void);
/* Erases it, for good. May be called at any time. */
void hcct_progress_end(void);

#endif
