/* Writes a whole file. At any time its name stands for what was there before or for the whole result: the
 * file is written beside its place and renamed. Devices and pipes are written to. "-" is standard output. */
#ifndef HCCT_DECODER_COMMANDS_REPLACE_H
#define HCCT_DECODER_COMMANDS_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/* False after a complaint. */
bool hcct_replace(const char *name, const unsigned char *bytes, size_t length);

#endif
