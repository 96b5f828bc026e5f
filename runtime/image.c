/* See image.h. Strings are written last, once each. */
#define _GNU_SOURCE
#include "runtime/image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "encoding/encoding.h"
#include "runtime/acct.h"
#include "runtime/burst.h"
#include "runtime/context.h"
#include "runtime/count.h"
#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/prefix.h"
#include "runtime/registry.h"
#include "runtime/sample.h"

struct hcct_image_function {
    const struct hcct_function *record;
    uint32_t object;
};

enum { WINDOW_BYTES = 1 << 16 };

/* --- bytes -------------------------------------------------------------------------------------- */

bool hcct_image_put(int file, const char *bytes, size_t size)
{
    while (size) {
        ssize_t done = write(file, bytes, size < (1u << 30) ? size : 1u << 30);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

/* Of what was appended to the open section since the last time. */
static void check(struct hcct_image *image)
{
    struct hcct_file_section *section = &image->sections[image->section_count];
    if (image->checked < section->offset)
        image->checked = section->offset;
    section->checksum = hcct_checksum(section->checksum, image->bytes + (image->checked - image->written),
                                      image->size - image->checked);
    image->checked = image->size;
}

static void flush(struct hcct_image *image)
{
    size_t count = image->size - image->written;
    check(image);
    if (!hcct_image_put(image->file, image->bytes, count)) {
        image->error = errno;
        image->failed = true;
    }
    memset(image->bytes, 0, count); /* gaps are zero */
    image->written = image->size;
}

static void *append(struct hcct_image *image, size_t bytes)
{
    if (image->file >= 0 && !image->failed && bytes + 8 > image->capacity - (image->size - image->written))
        flush(image);
    if (image->failed || bytes > image->capacity - (image->size - image->written)) {
        image->failed = true;
        return NULL;
    }
    void *at = image->bytes + (image->size - image->written);
    image->size += bytes;
    return at;
}

static void append_all(struct hcct_image *image, const void *bytes, size_t size)
{
    for (const char *at = bytes, *end = at + size; at < end && !image->failed;) {
        size_t piece = (size_t)(end - at) < WINDOW_BYTES / 2 ? (size_t)(end - at) : WINDOW_BYTES / 2;
        void *out = append(image, piece);
        if (out)
            memcpy(out, at, piece);
        at += piece;
    }
}

static uint32_t string(struct hcct_image *image, const char *text)
{
    return hcct_strings_add(&image->strings, text);
}

static uint32_t rel_string(struct hcct_image *image, const hcct_rel *field)
{
    return string(image, hcct_rel_get(field));
}

/* --- sections ---------------------------------------------------------------------------------- */

static void open_section(struct hcct_image *image, uint32_t kind, uint32_t element_bytes)
{
    image->size = (image->size + 7) & ~(size_t)7;
    image->sections[image->section_count] =
        (struct hcct_file_section){ .kind = kind, .element_bytes = element_bytes, .offset = image->size };
}

static void close_section(struct hcct_image *image)
{
    struct hcct_file_section *section = &image->sections[image->section_count];
    check(image);
    section->bytes = image->size - section->offset;
    image->section_count++;
}

/* --- functions and sites ------------------------------------------------------------------------ */

static uint64_t base_of(const struct hcct_image_function *ref)
{
    return hcct_function_state(ref->record)->base;
}

static void sift_down(struct hcct_image_function *heap, size_t root, size_t size)
{
    for (size_t child; (child = 2 * root + 1) < size; root = child) {
        if (child + 1 < size && base_of(&heap[child]) < base_of(&heap[child + 1]))
            child++;
        if (base_of(&heap[root]) >= base_of(&heap[child]))
            return;
        struct hcct_image_function swapped = heap[root];
        heap[root] = heap[child];
        heap[child] = swapped;
    }
}

/* Heapsort: libc's qsort may call the program's malloc. */
static void sort_functions(struct hcct_image *image)
{
    struct hcct_image_function *heap = image->functions;
    size_t size = image->function_count;
    for (size_t root = size / 2; root-- > 0;)
        sift_down(heap, root, size);
    while (size > 1) {
        struct hcct_image_function last = heap[--size];
        heap[size] = heap[0];
        heap[0] = last;
        sift_down(heap, 0, size);
    }
}

static bool gather_functions(struct hcct_image *image)
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
                image->functions[image->function_count++] = (struct hcct_image_function){ f, o };
            image->site_count += f->site_count;
        }
    sort_functions(image);
    return true;
}

