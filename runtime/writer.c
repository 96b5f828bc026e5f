/* See writer.h. The file is laid out in reserved memory first (checksums stand in front of what they cover), then
 * written in one go.
 *
 * Invariants
 *   1. what the output path names is either what it was, or a whole profile;
 *   2. strings are written once each, by content. */
#define _GNU_SOURCE
#include "runtime/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "encoding/encoding.h"
#include "hcct/format.h"
#include "runtime/count.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/prefix.h"
#include "runtime/registry.h"

enum { SECTION_LIMIT = 8 };

struct function_ref {
    const struct hcct_function *record;
    uint32_t object;
};

struct image {
    char *bytes; /* the file */
    size_t size, capacity;
    struct hcct_file_section sections[SECTION_LIMIT];
    uint32_t section_count;

    char *strings;
    size_t strings_size, strings_capacity;
    uint32_t *string_table; /* offsets by content, open addressing */
    size_t string_table_size, string_count;

    size_t object_count, record_count;
    struct function_ref *functions; /* in ascending order of base */
    uint32_t function_count, site_count;
    struct hcct_file_inlined *inlined;
    const struct hcct_inlined **inlined_records;
    uint32_t inlined_count, inlined_capacity;
    uint32_t *prefix_index; /* by node: 1 more than the index in the file */
    hcct_node *pending;     /* scratch, by node too */
    uint32_t prefix_count;
    uint64_t dropped_chain;
    bool failed;
};

/* --- memory ------------------------------------------------------------------------------------ */

/* A growing array in reserved memory: `capacity` is what the address space gave, pages come as they are touched. */
static void *reserve_some(size_t *capacity, size_t element)
{
    void *memory = NULL;
    while (!(memory = hcct_memory_reserve(*capacity * element)) && *capacity > 4096)
        *capacity /= 2;
    return memory;
}

static void *append(struct image *image, size_t bytes)
{
    if (image->failed || bytes > image->capacity - image->size) {
        image->failed = true;
        return NULL;
    }
    void *at = image->bytes + image->size;
    image->size += bytes;
    return at;
}

/* --- strings ----------------------------------------------------------------------------------- */

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static void grow_string_table(struct image *image)
{
    uint32_t *old = image->string_table;
    size_t old_size = image->string_table_size, size = old_size ? 2 * old_size : 4096;
    uint32_t *table = hcct_memory_map(size * sizeof *table);
    if (!table) {
        image->failed = true;
        return;
    }
    for (size_t i = 0; i < old_size; i++) {
        const char *text = image->strings + old[i];
        size_t at = hash_text(text, strlen(text)) & (size - 1);
        while (old[i] && table[at])
            at = (at + 1) & (size - 1);
        if (old[i])
            table[at] = old[i];
    }
    image->string_table = table;
    image->string_table_size = size;
    hcct_memory_unmap(old, old_size * sizeof *old);
}

static uint32_t string(struct image *image, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (!length)
        return 0;
    if (2 * image->string_count >= image->string_table_size)
        grow_string_table(image);
    if (image->failed || image->strings_size + length + 1 > image->strings_capacity) {
        image->failed = true;
        return 0;
    }
    size_t mask = image->string_table_size - 1, at = hash_text(text, length) & mask;
    for (; image->string_table[at]; at = (at + 1) & mask)
        if (strcmp(image->strings + image->string_table[at], text) == 0)
            return image->string_table[at];
    uint32_t offset = (uint32_t)image->strings_size;
    memcpy(image->strings + offset, text, length + 1);
    image->strings_size += length + 1;
    image->string_table[at] = offset;
    image->string_count++;
    return offset;
}

static uint32_t rel_string(struct image *image, const hcct_rel *field)
{
    return string(image, hcct_rel_get(field));
}

/* --- sections ---------------------------------------------------------------------------------- */

