/* The run's settings: HCCT_OPTIONS=key=value:key=value, in the manner of ASAN_OPTIONS. start/options.c reads
 * them once, before any thread exists. */
#ifndef HCCT_RUNTIME_CORE_OPTIONS_H
#define HCCT_RUNTIME_CORE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/real.h"
#include "runtime/base/say.h"

struct hcct_event;

enum hcct_threads {
#define HCCT_THREADS(symbol, name, help) HCCT_THREADS_##symbol,
#include "format/names.def"
};
/* ranks= (api/ranks.c) */
enum hcct_ranks {
#define HCCT_RANKS(symbol, name, help) HCCT_RANKS_##symbol,
#include "format/names.def"
};

struct hcct_options {
    char output[1024]; /* a path with patterns (%p); output/paths.h */
    int output_is_given;
    /* the program has rights that its caller lacks (AT_SECURE): then nothing is read or written for the
     * caller */
    int secure;
    char trace[1024]; /* a path; empty: none */
    char known[1024]; /* the same; or "none" (known/known.h) */
    union hcct_real phi, epsilon;
    uint64_t memory;    /* mode=hcct: bytes for contexts */
    uint32_t contexts;  /* so many fit into that: as long as there are no more, counts are exact */
    uint32_t capacity;  /* the number of counters afterwards, at least 1/epsilon */
    int mode;           /* enum hcct_file_mode */
    int recursion;      /* enum hcct_file_recursion */
    int metric;         /* enum hcct_file_metric */
    char unit[32];      /* of metric=weight */
    uint32_t frequency; /* metric=time and wall: samples a second */
    /* the event whose number is the weight; NULL: the program gives weights */
    const struct hcct_event *event;
    uint64_t period;      /* events for one sample */
    bool dump;            /* hcct-top --dump may ask for a profile */
    uint64_t snapshot_ns; /* time between two snapshots; 0: none */
    bool counting;        /* counting is on from the start */
    unsigned budget;      /* percent; 0: none */
    int threads;          /* enum hcct_threads */
    uint64_t heap_sample; /* metric=heap: one byte of so many is chosen (sample.h). 0: all blocks count */
    bool heap_scan;       /* metric=heap: a profile tells which live blocks are lost */
    int ranks;            /* enum hcct_ranks */
    int is_spawned;       /* by MPI: its files are told apart by the process */
    int rank; /* of this process, plus 1: its files are told apart by it; 0: it is none of several */
};

extern __attribute__((visibility("hidden"))) struct hcct_options hcct_options;

#endif