static void write_functions(struct hcct_image *image)
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
static uint32_t inlined_index(struct hcct_image *image, const struct hcct_inlined *record)
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
        .call_discriminator = record->call_discriminator,
        .outer = outer,
    };
    return image->inlined_count++;
}

/* The function in the file that `id` belongs to. */
static uint32_t function_of(const struct hcct_image *image, uint64_t id)
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
static uint32_t callee_of(const struct hcct_image *image, const struct hcct_site *site, uint32_t caller,
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

static void write_site(struct hcct_image *image, const struct hcct_site *site, uint32_t caller, int64_t delta)
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
        .discriminator = site->discriminator,
    };
}

static void write_sites(struct hcct_image *image)
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
    append_all(image, image->inlined, image->inlined_count * sizeof *image->inlined);
    close_section(image);
}

static void write_objects(struct hcct_image *image)
{
    open_section(image, HCCT_FILE_OBJECTS, sizeof(struct hcct_file_object));
    for (size_t o = 0; o < image->object_count; o++) {
        struct hcct_file_object *out = append(image, sizeof *out);
        if (!out)
            return;
        *out = (struct hcct_file_object){ string(image, hcct_registry_object(o)->path),
                                          string(image, hcct_registry_object(o)->build_id) };
    }
    const char *path;
    for (size_t i = 0; (path = hcct_sample_leaf(i)); i++) {
        struct hcct_file_object *out = append(image, sizeof *out);
        if (out)
            *out = (struct hcct_file_object){ string(image, path), 0 };
    }
    close_section(image);
}

/* --- contexts ----------------------------------------------------------------------------------- */

static void write_prefix(struct hcct_image *image, const struct hcct_prefix *from, uint32_t parent)
{
    struct hcct_file_prefix *out = append(image, sizeof *out);
    if (out)
        *out = (struct hcct_file_prefix){ from->word, from->site, parent, from->kind };
}

/* The file's index of a node; its ancestors come first. */
static uint32_t prefix_index(struct hcct_image *image, hcct_node node)
{
    uint32_t count = 0;
    if (image->dense)
        return node ? node - HCCT_NODE_ROOT : HCCT_FILE_NONE;
    for (hcct_node at = node; at && !image->prefix_index[at]; at = hcct_prefix_at(at)->parent)
        image->pending[count++] = at;
    while (count) {
        hcct_node next = image->pending[--count];
        const struct hcct_prefix *from = hcct_prefix_at(next);
        write_prefix(image, from, from->parent ? image->prefix_index[from->parent] - 1 : HCCT_FILE_NONE);
        image->prefix_index[next] = ++image->prefix_count;
    }
    return node ? image->prefix_index[node] - 1 : HCCT_FILE_NONE;
}

static struct hcct_entry entry_at(size_t place)
{
    if (hcct_tables.summary)
        return hcct_tables.algorithm->entry(hcct_tables.summary, (uint32_t)place);
    const struct hcct_exact_slot *slot = &hcct_tables.exact.slots[place];
    return (struct hcct_entry){ slot->key, slot->count, 0, slot->node };
}

static size_t place_count(void)
{
    return hcct_tables.summary ? hcct_tables.algorithm->places(hcct_tables.summary)
                               : hcct_tables.exact.slot_count;
}

static uint64_t floor_now(void)
{
    return hcct_tables.summary ? hcct_tables.algorithm->floor(hcct_tables.summary) : 0;
}

/* Not what is below the floor, which the file says of all that it lacks. */
static bool is_written(const struct hcct_entry *entry)
{
    return entry->key && entry->count > floor_now();
}

static void write_prefixes(struct hcct_image *image, size_t places)
{
    open_section(image, HCCT_FILE_PREFIXES, sizeof(struct hcct_file_prefix));
    struct hcct_entry entry;
    for (hcct_node node = HCCT_NODE_ROOT; image->dense && node < hcct_prefix_limit(); node++)
        write_prefix(image, hcct_prefix_at(node), prefix_index(image, hcct_prefix_at(node)->parent));
    prefix_index(image, HCCT_NODE_ROOT);
    for (size_t i = 0; i < places; i++)
        if (entry = entry_at(i), is_written(&entry))
            prefix_index(image, entry.node);
    for (const struct hcct_pin *pin = NULL; image->pinned && (pin = hcct_context_next_pin(pin));)
        prefix_index(image, pin->node);
    close_section(image);
}

