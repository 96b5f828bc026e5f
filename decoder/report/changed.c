/* See changed.h. */
#include "decoder/report/changed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "decoder/claim/amount.h"
#include "decoder/report/node.h"
#include "decoder/report/program_build.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

/* A file, and the time after which it is not to have changed, in nanoseconds since 1970. */
struct file {
    const char *path;
    const char *build_id; /* of an object */
    uint64_t before;
    bool changed;
};

struct files {
    struct file *all;
    uint32_t count, capacity;
    struct hcct_table table;
};

static bool same_file(const void *array, uint32_t index, const void *key)
{
    const struct file *a = (const struct file *)array + index, *b = key;
    return a->path == b->path || !strcmp(a->path, b->path);
}

/* The file of that path; *is_new if it was not there yet. */
static struct file *find(struct files *files, const char *path, bool *is_new)
{
    struct file key = { .path = path, .before = UINT64_MAX };
    uint32_t hash = (uint32_t)hcct_hash_text(0, path, strlen(path));
    uint32_t found = hcct_table_find(&files->table, hash, same_file, files->all, &key);
    *is_new = found == HCCT_TABLE_NONE;
    if (!*is_new)
        return &files->all[found];
    hcct_memory_grow(&files->all, &files->capacity, files->count, sizeof key);
    hcct_memory_add(&files->table, hash, files->count);
    files->all[files->count] = key;
    return &files->all[files->count++];
}

static uint64_t nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

/* What is there now of an object that ran. */
static void look_at_object(struct file *object, uint64_t start)
{
    struct hcct_program_build build = hcct_program_build_read(object->path);
    uint64_t built = nanoseconds(&build.time);
    if (!build.is_known)
        return;
    object->changed = *object->build_id ? strcmp(object->build_id, build.build_id) != 0 : built > start;
    object->before = object->changed ? UINT64_MAX : built;
}

static void look_at_objects(struct files *objects, const struct hcct_report *report, uint64_t start)
{
    bool is_new;
    for (uint32_t i = 0; i < report->frames->frame_count; i++) {
        const struct hcct_tree_frame *frame = &report->frames->frames[i];
        struct file *object =
            frame->object && *frame->object == '/' ? find(objects, frame->object, &is_new) : NULL;
        if (object && is_new) {
            object->build_id = frame->object_build_id ? frame->object_build_id : "";
            look_at_object(object, start);
        }
    }
}

/* When the object was built that the node's call site is in; UINT64_MAX: it is not known. */
static uint64_t when_built(struct files *objects, const struct hcct_report *report,
                           const struct hcct_tree_node *node)
{
    const char *path = NULL;
    bool is_new;
    while (!path && node->parent != HCCT_NODE_NONE && !report->is_upside_down) {
        node = &report->tree->nodes[node->parent];
        path = report->frames->frames[node->frame].object;
    }
    const struct file *object = path ? find(objects, path, &is_new) : NULL;
    return object ? object->before : UINT64_MAX;
}

static void look_at_source(struct file *source)
{
    struct stat info;
    source->changed =
        !stat(source->path, &info) && S_ISREG(info.st_mode) && nanoseconds(&info.st_mtim) > source->before;
}

/* "sort.c is", "sort.c and 2 others are". False, and nothing, if none was changed. */
static bool print_changed(FILE *out, const struct files *files)
{
    const struct file *first = NULL;
    uint32_t others = 0;
    for (uint32_t i = 0; i < files->count; i++) {
        others += first && files->all[i].changed;
        first = !first && files->all[i].changed ? &files->all[i] : first;
    }
    if (!first)
        return false;
    hcct_escape_line(out, hcct_text_base_name(first->path));
    if (others)
        fprintf(out, " and %" PRIu32 " other%s are", others, hcct_amount_plural(others));
    else
        fputs(" is", out);
    return true;
}

static void print_sources(FILE *out, const struct hcct_report *report, struct files *objects, uint64_t start)
{
    struct files sources = { NULL, 0, 0, { 0 } };
    bool is_new;
    for (uint32_t i = 0; report->tree && i < report->tree->node_count; i++) {
        const struct hcct_tree_node *node = &report->tree->nodes[i];
        const struct hcct_tree_site *site = hcct_node_site(report, node);
        struct file *source = site && site->line && *site->file ? find(&sources, site->file, &is_new) : NULL;
        uint64_t built = source ? when_built(objects, report, node) : 0,
                 before = built < start ? built : start;
        if (source)
            source->before = before < source->before ? before : source->before;
    }
    for (uint32_t i = 0; i < sources.count; i++)
        look_at_source(&sources.all[i]);
    if (print_changed(out, &sources))
        fputs(" newer than the build that ran: lines may have moved\n", out);
    free(sources.all);
    hcct_table_free(&sources.table);
}

void hcct_changed_print(FILE *out, const struct hcct_report *report, bool has_lines)
{
    struct files objects = { NULL, 0, 0, { 0 } };
    uint64_t start = report->summary->start ? report->summary->start : UINT64_MAX;
    if (!report->summary->several_builds)
        look_at_objects(&objects, report, start);
    if (print_changed(out, &objects))
        fputs(" not the build that ran\n", out);
    if (has_lines)
        print_sources(out, report, &objects, start);
    free(objects.all);
    hcct_table_free(&objects.table);
}