static void open_section(struct image *image, uint32_t kind, uint32_t element_bytes)
{
    image->size = (image->size + 7) & ~(size_t)7;
    image->sections[image->section_count] =
        (struct hcct_file_section){ .kind = kind, .element_bytes = element_bytes, .offset = image->size };
}

static void close_section(struct image *image)
{
    struct hcct_file_section *section = &image->sections[image->section_count++];
    section->bytes = image->size - section->offset;
    section->checksum = hcct_checksum(0, image->bytes + section->offset, section->bytes);
}

/* --- functions and sites ------------------------------------------------------------------------ */

static uint64_t base_of(const struct function_ref *ref)
{
    return hcct_function_state(ref->record)->base;
}

static void sift_down(struct function_ref *heap, size_t root, size_t size)
{
    for (size_t child; (child = 2 * root + 1) < size; root = child) {
        if (child + 1 < size && base_of(&heap[child]) < base_of(&heap[child + 1]))
            child++;
        if (base_of(&heap[root]) >= base_of(&heap[child]))
            return;
        struct function_ref swapped = heap[root];
        heap[root] = heap[child];
        heap[child] = swapped;
    }
}

/* Heapsort: libc's qsort may call the program's malloc. */
static void sort_functions(struct image *image)
{
    struct function_ref *heap = image->functions;
    size_t size = image->function_count;
    for (size_t root = size / 2; root-- > 0;)
        sift_down(heap, root, size);
    while (size > 1) {
        struct function_ref last = heap[--size];
        heap[size] = heap[0];
        heap[0] = last;
        sift_down(heap, 0, size);
    }
}

static bool gather_functions(struct image *image)
{
    image->object_count = hcct_registry_object_count();
    for (size_t o = 0; o < image->object_count; o++)
        image->record_count += (size_t)(hcct_registry_object(o)->stop - hcct_registry_object(o)->start);
    image->functions = hcct_memory_map((image->record_count + 1) * sizeof *image->functions);
    if (!image->functions)
        return false;
    for (uint32_t o = 0; o < image->object_count; o++)
        for (const struct hcct_function *f = hcct_registry_object(o)->start;
             f < hcct_registry_object(o)->stop; f++) {
            if (hcct_function_state(f)->base)
                image->functions[image->function_count++] = (struct function_ref){ f, o };
            image->site_count += f->site_count;
        }
    sort_functions(image);
    return true;
}

static void write_functions(struct image *image)
{
    open_section(image, HCCT_FILE_FUNCTIONS, sizeof(struct hcct_file_function));
    for (uint32_t i = 0; i < image->function_count; i++) {
        const struct hcct_function *record = image->functions[i].record;
        const struct hcct_state *state = hcct_function_state(record);
        struct hcct_file_function *out = append(image, sizeof *out);
        if (!out)
            return;
        *out = (struct hcct_file_function){
            .base = state->base,
            .contexts = state->contexts,
            .linkage_name = rel_string(image, &record->linkage_name),
            .source_name = rel_string(image, &record->source_name),
            .file = rel_string(image, &record->file),
            .line = record->line,
            .flags = record->flags,
            .object = image->functions[i].object,
        };
    }
    close_section(image);
}

/* Inlined frames are shared by neighbouring sites: the last few are looked through. */
static uint32_t inlined_index(struct image *image, const struct hcct_inlined *record)
{
    if (!record)
        return HCCT_FILE_NONE;
    for (uint32_t i = image->inlined_count, tries = 0; i-- > 0 && tries < 64; tries++)
        if (image->inlined_records[i] == record)
            return i;
    uint32_t outer = inlined_index(image, hcct_rel_get(&record->outer));
    if (image->inlined_count == image->inlined_capacity) {
        image->failed = true;
        return HCCT_FILE_NONE;
    }
    image->inlined_records[image->inlined_count] = record;
    image->inlined[image->inlined_count] = (struct hcct_file_inlined){
        .linkage_name = rel_string(image, &record->linkage_name),
        .source_name = rel_string(image, &record->source_name),
        .file = rel_string(image, &record->file),
        .line = record->line,
        .call_file = rel_string(image, &record->call_file),
        .call_line = record->call_line,
        .call_column = record->call_column,
        .outer = outer,
    };
    return image->inlined_count++;
}

