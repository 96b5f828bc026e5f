/* Files without a name: they are gone when the process ends, however it ends. */
#ifndef HCCT_DECODER_EXTERNAL_TEMPORARY_H
#define HCCT_DECODER_EXTERNAL_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An empty file in the folder that TMPDIR names, else in /tmp. -1, and errno tells why. */
int hcct_temporary_open(void);
/* That folder, and what messages say where it fails, with strerror(). */
const char *hcct_temporary_folder(void);
#define HCCT_TEMPORARY_FAILED "temporary files, in TMPDIR or /tmp: %s"
/* pwrite() and pread(), of everything. False, and errno tells why. */
bool hcct_temporary_put(int file, uint64_t at, const void *bytes, size_t size);
bool hcct_temporary_get(int file, uint64_t at, void *bytes, size_t size);
/* Writes all of it to another file, which need not be able to seek. False, and errno tells why. */
bool hcct_temporary_copy(int file, int to);

#endif
