/* Files of source, see source_file.h. */
#include "decoder/report/source_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_LIMIT (64 << 20)

void hcct_source_file_close(struct hcct_source_file *file)
{
    free(file->bytes);
    *file = (struct hcct_source_file){ .path = NULL };
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
    if (!fstat(opened, &info) && S_ISREG(info.st_mode) && info.st_size <= FILE_BYTES_LIMIT &&
        (file->bytes = malloc((size_t)info.st_size + 1))) {
        ssize_t got = read(opened, file->bytes, (size_t)info.st_size);
        file->length = got > 0 ? (size_t)got : 0;
        file->bytes[file->length] = 0;
    }
    close(opened);
}

const char *hcct_source_file_line(const struct hcct_source_file *file, uint32_t line, size_t *length)
{
    const char *at = file->bytes, *end = at ? at + file->length : at;
    for (; at < end && line > 1; line--) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    if (at == end)
        return NULL;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *length = (size_t)((stop ? stop : end) - at);
    *length -= *length && at[*length - 1] == '\r';
    return at;
}