static void write_pins(struct hcct_image *image)
{
    if (!image->pinned)
        return;
    open_section(image, HCCT_FILE_PINS, sizeof(struct hcct_file_pin));
    for (const struct hcct_pin *pin = NULL; (pin = hcct_context_next_pin(pin));) {
        struct hcct_file_pin *out = append(image, sizeof *out);
        if (out)
            *out = (struct hcct_file_pin){ pin->word, prefix_index(image, pin->node), 0 };
    }
    close_section(image);
}

/* Whether counts are. */
static bool estimates(void)
{
    return hcct_options.burst || hcct_options.sample;
}

static void write_entries(struct hcct_image *image, size_t places)
{
    uint64_t scale = hcct_burst_scale();
    open_section(image, HCCT_FILE_ENTRIES, sizeof(struct hcct_file_entry));
    for (size_t i = 0; i < places; i++) {
        struct hcct_entry entry = entry_at(i);
        struct hcct_file_entry *out = is_written(&entry) ? append(image, sizeof *out) : NULL;
        if (!out)
            continue;
        *out = (struct hcct_file_entry){ entry.key, scale * entry.count, scale * entry.error,
                                         prefix_index(image, entry.node), 0 };
        image->entry_count++;
        if (!entry.node)
            image->dropped_chain += scale * (entry.count - entry.error);
    }
    close_section(image);
}

/* --- the run ------------------------------------------------------------------------------------ */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

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
static uint64_t build_hash(const struct hcct_image *image)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < image->function_count; i++) {
        const struct hcct_function *record = image->functions[i].record;
        const struct hcct_state *state = hcct_function_state(record);
        const struct hcct_site *sites = hcct_rel_get(&record->sites);
        const char *name = hcct_rel_get(&record->linkage_name);
        hash =
            hcct_mix(hash + hcct_strings_hash(name ? name : "", name ? strlen(name) : 0), state->base | 1) +
            state->contexts;
        for (uint32_t s = 0; s < record->site_count; s++)
            hash =
                hcct_mix(hash + (s < record->delta_count ? (uint64_t)state->delta[s] : 0) + 1, sites[s].id);
    }
    return hash;
}

static void write_run(struct hcct_image *image)
{
    static char command[4096];
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    read_command(command, sizeof command);
    open_section(image, HCCT_FILE_RUN, sizeof(struct hcct_file_run));
    struct hcct_file_run *out = append(image, sizeof *out);
    if (!out)
        return;
    const struct hcct_algorithm *algorithm = hcct_tables.algorithm;
    bool exact = !hcct_tables.summary;
    uint64_t scale = hcct_burst_scale(), calls = hcct_count_calls(), crowded = exact || !algorithm->crowded ? 0 : algorithm->crowded(hcct_tables.summary);
    *out = (struct hcct_file_run){
        .mode = (uint32_t)hcct_options.mode,
        .algorithm = exact ? HCCT_ALGORITHM_EXACT : (uint16_t)algorithm->number,
        .delta = exact ? 0 : (uint16_t)(algorithm->delta * HCCT_DELTA_ONE + 0.5),
        .guarantee = hcct_metric_is_sampled((uint32_t)hcct_options.metric) || estimates() || hcct_options.event ? HCCT_GUARANTEE_PROBABILISTIC
                     : exact ? HCCT_GUARANTEE_EXACT
                             : algorithm->guarantee,
        .recursion = (uint16_t)hcct_options.recursion,
        .metric = (uint16_t)hcct_options.metric,
        .unit = (uint16_t)image->unit,
        .phi = hcct_options.phi,
        .epsilon = exact ? 0 : larger(hcct_options.epsilon, (double)floor_now() / (double)(calls ? calls : 1)),
        .calls = scale * calls,
        .floor = scale * floor_now(),
        .capacity = exact ? 0 : hcct_options.capacity,
        .program = string(image, hcct_program_path()),
        .command = string(image, command),
        .host = string(image, host),
        .pid = (uint32_t)getpid(),
        .build_id = image->build,
        .memory_bytes = hcct_memory_bytes() + hcct_prefix_bytes() + hcct_worker_stack_bytes(),
        .dropped_memory = scale * (hcct_tables.dropped_memory + hcct_tables.exact.dropped + crowded),
        .dropped_chain = image->dropped_chain,
        .dropped_interrupted = scale * hcct_tables.dropped_interrupted,
        .stale = scale * hcct_tables.stale,
        .overflowed = hcct_stack_overflow_count(),
    };
    close_section(image);
}

static void write_bursts(struct hcct_image *image)
{
    if (!estimates())
        return;
    open_section(image, HCCT_FILE_BURSTS, sizeof(struct hcct_file_bursts));
    struct hcct_file_bursts *out = append(image, sizeof *out);
    if (out)
        *out = hcct_options.burst ? hcct_burst_observed() : hcct_acct_observed();
    close_section(image);
}

