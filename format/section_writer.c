/* See section_writer.h. */
#include "format/section_writer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "format/checksum.h"

static size_t aligned(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

size_t hcct_section_file_bytes(const struct hcct_file_section *sections, uint32_t count)
{
    size_t size = sizeof(struct hcct_file_header) + count * sizeof *sections;
    for (uint32_t i = 0; i < count; i++)
        size = aligned(size) + sections[i].bytes;
    return size;
}

bool hcct_section_put(int file, const char *bytes, size_t size)
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

void hcct_section_writer_start(struct hcct_section_writer *writer, char *bytes, size_t capacity, int file,
                               uint32_t section_count)
{
    *writer = (struct hcct_section_writer){ .bytes = bytes, .capacity = capacity, .file = file };
    writer->size = sizeof(struct hcct_file_header) + section_count * sizeof writer->sections[0];
    writer->checked = writer->size;
    writer->failed = writer->size > capacity;
}

/* Takes what was appended to the open section since the last time into its checksum. */
static void check(struct hcct_section_writer *writer)
{
    struct hcct_file_section *section = &writer->sections[writer->section_count];
    if (writer->checked < section->offset)
        writer->checked = section->offset;
    section->checksum = hcct_checksum(section->checksum, writer->bytes + (writer->checked - writer->written),
                                      writer->size - writer->checked);
    writer->checked = writer->size;
}

static void flush(struct hcct_section_writer *writer)
{
    check(writer);
    if (!hcct_section_put(writer->file, writer->bytes, writer->size - writer->written)) {
        writer->error = errno;
        writer->failed = true;
    }
    writer->written = writer->size;
}

/* Room in the window for so many bytes and the zeros before the next section. */
static bool make_room(struct hcct_section_writer *writer, size_t bytes)
{
    if (writer->file >= 0 && !writer->failed &&
        bytes + 8 > writer->capacity - (writer->size - writer->written))
        flush(writer);
    if (bytes > writer->capacity - (writer->size - writer->written))
        writer->failed = true;
    return !writer->failed;
}

void hcct_section_open(struct hcct_section_writer *writer, enum hcct_file_kind kind, uint32_t element_bytes)
{
    size_t gap = aligned(writer->size) - writer->size;
    if (make_room(writer, gap)) {
        memset(writer->bytes + (writer->size - writer->written), 0, gap);
        writer->size += gap;
    }
    writer->sections[writer->section_count] =
        (struct hcct_file_section){ .kind = kind, .element_bytes = element_bytes, .offset = writer->size };
}

void hcct_section_open_packed(struct hcct_section_writer *writer, enum hcct_file_kind kind,
                              uint32_t element_bytes)
{
    hcct_section_open(writer, kind, element_bytes);
    writer->sections[writer->section_count].flags = writer->packs ? HCCT_SECTION_PACKED : 0;
    writer->element_count = 0;
    memset(writer->elements, 0, sizeof writer->elements);
}

static bool is_packed(const struct hcct_section_writer *writer)
{
    return writer->sections[writer->section_count].flags & HCCT_SECTION_PACKED;
}

/* Packs the element that was appended last. */
static void pack_last(struct hcct_section_writer *writer)
{
    size_t words = writer->sections[writer->section_count].element_bytes / sizeof(uint32_t);
    if (!writer->element_count || !make_room(writer, HCCT_PACKED_BYTES))
        return;
    uint32_t last = (writer->element_count - 1) % 2;
    unsigned char *at = (unsigned char *)writer->bytes + (writer->size - writer->written);
    writer->size +=
        (size_t)(hcct_packed_put(at, writer->elements[last], writer->elements[!last], words) - at);
}

void *hcct_section_append(struct hcct_section_writer *writer, size_t bytes)
{
    if (is_packed(writer)) {
        pack_last(writer);
        return writer->failed ? NULL : writer->elements[writer->element_count++ % 2];
    }
    if (!make_room(writer, bytes))
        return NULL;
    void *at = writer->bytes + (writer->size - writer->written);
    writer->size += bytes;
    return at;
}

void hcct_section_append_all(struct hcct_section_writer *writer, const void *bytes, size_t size)
{
    size_t most = is_packed(writer) ? writer->sections[writer->section_count].element_bytes
                                    : HCCT_SECTION_WINDOW_BYTES / 2;
    for (const char *at = bytes, *end = at + size; at < end && !writer->failed;) {
        size_t piece = (size_t)(end - at) < most ? (size_t)(end - at) : most;
        void *out = hcct_section_append(writer, piece);
        if (out)
            memcpy(out, at, piece);
        at += piece;
    }
}

void hcct_section_close(struct hcct_section_writer *writer)
{
    struct hcct_file_section *section = &writer->sections[writer->section_count];
    if (is_packed(writer))
        pack_last(writer);
    check(writer);
    section->bytes = writer->size - section->offset;
    writer->section_count++;
}

bool hcct_section_writer_finish(struct hcct_section_writer *writer)
{
    struct hcct_file_header header = {
        .version = HCCT_FILE_VERSION,
        .header_bytes = sizeof header,
        .file_bytes = writer->size,
        .section_count = writer->section_count,
    };
    memcpy(header.magic, HCCT_FILE_MAGIC, sizeof header.magic);
    size_t table_bytes = writer->section_count * sizeof writer->sections[0];
    header.checksum = hcct_checksum(hcct_checksum(0, &header, sizeof header), writer->sections, table_bytes);
    if (writer->failed)
        return false;
    if (writer->file < 0) {
        memcpy(writer->bytes, &header, sizeof header);
        memcpy(writer->bytes + sizeof header, writer->sections, table_bytes);
        return true;
    }
    flush(writer);
    if (!writer->failed &&
        (pwrite(writer->file, &header, sizeof header, 0) != sizeof header ||
         pwrite(writer->file, writer->sections, table_bytes, sizeof header) != (ssize_t)table_bytes)) {
        writer->error = errno;
        writer->failed = true;
    }
    return !writer->failed;
}
