/* Writes the profile (hcct/format.h). */
#ifndef HCCT_RUNTIME_WRITER_H
#define HCCT_RUNTIME_WRITER_H

/* Writes everything counted so far to the output file: beside its name, then renamed. False after one warning if it
 * cannot. Takes the table lock. `child`: this process was forked. Calls neither malloc nor stdio; keeps errno. */
int hcct_profile_write(int child);

#endif
