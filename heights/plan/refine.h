/* A plan that is made better by the program that was built by it. There all frames are as the compiler made
 * them. The plan had to guess some: it knew neither the frame of a tail call that became a call, nor the
 * arguments that a wrapper passes on the stack, nor what the compiler aligned anew. */
#ifndef HCCT_HEIGHTS_PLAN_REFINE_H
#define HCCT_HEIGHTS_PLAN_REFINE_H

#include "heights/plan/evaluate.h"

/* A line of a plan, see hcct_plan_print. */
struct hcct_plan_line {
    char *function, *callee, *file; /* callee: of a wrapped call, else NULL; file: "" if none is given */
    uint32_t bytes;                 /* 0: the function loses its tail calls */
};

struct hcct_plan_lines {
    struct hcct_plan_line *lines;
    uint32_t count, capacity;
};

/* Reads the file. NULL if that was done, else what is wrong. It is to be closed in any case. */
const char *hcct_refine_open(struct hcct_plan_lines *lines, const char *path);
void hcct_refine_close(struct hcct_plan_lines *lines);
/* Begins with that plan, which the program has already. Needs calls that were listed (wraps.h). */
void hcct_refine_begin(struct hcct_plan_state *state, const struct hcct_plan_lines *lines);

#endif
