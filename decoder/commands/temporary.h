/* Files without a name: they are gone when the process ends, however it ends. */
#ifndef HCCT_DECODER_COMMANDS_TEMPORARY_H
#define HCCT_DECODER_COMMANDS_TEMPORARY_H

#include <stdbool.h>

/* An empty file in the folder that TMPDIR names, else in /tmp. -1, and errno tells why. */
int hcct_temporary_open(void);
/* That folder. */
const char *hcct_temporary_folder(void);
/* Writes all of it to another file, which need not be able to seek. False, and errno tells why. */
bool hcct_temporary_copy(int file, int to);

#endif