static void write_strings(struct hcct_image *image)
{
    open_section(image, HCCT_FILE_STRINGS, 1);
    append_all(image, image->strings.bytes, image->strings.size);
    close_section(image);
}

static void write_header(struct hcct_image *image)
{
    struct hcct_file_header header = {
        .version = HCCT_FILE_VERSION,
        .header_bytes = sizeof header,
        .file_bytes = image->size,
        .section_count = image->section_count,
    };
    memcpy(header.magic, HCCT_FILE_MAGIC, sizeof header.magic);
    size_t table_bytes = image->section_count * sizeof image->sections[0];
    header.checksum = hcct_checksum(hcct_checksum(0, &header, sizeof header), image->sections, table_bytes);
    if (image->file < 0) {
        memcpy(image->bytes, &header, sizeof header);
        memcpy(image->bytes + sizeof header, image->sections, table_bytes);
        return;
    }
    flush(image);
    if (image->failed || pwrite(image->file, &header, sizeof header, 0) == sizeof header)
        if (image->failed || pwrite(image->file, image->sections, table_bytes, sizeof header) == (ssize_t)table_bytes)
            return;
    image->error = errno;
    image->failed = true;
}

/* For nodes below `node_limit`; 0: for all, which stand there as they do in the table. */
static bool open_image(struct hcct_image *image, uint32_t node_limit, bool pinned)
{
    *image = (struct hcct_image){ .pinned = pinned, .dense = !node_limit };
    if (!hcct_strings_open(&image->strings) || !gather_functions(image))
        return false;
    if (!image->dense) {
        image->prefix_bytes = ((size_t)node_limit + 1) * sizeof(hcct_node);
        image->prefix_index = hcct_memory_map(image->prefix_bytes);
        image->pending = hcct_memory_map(image->prefix_bytes);
        if (!image->prefix_index || !image->pending)
            return false;
    }
    size_t frames = (size_t)image->site_count * 32 + 1024;
    image->inlined = hcct_strings_reserve(&frames, sizeof *image->inlined);
    image->inlined_records = hcct_memory_reserve(frames * sizeof *image->inlined_records);
    image->inlined_capacity = (uint32_t)frames;
    if (hcct_options.metric == HCCT_METRIC_WEIGHT)
        image->unit = string(image, hcct_options.unit); /* the first one, so that its offset has 16 bits */
    size_t sections = HCCT_IMAGE_SECTIONS - !pinned - !estimates();
    image->size = sizeof(struct hcct_file_header) + sections * sizeof(struct hcct_file_section);
    image->checked = image->size;
    image->build = build_hash(image);
    return image->inlined && image->inlined_records;
}

static bool make(struct hcct_image *image, int file, size_t places)
{
    image->file = file;
    image->capacity = file < 0 ? (size_t)1 << 36 : WINDOW_BYTES;
    image->bytes = hcct_strings_reserve(&image->capacity, 1);
    if (!image->bytes)
        return false;
    write_prefixes(image, places);
    write_entries(image, places);
    write_pins(image);
    write_functions(image);
    write_sites(image);
    write_objects(image);
    write_run(image);
    write_bursts(image);
    write_strings(image);
    if (image->failed || image->strings.failed)
        return false;
    write_header(image);
    return !image->failed;
}

bool hcct_image_open(struct hcct_image *image)
{
    bool kept = !hcct_tables.summary; /* in mode=cct no node ever goes, and parents come first */
    return open_image(image, kept ? 0 : hcct_prefix_limit(), hcct_context_next_pin(NULL) != NULL);
}

bool hcct_image_make(struct hcct_image *image, int file)
{
    return make(image, file, place_count());
}

bool hcct_image_make_static(struct hcct_image *image)
{
    return open_image(image, HCCT_NODE_ROOT + 1, false) && make(image, -1, 0);
}

void hcct_image_close(struct hcct_image *image)
{
    size_t frames = image->inlined_capacity;
    hcct_memory_release(image->bytes, image->capacity);
    hcct_strings_close(&image->strings);
    hcct_memory_release(image->inlined, frames * sizeof *image->inlined);
    hcct_memory_release(image->inlined_records, frames * sizeof *image->inlined_records);
    hcct_memory_unmap(image->prefix_index, image->prefix_bytes);
    hcct_memory_unmap(image->pending, image->prefix_bytes);
    hcct_memory_unmap(image->functions, (image->record_count + 1) * sizeof *image->functions);
}
