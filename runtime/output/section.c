/* See section.h. */
#include "runtime/output/section.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "format/checksum.h"

bool hcct_image_put(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(file, bytes, size < (1u << 30) ? size : 1u << 30);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

/* Of what was appended to the open section since the last time. */
static void check(struct hcct_image *image)
{
    struct hcct_file_section *section = &image->sections[image->section_count];
    if (image->checked < section->offset)
        image->checked = section->offset;
    section->checksum = hcct_checksum_fast(
        section->checksum, image->bytes + (image->checked - image->written), image->size - image->checked);
    image->checked = image->size;
}

void hcct_image_flush(struct hcct_image *image)
{
    size_t count = image->size - image->written;
    check(image);
    if (!hcct_image_put(image->file, image->bytes, count)) {
        image->error = errno;
        image->failed = true;
    }
    image->written = image->size;
}

void *hcct_section_append(struct hcct_image *image, size_t bytes)
{
    if (image->file >= 0 && !image->failed && bytes + 8 > image->capacity - (image->size - image->written))
        hcct_image_flush(image);
    if (image->failed || bytes > image->capacity - (image->size - image->written)) {
        image->failed = true;
        return NULL;
    }
    void *at = image->bytes + (image->size - image->written);
    image->size += bytes;
    return at;
}

void hcct_section_append_all(struct hcct_image *image, const void *bytes, size_t size)
{
    for (const char *at = bytes, *end = at + size; at < end && !image->failed;) {
        size_t piece = (size_t)(end - at) < HCCT_IMAGE_WINDOW_BYTES / 2 ? (size_t)(end - at)
                                                                        : HCCT_IMAGE_WINDOW_BYTES / 2;
        void *out = hcct_section_append(image, piece);
        if (out)
            memcpy(out, at, piece);
        at += piece;
    }
}

uint32_t hcct_image_string(struct hcct_image *image, const char *text)
{
    return hcct_strings_add(&image->strings, text);
}

void hcct_section_open(struct hcct_image *image, uint32_t kind, uint32_t element_bytes)
{
    if (!image->failed)
        memset(image->bytes + (image->size - image->written), 0, -image->size & 7);
    image->size = (image->size + 7) & ~(size_t)7;
    image->sections[image->section_count] =
        (struct hcct_file_section){ .kind = kind, .element_bytes = element_bytes, .offset = image->size };
}

void hcct_section_close(struct hcct_image *image)
{
    struct hcct_file_section *section = &image->sections[image->section_count];
    check(image);
    section->bytes = image->size - section->offset;
    image->section_count++;
}
