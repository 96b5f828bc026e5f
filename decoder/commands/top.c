/* Samples of a running program, see top.h. */
#include "decoder/commands/top.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "decoder/query/filter.h"
#include "decoder/store/open.h"
#include "decoder/text/memory.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"
#include "decoder/tree/view.h"
#include "decoder/tree/walk.h"
#include "format/error.h"
#include "format/input.h"
#include "format/section_reader.h"

/* --- reading -------------------------------------------------------------------------------------- */

static bool fail(struct hcct_error *error, const char *what)
{
    return hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE, "%s", what);
}

static bool read_file(struct hcct_top_sample *sample, const char *name, size_t *length,
                      struct hcct_error *error)
{
    struct stat info;
    FILE *in = hcct_input_open(name);
    if (!in || fstat(fileno(in), &info)) {
        bool nothing_named = errno == ENOENT && strcmp(name, "ids.bin") == 0;
        fail(error, nothing_named
                        ? "no such file; HCCT_OPTIONS=dump=1 ./program writes it when asked, but not "
                          "while it waits"
                        : hcct_input_reason(errno));
        if (in)
            fclose(in);
        return false;
    }
    bool is_regular = S_ISREG(info.st_mode),
         done = is_regular && hcct_profile_read(in, hcct_section_wanted_bytes, &sample->bytes, length);
    int reason = errno;
    fclose(in);
    return done || fail(error, is_regular ? strerror(reason) : "not a regular file");
}

static enum hcct_top_state open_file(struct hcct_top_sample *sample, const char *name,
                                     struct hcct_error *error)
{
    size_t length;
    if (!read_file(sample, name, &length, error))
        return HCCT_TOP_FAILED;
    if (hcct_profile_open(&sample->profile, sample->bytes, length, error))
        return HCCT_TOP_ENDED;
    free(sample->bytes);
    sample->bytes = NULL;
    return HCCT_TOP_FAILED;
}

/* Whether the process has ended and its parent has not waited for it yet: its first thread is a zombie, and
 * it has no other. */
static bool is_zombie(uint32_t pid)
{
    char name[32], text[512];
    snprintf(name, sizeof name, "/proc/%u/stat", pid);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    const char *behind_name = strrchr(text, ')'); /* which may hold anything */
    char state;
    long threads;
    return behind_name &&
           sscanf(behind_name + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld",
                  &state, &threads) == 2 &&
           state == 'Z' && threads <= 1;
}

/* Whether the process is known to have ended. A process of another host is not. */
static bool is_dead(const struct hcct_profile *profile)
{
    char host[256] = "";
    uint32_t pid = profile->run->pid;
    gethostname(host, sizeof host - 1);
    if (strcmp(host, profile->strings + profile->run->host))
        return false;
    return kill((pid_t)pid, 0) != 0 ? errno == ESRCH : is_zombie(pid);
}

/* --- requests ------------------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Whether the file goes away in time. */
static bool wait_for_answer(const char *request, double seconds, const sigset_t *mask)
{
    struct stat info;
    for (double end = seconds_now() + seconds; seconds_now() < end;) {
        if (lstat(request, &info) != 0)
            return errno == ENOENT;
        if (ppoll(NULL, 0, &(struct timespec){ .tv_nsec = 10000000 }, mask) != 0)
            return false;
    }
    errno = ETIMEDOUT;
    return false;
}

