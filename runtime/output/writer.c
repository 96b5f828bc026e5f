/* See writer.h. A file is written as it is laid out (image.c); what cannot seek is laid out first.
 *
 * Invariant: what the output path names is either what it was, or a whole profile. */
#define _GNU_SOURCE
#include "runtime/output/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/base/raised.h"
#include "runtime/base/say.h"
#include "runtime/core/hold.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/parts.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/count/functions.h"
#include "runtime/objects/unload.h"
#include "runtime/output/image.h"
#include "runtime/output/paths.h"
#include "runtime/output/place.h"
#include "runtime/output/settings.h"

/* What is written: an image, made as it is written, or bytes that are ready. */
struct content {
    struct hcct_image *image; /* NULL: bytes */
    const char *bytes;
    size_t length;
};

/* A snapshot is being written (snapshot=); the last one failed, which was said once. Under the hold. */
static bool is_rolling, rolling_failed;

static int warning_level(void)
{
    return is_rolling && rolling_failed ? INT_MAX : 1;
}

static uint64_t now_ms(void)
{
    struct timespec now = { 0, 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits for the reader of a pipe that is full. Not for ever: the end of the program waits, too, and so does a
 * signal that would end it. By system calls that any profile may need (boundary/sandbox.c). */
static bool put_special(int file, const char *bytes, size_t size)
{
    enum { PATIENCE_MS = 10000, ROLLING_PATIENCE_MS = 100 /* other threads may wait for us */ };
    uint64_t start = now_ms(), patience = !is_rolling      ? PATIENCE_MS
                                          : rolling_failed ? 0
                                                           : ROLLING_PATIENCE_MS;
    while (size) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EAGAIN && now_ms() - start < patience) {
            syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL);
            continue;
        }
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= (size_t)done;
        start = now_ms();
    }
    return true;
}

static bool put(int file, const char *bytes, size_t size, bool special)
{
    return special ? put_special(file, bytes, size) : hcct_section_put(file, bytes, size);
}

static bool make_and_write(struct hcct_image *image, int file, bool special)
{
    bool good = hcct_image_make(image, special ? -1 : file);
    errno = image->out.error ? image->out.error : ENOMEM;
    return good && (!special || put_special(file, image->out.bytes, image->out.size));
}

static bool write_all(const struct content *content, int file, bool special)
{
    struct hcct_raised raised;
    hcct_raised_hold(&raised);
    bool good = content->image ? make_and_write(content->image, file, special)
                               : put(file, content->bytes, content->length, special);
    hcct_raised_drop(&raised);
    return good;
}

static bool is_special(const struct stat *file)
{
    return S_ISCHR(file->st_mode) || S_ISFIFO(file->st_mode);
}

/* A device or a pipe is written to, not replaced: to rename over it would take it away from everybody. It is
 * not waited for a reader that is not there yet. */
