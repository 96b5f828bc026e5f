/* Finds the instrumented objects of the process: those that are there at start, and those that dlopen
 * brings. */
#ifndef HCCT_RUNTIME_OBJECTS_DISCOVER_H
#define HCCT_RUNTIME_OBJECTS_DISCOVER_H

/* Finds and numbers new objects, and those that are loaded again (invariant 3 of registry.h). Keeps errno.
 * Not async-signal-safe. */
void hcct_discover_objects(void);
/* Adds the function at `address` to bodies.h, if it is one that hcct_bodies_wait tells of. Call this only
 * while busy. Async-signal-safe. */
void hcct_discover_body(const void *address);

#endif
