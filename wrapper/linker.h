/* The runtime's place on a linker's command line. */
#ifndef HCCT_WRAPPER_LINKER_H
#define HCCT_WRAPPER_LINKER_H

#include "arguments.h"

/* Adds the linker's own arguments that bring in the runtime where an object refers to it; none for a machine
 * that no runtime is installed for. */
void hcct_linker_runtime(struct hcct_arguments *linker, const struct hcct_command *command);

/* Is this process to be the linker? */
bool hcct_linker_named(const char *name);
int hcct_linker_main(int argc, char **argv);

#endif
