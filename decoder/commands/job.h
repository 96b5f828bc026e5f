/* The profiles that a command shows if none is named: ids.bin, and beside it those of processes that ran
 * at the same time, as a forked child does. They are of one job and one program (runtime/output/place.h). */
#ifndef HCCT_DECODER_COMMANDS_JOB_H
#define HCCT_DECODER_COMMANDS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#define HCCT_JOB_PROFILE "ids.bin"

struct hcct_job {
    char **names;
    uint32_t count;  /* at least one: ids.bin */
    uint32_t others; /* profiles of the job that are of earlier runs, or of other programs */
};

/* In the current folder. A file that is not there, or no profile, is left to whoever reads it to complain
 * about. */
struct hcct_job hcct_job_find(void);
void hcct_job_free(struct hcct_job *job);

#endif