static int open_special(const char *path)
{
    struct stat at;
    if (lstat(path, &at) != 0 || !is_special(&at))
        return -1;
    return open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int hcct_writer_open_draft(const char *path, char *draft, int access)
{
    enum { TRIES = 8 };
    size_t length = strlen(path);
    int file = -1;
    for (int tries = 0; tries < TRIES && file < 0 && (!tries || errno == EEXIST); tries++) {
        char number[24] = "";
        struct timespec now = { 0, 0 };
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (tries)
            snprintf(number, sizeof number, ".%lu",
                     (unsigned long)now.tv_sec * 1000000000 + (unsigned long)now.tv_nsec);
        errno = ENAMETOOLONG;
        if (length + sizeof ".tmp" + strlen(number) > PATH_MAX)
            return -1;
        memcpy(draft, path, length);
        strcpy(stpcpy(draft + length, ".tmp"), number);
        file = open(draft, access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    return file;
}

static const char *reason_of(int error)
{
    static const char *const reasons[] = {
        [ENOENT] = "no such folder",
        [EACCES] = "permission denied",
        [ENOSPC] = "no space left",
        [EROFS] = "read-only file system",
        [EISDIR] = "is a folder",
        [ENOTDIR] = "not a folder",
        [EBUSY] = "is a folder",
        [ENAMETOOLONG] = "the name is too long",
        [ENXIO] = "not a regular file, or a pipe without a reader",
        [EAGAIN] = "its reader does not read",
        [EFBIG] = "file too large",
        [EPIPE] = "nobody reads it",
        [ENOMEM] = "out of memory",
        [EMFILE] = "too many open files",
        [ENFILE] = "too many open files",
        [EDQUOT] = "no space left",
        [ELOOP] = "is a link",
        [EPERM] = "permission denied",
    };
    size_t known = sizeof reasons / sizeof reasons[0];
    return error >= 0 && (size_t)error < known && reasons[error] ? reasons[error] : "input/output error";
}

/* What the profile is written to. */
struct target {
    char path[PATH_MAX], draft[PATH_MAX];
    int file;
    bool special;
};

/* 0, or errno. */
static int open_target(struct target *target)
{
    target->file = open_special(target->path);
    target->special = target->file >= 0;
    if (!target->special && hcct_place_may_replace(target->path))
        target->file = hcct_writer_open_draft(target->path, target->draft, O_WRONLY);
    return target->file < 0 ? errno : 0;
}

/* A process that gave up rights may no longer be allowed to write where it was at the start. Then the profile
 * goes to the temporary folder (docs/options.md). */
static int open_elsewhere(struct target *target, const char *build_text, int error)
{
    static char wanted[PATH_MAX];
    bool fell = geteuid() != (uid_t)getauxval(AT_EUID) || getegid() != (gid_t)getauxval(AT_EGID);
    if (!fell || (error != EACCES && error != EPERM && error != ENOENT && error != EROFS))
        return error;
    memcpy(wanted, target->path, sizeof wanted);
    if (!hcct_paths_fallback(target->path, sizeof target->path, build_text) || open_target(target) != 0) {
        memcpy(target->path, wanted, sizeof wanted);
        return error;
    }
    HCCT_SAY(warning_level(), "cannot write the profile to '", wanted, "': ", reason_of(error),
             ", which it could at start: it goes to '", target->path, "'");
    return 0;
}

/* 0, or errno. */
static int save(const struct content *content, struct target *target)
{
    bool good = write_all(content, target->file, target->special);
    int error = good ? 0 : errno;
    if (close(target->file) != 0 && good)
        error = errno;
    if (!error && !target->special)
        error = hcct_place_put(target->draft, target->path);
    if (error && !target->special)
        unlink(target->draft);
    return error;
}

static void summarise(const struct hcct_image *image, const char *path)
{
    char calls[24], contexts[24];
    snprintf(calls, sizeof calls, "%llu", (unsigned long long)hcct_count_calls());
    snprintf(contexts, sizeof contexts, "%u", image->entry_count);
    HCCT_SAY(2, calls, " calls, ", contexts, " contexts, written to ", path);
}

static bool write_content(const struct content *content, uint64_t build, int child)
{
    static struct target target; /* static: a thread's or a handler's stack may be small */
    char build_text[20];
    snprintf(build_text, sizeof build_text, "%016llx", (unsigned long long)build);
    if (!hcct_paths_output(target.path, sizeof target.path, build_text, child)) {
        HCCT_SAY(warning_level(), "cannot write the profile: its path is too long");
        return false;
    }
    int error = open_target(&target);
    error = error ? open_elsewhere(&target, build_text, error) : 0;
    error = error ? error : save(content, &target);
    if (error)
        HCCT_SAY(warning_level(), "cannot write the profile to '", target.path, "': ", reason_of(error),
                 " (HCCT_OPTIONS=output=FILE names another place)");
    else if (!is_rolling && content->image)
        summarise(content->image, target.path);
    return !error;
}

static bool open_image(struct hcct_image *image)
{
    hcct_count_drain_all();
    bool good = hcct_image_open(image);
    if (!good)
        HCCT_SAY(warning_level(), "cannot write the profile: out of memory");
    return good;
}

/* A fault may have struck while this thread had the table lock, and its handler calls exit: then the tables
 * are written as they are. If it had the lock of a part only, it lets that go: others, which have the table
 * lock, may wait for it. */
static bool write_held(int child, bool was_busy, bool is_last)
{
    static struct hcct_image image;
    bool had_tables = hcct_tables_is_held();
    hcct_unload_unseen();
    if (!had_tables) {
        hcct_parts_let_go();
        hcct_tables_lock();
    }
    bool good = open_image(&image) && write_content(&(struct content){ .image = &image }, image.build, child);
    hcct_image_close(&image);
    if (is_last && !was_busy && hcct_meter_has_end())
        hcct_meter->file->ended();
    if (!had_tables)
        hcct_tables_unlock();
    return good;
}

int hcct_writer_write(int child, bool is_last)
{
    if (hcct_output_settings.is_secure || hcct_confined)
        return false;
    int saved = errno;
    bool was_busy = hcct_busy.depth != 0; /* exit in the handler of a fault inside the tables */
    hcct_busy_enter_to_write();
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE,
                           &cancel_state); /* open and write are cancellation points */
    bool held = hcct_hold_within(1000);
    bool good = write_held(child, was_busy, is_last);
    if (held)
        hcct_hold_release();
    pthread_setcancelstate(cancel_state, NULL);
    hcct_busy_leave();
    errno = saved;
    return good;
}

bool hcct_writer_cannot_replace(int child)
{
    static char path[PATH_MAX];
    struct stat at;
    int saved = errno;
    if (hcct_confined) /* a sandbox may forbid lstat; nothing is written either */
        return false;
    bool is = hcct_paths_output(path, sizeof path, "", child) && lstat(path, &at) == 0 && is_special(&at);
    errno = saved;
    return is;
}

static struct hcct_image taken; /* by hcct_writer_take */

static bool take_held(void)
{
    hcct_unload_unseen();
    hcct_tables_lock();
    bool good = open_image(&taken) && hcct_image_make(&taken, -1);
    hcct_tables_unlock();
    return good;
}

static bool write_ready_held(const void *bytes, size_t length)
{
    return write_content(&(struct content){ .bytes = bytes, .length = length }, taken.build, false);
}

/* Begins and ends what may write; false: it may not, now. */
static bool begin(int *cancel_state)
{
    if (hcct_output_settings.is_secure || hcct_confined || hcct_busy.depth)
        return false;
    hcct_busy_enter_to_write();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel_state);
    if (hcct_hold_within(1000))
        return true;
    pthread_setcancelstate(*cancel_state, NULL);
    hcct_busy_leave();
    return false;
}

static void end(int cancel_state)
{
    hcct_hold_release();
    pthread_setcancelstate(cancel_state, NULL);
    hcct_busy_leave();
}

const void *hcct_writer_take(size_t *length)
{
    int saved = errno, cancel_state;
    bool good = false;
    if (begin(&cancel_state)) {
        good = take_held();
        end(cancel_state);
    }
    errno = saved;
    *length = good ? taken.out.size : 0;
    return good ? taken.out.bytes : NULL;
}

void hcct_writer_release(void)
{
    hcct_image_close(&taken);
    taken = (struct hcct_image){ 0 };
}

bool hcct_writer_write_ready(const void *bytes, size_t length)
{
    int saved = errno, cancel_state;
    bool good = false;
    if (begin(&cancel_state)) {
        good = write_ready_held(bytes, length);
        end(cancel_state);
    }
    errno = saved;
    return good;
}

void hcct_writer_take_back_snapshot(bool is_earlier)
{
    int saved = errno, cancel_state;
    if (begin(&cancel_state)) {
        hcct_place_take_back(is_earlier);
        end(cancel_state);
    }
    errno = saved;
}

bool hcct_writer_write_if_free(int child)
{
    int saved = errno, cancel_state;
    hcct_busy_enter_to_write();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    bool free = !hcct_hold_is_own() && hcct_hold_within(0);
    if (free) {
        is_rolling = true;
        rolling_failed = !write_held(child, false, false);
        is_rolling = false;
        hcct_hold_release();
    }
    pthread_setcancelstate(cancel_state, NULL);
    hcct_busy_leave();
    errno = saved;
    return free;
}
