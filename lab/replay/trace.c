#include "lab/replay/trace.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/open.h"
#include "format/checksum.h"

enum { STREAM_LIMIT = 1 << 20 };

static bool corrupt(struct hcct_error *error, uint64_t offset, const char *what)
{
    return hcct_error_set(error, HCCT_ERROR_CORRUPT, offset, "%s", what);
}

static bool truncated(struct hcct_error *error, size_t length)
{
    return hcct_error_set(error, HCCT_ERROR_TRUNCATED, length,
                          "the trace has no end: the process was killed, or runs");
}

static bool check_header(const struct hcct_trace *trace, struct hcct_error *error)
{
    struct hcct_trace_header header;
    size_t magic_bytes = trace->length < sizeof header.magic ? trace->length : sizeof header.magic;
    if (!trace->length || memcmp(trace->bytes, HCCT_TRACE_MAGIC, magic_bytes))
        return hcct_error_set(error, HCCT_ERROR_FOREIGN, 0, "not a trace of hcct");
    if (trace->length < sizeof header)
        return truncated(error, trace->length);
    memcpy(&header, trace->bytes, sizeof header);
    if (header.version != HCCT_TRACE_VERSION)
        return hcct_error_set(error, HCCT_ERROR_VERSION, offsetof(struct hcct_trace_header, version),
                              "trace version %u, this program reads version %u", header.version,
                              HCCT_TRACE_VERSION);
    return header.header_bytes == sizeof header ||
           corrupt(error, offsetof(struct hcct_trace_header, header_bytes), "wrong size of the header");
}

uint64_t hcct_trace_wanted_bytes(const void *bytes, size_t length)
{
    const struct hcct_trace trace = { .bytes = bytes, .length = length };
    struct hcct_error ignored;
    if (length < sizeof(struct hcct_trace_header))
        return sizeof(struct hcct_trace_header);
    return check_header(&trace, &ignored) ? UINT64_MAX : length;
}

/* The chunk at `offset`, checked; *content is where its content begins. Returns the offset behind it, or
 * 0. */
static size_t take_chunk(const struct hcct_trace *trace, size_t offset, struct hcct_trace_chunk *chunk,
                         size_t *content, struct hcct_error *error)
{
    if (trace->length - offset < sizeof *chunk)
        return truncated(error, trace->length);
    memcpy(chunk, trace->bytes + offset, sizeof *chunk);
    size_t left = trace->length - offset - sizeof *chunk;
    if (chunk->kind < HCCT_TRACE_CALLS || chunk->kind > HCCT_TRACE_END || chunk->reserved)
        return corrupt(error, offset, "a chunk of no known kind");
    if (chunk->bytes > left || (chunk->bytes + 7) / 8 * 8 > left)
        return truncated(error, trace->length);
    struct hcct_trace_chunk zeroed = *chunk;
    zeroed.checksum = 0;
    *content = offset + sizeof *chunk;
    size_t bytes = (size_t)chunk->bytes, behind = *content + (bytes + 7) / 8 * 8;
    if (hcct_checksum(hcct_checksum(0, &zeroed, sizeof zeroed), trace->bytes + *content, bytes) !=
        chunk->checksum)
        return corrupt(error, offset, "a chunk's checksum does not match");
    for (size_t gap = *content + bytes; gap < behind; gap++)
        if (trace->bytes[gap])
            return corrupt(error, gap, "the gap behind a chunk is not zero");
    return behind;
}

static bool take_end(struct hcct_trace *trace, const struct hcct_trace_chunk *chunk, size_t content,
                     size_t behind, struct hcct_error *error)
{
    struct hcct_trace_end end;
    if (chunk->bytes != sizeof end || chunk->calls != trace->calls)
        return corrupt(error, content, "the end does not fit the chunks");
    memcpy(&end, trace->bytes + content, sizeof end);
    if (end.streams > STREAM_LIMIT || end.streams < trace->stream_count)
        return corrupt(error, content, "a wrong number of streams");
    trace->left_out = end.left_out;
    trace->ns_a_unit = end.ticks ? (double)end.nanoseconds / (double)end.ticks * HCCT_TRACE_UNIT : 0;
    trace->stream_count = (uint32_t)end.streams;
    return behind == trace->length || corrupt(error, behind, "bytes after the end");
}

