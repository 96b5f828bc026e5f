/* See place.h.
 *
 * Names change by two atomic steps: a new name that must not exist (RENAME_NOREPLACE, or link), and an
 * exchange of two files (RENAME_EXCHANGE). After an exchange the draft is what stood there. If that is not
 * what was to be replaced, another process was quicker, and its profile is what needs a name now. So at every
 * moment each profile has a name. File systems that cannot exchange (NFS) have rename instead: there, one of
 * two processes that end in the same instant may replace the other's profile, if an older one stood there. */
#define _GNU_SOURCE
#include "runtime/output/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "format/layout.h"
#include "runtime/base/calendar.h"
#include "runtime/base/machine.h"
#include "runtime/base/say.h"
#include "runtime/core/notice.h"
#include "runtime/output/paths.h"
#include "runtime/output/settings.h"

bool hcct_place_has_only_rename;

enum { NOREPLACE = 1, EXCHANGE = 2 }; /* of renameat2, see linux/fs.h */
/* The header has a checksum of all that follows. */
enum { HEAD_BYTES = sizeof(struct hcct_file_header) };

/* A file, as it was at some moment. An inode's number may be used again, so the head is compared, too: that
 * of a profile has a checksum of all of it. */
struct seen {
    bool is_there;
    dev_t device;
    ino_t inode;
    uint64_t changed_ns;
    unsigned char head[HEAD_BYTES];
};

/* What is known about one path. */
static struct {
    char path[PATH_MAX];
    bool by_time;         /* the path was not known at the start of the process */
    struct seen at_start; /* may be replaced */
    bool is_of_job;       /* but has to get another name: another process of this job left it */
    struct seen placed;   /* our own last one */
    unsigned number;      /* of the name that was taken: 0 path, 1 path.PID, 2 path.PID.2 */
} known;

static bool is_profile(const struct seen *seen)
{
    return memcmp(seen->head, HCCT_FILE_MAGIC, 8) == 0;
}

static struct seen look(const char *path)
{
    struct seen seen = { .is_there = false };
    struct stat at;
    if (lstat(path, &at) != 0)
        return seen;
    seen.is_there = true;
    seen.device = at.st_dev;
    seen.inode = at.st_ino;
    seen.changed_ns = (uint64_t)at.st_mtim.tv_sec * 1000000000 + (uint64_t)at.st_mtim.tv_nsec;
    int file =
        S_ISREG(at.st_mode) ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    if (file < 0)
        return seen;
    ssize_t got = read(file, seen.head, sizeof seen.head);
    (void)got; /* what is missing stays 0 */
    close(file);
    return seen;
}

static bool is_same(const struct seen *a, const struct seen *b)
{
    return a->is_there && b->is_there && a->device == b->device && a->inode == b->inode &&
           memcmp(a->head, b->head, sizeof a->head) == 0;
}

/* Whether this process replaces that file without a word. */
static bool is_old(const struct seen *there)
{
    if (is_same(there, &known.placed) || is_same(there, &known.at_start))
        return true;
    return known.by_time && there->changed_ns < hcct_calendar_start_ns();
}

/* Our last file at another path. */
static struct {
    char name[PATH_MAX];
    struct seen placed;
} earlier;

/* False if the name is too long. */
static bool make_name(char *name, const char *path, uint32_t process, unsigned number);

static bool name_placed(char *name)
{
    return make_name(name, known.path, (uint32_t)hcct_process_id(), known.number);
}

static void forget(const char *path)
{
    if (known.placed.is_there && name_placed(earlier.name))
        earlier.placed = known.placed;
    strcpy(known.path, path);
    known.by_time = true;
    known.at_start.is_there = known.placed.is_there = known.is_of_job = false;
    known.number = 0;
}

static uint32_t job;

uint32_t hcct_place_job(void)
{
    return job;
}