/* The function in the file that `id` belongs to. */
static uint32_t function_of(const struct image *image, uint64_t id)
{
    uint32_t low = 0, high = image->function_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (base_of(&image->functions[middle]) <= id)
            low = middle;
        else
            high = middle;
    }
    bool inside = high && id - base_of(&image->functions[low]) <
                              hcct_function_state(image->functions[low].record)->contexts;
    return inside ? low : HCCT_FILE_NONE;
}

/* What the delta leads to; its object may be unloaded, so addresses would not tell. */
static uint32_t callee_of(const struct image *image, const struct hcct_site *site, uint32_t caller,
                          int64_t delta)
{
    if (delta > 0)
        return function_of(image, base_of(&image->functions[caller]) + (uint64_t)delta);
    if (delta != HCCT_DELTA_OPEN && delta != HCCT_DELTA_NONE)
        return function_of(image, (uint64_t)delta & ~(uint64_t)HCCT_DELTA_SIGN);
    bool recursive =
        (site->flags & (HCCT_SITE_KIND_MASK | HCCT_SITE_PUSHES)) == (HCCT_SITE_LOCAL | HCCT_SITE_PUSHES);
    return recursive ? caller : HCCT_FILE_NONE;
}

static void write_site(struct image *image, const struct hcct_site *site, uint32_t caller, int64_t delta)
{
    struct hcct_file_site *out = append(image, sizeof *out);
    if (!out)
        return;
    *out = (struct hcct_file_site){
        .id = site->id,
        .delta = delta == HCCT_DELTA_NONE ? HCCT_DELTA_OPEN : delta,
        .caller = caller,
        .callee = callee_of(image, site, caller, delta),
        .callee_name = rel_string(image, &site->callee_name),
        .file = rel_string(image, &site->file),
        .line = site->line,
        .column = site->column,
        .inlined = inlined_index(image, hcct_rel_get(&site->inlined)),
        .flags = site->flags,
        .ordinal = site->ordinal,
    };
}

static void write_sites(struct image *image)
{
    open_section(image, HCCT_FILE_SITES, sizeof(struct hcct_file_site));
    for (uint32_t i = 0; i < image->function_count; i++) {
        const struct hcct_function *record = image->functions[i].record;
        const struct hcct_site *sites = hcct_rel_get(&record->sites);
        for (uint32_t s = 0; s < record->site_count; s++)
            write_site(image, &sites[s], i,
                       s < record->delta_count ? hcct_function_state(record)->delta[s] : HCCT_DELTA_OPEN);
    }
    close_section(image);
    open_section(image, HCCT_FILE_INLINED, sizeof(struct hcct_file_inlined));
    void *out = append(image, image->inlined_count * sizeof *image->inlined);
    if (out)
        memcpy(out, image->inlined, image->inlined_count * sizeof *image->inlined);
    close_section(image);
}

static void write_objects(struct image *image)
{
    open_section(image, HCCT_FILE_OBJECTS, sizeof(struct hcct_file_object));
    for (size_t o = 0; o < image->object_count; o++) {
        struct hcct_file_object *out = append(image, sizeof *out);
        if (!out)
            return;
        *out = (struct hcct_file_object){ string(image, hcct_registry_object(o)->path),
                                          string(image, hcct_registry_object(o)->build_id) };
    }
    close_section(image);
}

/* --- contexts ----------------------------------------------------------------------------------- */

