/* Writes a whole file. At any time its name stands for what was there before or for the whole result: the
 * file is written without a name, or beside its place where that cannot be, and then takes the name. Devices
 * and pipes are written to. "-" is standard output. */
#ifndef HCCT_DECODER_COMMANDS_REPLACE_H
#define HCCT_DECODER_COMMANDS_REPLACE_H

#include <stdbool.h>
#include <sys/types.h>

/* Writes the content into an empty file that can seek. False, and errno tells why; 0: a complaint was
 * made. */
typedef bool hcct_replace_write(void *context, int file);
/* A file that is replaced passes its mode on; a new one gets `mode`, less the umask. False after a
 * complaint. */
bool hcct_replace(const char *name, mode_t mode, hcct_replace_write *write_content, void *context);

#endif
