/* Opens a file of the user's that is read to its end, in pass and decoder: a filter, a plan, a guide. A pipe
 * would be waited for, and a device may have no end. In line, as the runtime must not have stdio. */
#ifndef HCCT_FORMAT_REGULAR_FILE_H
#define HCCT_FORMAT_REGULAR_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HCCT_REGULAR_TEXT_BYTES = 1 << 26 };

/* NULL, and errno tells why: it is no regular file (EINVAL), or larger than that (EFBIG). */
static inline FILE *hcct_regular_file_open(const char *path, off_t largest)
{
    struct stat info;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    int reason = fstat(file, &info)       ? errno
                 : S_ISDIR(info.st_mode)  ? EISDIR
                 : !S_ISREG(info.st_mode) ? EINVAL
                 : info.st_size > largest ? EFBIG
                                          : 0;
    FILE *opened = reason ? NULL : fdopen(file, "r");
    if (opened)
        return opened;
    reason = reason ? reason : errno;
    close(file);
    errno = reason;
    return NULL;
}

#endif
