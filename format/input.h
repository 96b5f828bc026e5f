/* Opens a file of the user's that is read to its end, in wrapper, pass and decoder. A pipe may have nobody
 * who ever writes into it, and a device may have no end. In line, as the runtime must not have stdio. */
#ifndef HCCT_FORMAT_INPUT_H
#define HCCT_FORMAT_INPUT_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HCCT_INPUT_PATIENCE_MS = 5000, HCCT_INPUT_TEXT_BYTES = 1 << 26 };

/* Why a file could not be opened, by errno. */
static inline const char *hcct_input_reason(int reason)
{
    return reason == ENXIO ? "a pipe that no program has opened to write into it" : strerror(reason);
}

/* While a pipe does not block, reading finds its end if nobody has opened it for writing, and else fails. */
static inline bool hcct_input_has_writer(FILE *pipe)
{
    struct pollfd wait = { .fd = fileno(pipe), .events = POLLIN };
    if (poll(&wait, 1, HCCT_INPUT_PATIENCE_MS))
        return true;
    int byte = getc(pipe);
    bool is_at_end = feof(pipe);
    clearerr(pipe);
    ungetc(byte, pipe);
    return !is_at_end;
}

static inline int hcct_input_refusal(FILE *file)
{
    struct stat info;
    if (fstat(fileno(file), &info))
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    if (S_ISFIFO(info.st_mode) && !hcct_input_has_writer(file))
        return ENXIO;
    return fcntl(fileno(file), F_SETFL, O_RDONLY) ? errno : 0;
}

/* Opens a file to be read. NULL, and errno tells why (hcct_input_reason): also for a folder, and for a pipe
 * that nobody has opened for writing, which takes up to HCCT_INPUT_PATIENCE_MS to find out. */
static inline FILE *hcct_input_open(const char *path)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *opened = file < 0 ? NULL : fdopen(file, "r");
    int reason = opened ? hcct_input_refusal(opened) : errno;
    if (!reason)
        return opened;
    if (opened)
        fclose(opened);
    else if (file >= 0)
        close(file);
    errno = reason;
    return NULL;
}

/* Copies what is left of `from` into a file in memory, which is at its start. `from` stays open. NULL, and
 * errno tells why; EFBIG: there are more than `largest` bytes. */
static inline FILE *hcct_input_copy(FILE *from, off_t largest)
{
    char bytes[4096];
    int file = memfd_create("hcct", MFD_CLOEXEC);
    FILE *to = file < 0 ? NULL : fdopen(file, "w+");
    off_t length = 0;
    for (size_t got; to && length <= largest && (got = fread(bytes, 1, sizeof bytes, from));
         length += (off_t)got)
        fwrite(bytes, 1, got, to);
    if (to && length <= largest && !ferror(from) && !fflush(to)) {
        rewind(to);
        return to;
    }
    int reason = to && length > largest ? EFBIG : errno;
    if (to)
        fclose(to);
    else if (file >= 0)
        close(file);
    errno = reason;
    return NULL;
}

/* As hcct_input_open, for a file of at most `largest` bytes (else EFBIG) that can be read again from its
 * start. Pipes and devices are copied into memory, and may have at most HCCT_INPUT_TEXT_BYTES. */
static inline FILE *hcct_input_open_within(const char *path, off_t largest)
{
    struct stat info;
    FILE *file = hcct_input_open(path), *copy = NULL;
    if (!file || fstat(fileno(file), &info))
        return file;
    if (S_ISREG(info.st_mode) && info.st_size <= largest)
        return file;
    errno = EFBIG;
    if (!S_ISREG(info.st_mode))
        copy = hcct_input_copy(file, largest < HCCT_INPUT_TEXT_BYTES ? largest : HCCT_INPUT_TEXT_BYTES);
    int reason = errno;
    fclose(file);
    errno = reason;
    return copy;
}

#endif