bool hcct_top_ask(const char *name, double seconds, const sigset_t *mask)
{
    char *request = hcct_memory_print("%s.dump", name);
    int file = open(request, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool done = file >= 0 || errno == EEXIST; /* another one has asked */
    if (file >= 0)
        close(file);
    done = done && wait_for_answer(request, seconds, mask);
    int reason = errno;
    if (!done && (file >= 0 || (reason == ETIMEDOUT && seconds >= HCCT_TOP_LONGEST)))
        unlink(request);
    free(request);
    errno = reason;
    return done;
}

/* --- rows ----------------------------------------------------------------------------------------- */

static int by_key(const void *left, const void *right)
{
    const struct hcct_top_row *a = left, *b = right;
    return a->key < b->key ? -1 : a->key > b->key;
}

static int by_heat(const void *left, const void *right)
{
    const struct hcct_top_row *a = left, *b = right;
    if (a->recent != b->recent)
        return a->recent > b->recent ? -1 : 1;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* In the order of path texts. */
static void add_rows(struct hcct_top_sample *sample, const uint64_t *keys)
{
    struct hcct_walk walk;
    uint32_t at;
    hcct_walk_open(&walk, &sample->tree, &sample->merge.frames, NULL);
    for (enum hcct_walk_step step; (step = hcct_walk_next(&walk, &at)) != HCCT_WALK_END;) {
        const struct hcct_tree_node *node = &sample->tree.nodes[at];
        uint32_t rank = sample->row_count;
        if (step == HCCT_WALK_NODE && node->flags & HCCT_NODE_COUNTED)
            sample->rows[sample->row_count++] =
                (struct hcct_top_row){ keys[at], node->count, node->error, 0, at, rank };
    }
    hcct_walk_close(&walk);
}

static void make_rows(struct hcct_top_sample *sample, enum hcct_names names)
{
    const struct hcct_tree *tree = &sample->tree;
    uint64_t *keys = hcct_memory_array(tree->node_count, sizeof *keys);
    sample->rows = hcct_memory_array(tree->node_count, sizeof *sample->rows);
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const struct hcct_tree_node *node = &tree->nodes[i];
        const char *name = hcct_frames_name(&sample->merge.frames, node->frame, names);
        const struct hcct_tree_frame *frame = &sample->merge.frames.frames[node->frame];
        const char *file = frame->local && frame->file ? frame->file : "", *key = frame->linkage;
        key = key && *key ? key : name;
        keys[i] = hcct_hash_step(node->parent == HCCT_NODE_NONE ? 0 : keys[node->parent], frame->kind);
        keys[i] = hcct_hash_text(hcct_hash_text(keys[i], key, strlen(key)), file, strlen(file));
    }
    add_rows(sample, keys);
    free(keys);
}

/* Adds up the counts of each function. */
static void flatten(const struct hcct_tree *from, struct hcct_tree *to)
{
    for (uint32_t i = 0; i < from->node_count; i++) {
        if (!(from->nodes[i].flags & HCCT_NODE_COUNTED))
            continue;
        uint32_t node = hcct_tree_child(to, HCCT_NODE_NONE, from->nodes[i].frame, HCCT_FRAMES_NONE);
        hcct_tree_add(&to->nodes[node], &from->nodes[i]);
    }
}

static void make_tree(struct hcct_top_sample *sample, const struct hcct_query *query)
{
    struct hcct_frames *frames = &sample->merge.frames;
    struct hcct_tree filtered = { 0 }, grouped = { 0 };
    bool flat = query->view == HCCT_VIEW_FLAT;
    hcct_filter_apply(&sample->merge.tree, frames, query, &filtered);
    hcct_view_regroup(&filtered, frames, HCCT_BY_FUNCTION, true, flat ? &grouped : &sample->tree);
    if (flat)
        flatten(&grouped, &sample->tree);
    hcct_tree_free(&filtered);
    hcct_tree_free(&grouped);
}

static void close_file(struct hcct_top_sample *sample)
{
    if (sample->bytes)
        hcct_profile_close(&sample->profile);
    free(sample->bytes);
    sample->bytes = NULL;
}

/* Asks the program for a new profile, and opens it. One that waits does not answer: then the last one still
 * tells what it is. At first, that may be the profile of an earlier run. */
static enum hcct_top_state open_newest(struct hcct_top_sample *sample, const char *name, bool is_first,
                                       struct hcct_error *error)
{
    enum { SECONDS = 2 };
    enum hcct_top_state state = open_file(sample, name, error);
    bool can_ask = state == HCCT_TOP_ENDED ? is_first || !is_dead(&sample->profile)
                                           : state == HCCT_TOP_FAILED && access(name, F_OK) != 0;
    if (!can_ask)
        return state;
    if (!hcct_top_ask(name, SECONDS, NULL))
        return state == HCCT_TOP_ENDED && !is_first && errno == ETIMEDOUT ? HCCT_TOP_RUNNING : state;
    close_file(sample);
    state = open_file(sample, name, error);
    return state == HCCT_TOP_ENDED ? HCCT_TOP_RUNNING : state;
}

/* Of a heap, what is live is shown if nothing else is asked for. */
static void choose_value(struct hcct_choice *choice, const struct hcct_profile *profile,
                         const struct hcct_query_options *options)
{
    bool is_heap = hcct_choice_has_values(profile);
    *choice = (struct hcct_choice){ .is_one_value = is_heap || options->value_given,
                                    .value = options->value_given ? options->value
                                             : is_heap            ? HCCT_HEAP_LIVE
                                                                  : 0 };
}

enum hcct_top_state hcct_top_read(struct hcct_top_sample *sample, const char *name, bool is_first,
                                  const struct hcct_query_options *options, struct hcct_error *error)
{
    struct hcct_choice choice;
    *sample = (struct hcct_top_sample){ .bytes = NULL };
    enum hcct_top_state state = open_newest(sample, name, is_first, error);
    if (state != HCCT_TOP_RUNNING)
        return state;
    choose_value(&choice, &sample->profile, options);
    if (!hcct_decoded_open(&sample->merge, &sample->profile, &choice, 0, error))
        return HCCT_TOP_FAILED;
    make_tree(sample, &options->query);
    make_rows(sample, options->names);
    qsort(sample->rows, sample->row_count, sizeof *sample->rows, by_key);
    return HCCT_TOP_RUNNING;
}

void hcct_top_close(struct hcct_top_sample *sample)
{
    free(sample->rows);
    hcct_tree_free(&sample->tree);
    hcct_decoded_close(&sample->merge);
    close_file(sample);
    *sample = (struct hcct_top_sample){ .bytes = NULL };
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Of a context without a row before, the calls that it surely had are recent. */
void hcct_top_compare(struct hcct_top_sample *sample, struct hcct_top_sample *before)
{
    if (before && before->row_count)
        qsort(before->rows, before->row_count, sizeof *before->rows, by_key);
    sample->recent =
        before ? less(sample->merge.summary.ground.total, before->merge.summary.ground.total) : 0;
    for (uint32_t i = 0; before && i < sample->row_count; i++) {
        struct hcct_top_row *row = &sample->rows[i];
        const struct hcct_top_row *old =
            before->row_count ? bsearch(row, before->rows, before->row_count, sizeof *row, by_key) : NULL;
        row->recent = old ? less(row->count, old->count) : row->count - row->error;
    }
    qsort(sample->rows, sample->row_count, sizeof *sample->rows, by_heat);
}

/* --- paths ---------------------------------------------------------------------------------------- */

enum { SHOWN_FRAMES = 64 };

void hcct_top_path(const struct hcct_top_sample *sample, const struct hcct_top_row *row, struct hcct_text *to)
{
    uint32_t nodes[SHOWN_FRAMES], count = 0, node = row->node;
    for (; node != HCCT_NODE_NONE && count < SHOWN_FRAMES; node = sample->tree.nodes[node].parent)
        nodes[count++] = node;
    hcct_text_add_string(to, node == HCCT_NODE_NONE ? "" : "...;");
    while (count) {
        const struct hcct_tree_node *at = &sample->tree.nodes[nodes[--count]];
        hcct_terminal_add(to, sample->merge.frames.frames[at->frame].name);
        hcct_text_add_string(to, count ? ";" : "");
    }
}
