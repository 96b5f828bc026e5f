/* See trace.h. */
#define _GNU_SOURCE
#include "runtime/trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/checksum.h"
#include "format/trace.h"
#include "runtime/base/confined.h"
#include "runtime/base/file.h"
#include "runtime/base/machine.h"
#include "runtime/base/raised.h"
#include "runtime/base/say.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/count/miss.h"
#include "runtime/output/image.h"

char hcct_trace_path[1024];

enum { CHUNK_BYTES = 1 << 14 };
/* A file that is larger gets no more calls. */
#define LIMIT_BYTES (UINT64_C(1) << 30)

/* Of a block. */
struct stream {
    struct hcct_trace_model model;
    uint32_t number; /* from 1; 0: nothing was recorded yet */
    uint32_t size;   /* of `bytes` */
    uint64_t calls;  /* in this chunk */
    uint64_t right;  /* guesses that are not in `bytes` yet */
    uint64_t ticks;  /* between its calls, since the last mark of the time */
    uint64_t left;   /* when its last call was recorded; 0: none was */
    uint64_t least;  /* the least time between two of its calls */
    uint8_t bytes[CHUNK_BYTES];
};

/* Under the table lock. */
static int trace = -1; /* the file; -1: nothing is recorded */
static struct hcct_file_identity identity;
static pid_t owner;
static uint64_t file_bytes; /* of header and chunks of calls: the end is written behind them */
static uint64_t call_count, left_out;
static uint32_t stream_count;
static uint64_t start_ticks, start_ns;

