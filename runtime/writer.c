/* See writer.h. A file is written as it is laid out (image.c); what cannot seek is laid out first.
 *
 * Invariant: what the output path names is either what it was, or a whole profile. */
#define _GNU_SOURCE
#include "runtime/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/count.h"
#include "runtime/image.h"
#include "runtime/options.h"
#include "runtime/process.h"
#include "runtime/raised.h"
#include "runtime/registry.h"

static bool write_all(struct hcct_image *image, int file, bool special)
{
    struct hcct_raised raised;
    hcct_raised_hold(&raised);
    bool good = hcct_image_make(image, special ? -1 : file);
    errno = image->error ? image->error : ENOMEM;
    good = good && (!special || hcct_image_put(file, image->bytes, image->size));
    hcct_raised_drop(&raised);
    return good;
}

/* A device or a pipe is written to, not replaced: to rename over it would take it away from everybody. Not through a
 * link. */
static int open_special(const char *path)
{
    struct stat at;
    if (lstat(path, &at) != 0 || !(S_ISCHR(at.st_mode) || S_ISFIFO(at.st_mode)))
        return -1;
    return open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

bool hcct_writer_is_special(const char *path)
{
    struct stat at;
    return stat(path, &at) == 0 && !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode);
}

/* A profile of many is written (snapshot=); the last one of them could not be. Under the hold. */
static bool is_rolling, rolling_failed;

static int warning_level(void)
{
    return is_rolling && rolling_failed ? INT_MAX : 1;
}

static bool save(struct hcct_image *image, const char *path)
{
    static char draft[PATH_MAX];
    static const char *const reasons[] = {
        [ENOENT] = "no such folder",       [EACCES] = "permission denied", [ENOSPC] = "no space left",
        [EROFS] = "read-only file system", [EISDIR] = "is a folder",       [ENOTDIR] = "not a folder",
        [EBUSY] = "is a folder",        [ENAMETOOLONG] = "the name is too long",
        [ENXIO] = "not a regular file",    [EFBIG] = "file too large",     [EPIPE] = "nobody reads it",
        [ENOMEM] = "out of memory",        [EMFILE] = "too many open files", [ENFILE] = "too many open files",
        [EDQUOT] = "no space left",
    };
    size_t length = strlen(path);
    if (length + sizeof ".tmp" > sizeof draft)
        return false;
    memcpy(draft, path, length);
    memcpy(draft + length, ".tmp", sizeof ".tmp");
    int file = open_special(path);
    bool special = file >= 0;
    errno = ENXIO;
    if (!special && !hcct_writer_is_special(path)) {
        unlink(draft);
        file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    bool good = file >= 0 && write_all(image, file, special);
    int error = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && !special && rename(draft, path) != 0) {
        good = false;
        error = errno;
    }
    if (good)
        return true;
    if (file >= 0 && !special)
        unlink(draft);
    size_t known = sizeof reasons / sizeof reasons[0];
    const char *reason =
        error >= 0 && (size_t)error < known && reasons[error] ? reasons[error] : "input/output error";
    HCCT_SAY(warning_level(), "cannot write the profile to '", path, "': ", reason,
             " (HCCT_OPTIONS=output=FILE names another place)");
    return false;
}

static void summarise(const struct hcct_image *image, const char *path)
{
    char calls[24], contexts[24];
    snprintf(calls, sizeof calls, "%llu", (unsigned long long)hcct_count_calls());
    snprintf(contexts, sizeof contexts, "%u", image->entry_count);
    HCCT_SAY(2, calls, " calls, ", contexts, " contexts, written to ", path);
}

static bool write_image(struct hcct_image *image, int child)
{
    static char path[PATH_MAX]; /* a thread's stack may be small, or a handler's */
    char build_text[20];
    if (!hcct_image_open(image)) {
        HCCT_SAY(warning_level(), "cannot write the profile: out of memory");
        return false;
    }
    snprintf(build_text, sizeof build_text, "%016llx", (unsigned long long)image->build);
    if (!hcct_options_output_path(path, sizeof path, build_text, child)) {
        HCCT_SAY(warning_level(), "cannot write the profile: its path is too long");
        return false;
    }
    if (!save(image, path))
        return false;
    if (!is_rolling)
        summarise(image, path);
    return true;
}

/* The thread that writes or unloads, which may do so again. */
static atomic_int holder;
static _Thread_local int hold_depth;

static bool hold(int limit_ms)
{
    int self = (int)syscall(SYS_gettid), nobody = 0;
    while (atomic_load(&holder) != self && !atomic_compare_exchange_strong(&holder, &nobody, self)) {
        nobody = 0;
        if (limit_ms-- == 0)
            return false;
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL); /* no cancellation point */
    }
    hold_depth++;
    return true;
}

void hcct_profile_hold(void)
{
    hcct_process_notice();
    hold(-1);
}

void hcct_profile_release(void)
{
    if (--hold_depth == 0)
        atomic_store(&holder, 0);
}

void hcct_profile_after_fork(void)
{
    atomic_store(&holder, hold_depth ? (int)syscall(SYS_gettid) : 0);
}

static bool write_held(int child, bool was_busy)
{
    static struct hcct_image image;
    hcct_registry_lose_unloaded();
    if (!was_busy)
        hcct_table_lock();
    hcct_count_drain_all();
    bool good = write_image(&image, child);
    hcct_image_close(&image);
    if (!was_busy)
        hcct_table_unlock();
    return good;
}

int hcct_profile_write(int child)
{
    int saved = errno;
    bool was_busy = hcct_busy != 0; /* exit in the handler of a fault inside the tables */
    hcct_busy_enter_to_write();
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE,
                           &cancel_state); /* open and write are cancellation points */
    bool held = hold(1000);
    bool good = write_held(child, was_busy);
    if (held)
        hcct_profile_release();
    pthread_setcancelstate(cancel_state, NULL);
    hcct_busy_leave();
    errno = saved;
    return good;
}

bool hcct_profile_write_if_free(int child)
{
    int saved = errno, cancel_state;
    hcct_busy_enter_to_write();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    bool free = hold_depth == 0 && hold(0);
    if (free) {
        is_rolling = true;
        rolling_failed = !write_held(child, false);
        is_rolling = false;
        hcct_profile_release();
    }
    pthread_setcancelstate(cancel_state, NULL);
    hcct_busy_leave();
    errno = saved;
    return free;
}
