/* The ways in which a process ends past the exit handlers and past _exit, and the calls that make children in
 * its memory (vfork, clone). Both are interposed, so that process.c gets to know. */
#ifndef HCCT_RUNTIME_BOUNDARY_ENDS_H
#define HCCT_RUNTIME_BOUNDARY_ENDS_H

/* Call this at start, and in a forked child. If the program has its own vfork or clone, ours are not called:
 * then a child may always run in this memory. */
void hcct_ends_start(void);
/* Ends the process, without writing. Async-signal-safe. */
__attribute__((noreturn)) void hcct_ends_leave(int status);

#endif
