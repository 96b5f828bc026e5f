/* The life of the process: start, fork, end. */
#ifndef HCCT_RUNTIME_BOUNDARY_PROCESS_H
#define HCCT_RUNTIME_BOUNDARY_PROCESS_H

/* Reads the options, makes the tables, numbers the program. Works once. Is called before instrumented code
 * runs, if possible. */
void hcct_process_start(char **environment);
/* This runtime does nothing, as the program has another one, whose exit is called in place of ours; NULL: it
 * has none. In place of hcct_process_start. */
void hcct_process_stay_idle(void (*exit_of_other)(int status));
/* A reference to one of these links its file in, with the functions that are found by name: of api/, ends.c,
 * limits.c. */
extern const char hcct_api_present, hcct_context_present, hcct_ranks_present, hcct_ends_present,
    hcct_limits_present;

#endif
