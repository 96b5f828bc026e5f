/* The limited stream, see limit.h: a cookie stream of the C library, whose write function counts. */
#include "decoder/text/limit.h"

#include <errno.h>

#include "decoder/text/memory.h"

/* Real profiles have 30 bytes or more for each context, and their output stays far below this. */
#define BYTES_LEAST (UINT64_C(64) << 20)
#define BYTES_PER_BYTE 1024

bool hcct_limit_take(struct hcct_limit *limit, uint64_t bytes)
{
    limit->passed |= bytes > limit->left;
    limit->left -= limit->passed ? 0 : bytes;
    return !limit->passed;
}

static ssize_t write_limited(void *cookie, const char *bytes, size_t length)
{
    struct hcct_limit *limit = cookie;
    if (!hcct_limit_take(limit, length))
        return 0; /* makes the stream fail */
    if (fwrite(bytes, 1, length, limit->out) == length)
        return (ssize_t)length;
    limit->reason = errno;
    return 0;
}

FILE *hcct_limit_open(struct hcct_limit *limit, FILE *out, uint64_t file_bytes)
{
    uint64_t room =
        file_bytes < UINT64_MAX / BYTES_PER_BYTE / 2 ? BYTES_PER_BYTE * file_bytes : UINT64_MAX / 2;
    *limit = (struct hcct_limit){ .out = out, .left = BYTES_LEAST + room };
    FILE *stream =
        hcct_memory_got(fopencookie(limit, "w", (cookie_io_functions_t){ .write = write_limited }));
    setvbuf(stream, NULL, _IOFBF, 1 << 16);
    return stream;
}

bool hcct_limit_close(struct hcct_limit *limit, FILE *stream)
{
    fclose(stream);
    if (limit->reason)
        errno = limit->reason;
    return !limit->passed;
}
