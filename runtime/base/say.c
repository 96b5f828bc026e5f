/* See say.h. No stdio, no malloc. */
#define _GNU_SOURCE
#include "runtime/base/say.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/file.h"
#include "runtime/base/raised.h"

int hcct_say_verbosity = 1;

/* Standard error at start. Later, the program may have closed it and opened another file with its number. */
static struct hcct_file_identity standard_error;

void hcct_say_start(void)
{
    standard_error = hcct_file_identify(STDERR_FILENO);
}

void hcct_say(int level, const char *const *parts)
{
    struct iovec pieces[16];
    struct hcct_raised raised;
    int count = 0, saved = errno;
    if (hcct_say_verbosity < level || hcct_confined || !hcct_file_is(STDERR_FILENO, &standard_error)) {
        errno = saved;
        return;
    }
    for (; parts[count] && count < 16; count++)
        pieces[count] = (struct iovec){ (void *)(uintptr_t)parts[count], strlen(parts[count]) };
    hcct_raised_hold(&raised);
    ssize_t written = writev(STDERR_FILENO, pieces, count);
    (void)written;
    hcct_raised_drop(&raised);
    errno = saved;
}

const char *hcct_say_decimal(unsigned long value, char *buffer, size_t size)
{
    buffer[--size] = 0;
    do
        buffer[--size] = (char)('0' + value % 10);
    while ((value /= 10) && size);
    return buffer + size;
}

static char *append(char *end, const char *text)
{
    while (*text)
        *end++ = *text++;
    *end = 0;
    return end;
}

const char *hcct_say_thread_path(long thread, const char *file, char path[HCCT_SAY_THREAD_PATH_BYTES])
{
    char digits[24];
    char *end = append(append(path, "/proc/self/task/"),
                       hcct_say_decimal((unsigned long)thread, digits, sizeof digits));
    append(append(end, "/"), file);
    return path;
}

const char *hcct_say_program_path(void)
{
    static char path[PATH_MAX];
    if (!path[0]) {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        if (length <= 0)
            strcpy(path, "?");
    }
    return path;
}
