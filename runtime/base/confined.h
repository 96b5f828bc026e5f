/* Whether the profiler may make system calls.
 *
 * Usually it may. The program may enter a sandbox (seccomp) that ends it for a call that only the profiler
 * makes. From then on the profiler makes none: it counts nothing, takes no memory and writes nothing.
 * boundary/sandbox.c sets this before, and it stays set, in forked children too. */
#ifndef HCCT_RUNTIME_BASE_CONFINED_H
#define HCCT_RUNTIME_BASE_CONFINED_H

#include <stdbool.h>

extern volatile bool hcct_confined;

#endif
