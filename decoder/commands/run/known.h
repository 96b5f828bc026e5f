/* The profile that HCCT_OPTIONS=known= names: what a run is compared with, which it must not replace. */
#ifndef HCCT_DECODER_COMMANDS_RUN_KNOWN_H
#define HCCT_DECODER_COMMANDS_RUN_KNOWN_H

#include <stdbool.h>

/* Whether that file is the one that known= names. */
bool hcct_run_is_known(const char *name);

#endif
