/* The life of the process: start, fork, exit. */
#ifndef HCCT_RUNTIME_PROCESS_H
#define HCCT_RUNTIME_PROCESS_H

/* Reads the options, makes the tables, numbers the program. Once; before instrumented code where possible. */
void hcct_process_start(char **environment);
/* Writes the profile if there is anything new to write; for every way the program ends. Not for a vfork child, which
 * counts into its parent: nothing is written there. */
void hcct_process_write(void);
/* Whether this process was forked by a profiled one. */
int hcct_process_is_child(void);

/* Defined beside the API (api.c). */
extern const char hcct_api_present;

#endif
