/* See temporary.h. */
#include "decoder/commands/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/text/memory.h"
#include "format/section_writer.h"

const char *hcct_temporary_folder(void)
{
    const char *named = getenv("TMPDIR");
    struct stat info;
    return named && *named && !stat(named, &info) && S_ISDIR(info.st_mode) ? named : "/tmp";
}

/* Not every file system can make files without a name: there it has one for a moment. */
static int open_named(const char *folder)
{
    char *name = hcct_memory_print("%s/hcct-XXXXXX", folder);
    int file = mkostemp(name, O_CLOEXEC);
    if (file >= 0)
        unlink(name);
    free(name);
    return file;
}

int hcct_temporary_open(void)
{
    const char *folder = hcct_temporary_folder();
    int file = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    return file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) ? open_named(folder)
                                                                                   : file;
}

bool hcct_temporary_copy(int file, int to)
{
    char bytes[1 << 16];
    off_t at = 0;
    for (ssize_t length; (length = pread(file, bytes, sizeof bytes, at)) != 0; at += length)
        if (length < 0 || !hcct_section_put(to, bytes, (size_t)length))
            return false;
    return true;
}
