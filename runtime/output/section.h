/* What an image is made of: bytes that are appended to the open section, and strings, once each. Where that
 * fails, `failed` is set, and all that comes after does nothing. */
#ifndef HCCT_RUNTIME_OUTPUT_SECTION_H
#define HCCT_RUNTIME_OUTPUT_SECTION_H

#include "runtime/output/image.h"

enum { HCCT_IMAGE_WINDOW_BYTES = 1 << 16 };

void hcct_section_open(struct hcct_image *image, uint32_t kind, uint32_t element_bytes);
/* Room for so many bytes, at most half a window; what was there before is there still. NULL: it failed. */
void *hcct_section_append(struct hcct_image *image, size_t bytes);
void hcct_section_append_all(struct hcct_image *image, const void *bytes, size_t size);
void hcct_section_close(struct hcct_image *image);
/* Writes what is in the window. */
void hcct_image_flush(struct hcct_image *image);
/* The string's place in the file. NULL: none. */
uint32_t hcct_image_string(struct hcct_image *image, const char *text);

#endif
