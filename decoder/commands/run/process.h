/* hcct-run: the program that is run, the commands that hcct-run needs itself, and what all its files need. */
#ifndef HCCT_DECODER_COMMANDS_RUN_PROCESS_H
#define HCCT_DECODER_COMMANDS_RUN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The statuses that env, nohup and timeout use, too. */
enum hcct_run_status {
    HCCT_RUN_OURS = 125,
    HCCT_RUN_NOT_EXECUTABLE = 126,
    HCCT_RUN_NOT_FOUND = 127,
};

/* Whether cargo started this: then who reads messages compiled no C. */
bool hcct_run_is_by_cargo(void);
/* Complains. Returns `status`. */
int hcct_run_fail(int status, const char *what, const char *why);
/* Runs the program and waits, and passes signals on to it. Returns its exit status as shells tell it.
 * *process: 0 if it was not started. *ended_by: the signal that ended it, or 0. */
int hcct_run_program(char **arguments, pid_t *process, int *ended_by);
/* How many instrumented processes still run that were started with `text` in their environment. */
size_t hcct_run_count_with(const char *text);
/* The exit status of another command, HCCT_RUN_OURS if it has none; 0 if nobody reads on (SIGPIPE). Quietly:
 * what it prints goes nowhere. */
int hcct_run_helper(char **arguments, bool quietly);

#endif
