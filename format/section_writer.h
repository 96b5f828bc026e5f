/* Writes the sections of a profile (format/layout.h) one after the other: into memory that holds the whole
 * file, or through a window of memory into a file that can seek, so that a profile needs no memory of its
 * size. Checksums stand in front of what they cover: the header and the table are written last.
 *
 * Where something fails, `failed` is set, and all that comes after does nothing.
 * No malloc, no stdio. Threads: none of its own. Signals: what write() and pwrite() allow. */
#ifndef HCCT_FORMAT_SECTION_WRITER_H
#define HCCT_FORMAT_SECTION_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"
#include "format/packed.h"

enum { HCCT_SECTION_WINDOW_BYTES = 1 << 16 };

/* Whether a file is packed: a small one is easier to look at if it is not. That of a heap has many
 * columns. */
static inline bool hcct_section_should_pack(uint64_t contexts, uint32_t metric)
{
    return contexts >= 8 || metric == HCCT_METRIC_HEAP;
}

struct hcct_section_writer {
    char *bytes;             /* the file, from `written` on */
    size_t size, capacity;   /* of the file so far; of `bytes` */
    size_t written, checked; /* of the file: bytes that are in `file`; that are under a checksum, or none */
    int file;                /* -1: all stays in memory */
    int error;               /* errno of a write that failed; 0: memory was short */
    uint32_t section_count;
    struct hcct_file_section sections[HCCT_FILE_KIND_COUNT]; /* [section_count] is the open one */
    bool failed;
    bool packs; /* set it after the start: sections that hcct_section_open_packed opens are packed */
    /* Of a packed section the last two elements, in turns. The last one is packed when the next one comes. */
    _Alignas(8) uint32_t elements[2][HCCT_PACKED_WORDS];
    uint32_t element_count;
};

/* Begins a file of `section_count` sections. `file` is empty, and `bytes` a window of
 * HCCT_SECTION_WINDOW_BYTES; or `file` is -1, and `bytes` hold all, for which they may be too short. */
void hcct_section_writer_start(struct hcct_section_writer *writer, char *bytes, size_t capacity, int file,
                               uint32_t section_count);
void hcct_section_open(struct hcct_section_writer *writer, enum hcct_file_kind kind, uint32_t element_bytes);
/* The same, of elements of at most HCCT_PACKED_WORDS words, which are packed if the file is. They are
 * appended one by one, or all at once. */
void hcct_section_open_packed(struct hcct_section_writer *writer, enum hcct_file_kind kind,
                              uint32_t element_bytes);
/* Room for so many bytes, at most half a window, until the next call. In a packed section it is for one
 * element, whatever `bytes` is. NULL: it failed. */
void *hcct_section_append(struct hcct_section_writer *writer, size_t bytes);
void hcct_section_append_all(struct hcct_section_writer *writer, const void *bytes, size_t size);
void hcct_section_close(struct hcct_section_writer *writer);
/* Writes the header and the table, when all sections are closed. False if anything failed. */
bool hcct_section_writer_finish(struct hcct_section_writer *writer);

/* The bytes that a file of such sections has, whose `bytes` are known. */
size_t hcct_section_file_bytes(const struct hcct_file_section *sections, uint32_t count);
/* write(), of everything, after signals too. False, and errno tells why. */
bool hcct_section_put(int file, const char *bytes, size_t size);

#endif
