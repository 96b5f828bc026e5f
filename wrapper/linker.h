/* The runtime's place on a linker's command line. */
#ifndef HCCT_WRAPPER_LINKER_H
#define HCCT_WRAPPER_LINKER_H

#include "arguments.h"

/* Adds the linker's own arguments that bring in the runtime where an object refers to it; none for a machine
 * that no runtime is installed for. `mpi` is the argument that names an MPI library, or NULL. */
void hcct_linker_runtime(struct hcct_arguments *linker, enum hcct_machine machine, enum hcct_link link,
                         bool has_libc, const char *mpi);

/* Is this process to be the linker? */
bool hcct_linker_named(const char *name);
int hcct_linker_main(int argc, char **argv);

#endif