/* What a profile says of its run; zeros if it says nothing. */
static struct hcct_file_run run_of(const char *path)
{
    struct hcct_file_header header = { .section_count = 0 };
    struct hcct_file_section section = { .kind = 0 };
    struct hcct_file_run run = { .pid = 0 }, none = { .pid = 0 };
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool good = file >= 0 && read(file, &header, sizeof header) == (ssize_t)sizeof header;
    for (uint32_t i = 0; good && i < header.section_count && section.kind != HCCT_FILE_RUN; i++)
        good = read(file, &section, sizeof section) == (ssize_t)sizeof section;
    good = good && section.kind == HCCT_FILE_RUN &&
           pread(file, &run, sizeof run, (off_t)section.offset) == (ssize_t)sizeof run;
    if (file >= 0)
        close(file);
    return good ? run : none;
}

static bool was_left_by_job(const char *path)
{
    const uint64_t hour = UINT64_C(3600) * 1000000000; /* later its number may be another job's */
    struct hcct_file_run run = run_of(path);
    return run.job == job && run.pid != (uint32_t)hcct_process_id() && run.end &&
           hcct_calendar_start_ns() - run.end < hour;
}

void hcct_place_start(void)
{
    static char path[PATH_MAX];
    int saved = errno;
    job = (uint32_t)getpgrp();
    if (hcct_output_settings.is_secure || !hcct_paths_output(path, sizeof path, "", 0))
        return;
    forget(path);
    known.by_time = false;
    known.at_start = look(path);
    known.is_of_job = known.at_start.is_there && !hcct_output_settings.path_is_given && was_left_by_job(path);
    errno = saved;
}

bool hcct_place_may_replace(const char *path)
{
    struct stat at;
    if (lstat(path, &at) != 0)
        return true; /* nothing is there; or what follows says why not */
    errno = S_ISLNK(at.st_mode) ? ELOOP : S_ISDIR(at.st_mode) ? EISDIR : ENXIO;
    return S_ISREG(at.st_mode);
}

/* --- names --------------------------------------------------------------------------------------- */

/* 0, or errno. */
static int rename_by(const char *from, const char *to, int how)
{
    long result = hcct_machine_system_call(
        SYS_renameat2, (const long[]){ AT_FDCWD, (intptr_t)from, AT_FDCWD, (intptr_t)to, how, 0 });
    return (int)-result;
}

static int plain_rename(const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : errno;
}

/* EEXIST if there is a file of that name. */
static int take_new_name(const char *draft, const char *name)
{
    if (hcct_place_has_only_rename)
        return plain_rename(draft, name);
    int error = rename_by(draft, name, NOREPLACE);
    if (!error || error == EEXIST || error == ENOENT)
        return error;
    if (hcct_system_link(draft, name) != 0)
        return errno == EEXIST ? EEXIST : plain_rename(draft, name);
    unlink(draft);
    return 0;
}

/* The draft becomes what stood there, or goes: then *exchanged is false. */
static int take_name_of(const char *draft, const char *name, bool *exchanged)
{
    int error = hcct_place_has_only_rename ? ENOSYS : rename_by(draft, name, EXCHANGE);
    *exchanged = !error;
    return !error || error == ENOENT ? error : plain_rename(draft, name);
}

static bool make_name(char *name, const char *path, uint32_t process, unsigned number)
{
    char suffix[32] = "";
    if (number == 1)
        snprintf(suffix, sizeof suffix, ".%u", process);
    else if (number)
        snprintf(suffix, sizeof suffix, ".%u.%u", process, number);
    size_t length = strlen(path);
    if (length + strlen(suffix) >= PATH_MAX)
        return false;
    memcpy(name, path, length);
    strcpy(name + length, suffix);
    return true;
}

/* --- the profile ---------------------------------------------------------------------------------- */

static void remove_own(const char *name, struct seen *placed)
{
    struct seen there = look(name);
    if (is_same(&there, placed))
        unlink(name);
    placed->is_there = false;
}

