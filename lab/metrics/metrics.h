/* How well the hot calling context tree of one profile, HOT, stands for the full tree of another, EXACT: the
 * metrics of D'Elia, Demetrescu and Finocchi, "Mining Hot Calling Contexts in Small Space" (SPE 2015, section
 * 5.2).
 *
 * A context is a path of calls; call sites tell contexts apart. Its arc is the edge that leads to it. A root,
 * such as main, has none in the program: its arc comes from a virtual root. So roots, frames in brackets and
 * inlined frames are no contexts here. A context without a count, or with count 0, was not monitored.
 *
 *     w(x), N         the count of the context x in EXACT (0 if it is not there) and EXACT's calls
 *     R               the part of N that is of roots (or, of time, of frames in brackets)
 *     c(x), M         the same in HOT
 *     E               the contexts of EXACT: w(x) >= 1;  h the largest w of E
 *     H               the hot contexts of EXACT: x in E with w(x) >= phi N
 *     A               the hot contexts of HOT: those with c(x) >= phi M
 *     T               the tree of HOT: A and the ancestors of what is in A
 *
 *     degree of overlap       sum of w over T, divided by N - R
 *     hot edge coverage(tau)  of the x in E with w(x) >= tau h, the share that is in T
 *     uncovered hotness       w(x) / h in percent, of the x in E that are not in T: largest and mean; else 0
 *     hot                     |H|
 *     false positives         |A \ H|
 *     false negatives         |H \ A|
 *     cold                    |T \ (H u A)|
 *     counter error           |c(x) - w(x)| / w(x) in percent, of the x in H and A both: largest and mean
 *     tree's counter error    the same of the x in T and E with c(x) >= 1: all counters of the tree
 *
 * If HOT's counts are estimates from bursts or samples, errors are those of c(x) N / M: the part of the calls
 * that was counted is taken out, as in section 6.4 of the paper. Shares are compared then.
 *
 * Lossy counting and sticky sampling, as published, estimate c(x) less its error (their f), and answer a
 * query with all from (phi - epsilon) M on: `low`.
 *
 * Where the paper differs: there hot is w(x) >= floor(phi N), and the sum over T is divided by N. Its
 * metric 5 is the tree's counter error, but its figure 11 that of the hot contexts.
 * A metric whose quotient would be 0 / 0 does not exist (E is empty, N is R, there is no such x).
 * Cost: O(contexts of both files). */
#ifndef HCCT_LAB_METRICS_METRICS_H
#define HCCT_LAB_METRICS_METRICS_H

#include "decoder/store/profile.h"
#include "format/error.h"

#define HCCT_METRICS_TAU_LIMIT 64

struct hcct_metrics_options {
    double phi; /* < 0: HOT's */
    double tau[HCCT_METRICS_TAU_LIMIT];
    uint32_t tau_count;
    bool low;   /* c(x) is HOT's count less its error, and A has c(x) >= (phi - epsilon) M, HOT's epsilon */
    bool force; /* contexts of different builds are matched by function and line */
    uint32_t node_limit; /* see hcct_tree_limit */
};

/* A metric that does not exist is NAN. */
struct hcct_metrics {
    uint64_t calls_exact, calls_hot;
    const char *unit; /* of both; EXACT's or constant */
    double phi;
    double phi_hot; /* of A: phi, or phi - epsilon */
    double scale;   /* of HOT's counts, where their error is measured: N / M of estimates, else 1 */
    double degree_of_overlap;
    double hot_edge_coverage[HCCT_METRICS_TAU_LIMIT];
    double max_uncovered_hotness, avg_uncovered_hotness;
    uint64_t hot, false_positives, false_negatives, cold;
    double max_counter_error, avg_counter_error;           /* of what is hot in both */
    double max_tree_counter_error, avg_tree_counter_error; /* of all counters in HOT's tree */
    bool exact_is_exact; /* otherwise EXACT's counts are estimates themselves */
};

/* On false *error tells why; a mismatch is about HOT. */
bool hcct_metrics_find(const struct hcct_profile *exact, const struct hcct_profile *hot,
                       const struct hcct_metrics_options *options, struct hcct_metrics *metrics,
                       struct hcct_error *error);

#endif
