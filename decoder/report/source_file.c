/* Files of source, see source_file.h. */
#include "decoder/report/source_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/text/memory.h"

#define FILE_BYTES_LIMIT (64 << 20)

void hcct_source_file_close(struct hcct_source_file *file)
{
    free(file->bytes);
    free(file->starts);
    *file = (struct hcct_source_file){ .path = NULL };
}

static void find_lines(struct hcct_source_file *file)
{
    const char *end = file->bytes + file->length, *next;
    uint32_t capacity = 0;
    for (const char *at = file->bytes;; at = next) {
        hcct_memory_grow(&file->starts, &capacity, file->line_count, sizeof *file->starts);
        file->starts[file->line_count] = (uint32_t)(at - file->bytes);
        if (at == end)
            return;
        file->line_count++;
        next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
    }
}

void hcct_source_file_read(struct hcct_source_file *file, const char *path)
{
    struct stat info;
    if (file->path && !strcmp(file->path, path))
        return;
    hcct_source_file_close(file);
    file->path = path;
    int opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (opened < 0)
        return;
    if (!fstat(opened, &info) && S_ISREG(info.st_mode) && info.st_size <= FILE_BYTES_LIMIT) {
        file->bytes = hcct_memory_array((size_t)info.st_size + 1, 1);
        ssize_t got = read(opened, file->bytes, (size_t)info.st_size);
        file->length = got > 0 ? (size_t)got : 0;
        file->bytes[file->length] = 0;
        find_lines(file);
    }
    close(opened);
}

const char *hcct_source_file_line(const struct hcct_source_file *file, uint32_t line, size_t *length)
{
    uint32_t index = line ? line - 1 : 0;
    if (index >= file->line_count)
        return NULL;
    const char *at = file->bytes + file->starts[index], *stop = file->bytes + file->starts[index + 1];
    *length = (size_t)(stop - at);
    *length -= stop[-1] == '\n';
    *length -= *length && at[*length - 1] == '\r';
    return at;
}