void hcct_place_take_back(bool is_earlier)
{
    static char name[PATH_MAX];
    if (is_earlier)
        remove_own(earlier.name, &earlier.placed);
    else if (name_placed(name))
        remove_own(name, &known.placed);
}

/* What is being put: our own profile, or one that an exchange left us with. */
struct put {
    const char *draft, *path;
    bool is_own;
    bool was_replaced; /* another's profile, by ours, with output= */
    bool makes_room;   /* the other one is of the same job, and older */
    uint32_t process;
    unsigned number;
    struct seen own;
    char own_name[PATH_MAX], name[PATH_MAX];
};

static void finish_own(struct put *put)
{
    memcpy(put->own_name, put->name, sizeof put->own_name);
    known.placed = put->own;
    if (put->number != known.number)
        HCCT_SAY(1, "another process wrote '", put->path, "' while this one ran: the profile goes to '",
                 put->name, "' (HCCT_OPTIONS=output=%p.bin names them all by process)");
    known.number = put->number;
}

/* After an exchange the draft is another process's profile, which has to get a name, too. */
static void go_on_with_other(struct put *put)
{
    uint32_t process = run_of(put->draft).pid;
    put->is_own = false;
    put->process = process ? process : put->process;
    put->number = 1;
}

/* One step. 0: all have their names. EAGAIN: go on. Else errno. */
static int step(struct put *put)
{
    if (!make_name(put->name, put->path, put->process, put->number))
        return ENAMETOOLONG;
    if (!hcct_place_may_replace(put->name))
        return errno;
    struct seen there = look(put->name);
    bool keeps = !hcct_output_settings.path_is_given, is_other = there.is_there && !is_old(&there);
    if (is_other && keeps) {
        put->number++;
        return EAGAIN;
    }
    bool exchanged = false;
    int error = there.is_there ? take_name_of(put->draft, put->name, &exchanged)
                               : take_new_name(put->draft, put->name);
    if (error == EEXIST || error == ENOENT)
        return EAGAIN;
    if (error)
        return error;
    struct seen taken = exchanged ? look(put->draft) : there;
    bool was_expected = !exchanged || is_same(&taken, &there) || is_old(&taken);
    if (put->is_own)
        finish_own(put);
    else if (!put->makes_room)
        HCCT_SAY(1, "two processes wrote '", put->path, "' at one moment: the other's profile goes to '",
                 put->name, "'");
    bool is_of_job = exchanged && put->is_own && known.is_of_job && is_same(&taken, &known.at_start);
    put->makes_room |= is_of_job;
    if ((!was_expected || is_of_job) && keeps) {
        go_on_with_other(put);
        return EAGAIN;
    }
    if (exchanged)
        unlink(put->draft);
    put->was_replaced = (is_other || !was_expected) && is_profile(&taken);
    return 0;
}

int hcct_place_put(const char *draft, char *path)
{
    enum { STEPS = 1000 };
    static struct put put;
    if (strcmp(known.path, path) != 0)
        forget(path);
    put = (struct put){ .draft = draft,
                        .path = known.path,
                        .is_own = true,
                        .process = (uint32_t)hcct_process_id(),
                        .number = known.number,
                        .own = look(draft) };
    int error = EAGAIN;
    for (int i = 0; i < STEPS && error == EAGAIN; i++)
        error = step(&put);
    if (put.own_name[0])
        memcpy(path, put.own_name, sizeof put.own_name);
    if (put.was_replaced)
        HCCT_SAY(1, "'", path,
                 "' had the profile of another process that ended while this one ran, and is replaced"
                 " (HCCT_OPTIONS=output=%p.bin names them by process)");
    if (error && !put.is_own)
        HCCT_SAY(1, "the profile of another process stays in '", draft, "'");
    else if (error == EAGAIN)
        error = EEXIST;
    return put.is_own ? error : 0;
}