static bool take_chunks(struct hcct_trace *trace, struct hcct_error *error)
{
    struct hcct_trace_chunk chunk;
    size_t content;
    for (size_t at = sizeof(struct hcct_trace_header), behind;; at = behind) {
        if (!(behind = take_chunk(trace, at, &chunk, &content, error)))
            return false;
        if (chunk.kind == HCCT_TRACE_END)
            return (trace->profile.bytes || corrupt(error, at, "there is no profile before the end")) &&
                   take_end(trace, &chunk, content, behind, error);
        if (trace->profile.bytes)
            return corrupt(error, at, "a chunk between the profile and the end");
        if (chunk.kind == HCCT_TRACE_PROFILE) {
            if (!hcct_profile_open(&trace->profile, trace->bytes + content, (size_t)chunk.bytes, error)) {
                error->offset += error->offset == HCCT_ERROR_NOWHERE ? 0 : content;
                return false;
            }
            continue;
        }
        if (chunk.stream >= STREAM_LIMIT)
            return corrupt(error, at, "too large a number of a stream");
        trace->stream_count = chunk.stream < trace->stream_count ? trace->stream_count : chunk.stream + 1;
        trace->calls += chunk.calls;
    }
}

bool hcct_trace_open(struct hcct_trace *trace, const void *bytes, size_t length, struct hcct_error *error)
{
    *trace = (struct hcct_trace){ .bytes = bytes, .length = length };
    if (check_header(trace, error) && take_chunks(trace, error))
        return true;
    hcct_trace_close(trace);
    return false;
}

void hcct_trace_close(struct hcct_trace *trace)
{
    if (trace->profile.bytes)
        hcct_profile_close(&trace->profile);
    trace->profile = (struct hcct_profile){ 0 };
}

/* --- calls ------------------------------------------------------------------------------------------ */

struct stream {
    struct hcct_trace_model model;
    uint64_t units; /* of time so far */
};

struct player {
    const struct hcct_trace *trace;
    void (*visit)(void *context, uint32_t stream, uint64_t word, uint64_t ns);
    void *context;
    const unsigned char *at, *end; /* of the chunk's content */
};

static bool take_count(struct player *player, uint64_t *count)
{
    *count = 0;
    for (unsigned shift = 0; player->at < player->end && shift < 64; shift += 7) {
        uint8_t byte = *player->at++;
        *count |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool take_place(struct player *player, uint32_t *place)
{
    if (player->end - player->at < 2)
        return false;
    *place = player->at[0] | (uint32_t)player->at[1] << 8;
    player->at += 2;
    return true;
}

static bool take_word(struct player *player, struct hcct_trace_model *model, uint32_t place, uint64_t *word)
{
    if (place < HCCT_TRACE_TABLE) {
        *word = model->words[place];
        return true;
    }
    if (place != HCCT_TRACE_NEW || player->end - player->at < 8)
        return false;
    *word = 0;
    for (int i = 0; i < 8; i++)
        *word |= (uint64_t)*player->at++ << 8 * i;
    model->words[hcct_trace_hash(*word)] = *word;
    return true;
}

static void play_call(const struct player *player, struct stream *stream, uint32_t number, uint64_t word)
{
    hcct_trace_learn(&stream->model, word);
    player->visit(player->context, number, word,
                  (uint64_t)((double)stream->units * player->trace->ns_a_unit));
}

static bool play_chunk(struct player *player, struct stream *stream, const struct hcct_trace_chunk *chunk)
{
    for (uint64_t left = chunk->calls;;) {
        uint64_t right, word, units;
        uint32_t place;
        if (!take_count(player, &right) || right > left)
            return false;
        for (left -= right; right; right--)
            play_call(player, stream, chunk->stream, hcct_trace_guess(&stream->model));
        if (!left)
            return player->at == player->end;
        if (!take_place(player, &place))
            return false;
        if (place == HCCT_TRACE_TIME) {
            if (!take_count(player, &units))
                return false;
            stream->units += units;
            continue;
        }
        if (!take_word(player, &stream->model, place, &word))
            return false;
        play_call(player, stream, chunk->stream, word);
        left--;
    }
}

bool hcct_trace_play(const struct hcct_trace *trace, void (*visit)(void *, uint32_t, uint64_t, uint64_t),
                     void *context, struct hcct_error *error)
{
    struct stream **streams = calloc((size_t)trace->stream_count + 1, sizeof *streams);
    struct player player = { .trace = trace, .visit = visit, .context = context };
    struct hcct_trace_chunk chunk;
    size_t content;
    bool done = streams || hcct_error_out_of_memory(error);
    for (size_t at = sizeof(struct hcct_trace_header); done; at = content + (chunk.bytes + 7) / 8 * 8) {
        memcpy(&chunk, trace->bytes + at, sizeof chunk);
        content = at + sizeof chunk;
        if (chunk.kind != HCCT_TRACE_CALLS)
            break;
        struct stream **stream = &streams[chunk.stream];
        player.at = trace->bytes + content;
        player.end = player.at + chunk.bytes;
        if (!*stream && !(*stream = calloc(1, sizeof **stream)))
            done = hcct_error_out_of_memory(error);
        else
            done = play_chunk(&player, *stream, &chunk) ||
                   corrupt(error, (uint64_t)(player.at - trace->bytes), "no calls are coded so");
    }
    for (uint32_t i = 0; streams && i < trace->stream_count; i++)
        free(streams[i]);
    free(streams);
    return done;
}