/* The file's index of a node; its ancestors come first. */
static uint32_t prefix_index(struct image *image, hcct_node node)
{
    uint32_t count = 0;
    for (hcct_node at = node; at && !image->prefix_index[at]; at = hcct_prefix_at(at)->parent)
        image->pending[count++] = at;
    while (count) {
        hcct_node next = image->pending[--count];
        const struct hcct_prefix *from = hcct_prefix_at(next);
        struct hcct_file_prefix *out = append(image, sizeof *out);
        if (!out)
            return HCCT_FILE_NONE;
        *out =
            (struct hcct_file_prefix){ from->word, from->site,
                                       from->parent ? image->prefix_index[from->parent] - 1 : HCCT_FILE_NONE,
                                       from->kind };
        image->prefix_index[next] = ++image->prefix_count;
    }
    return node ? image->prefix_index[node] - 1 : HCCT_FILE_NONE;
}

static struct hcct_entry entry_at(size_t place)
{
    if (hcct_tables.summary)
        return hcct_summary_entry(hcct_tables.summary, (uint32_t)place);
    const struct hcct_exact_slot *slot = &hcct_tables.exact.slots[place];
    return (struct hcct_entry){ slot->key, slot->count, 0, slot->node };
}

static size_t place_count(void)
{
    return hcct_tables.summary ? hcct_summary_capacity(hcct_tables.summary) : hcct_tables.exact.slot_count;
}

static void write_prefixes(struct image *image)
{
    open_section(image, HCCT_FILE_PREFIXES, sizeof(struct hcct_file_prefix));
    prefix_index(image, HCCT_NODE_ROOT);
    for (size_t i = 0; i < place_count(); i++)
        if (entry_at(i).count)
            prefix_index(image, entry_at(i).node);
    close_section(image);
}

static void write_entries(struct image *image)
{
    open_section(image, HCCT_FILE_ENTRIES, sizeof(struct hcct_file_entry));
    for (size_t i = 0; i < place_count(); i++) {
        struct hcct_entry entry = entry_at(i);
        struct hcct_file_entry *out = entry.key && entry.count ? append(image, sizeof *out) : NULL;
        if (!out)
            continue;
        *out = (struct hcct_file_entry){ entry.key, entry.count, entry.error, prefix_index(image, entry.node),
                                         0 };
        if (!entry.node)
            image->dropped_chain += entry.count - entry.error;
    }
    close_section(image);
}

/* --- the run ------------------------------------------------------------------------------------ */

static void read_command(char *command, size_t size)
{
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, command, size - 1);
    length = length > 0 ? length : 0;
    command[length] = 0;
    for (ssize_t i = 0; i + 1 < length; i++)
        if (command[i] == 0)
            command[i] = ' ';
    if (file >= 0)
        close(file);
}

/* Equal for two runs whose ids mean the same: functions, numbering and sites. */
static uint64_t build_hash(const struct image *image)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < image->function_count; i++) {
        const struct hcct_function *record = image->functions[i].record;
        const struct hcct_state *state = hcct_function_state(record);
        const struct hcct_site *sites = hcct_rel_get(&record->sites);
        const char *name = hcct_rel_get(&record->linkage_name);
        hash = hcct_mix(hash + hash_text(name ? name : "", name ? strlen(name) : 0), state->base | 1) +
               state->contexts;
        for (uint32_t s = 0; s < record->site_count; s++)
            hash =
                hcct_mix(hash + (s < record->delta_count ? (uint64_t)state->delta[s] : 0) + 1, sites[s].id);
    }
    return hash;
}

