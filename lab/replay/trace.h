/* Reads traces (format/trace.h). The bytes are checked whole before any call is played. */
#ifndef HCCT_LAB_REPLAY_TRACE_H
#define HCCT_LAB_REPLAY_TRACE_H

#include "decoder/store/profile.h"
#include "format/error.h"
#include "format/trace.h"

struct hcct_trace {
    const unsigned char *bytes; /* 8-aligned; the caller keeps them */
    size_t length;
    struct hcct_profile profile;
    uint64_t calls, left_out;
    uint32_t stream_count;
    double ns_a_unit; /* of time: HCCT_TRACE_UNIT */
};

/* As hcct_section_wanted_bytes (format/section_reader.h). */
uint64_t hcct_trace_wanted_bytes(const void *bytes, size_t length);
/* False, with *error and the offset of what is wrong. */
bool hcct_trace_open(struct hcct_trace *trace, const void *bytes, size_t length, struct hcct_error *error);
void hcct_trace_close(struct hcct_trace *trace);
/* Calls `visit` for each call in the order of the file; `ns`: the time of its stream. False if a chunk's
 * content is no calls, which its checksum did not tell, or memory is out. */
bool hcct_trace_play(const struct hcct_trace *trace,
                     void (*visit)(void *context, uint32_t stream, uint64_t word, uint64_t ns), void *context,
                     struct hcct_error *error);

#endif
