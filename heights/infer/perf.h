/* Samples of Linux perf, as text (Mytkowicz, Coughlin, Diwan, section 6.3: a performance monitor of the
 * hardware notes program counter and stack pointer).
 *
 *     perf record -e cycles:u --user-regs=ip,sp PROGRAM
 *     perf script --no-demangle -F tid,ip,sym,symoff,uregs
 *
 * A sample is a line: TID IP SYMBOL+0xOFFSET ABI:N SP:0xSP IP:0xIP, all but TID in hexadecimal. It has
 * addresses of the process. Two things have to be found before it can be looked up:
 *
 *     where the program was loaded    IP less the symbol's address and offset: what most samples say
 *     the CFA of the thread's         each place of a sample, and each height of a path to its function,
 *     first function                  would be right for one; taken is the one that is right for most places.
 *                                     If two are right for as many, the thread's samples are lost
 *
 * Samples in libraries are lost: perf keeps no stack for them here. */
#ifndef HCCT_HEIGHTS_INFER_PERF_H
#define HCCT_HEIGHTS_INFER_PERF_H

#include "heights/infer/paths.h"
#include "heights/infer/samples.h"

struct hcct_perf_sample {
    uint64_t ip, sp, offset;
    char *symbol; /* from malloc */
    uint32_t thread;
};

/* Whether the line is a sample. `symbol` is NULL, too, when memory is out. */
bool hcct_perf_read(struct hcct_perf_sample *sample, const char *line);
/* Adds the samples of perf to those that can be looked up. False when memory is out. Needs paths that were
 * measured. */
bool hcct_perf_place(struct hcct_stack_samples *samples, const struct hcct_stack_paths *paths);

#endif
