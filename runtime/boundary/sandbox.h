/* Sandboxes (seccomp) that the program enters.
 *
 * The program makes few system calls, and its filter may end it for any other. So before a filter is
 * installed, the runtime asks it about all calls that the runtime may make. Usually it allows them, and
 * nothing changes. Otherwise the profile is written now, and the runtime makes no call any more
 * (base/confined.h). The same before the strict mode. */
#ifndef HCCT_RUNTIME_BOUNDARY_SANDBOX_H
#define HCCT_RUNTIME_BOUNDARY_SANDBOX_H

/* Call this before SYS_prctl and SYS_seccomp, with their six parameters. */
void hcct_sandbox_look(long number, const long *of);

extern const char hcct_sandbox_present;

#endif