static void write_run(struct image *image, uint64_t build)
{
    static char command[4096];
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    read_command(command, sizeof command);
    open_section(image, HCCT_FILE_RUN, sizeof(struct hcct_file_run));
    struct hcct_file_run *out = append(image, sizeof *out);
    if (!out)
        return;
    bool exact = !hcct_tables.summary;
    *out = (struct hcct_file_run){
        .mode = (uint32_t)hcct_options.mode,
        .algorithm = exact ? HCCT_ALGORITHM_EXACT : HCCT_ALGORITHM_SPACE_SAVING,
        .guarantee = exact ? HCCT_GUARANTEE_EXACT : HCCT_GUARANTEE_DETERMINISTIC,
        .metric = HCCT_METRIC_CALLS,
        .phi = hcct_options.phi,
        .epsilon = exact ? 0 : hcct_options.epsilon,
        .calls = hcct_count_calls(),
        .floor = exact ? 0 : hcct_summary_floor(hcct_tables.summary),
        .capacity = exact ? 0 : hcct_options.capacity,
        .program = string(image, hcct_program_path()),
        .command = string(image, command),
        .host = string(image, host),
        .pid = (uint32_t)getpid(),
        .build_id = build,
        .memory_bytes = hcct_memory_bytes() + hcct_prefix_bytes() + hcct_worker_stack_bytes(),
        .dropped_memory = hcct_tables.dropped_memory + hcct_tables.exact.dropped,
        .dropped_chain = image->dropped_chain,
        .dropped_interrupted = hcct_tables.dropped_interrupted,
        .stale = hcct_tables.stale,
        .overflowed = hcct_stack_overflow_count(),
    };
    close_section(image);
}

static void write_strings(struct image *image)
{
    open_section(image, HCCT_FILE_STRINGS, 1);
    void *out = append(image, image->strings_size);
    if (out)
        memcpy(out, image->strings, image->strings_size);
    close_section(image);
}

static void write_header(struct image *image)
{
    struct hcct_file_header header = {
        .version = HCCT_FILE_VERSION,
        .header_bytes = sizeof header,
        .file_bytes = image->size,
        .section_count = image->section_count,
    };
    memcpy(header.magic, HCCT_FILE_MAGIC, sizeof header.magic);
    memcpy(image->bytes + sizeof header, image->sections, image->section_count * sizeof image->sections[0]);
    memcpy(image->bytes, &header, sizeof header);
    size_t covered = sizeof header + image->section_count * sizeof image->sections[0];
    header.checksum = hcct_checksum(0, image->bytes, covered);
    memcpy(image->bytes, &header, sizeof header);
}

/* --- the file ----------------------------------------------------------------------------------- */

