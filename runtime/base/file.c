/* See file.h. */
#define _GNU_SOURCE
#include "runtime/base/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "format/section_reader.h"
#include "runtime/base/memory.h"

#define FILE_BYTES_MAX ((off_t)1 << 30)

static bool matches(const struct stat *at, const struct hcct_file_identity *identity)
{
    return identity->known && at->st_dev == identity->device && at->st_ino == identity->inode;
}

struct hcct_file_identity hcct_file_identify(int file)
{
    struct stat at;
    if (fstat(file, &at) != 0)
        return (struct hcct_file_identity){ .known = false };
    return (struct hcct_file_identity){ at.st_dev, at.st_ino, true };
}

bool hcct_file_is(int file, const struct hcct_file_identity *identity)
{
    struct stat at;
    return file >= 0 && fstat(file, &at) == 0 && matches(&at, identity);
}

bool hcct_file_is_at(const char *path, const struct hcct_file_identity *identity)
{
    struct stat at;
    return lstat(path, &at) == 0 && matches(&at, identity);
}

int hcct_file_move_up(int file)
{
    enum { HIGH = 1 << 16 }; /* the kernel's table of a process reaches up to its highest descriptor */
    struct rlimit limit = { 0, 0 };
    getrlimit(RLIMIT_NOFILE, &limit);
    int moved = fcntl(file, F_DUPFD_CLOEXEC, limit.rlim_cur / 2 < HIGH ? (int)(limit.rlim_cur / 2) : HIGH);
    if (moved < 0)
        return file;
    close(file);
    return moved;
}

/* It is copied, not mapped: a mapped file that shrinks is a SIGBUS. */
static char *read_whole(const char *path, size_t *length)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *bytes = NULL;
    *length = 0;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        status.st_size <= FILE_BYTES_MAX)
        bytes = hcct_memory_reserve((size_t)status.st_size);
    for (ssize_t got; bytes && *length < (size_t)status.st_size; *length += (size_t)got) {
        got = read(file, bytes + *length, (size_t)status.st_size - *length);
        if (got <= 0)
            break;
    }
    if (bytes && *length < (size_t)status.st_size) {
        hcct_memory_release(bytes, (size_t)status.st_size);
        bytes = NULL;
    }
    if (file >= 0)
        close(file);
    return bytes;
}

void *hcct_file_read_profile(const char *path, size_t *length)
{
    struct hcct_error ignored;
    size_t unpacked;
    char *bytes = read_whole(path, length);
    if (!bytes || !hcct_section_unpacked_bytes(bytes, *length, &unpacked, &ignored) || !unpacked)
        return bytes;
    char *plain = hcct_memory_reserve(unpacked);
    if (plain)
        hcct_section_unpack(plain, unpacked, bytes);
    hcct_memory_release(bytes, *length);
    *length = plain ? unpacked : 0;
    return plain;
}
