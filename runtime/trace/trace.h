/* HCCT_OPTIONS=trace=FILE: the context of every call goes to a file (format/trace.h), for hcct-lab. Calls
 * are counted besides, with mode=cct, and the run leaves its profile as without it.
 *
 * Every call misses, takes the table lock, and is recorded and counted there: so a trace has exactly the
 * calls that the tables have. A stream's calls wait in its block, and go to the file when CHUNK_BYTES are
 * full. So calls of one thread are in order, and those of several threads in order by chunks.
 * When the process ends, the waiting calls, the profile and the chunk END follow. If calls are counted after
 * that, in destructors, they take the place of this end, and it is written again.
 *
 * Time is the processor's clock between the calls of a stream, less what the way to the recorder takes.
 *
 * Past 1 GB, and if the file cannot be written, calls are counted only; END tells how many.
 * A forked child does not record: the file is its parent's. A child without fork handlers
 * (hcct_count_start_anew) does not, either.
 * Memory: 272 KB for each thread and each handler level, as they are touched.
 * Source: D'Elia et al., SPE 2015, section 5.1 (recorded execution traces of interactive programs). */
#ifndef HCCT_RUNTIME_TRACE_TRACE_H
#define HCCT_RUNTIME_TRACE_TRACE_H

#include "runtime/core/meter.h"

extern const struct hcct_meter hcct_meter_trace;

/* What HCCT_OPTIONS asks for (core/settings.h); empty: nothing. */
extern __attribute__((visibility("hidden"))) char hcct_trace_path[1024];

#endif