static uint64_t now_ns(void)
{
    struct timespec now = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* --- the file --------------------------------------------------------------------------------------- */

static void give_up(const char *why)
{
    HCCT_SAY(1, "trace '", hcct_trace_path, "': ", why, ", and the rest of the run is not recorded");
    trace = -1;
}

/* The program may close any descriptor, and open another file by its number. A child of vfork writes for its
 * parent, whose calls are in the same chunk. */
static bool is_ours(void)
{
    return trace >= 0 && !hcct_confined && (hcct_process_id() == owner || !hcct_process_is_own()) &&
           hcct_file_is(trace, &identity);
}

static bool write_at(uint64_t offset, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        ssize_t done = pwrite(trace, at, size, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return true;
}

static bool put_header(void)
{
    const struct hcct_trace_header header = { HCCT_TRACE_MAGIC, HCCT_TRACE_VERSION, sizeof header };
    struct hcct_raised raised;
    hcct_raised_hold(&raised);
    bool good = write_at(0, &header, sizeof header);
    hcct_raised_drop(&raised);
    return good;
}

/* Writes a chunk at `offset`. Returns the offset behind it; 0: it could not. */
static uint64_t put_chunk(uint64_t offset, struct hcct_trace_chunk chunk, const void *content)
{
    static const char zeros[8];
    size_t size = (size_t)chunk.bytes, gap = (8 - size % 8) % 8;
    chunk.checksum = hcct_checksum(hcct_checksum(0, &chunk, sizeof chunk), content, size);
    uint64_t start = offset + sizeof chunk;
    return write_at(start, content, size) && write_at(start + size, zeros, gap) &&
                   write_at(offset, &chunk, sizeof chunk)
               ? start + size + gap
               : 0;
}

/* Returns the offset behind the stream's chunk, or 0. */
static uint64_t put_calls(struct stream *stream)
{
    int saved = errno;
    struct hcct_raised raised;
    hcct_raised_hold(&raised);
    uint8_t *end = hcct_trace_put_count(stream->bytes + stream->size, stream->right);
    struct hcct_trace_chunk chunk = { .kind = HCCT_TRACE_CALLS,
                                      .stream = stream->number - 1,
                                      .calls = stream->calls,
                                      .bytes = (uint64_t)(end - stream->bytes) };
    uint64_t behind = put_chunk(file_bytes, chunk, stream->bytes);
    hcct_raised_drop(&raised);
    errno = saved;
    return behind;
}

static void flush(struct stream *stream)
{
    if (!stream->calls)
        return;
    uint64_t behind = is_ours() ? put_calls(stream) : 0;
    if (behind) {
        file_bytes = behind;
        call_count += stream->calls;
    } else {
        left_out += stream->calls;
        if (trace >= 0)
            give_up("cannot be written");
    }
    stream->calls = stream->right = stream->size = 0;
}

/* --- calls ------------------------------------------------------------------------------------------ */

/* The way to the recorder and back takes more than most calls do: it is the least time between two calls. */
static void pass_time(struct stream *stream)
{
    uint64_t gap = hcct_machine_ticks() - stream->left;
    if (!stream->left)
        return;
    if (!stream->least || gap < stream->least)
        stream->least = gap;
    stream->ticks += gap - stream->least;
}

static void put_time(struct stream *stream)
{
    uint8_t *at = hcct_trace_put_count(stream->bytes + stream->size, stream->right);
    at = hcct_trace_put_time(at, stream->ticks / HCCT_TRACE_UNIT);
    stream->size = (uint32_t)(at - stream->bytes);
    stream->ticks %= HCCT_TRACE_UNIT;
    stream->right = 0;
}

static void record(struct stream *stream, uint64_t word)
{
    if (file_bytes >= LIMIT_BYTES || trace < 0) {
        left_out++;
        return;
    }
    if (!stream->number)
        stream->number = ++stream_count;
    if (stream->size + 2 * HCCT_TRACE_MOST_BYTES > CHUNK_BYTES)
        flush(stream);
    if (stream->ticks >= HCCT_TRACE_UNIT)
        put_time(stream);
    if (hcct_trace_guess(&stream->model) == word) {
        stream->right++;
    } else {
        uint8_t *at = hcct_trace_put_count(stream->bytes + stream->size, stream->right);
        stream->size = (uint32_t)(hcct_trace_put_word(&stream->model, at, word) - stream->bytes);
        stream->right = 0;
    }
    hcct_trace_learn(&stream->model, word);
    stream->calls++;
}

static void take_call(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    uint64_t key = word > HCCT_WORD_TAIL ? word : state->base; /* as it is counted */
    struct stream *stream = hcct_meter_state(block);
    pass_time(stream);
    hcct_busy_enter();
    hcct_tables_lock();
    if (hcct_tables.running && key)
        record(stream, key);
    hcct_miss_count(hcct_tally_of(block), word, state, sp);
    hcct_tables_unlock();
    hcct_busy_leave();
    stream->left = hcct_machine_ticks();
}

/* --- the end ---------------------------------------------------------------------------------------- */

static void flush_all(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
        flush(hcct_meter_state(block));
}

/* The profile and the chunk END. Under the table lock. */
static void put_end(void)
{
    static struct hcct_image image;
    struct hcct_raised raised;
    hcct_raised_hold(&raised);
    struct hcct_trace_chunk profile = { .kind = HCCT_TRACE_PROFILE },
                            end = { .kind = HCCT_TRACE_END, .calls = call_count };
    const struct hcct_trace_end content = { left_out, stream_count, hcct_machine_ticks() - start_ticks,
                                            now_ns() - start_ns };
    end.bytes = sizeof content;
    hcct_count_drain_all();
    bool good = hcct_image_open(&image) && hcct_image_make(&image, -1);
    profile.bytes = image.out.size;
    uint64_t behind = good ? put_chunk(file_bytes, profile, image.out.bytes) : 0;
    behind = behind ? put_chunk(behind, end, &content) : 0;
    good = behind && ftruncate(trace, (off_t)behind) == 0;
    hcct_image_close(&image);
    hcct_raised_drop(&raised);
    if (!good)
        give_up("its end cannot be written");
}

/* Calls of other threads wait until the lock is free. So the trace has the calls that the profile has. */
static void ended(void)
{
    flush_all();
    if (is_ours())
        put_end();
}

/* hcct_reset: the trace is that of the calls since then. A forked child resets, too: it has no trace. */
static void reset(bool torn)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next) {
        struct stream *stream = hcct_meter_state(block);
        if (stream->number)
            memset(stream, 0, sizeof *stream);
    }
    call_count = left_out = stream_count = 0;
    file_bytes = sizeof(struct hcct_trace_header);
    if (torn || hcct_process_id() != owner)
        trace = -1;
}

/* --- the meter -------------------------------------------------------------------------------------- */

static bool is_chosen(void)
{
    return hcct_trace_path[0];
}

/* Takes the file for this process. False if another one writes its trace there. A forked child does not
 * inherit such a lock. Some file systems have no locks. */
static bool take_file(void)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(trace, F_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

static bool start(struct hcct_ticks *ticks)
{
    int saved = errno;
    (void)ticks;
    owner = hcct_process_id();
    start_ticks = hcct_machine_ticks();
    start_ns = now_ns();
    trace = open(hcct_trace_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (trace >= 0)
        trace = hcct_file_move_up(trace);
    identity = hcct_file_identify(trace);
    file_bytes = sizeof(struct hcct_trace_header);
    if (trace >= 0 && !take_file()) {
        close(trace);
        give_up("another process writes it");
    } else if (trace < 0 || ftruncate(trace, 0) != 0 || !put_header()) {
        give_up("cannot be written");
    }
    errno = saved;
    return true;
}

static const struct hcct_meter_file file = { .ended = ended };

static const struct hcct_meter_threads threads = { .bytes = sizeof(struct stream) };

const struct hcct_meter hcct_meter_trace = {
    .name = "trace: ",
    .is_chosen = is_chosen,
    .calls.program = HCCT_CALLS_MISS,
    .threads = &threads,
    .calls.take = take_call,
    .start = start,
    .reset = reset,
    .file = &file,
};
