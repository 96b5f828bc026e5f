/* See replace.h. */
#include "decoder/commands/fleet/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/commands/command.h"

static bool write_all(int file, const unsigned char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(file, bytes, length < (1u << 30) ? length : 1u << 30);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

static bool write_in_place(const char *name, const unsigned char *bytes, size_t length)
{
    bool standard = !strcmp(name, "-");
    int file = standard ? STDOUT_FILENO : open(name, O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write_all(file, bytes, length);
    if (file >= 0 && close(file))
        done = false;
    /* A reader that went away is no error. */
    return done || errno == EPIPE || hcct_command_complain(name, strerror(errno));
}

static bool write_beside(const char *name, const unsigned char *bytes, size_t length)
{
    size_t room = strlen(name) + 32;
    char *beside = malloc(room);
    if (!beside)
        return hcct_command_complain(name, "out of memory");
    snprintf(beside, room, "%s.%ld.tmp", name, (long)getpid());
    int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool done = file >= 0 && write_all(file, bytes, length);
    if (file >= 0 && close(file))
        done = false;
    done = done && !rename(beside, name);
    int reason = errno;
    if (!done && file >= 0)
        unlink(beside);
    free(beside);
    return done || hcct_command_complain(name, strerror(reason));
}

/* Replaces files, but never links: /dev/stdout is one, and belongs to everybody. */
bool hcct_replace(const char *name, const unsigned char *bytes, size_t length)
{
    struct stat at, there, standard;
    if (!strcmp(name, "-") || (!stat(name, &at) && !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode)))
        return write_in_place(name, bytes, length);
    if (lstat(name, &there) || !S_ISLNK(there.st_mode))
        return write_beside(name, bytes, length);
    if (!stat(name, &at) && !fstat(STDOUT_FILENO, &standard) && at.st_dev == standard.st_dev &&
        at.st_ino == standard.st_ino)
        return write_in_place("-", bytes, length);
    return hcct_command_complain(name, "is a link");
}
