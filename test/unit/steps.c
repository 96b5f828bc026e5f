/* Runs a program with continuous=1 instruction by instruction, and looks after each what a kill there would
 * leave: from one instruction to the next, one context may have one call more, and nothing else may change.
 * usage: steps_test FILE INSTRUCTIONS MILLISECONDS PROGRAM [ARGUMENT...]; HCCT_OPTIONS names FILE as the
 * output. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "decoder/profile/open.h"
#include "decoder/profile/recover.h"
#include "format/error.h"
#include "format/live.h"
#include "test/unit/check.h"

static int file;
static unsigned long snapshots, moves;

/* The profile that a kill would leave; its entries are in the order of their keys. */
struct snapshot {
    struct hcct_profile profile;
    bool is_open;
    void *bytes;
    size_t length;
};

static bool read_file(struct snapshot *to)
{
    struct stat info;
    if (fstat(file, &info) != 0 || !(to->bytes = realloc(to->bytes, (size_t)info.st_size)))
        return false;
    to->length = (size_t)info.st_size;
    return pread(file, to->bytes, to->length, 0) == info.st_size;
}

static bool decode(struct snapshot *snapshot)
{
    struct hcct_error error;
    bool good =
        snapshot->is_open || hcct_profile_open(&snapshot->profile, snapshot->bytes, snapshot->length, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    CHECK(good);
    snapshots += good && !snapshot->is_open;
    snapshot->is_open = good;
    return good;
}

/* The bounds that both give for a context have to meet; counts with one error are equal, but for one call. */
static void compare(const struct hcct_profile *before, const struct hcct_profile *after)
{
    uint64_t more = 0;
    CHECK(after->run->calls - before->run->calls <= 1);
    uint64_t floor = after->run->floor;
    for (uint32_t i = 0, j = 0; i < before->entry_count; i++) {
        const struct hcct_file_entry *old = &before->entries[i];
        while (j < after->entry_count && after->entries[j].word < old->word)
            j++;
        bool there = j < after->entry_count && after->entries[j].word == old->word;
        CHECK(there || old->count - old->error <= floor);
        if (!there)
            continue;
        const struct hcct_file_entry *new = &after->entries[j];
        CHECK(new->count >= old->count - old->error &&new->count - new->error <= old->count + 1);
        /* With the floor as its error a key may be in no summary, but in a slot and a batch. */
        if (old->error != new->error || (floor && old->error >= before->run->floor))
            continue;
        CHECK(new->count - old->count <= 1);
        CHECK(new->prefix != HCCT_FILE_NONE || old->prefix == HCCT_FILE_NONE);
        more += new->count - old->count;
    }
    CHECK(more <= 1);
    CHECK(before->run->mode != HCCT_MODE_CCT || (after->entry_count + more <= before->entry_count + 1 &&
                                                 after->entry_count >= before->entry_count));
}

static bool is_moving(const struct snapshot *snapshot)
{
    const struct hcct_live_state *state =
        (const void *)((const char *)snapshot->bytes + HCCT_LIVE_HEADER_BYTES);
    return state->move.kind != HCCT_LIVE_MOVE_NONE;
}

static bool step(pid_t process)
{
    int status;
    return ptrace(PTRACE_SINGLESTEP, process, NULL, NULL) == 0 && waitpid(process, &status, 0) == process &&
           WIFSTOPPED(status);
}

/* All that are within a move, the one before and the one after; of the others, one in 64 with its next.
 * Goes on until a move was seen. */
static void walk(pid_t process, long instructions)
{
    struct snapshot both[2] = { { .bytes = NULL } };
    bool good = read_file(&both[0]);
    for (long i = 1;
         good && (i < instructions || (!moves && i < 200 * instructions)) && step(process) && !check_failures;
         i++) {
        struct snapshot *before = &both[(i + 1) % 2], *after = &both[i % 2];
        if (after->is_open)
            hcct_profile_close(&after->profile);
        after->is_open = false;
        good = read_file(after);
        moves += is_moving(after);
        if (!good || !(is_moving(before) || is_moving(after) || i % 64 == 0))
            continue;
        good = decode(before) && decode(after);
        if (good)
            compare(&before->profile, &after->profile);
    }
    CHECK(good);
    for (int i = 0; i < 2; i++) {
        if (both[i].is_open)
            hcct_profile_close(&both[i].profile);
        free(both[i].bytes);
    }
}

static void wait_milliseconds(long milliseconds)
{
    nanosleep(&(struct timespec){ milliseconds / 1000, milliseconds % 1000 * 1000000 }, NULL);
}

int main(int count, char **arguments)
{
    int status;
    if (count < 5)
        return 2;
    unlink(arguments[1]);
    pid_t process = fork();
    if (process == 0) {
        execv(arguments[4], arguments + 4);
        _exit(127);
    }
    long milliseconds = atol(arguments[3]);
    while ((file = open(arguments[1], O_RDONLY)) < 0 && waitpid(process, &status, WNOHANG) == 0)
        wait_milliseconds(1);
    wait_milliseconds(milliseconds);
    CHECK(file >= 0 && ptrace(PTRACE_SEIZE, process, NULL, NULL) == 0 &&
          ptrace(PTRACE_INTERRUPT, process, NULL, NULL) == 0 && waitpid(process, &status, 0) == process);
    walk(process, atol(arguments[2]));
    kill(process, SIGKILL);
    printf("%lu snapshots, %lu instructions within a move\n", snapshots, moves);
    CHECK(moves);
    CHECK_DONE();
}
