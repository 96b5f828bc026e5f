/* Memory that stands in a temporary file, of which only a part is resident: for arrays that are read and
 * written nearly in order. Small ones are plain memory.
 *
 * A block is resident from its first use on. When more blocks than the limit are, all of them go back to the
 * file; the kernel's cache of files still has them as long as nobody needs its memory. */
#ifndef HCCT_DECODER_EXTERNAL_WINDOW_H
#define HCCT_DECODER_EXTERNAL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "decoder/profile/open.h"

enum { HCCT_WINDOW_BLOCK_BYTES = 1 << 16 };

struct hcct_window {
    char *bytes;
    size_t length;
    uint64_t *used; /* a bit for each block; NULL: it is plain memory */
    uint32_t used_count, limit;
};

/* Zeros. False, and errno tells why. */
bool hcct_window_open(struct hcct_window *window, size_t length, uint64_t limit_bytes);
void hcct_window_touch(struct hcct_window *window, size_t block);
void hcct_window_close(struct hcct_window *window);

/* What is there, until the next call. Nothing that is given away crosses a block's end. */
static inline void *hcct_window_at(struct hcct_window *window, size_t offset)
{
    size_t block = offset / HCCT_WINDOW_BLOCK_BYTES;
    if (window->used && !(window->used[block / 64] >> block % 64 & 1))
        hcct_window_touch(window, block);
    return window->bytes + offset;
}

/* The content of a temporary file, read only. NULL, and errno tells why: ENODATA, if it is empty. */
void *hcct_window_map(int file, size_t *length);
/* The same of a copy of any file, which nobody can change. It is read from where it stands as far as `wanted`
 * says (profile/open.h); where that fails, *is_readable is false. */
void *hcct_window_copy(FILE *file, hcct_wanted_bytes *wanted, size_t *length, bool *is_readable);
/* Zeros in a temporary file. NULL, and errno tells why. */
void *hcct_window_zeros(size_t length);
void hcct_window_unmap(void *bytes, size_t length);
/* The pages between the two addresses are not needed any more, but may be read again
 * (format/section_reader.h). */
void hcct_window_pass(const void *from, const void *to);

#endif
