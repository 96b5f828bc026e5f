/* HCCT_OPTIONS=key=value:key=value, in the manner of ASAN_OPTIONS. docs/options.md lists the keys; a test
 * compares it with the table here. Read once, before any thread exists. */
#ifndef HCCT_RUNTIME_CORE_OPTIONS_H
#define HCCT_RUNTIME_CORE_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/real.h"
#include "runtime/base/say.h"

struct hcct_algorithm;
struct hcct_event;

enum hcct_burst { HCCT_BURST_OFF, HCCT_BURST_ON, HCCT_BURST_ADAPTIVE };
/* sample=, edges= (meter/strides.h) */
enum hcct_strides { HCCT_STRIDES_OFF, HCCT_STRIDES_CALLS, HCCT_STRIDES_PER_FUNCTION, HCCT_STRIDES_TIMER };
enum hcct_strides_edges { HCCT_STRIDES_LAST, HCCT_STRIDES_ALL_NEW };
enum { HCCT_STRIDES_PERIOD_LIMIT = 1000000 };

struct hcct_options {
    char output[1024]; /* pattern, absolute */
    /* the program has rights that its caller has not (AT_SECURE): nothing is read or written for the
     * caller */
    int secure;
    char guide[1024]; /* path; empty: none */
    union hcct_real phi, epsilon;
    uint32_t capacity; /* counters: at least 1/epsilon */
    const struct hcct_algorithm *algorithm;
    int mode;                       /* enum hcct_file_mode */
    int recursion;                  /* enum hcct_file_recursion */
    int metric;                     /* enum hcct_file_metric */
    char unit[32];                  /* of metric=weight */
    uint32_t frequency;             /* metric=time: samples a second of CPU time */
    const struct hcct_event *event; /* metric=weight with events as weights; NULL: the program gives them */
    uint64_t period;                /* of events; 0: the event's own. Of sample: calls */
    uint64_t snapshot_ns;           /* between rolling profiles; 0: none */
    int continuous;
    int counting; /* from the start on */
    int burst;    /* enum hcct_burst */
    uint64_t burst_interval_ns, burst_length_ns;
    int sample; /* enum hcct_strides */
    int edges;  /* enum hcct_strides_edges */
};

extern __attribute__((visibility("hidden"))) struct hcct_options hcct_options;

/* Parses HCCT_OPTIONS of `environment` (NULL: none). Each problem is one line on stderr. */
void hcct_options_read(char **environment);
/* Expands the pattern into `path`; false if it does not fit. `child`: this process was forked from one that
 * reads the same pattern. */
int hcct_options_output_path(char *path, size_t size, const char *build_id, int child);
/* The same in the temporary folder, for a process that may not write there any more: with a process id. */
int hcct_options_fallback_path(char *path, size_t size, const char *build_id);
#endif
