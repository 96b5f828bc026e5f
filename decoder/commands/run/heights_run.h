/* hcct-run --heights: runs a program that is not instrumented under the sampler of stack heights, and has
 * hcct-heights find the call paths (docs/heights.md). */
#ifndef HCCT_DECODER_COMMANDS_RUN_HEIGHTS_RUN_H
#define HCCT_DECODER_COMMANDS_RUN_HEIGHTS_RUN_H

#include <stdbool.h>

/* Sets the environment so that the next program that is run leaves `folder`/samples. False after a
 * complaint. */
bool hcct_heights_run_prepare(const char *folder);
/* Sets the environment back. The arguments of hcct-heights that make `folder`/inferred.bin of the samples, in
 * memory from malloc; NULL after a complaint. */
char **hcct_heights_run_arguments(const char *folder, const char *training);

#endif
