/* See bitcode.h. An archive is ARMAG and then members, each a header, its content, and a byte more if the
 * content has an odd number of bytes.
 *
 * Nobody may ever need the members of an archive. So bitcode in it counts only if hcct left it to the link:
 * any other archive must not change which linker is run.
 * Cost: the header of each member is read, and all of a member that is bitcode. */
#include "bitcode.h"

#include <ar.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* How the symbol begins that bitcode refers to until the link has instrumented it (pass/select/mark.c). */
#define MARK "__hcct_lto_not_linked"

static bool is_bitcode(const char *content, size_t bytes)
{
    return bytes >= 4 && !memcmp(content, "BC\xC0\xDE", 4);
}

static bool is_in_members(const char *at, size_t bytes)
{
    while (bytes > sizeof(struct ar_hdr)) {
        const struct ar_hdr *header = (const struct ar_hdr *)at; /* all text */
        char digits[sizeof header->ar_size + 1] = { 0 };
        memcpy(digits, header->ar_size, sizeof header->ar_size);
        at += sizeof *header;
        bytes -= sizeof *header;
        size_t length = strtoul(digits, NULL, 10);
        if (memcmp(header->ar_fmag, ARFMAG, sizeof header->ar_fmag) != 0 || length > bytes)
            return false;
        if (is_bitcode(at, length) && memmem(at, length, MARK, strlen(MARK)))
            return true;
        length += length % 2 && length < bytes;
        at += length;
        bytes -= length;
    }
    return false;
}

static bool is_in(const char *file, size_t bytes)
{
    if (bytes < SARMAG || memcmp(file, ARMAG, SARMAG) != 0)
        return is_bitcode(file, bytes);
    return is_in_members(file + SARMAG, bytes - SARMAG);
}

bool hcct_bitcode_is_in(const char *path)
{
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size) /* a pipe can be read once */
        return false;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    size_t bytes = (size_t)status.st_size;
    char *file = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (file == MAP_FAILED)
        return false;
    bool is = is_in(file, bytes);
    munmap(file, bytes);
    return is;
}
