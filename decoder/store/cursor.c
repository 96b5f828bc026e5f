/* See cursor.h. */
#include "decoder/store/cursor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WINDOW_BYTES = 1 << 16 };

void hcct_cursor_open(struct hcct_cursor *cursor, const void *elements, uint32_t count,
                      uint32_t element_bytes)
{
    *cursor = (struct hcct_cursor){
        .element = count ? elements : NULL, .count = count, .element_bytes = element_bytes, .file = -1
    };
}

struct hcct_cursor_place hcct_cursor_start(const struct hcct_file_section *section)
{
    return (struct hcct_cursor_place){ .offset = section->offset };
}

/* Makes so many bytes ready, or as many as the section has. */
static void fill(struct hcct_cursor *cursor, size_t bytes)
{
    if (cursor->window_end - cursor->window_at >= bytes)
        return;
    cursor->window_end -= cursor->window_at;
    memmove(cursor->window, cursor->window + cursor->window_at, cursor->window_end);
    cursor->window_at = 0;
    uint64_t left = cursor->end - cursor->window_offset;
    while (left && cursor->window_end < bytes) {
        size_t room = WINDOW_BYTES - cursor->window_end, most = left < room ? (size_t)left : room;
        ssize_t got =
            pread(cursor->file, cursor->window + cursor->window_end, most, (off_t)cursor->window_offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got ? errno : EIO; /* it has become shorter */
            cursor->failed = true;
            return;
        }
        cursor->window_end += (uint32_t)got;
        cursor->window_offset += (uint64_t)got;
        left -= (uint64_t)got;
    }
}

/* The element behind `next`. */
static void read_element(struct hcct_cursor *cursor)
{
    size_t words = cursor->element_bytes / sizeof(uint32_t);
    cursor->element = NULL;
    if (cursor->failed || cursor->index == cursor->count || cursor->next.offset == cursor->end)
        return;
    fill(cursor, cursor->is_packed ? HCCT_PACKED_BYTES : cursor->element_bytes);
    const unsigned char *at = cursor->window + cursor->window_at, *end = cursor->window + cursor->window_end,
                        *behind = cursor->is_packed ? hcct_packed_skip(at, end, words)
                                  : (size_t)(end - at) >= cursor->element_bytes ? at + cursor->element_bytes
                                                                                : NULL;
    if (!behind) {
        errno = cursor->failed ? errno : EIO;
        cursor->failed = true;
    }
    if (cursor->failed)
        return;
    if (cursor->is_packed)
        hcct_packed_get(cursor->next.before, words, at, end);
    else
        memcpy(cursor->next.before, at, cursor->element_bytes);
    cursor->window_at += (uint32_t)(behind - at);
    cursor->next.offset += (uint64_t)(behind - at);
    cursor->element = cursor->next.before;
}

bool hcct_cursor_open_file(struct hcct_cursor *cursor, int file, const struct hcct_file_section *section,
                           const struct hcct_cursor_place *from, uint32_t count)
{
    *cursor = (struct hcct_cursor){ .count = count,
                                    .element_bytes = section->element_bytes,
                                    .file = file,
                                    .is_packed = section->flags & HCCT_SECTION_PACKED,
                                    .end = section->offset + section->bytes,
                                    .next = *from,
                                    .window_offset = from->offset,
                                    .window = malloc(WINDOW_BYTES) };
    if (cursor->window)
        read_element(cursor);
    return cursor->window;
}

void hcct_cursor_next(struct hcct_cursor *cursor)
{
    if (!cursor->element)
        return;
    cursor->index++;
    if (cursor->file >= 0)
        read_element(cursor);
    else
        cursor->element =
            cursor->index < cursor->count ? (const char *)cursor->element + cursor->element_bytes : NULL;
}

void hcct_cursor_close(struct hcct_cursor *cursor)
{
    free(cursor->window);
    *cursor = (struct hcct_cursor){ .file = -1 };
}
