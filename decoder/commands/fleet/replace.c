/* See replace.h. */
#include "decoder/commands/fleet/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/commands/command.h"
#include "decoder/commands/temporary.h"
#include "decoder/text/memory.h"

struct content {
    hcct_replace_write *write;
    void *context;
};

static bool complain(const char *name, int reason)
{
    return reason ? hcct_command_complain(name, strerror(reason)) : false;
}

/* A device or a pipe cannot seek: a file without a name comes first. */
static bool write_in_place(const char *name, const struct content *content)
{
    bool standard = !strcmp(name, "-");
    int draft = hcct_temporary_open();
    if (draft < 0)
        return hcct_command_complain(hcct_temporary_folder(), strerror(errno));
    bool done = content->write(content->context, draft);
    int file = !done ? -1 : standard ? STDOUT_FILENO : open(name, O_WRONLY | O_CLOEXEC);
    done = file >= 0 && hcct_temporary_copy(draft, file);
    if (file >= 0 && close(file))
        done = false;
    int reason = errno;
    close(draft);
    /* A reader that went away is no error. */
    return done || reason == EPIPE || complain(hcct_command_output_name(name), reason);
}

/* A file without a name in the folder of `beside`: whatever ends the process, nothing is left of it. -1 where
 * the file system has none. */
static int open_nameless(const char *beside, mode_t mode)
{
    char *folder = hcct_memory_got(strdup(beside)), *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    bool can_be_named = !access("/proc/self/fd", F_OK);
    int file = can_be_named ? open(slash ? folder : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode) : -1;
    free(folder);
    return file;
}

/* Gives a file without a name that name. A file of that name is not replaced. */
static bool name_file(int file, const char *beside)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return !linkat(AT_FDCWD, link, AT_FDCWD, beside, AT_SYMLINK_FOLLOW);
}

/* The file has the name `beside` only while it takes its place, unless it cannot be without one. */
static bool write_draft(const char *name, const char *beside, mode_t mode, const struct content *content)
{
    struct stat before;
    bool replaces = !stat(name, &before);
    mode = replaces ? before.st_mode & 0777 : mode;
    int file = open_nameless(beside, mode);
    bool has_name = file < 0;
    if (has_name)
        file = open(beside, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file < 0)
        return false;
    if (replaces) /* whatever the umask; where a file system has no modes, nothing is lost */
        fchmod(file, mode);
    bool done = content->write(content->context, file);
    if (done && !has_name)
        has_name = done = name_file(file, beside);
    int reason = errno;
    if (close(file) && done) {
        reason = errno;
        done = false;
    }
    if (done && rename(beside, name)) {
        reason = errno;
        done = false;
    }
    if (!done && has_name)
        unlink(beside);
    errno = reason;
    return done;
}

static bool write_beside(const char *name, mode_t mode, const struct content *content)
{
    char *beside = hcct_memory_print("%s.%ld.tmp", name, (long)getpid());
    bool done = write_draft(name, beside, mode, content);
    int reason = errno;
    free(beside);
    return done || complain(name, reason);
}

/* Replaces files, but never links: /dev/stdout is one, and belongs to everybody. */
bool hcct_replace(const char *name, mode_t mode, hcct_replace_write *write_content, void *context)
{
    const struct content content = { write_content, context };
    struct stat at, there;
    if (!strcmp(name, "-") || (!stat(name, &at) && !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode)))
        return write_in_place(name, &content);
    if (lstat(name, &there) || !S_ISLNK(there.st_mode))
        return write_beside(name, mode, &content);
    return hcct_command_is_link(name) ? hcct_command_complain(name, "is a link")
                                      : write_in_place("-", &content);
}
