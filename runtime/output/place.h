/* Under which name a profile goes to the disk.
 *
 * A profile that another process left while this one ran is not lost in silence. With the default output this
 * process takes a name of its own then, ids.bin.PID. With output= the other profile is replaced, as was asked
 * for, and a warning says so.
 *
 * What another process of the same job left before is not lost either: the processes of one make, or of one
 * script. With the default output it goes to ids.bin.PID, and the name is ours. A job is a process group: a
 * shell that somebody sits at gives each command one of its own, so the next run replaces the last one.
 *
 * "While this one ran" is: the file is not the one that stood there when this process began. So no clock
 * matters, and of several processes that end at one moment each finds what the others left. Only where the
 * path was not known at the start (a forked child's, %m), the file's time is compared with the start.
 * Threads: under the hold (core/hold.h), or before there are threads. */
#ifndef HCCT_RUNTIME_OUTPUT_PLACE_H
#define HCCT_RUNTIME_OUTPUT_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* Remembers what stands at the output path, and the job. At the start of the process. */
void hcct_place_start(void);
/* The process group, as it was then: a sandbox may forbid to ask later. */
uint32_t hcct_place_job(void);
/* Whether a file may be renamed to `path`: that names a regular file, or nothing. False with errno. */
bool hcct_place_may_replace(const char *path);
/* Gives a draft its name: `path`, or one of its own, which `path`, of PATH_MAX bytes, then is. 0, or errno:
 * then `path` is as before. Changes errno. */
int hcct_place_put(const char *draft, char *path);
/* Removes this process's last file, or its last one at another path, if it is still there. */
void hcct_place_take_back(bool is_earlier);

/* A sandbox ends the program for renameat2 or link. Then a process that ends at the same moment as another
 * one may replace its profile. */
extern bool hcct_place_has_only_rename;

#endif
