/* Writes a sum of profiles (combine.h) as a profile. */
#ifndef HCCT_DECODER_COMBINE_ONE_BUILD_COMBINE_WRITE_H
#define HCCT_DECODER_COMBINE_ONE_BUILD_COMBINE_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decoder/combine/one_build/combine.h"
#include "decoder/profile/pack.h"

/* The file, from malloc; NULL when memory is out. At least one profile was added. */
unsigned char *hcct_combine_write(struct hcct_combine *combine, size_t *length);
/* The same into an empty file that can seek, without memory for its bytes. False, and errno tells why. */
bool hcct_combine_write_into(struct hcct_combine *combine, int file);

#endif
