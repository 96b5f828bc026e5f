/* The functions by which a process ends past its exit handlers, and those that make children in its memory
 * (vfork, clone). All are interposed: the former write the profile first, the latter note that a child may
 * run in this memory. */
#ifndef HCCT_RUNTIME_BOUNDARY_ENDS_H
#define HCCT_RUNTIME_BOUNDARY_ENDS_H

/* Call this at start, and in a forked child. If the program has its own vfork or clone, ours are not called:
 * then a child may always run in this memory. */
void hcct_ends_start(void);
/* The program has another runtime: its exit is called in place of ours. */
void hcct_ends_leave_to(void (*exit_of_other)(int status));

#endif