static bool write_pieces(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(file, bytes, size < (1u << 30) ? size : 1u << 30);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* A write past the limit of files (ulimit -f), or to a pipe that nobody reads, raises a signal that is not the program's:
 * those of them that were not pending before are taken away. */
static bool write_all(int file, const char *bytes, size_t size)
{
    sigset_t ours, before, masked;
    sigpending(&before);
    sigemptyset(&ours);
    if (!sigismember(&before, SIGXFSZ))
        sigaddset(&ours, SIGXFSZ);
    if (!sigismember(&before, SIGPIPE))
        sigaddset(&ours, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &ours, &masked);
    bool good = write_pieces(file, bytes, size);
    int error = errno;
    while (sigtimedwait(&ours, NULL, &(struct timespec){ 0 }) > 0 || errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &masked, NULL);
    errno = error;
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

/* What is there is neither a file, nor a folder, nor a link to one. */
static bool is_special(const char *path)
{
    struct stat at;
    return stat(path, &at) == 0 && !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode);
}

static bool save(const struct image *image, const char *path)
{
    static char draft[PATH_MAX];
    static const char *const reasons[] = {
        [ENOENT] = "no such folder",       [EACCES] = "permission denied", [ENOSPC] = "no space left",
        [EROFS] = "read-only file system", [EISDIR] = "is a folder",       [ENOTDIR] = "not a folder",
        [ENXIO] = "not a regular file",    [EFBIG] = "file too large",     [EPIPE] = "nobody reads it"
    };
    size_t length = strlen(path);
    if (length + sizeof ".tmp" > sizeof draft)
        return false;
    memcpy(draft, path, length);
    memcpy(draft + length, ".tmp", sizeof ".tmp");
    int file = open_special(path);
    bool special = file >= 0;
    errno = ENXIO;
    if (!special && !is_special(path)) {
        unlink(draft);
        file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    bool good = file >= 0 && write_all(file, image->bytes, image->size);
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
    HCCT_SAY(1, "cannot write the profile to '", path, "': ", reason,
             " (HCCT_OPTIONS=output=FILE names another place)");
    return false;
}

static size_t prefix_bytes(void)
{
    return ((size_t)hcct_prefix_limit() + 1) * sizeof(hcct_node);
}

static bool open_image(struct image *image)
{
    image->capacity = (size_t)1 << 36;
    image->strings_capacity = (size_t)1 << 31;
    image->bytes = reserve_some(&image->capacity, 1);
    image->strings = reserve_some(&image->strings_capacity, 1);
    image->prefix_index = hcct_memory_map(prefix_bytes());
    image->pending = hcct_memory_map(prefix_bytes());
    if (!image->bytes || !image->strings || !image->prefix_index || !image->pending ||
        !gather_functions(image))
        return false;
    size_t frames = (size_t)image->site_count * 32 + 1024;
    image->inlined = reserve_some(&frames, sizeof *image->inlined);
    image->inlined_records = hcct_memory_reserve(frames * sizeof *image->inlined_records);
    image->inlined_capacity = (uint32_t)frames;
    image->strings_size = 1; /* offset 0: the empty string */
    image->size = sizeof(struct hcct_file_header) + SECTION_LIMIT * sizeof(struct hcct_file_section);
    return image->inlined && image->inlined_records;
}

static void close_image(struct image *image)
{
    size_t frames = image->inlined_capacity;
    hcct_memory_release(image->bytes, image->capacity);
    hcct_memory_release(image->strings, image->strings_capacity);
    hcct_memory_release(image->inlined, frames * sizeof *image->inlined);
    hcct_memory_release(image->inlined_records, frames * sizeof *image->inlined_records);
    hcct_memory_unmap(image->string_table, image->string_table_size * sizeof *image->string_table);
    hcct_memory_unmap(image->prefix_index, prefix_bytes());
    hcct_memory_unmap(image->pending, prefix_bytes());
    hcct_memory_unmap(image->functions, (image->record_count + 1) * sizeof *image->functions);
}

static void summarise(const struct image *image, const char *path)
{
    char calls[24], contexts[24];
    snprintf(calls, sizeof calls, "%llu", (unsigned long long)hcct_count_calls());
    snprintf(contexts, sizeof contexts, "%llu",
             (unsigned long long)(image->sections[1].bytes / sizeof(struct hcct_file_entry)));
    HCCT_SAY(2, calls, " calls, ", contexts, " contexts, written to ", path);
}

static bool write_image(struct image *image, int child)
{
    char path[PATH_MAX], build_text[20];
    write_prefixes(image);
    write_entries(image);
    write_functions(image);
    write_sites(image);
    write_objects(image);
    uint64_t build = build_hash(image);
    write_run(image, build);
    write_strings(image);
    if (image->failed) {
        HCCT_SAY(1, "cannot write the profile: out of memory");
        return false;
    }
    write_header(image);
    snprintf(build_text, sizeof build_text, "%016llx", (unsigned long long)build);
    if (!hcct_options_output_path(path, sizeof path, build_text, child)) {
        HCCT_SAY(1, "cannot write the profile: its path is too long");
        return false;
    }
    if (!save(image, path))
        return false;
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

int hcct_profile_write(int child)
{
    static struct image image;
    int saved = errno;
    bool was_busy = hcct_busy != 0; /* exit in the handler of a fault inside the tables */
    hcct_busy_enter();
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE,
                           &cancel_state); /* open and write are cancellation points */
    bool held = hold(1000);
    hcct_registry_lose_unloaded();
    if (!was_busy)
        hcct_table_lock();
    hcct_count_drain_all();
    image = (struct image){ 0 };
    bool good = open_image(&image) && write_image(&image, child);
    close_image(&image);
    if (!was_busy)
        hcct_table_unlock();
    if (held)
        hcct_profile_release();
    pthread_setcancelstate(cancel_state, NULL);
    hcct_busy_leave();
    errno = saved;
    return good;
}
