/* See image.h. Strings are written last, once each. */
#define _GNU_SOURCE
#include "runtime/output/image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "encoding/context.h"
#include "runtime/base/calendar.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/count/count.h"
#include "runtime/objects/linked.h"
#include "runtime/objects/registry.h"
#include "runtime/output/build.h"
#include "runtime/output/records.h"
#include "runtime/stack/here.h"
#include "runtime/stack/pins.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/stack.h"

/* --- objects ------------------------------------------------------------------------------------- */

static void write_objects(struct hcct_image *image)
{
    hcct_section_open(&image->out, HCCT_FILE_OBJECTS, sizeof(struct hcct_file_object));
    for (size_t o = 0; o < image->object_count; o++) {
        struct hcct_file_object *out = hcct_section_append(&image->out, sizeof *out);
        if (!out)
            return;
        *out =
            (struct hcct_file_object){ hcct_strings_add(&image->strings, hcct_registry_object(o)->path),
                                       hcct_strings_add(&image->strings, hcct_registry_object(o)->build_id) };
    }
    const char *path;
    for (size_t i = 0; hcct_meter->leaf && (path = hcct_meter->leaf(i)); i++) {
        struct hcct_file_object *out = hcct_section_append(&image->out, sizeof *out);
        if (out)
            *out = (struct hcct_file_object){ hcct_strings_add(&image->strings, path), 0 };
    }
    hcct_section_close(&image->out);
}

/* --- contexts ----------------------------------------------------------------------------------- */

static void write_prefix(struct hcct_image *image, const struct hcct_prefix *from, uint32_t parent)
{
    struct hcct_file_prefix *out = hcct_section_append(&image->out, sizeof *out);
    if (out)
        *out = (struct hcct_file_prefix){ from->kind == HCCT_PREFIX_THREAD
                                              ? hcct_threads_known((uint32_t)from->site).key
                                              : from->word,
                                          from->site, parent, from->kind };
}

/* What the prefixes of threads refer to, each once: neighbours in number are usually alike, or all differ. */
static void write_threads(struct hcct_image *image)
{
    uint64_t last = 0;
    if (!hcct_threads_are_split())
        return;
    hcct_section_open(&image->out, HCCT_FILE_THREADS, sizeof(struct hcct_file_thread));
    for (hcct_node node = HCCT_NODE_ROOT; node < hcct_prefix_limit(); node++) {
        const struct hcct_prefix *prefix = hcct_prefix_at(node);
        bool is_written = image->dense || image->prefix_index[node];
        struct hcct_file_thread thread = { 0 };
        if (is_written && prefix->kind == HCCT_PREFIX_THREAD)
            thread = hcct_threads_known((uint32_t)prefix->site);
        struct hcct_file_thread *out =
            thread.key && thread.key != last ? hcct_section_append(&image->out, sizeof *out) : NULL;
        if (!out)
            continue;
        *out = thread;
        last = thread.key;
    }
    hcct_section_close(&image->out);
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

/* Entries at or below the floor are left out: of what is missing the file says that it has at most the
 * floor. With mode=cct and metric=heap an entry of 0 bytes may have blocks. */
static bool is_written(const struct hcct_image *image, const struct hcct_entry *entry)
{
    bool has_values = hcct_meter->values && !hcct_tables.summary;
    return entry->count > image->sum.floor || has_values;
}

/* The first entry of the file at *place or behind it, as hcct_sum_next finds those of the sum. */
static bool next_entry(const struct hcct_image *image, size_t *place, struct hcct_entry *entry)
{
    while (hcct_sum_next(&image->sum, place, entry)) {
        if (is_written(image, entry))
            return true;
        ++*place;
    }
    return false;
}

/* --- what contexts need ----------------------------------------------------------------------------- */

/* The path of the context `word`, whose pushes are `node`, and a push of it, or 0. */
static void need(struct hcct_image *image, uint64_t word, hcct_node node, uint64_t site)
{
    hcct_subset_need(&image->subset, hcct_context_id(word, hcct_prefix_at(node)->h), site);
}

/* What a node stands for. */
static void need_node(struct hcct_image *image, const struct hcct_prefix *node)
{
    if (node->kind == HCCT_PREFIX_THREAD)
        hcct_subset_need(&image->subset, hcct_threads_known((uint32_t)node->site).first, 0);
    else if (node->parent && node->kind == HCCT_PREFIX_PUSH)
        need(image, node->word, node->parent, node->site);
    else if (node->parent && node->kind == HCCT_PREFIX_LEAF)
        need(image, node->word, node->parent, 0);
}

/* `prefix_index` marks the nodes that were met; it is zero before and afterwards. */
static void need_context(struct hcct_image *image, uint64_t word, hcct_node node)
{
    if (node)
        need(image, word, node, 0);
    for (hcct_node at = node; !image->dense && at && !image->prefix_index[at];
         at = hcct_prefix_at(at)->parent) {
        image->prefix_index[at] = 1;
        need_node(image, hcct_prefix_at(at));
    }
}

/* Decides which functions and sites the file has. */
static void choose(struct hcct_image *image)
{
    struct hcct_entry entry;
    for (hcct_node node = HCCT_NODE_ROOT; image->dense && node < hcct_prefix_limit(); node++)
        need_node(image, hcct_prefix_at(node));
    for (size_t i = 0; next_entry(image, &i, &entry); i++) {
        need_context(image, entry.key, entry.node);
        image->context_count++;
    }
    for (const struct hcct_pin *pin = NULL; image->pinned && (pin = hcct_pins_next(pin));)
        need_context(image, pin->word, pin->node);
    if (!image->dense)
        memset(image->prefix_index, 0, image->prefix_bytes);
    hcct_records_choose(image);
}

/* --- contexts, written ------------------------------------------------------------------------------ */

static void write_prefixes(struct hcct_image *image)
{
    hcct_section_open_packed(&image->out, HCCT_FILE_PREFIXES, sizeof(struct hcct_file_prefix));
    struct hcct_entry entry;
    for (hcct_node node = HCCT_NODE_ROOT; image->dense && node < hcct_prefix_limit(); node++)
        write_prefix(image, hcct_prefix_at(node), prefix_index(image, hcct_prefix_at(node)->parent));
    prefix_index(image, HCCT_NODE_ROOT);
    for (size_t i = 0; !image->dense && next_entry(image, &i, &entry); i++)
        prefix_index(image, entry.node);
    for (const struct hcct_pin *pin = NULL; image->pinned && (pin = hcct_pins_next(pin));)
        prefix_index(image, pin->node);
    hcct_section_close(&image->out);
}

static void write_pins(struct hcct_image *image)
{
    if (!image->pinned)
        return;
    hcct_section_open(&image->out, HCCT_FILE_PINS, sizeof(struct hcct_file_pin));
    for (const struct hcct_pin *pin = NULL; (pin = hcct_pins_next(pin));) {
        struct hcct_file_pin *out = hcct_section_append(&image->out, sizeof *out);
        if (out)
            *out = (struct hcct_file_pin){ pin->word, prefix_index(image, pin->node), 0 };
    }
    hcct_section_close(&image->out);
}

/* Whether the counts are estimates. */
static bool has_estimates(void)
{
    return hcct_meter->observed && hcct_meter_was_sampled();
}

static uint32_t trials_of(const struct hcct_entry *entry)
{
    return hcct_meter->trials && has_estimates() ? hcct_meter->trials(entry->key, entry->count) : 0;
}

static void write_entries(struct hcct_image *image)
{
    hcct_section_open_packed(&image->out, HCCT_FILE_ENTRIES, sizeof(struct hcct_file_entry));
    struct hcct_entry entry;
    for (size_t i = 0; next_entry(image, &i, &entry); i++) {
        struct hcct_file_entry *out = hcct_section_append(&image->out, sizeof *out);
        if (!out)
            continue;
        uint64_t count = entry.count, error = entry.error;
        error = error < count ? error : count;
        *out = (struct hcct_file_entry){ entry.key, count, error, prefix_index(image, entry.node),
                                         trials_of(&entry) };
        hcct_sum_number(&image->sum, i, image->entry_count++);
        if (!entry.node)
            image->dropped_chain += count - error;
    }
    hcct_section_close(&image->out);
}

static bool values_are_estimates(void)
{
    return hcct_meter->values && hcct_meter->values->start_trials();
}

static void write_trials(struct hcct_image *image, const struct hcct_file_heap *rest)
{
    if (!values_are_estimates())
        return;
    hcct_section_open(&image->out, HCCT_FILE_HEAP_SAMPLED, sizeof(struct hcct_file_heap_sampled));
    struct hcct_entry entry;
    for (size_t i = 0; next_entry(image, &i, &entry); i++) {
        struct hcct_file_heap_sampled *out = hcct_section_append(&image->out, sizeof *out);
        if (out)
            *out = hcct_meter->values->trials(entry.key);
    }
    struct hcct_file_heap_sampled last = hcct_meter->values->rest_trials(rest);
    hcct_section_append_all(&image->out, &last, sizeof last);
    hcct_section_close(&image->out);
}

/* The entries are looked for once, as each is asked for at each detailed point. */
static void find_numbers(struct hcct_image *image)
{
    struct hcct_entry entry;
    uint32_t count = 0;
    image->numbers = hcct_memory_map((image->entry_count + 1) * sizeof *image->numbers);
    for (size_t i = 0; image->numbers && next_entry(image, &i, &entry) && count < image->entry_count; i++)
        image->numbers[count++] = hcct_meter->values->number(entry.key);
}

/* A walk over the entries: their indices in the file, and the meter's numbers. */
struct walk {
    size_t place;
    uint32_t next, number;
};

static bool walk_on(const struct hcct_image *image, struct walk *walk)
{
    struct hcct_entry entry;
    bool is_there =
        image->numbers ? walk->next < image->entry_count : next_entry(image, &walk->place, &entry);
    if (is_there)
        walk->number = image->numbers ? image->numbers[walk->next] : hcct_meter->values->number(entry.key);
    walk->next += is_there;
    walk->place += is_there;
    return is_there;
}

/* What the meter knows of each entry, and at last of all that belongs to none. */
static void write_values(struct hcct_image *image)
{
    if (!hcct_meter->values)
        return;
    find_numbers(image);
    struct hcct_file_heap rest = hcct_meter->values->total();
    hcct_section_open(&image->out, HCCT_FILE_HEAP, sizeof(struct hcct_file_heap));
    for (struct walk walk = { 0 }; walk_on(image, &walk);) {
        struct hcct_file_heap *out = hcct_section_append(&image->out, sizeof *out);
        if (!out)
            continue;
        *out = hcct_meter->values->of(walk.number);
        hcct_layout_subtract_heap(&rest, out);
    }
    hcct_section_append_all(&image->out, &rest, sizeof rest);
    hcct_section_close(&image->out);
    write_trials(image, &rest);
}

/* Which entries are new, with known=. */
static void write_new(struct hcct_image *image)
{
    const struct hcct_meter_new *meter = hcct_meter->new_contexts ? hcct_meter->new_contexts() : NULL;
    if (!meter)
        return;
    struct hcct_file_new numbers = meter->numbers();
    uint64_t word = 0;
    uint32_t bits = 0;
    hcct_section_open(&image->out, HCCT_FILE_NEW, sizeof word);
    hcct_section_append_all(&image->out, &numbers, sizeof numbers);
    struct hcct_entry entry;
    for (size_t i = 0; next_entry(image, &i, &entry); i++) {
        word |= (uint64_t)meter->is_new(entry.key) << bits;
        bits = (bits + 1) % 64;
        if (bits)
            continue;
        hcct_section_append_all(&image->out, &word, sizeof word);
        word = 0;
    }
    if (bits)
        hcct_section_append_all(&image->out, &word, sizeof word);
    hcct_section_close(&image->out);
}

/* What the entries had live at a detailed point, and what belonged to none. */
static void write_detail(struct hcct_image *image, uint32_t point, uint64_t live_bytes)
{
    uint64_t rest = live_bytes;
    struct walk walk = { 0 };
    while (walk_on(image, &walk)) {
        struct hcct_file_curve had = { .entry = walk.next - 1,
                                       .live_bytes = hcct_meter->values->at(point, walk.number) };
        rest -= had.live_bytes;
        if (had.live_bytes)
            hcct_section_append_all(&image->out, &had, sizeof had);
    }
    struct hcct_file_curve others = { .entry = walk.next, .live_bytes = rest };
    if (rest)
        hcct_section_append_all(&image->out, &others, sizeof others);
}

static void write_curve(struct hcct_image *image)
{
    if (!hcct_meter->values)
        return;
    hcct_section_open(&image->out, HCCT_FILE_CURVE, sizeof(struct hcct_file_curve));
    uint32_t count = hcct_meter->values->points();
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_file_curve point = hcct_meter->values->point(i);
        hcct_section_append_all(&image->out, &point, sizeof point);
        if (point.is_detailed)
            write_detail(image, i, point.live_bytes);
    }
    hcct_section_close(&image->out);
}

/* --- the run ------------------------------------------------------------------------------------ */

static ssize_t read_file(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, size);
    if (file >= 0)
        close(file);
    return length > 0 ? length : 0;
}

static void read_command(char *command, size_t size)
{
    char path[HCCT_SAY_THREAD_PATH_BYTES];
    ssize_t length = read_file("/proc/self/cmdline", command, size - 1);
    if (!length) /* the first thread has ended */
        length = read_file(hcct_say_thread_path(syscall(SYS_gettid), "cmdline", path), command, size - 1);
    command[length] = 0;
    for (ssize_t i = 0; i + 1 < length; i++)
        if (command[i] == 0)
            command[i] = ' ';
}

static void write_run(struct hcct_image *image)
{
    static char command[4096];
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    read_command(command, sizeof command);
    hcct_section_open(&image->out, HCCT_FILE_RUN, sizeof(struct hcct_file_run));
    struct hcct_file_run *out = hcct_section_append(&image->out, sizeof *out);
    if (!out)
        return;
    bool exact = !hcct_tables.summary;
    uint64_t calls = hcct_count_calls();
    *out = (struct hcct_file_run){
        .mode = (uint32_t)hcct_options.mode,
        .algorithm = exact ? HCCT_ALGORITHM_EXACT : HCCT_ALGORITHM_SPACE_SAVING,
        .guarantee = hcct_meter_was_sampled() ? HCCT_GUARANTEE_PROBABILISTIC
                     : exact                  ? HCCT_GUARANTEE_EXACT
                                              : HCCT_GUARANTEE_DETERMINISTIC,
        .recursion = (uint16_t)hcct_options.recursion,
        .metric = (uint16_t)hcct_options.metric,
        .unit = (uint16_t)image->unit,
        .calls = calls,
        .floor = image->sum.floor,
        .capacity = exact ? 0 : hcct_options.capacity,
        .program = hcct_strings_add(&image->strings, hcct_say_program_path()),
        .command = hcct_strings_add(&image->strings, command),
        .host = hcct_strings_add(&image->strings, host),
        .pid = (uint32_t)hcct_process_id(),
        .build_id = image->build,
        .memory_bytes = hcct_memory_bytes() + hcct_prefix_bytes() + hcct_block_bytes(),
        .dropped_memory = hcct_tables.dropped_memory + image->sum.dropped,
        .dropped_chain = image->dropped_chain,
        .dropped_interrupted = hcct_tables.dropped_interrupted,
        .stale = hcct_tables.stale,
        .overflowed = hcct_stack_overflow_count(),
    };
    hcct_real_set(&out->phi, hcct_options.phi);
    if (!exact)
        hcct_real_set(&out->epsilon, hcct_options.epsilon);
    hcct_section_close(&image->out);
}

static void write_bursts(struct hcct_image *image)
{
    if (!has_estimates())
        return;
    hcct_section_open(&image->out, HCCT_FILE_BURSTS, sizeof(struct hcct_file_bursts));
    struct hcct_file_bursts *out = hcct_section_append(&image->out, sizeof *out);
    if (out)
        *out = image->observed;
    hcct_section_close(&image->out);
}

static void write_times(struct hcct_image *image, bool is_whole)
{
    hcct_section_open(&image->out, HCCT_FILE_TIMES, sizeof(struct hcct_file_times));
    struct hcct_file_times *out = hcct_section_append(&image->out, sizeof *out);
    if (out)
        *out = (struct hcct_file_times){ hcct_calendar_start_ns(), is_whole ? hcct_calendar_now_ns() : 0 };
    hcct_section_close(&image->out);
}

static void write_strings(struct hcct_image *image)
{
    hcct_section_open(&image->out, HCCT_FILE_STRINGS, 1);
    hcct_section_append_all(&image->out, image->strings.bytes, image->strings.size);
    hcct_section_close(&image->out);
}

/* For prefixes whose nodes are below `node_limit`. 0: for all of them, in the order of the table. */
static bool open_image(struct hcct_image *image, uint32_t node_limit, bool pinned)
{
    *image = (struct hcct_image){ .pinned = pinned, .dense = !node_limit };
    if (has_estimates())
        image->observed = hcct_meter->observed();
    if (!hcct_strings_open(&image->strings) || !hcct_records_gather(image))
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
    image->inlined_capacity = (uint32_t)frames;
    if (hcct_metric_has_unit((uint32_t)hcct_options.metric))
        /* the first string, so that its offset fits into 16 bits */
        image->unit = hcct_strings_add(&image->strings, hcct_options.unit);
    image->build = image->object_count == 1 && hcct_linked_build()
                       ? hcct_linked_build()
                       : hcct_build_hash(image->functions, image->function_count);
    return image->inlined != NULL;
}

/* Contexts from which on the file is packed. A smaller one is small anyway, and easier to look at. */
enum { PACKED_FROM = 64 };

/* is_whole: with its contexts. */
static bool make(struct hcct_image *image, int file, bool is_whole)
{
    image->has_all = !is_whole;
    choose(image);
    uint32_t section_count = 9 + image->pinned + has_estimates() + !image->has_all +
                             (is_whole && hcct_threads_are_split()) + 2 * (hcct_meter->values != NULL) +
                             (hcct_meter->new_contexts && hcct_meter->new_contexts()) +
                             (is_whole && hcct_phases_are_told_apart()) + values_are_estimates();
    size_t capacity = file < 0 ? (size_t)1 << 36 : HCCT_SECTION_WINDOW_BYTES;
    char *bytes = hcct_strings_reserve(&capacity, 1);
    if (!bytes)
        return false;
    hcct_section_writer_start(&image->out, bytes, capacity, file, section_count);
    image->out.packs = file >= 0 && image->context_count >= PACKED_FROM;
    if (is_whole)
        hcct_threads_read_names();
    write_prefixes(image);
    if (is_whole)
        write_threads(image);
    write_entries(image);
    if (is_whole)
        hcct_sum_write_phases(image);
    write_values(image);
    write_curve(image);
    write_new(image);
    write_pins(image);
    hcct_records_write_functions(image);
    hcct_records_write_sites(image);
    if (!image->has_all)
        hcct_records_write_names(image);
    write_objects(image);
    write_run(image);
    write_bursts(image);
    write_strings(image);
    write_times(image, is_whole);
    return !image->strings.failed && hcct_section_writer_finish(&image->out);
}

bool hcct_image_open(struct hcct_image *image)
{
    bool kept = !hcct_tables.summary; /* in mode=cct no node ever goes, and parents come first */
    return open_image(image, kept ? 0 : hcct_prefix_limit(), hcct_pins_next(NULL) != NULL) &&
           hcct_sum_open(&image->sum);
}

bool hcct_image_make(struct hcct_image *image, int file)
{
    return make(image, file, true);
}

bool hcct_image_make_static(struct hcct_image *image)
{
    return open_image(image, HCCT_NODE_ROOT + 1, false) && make(image, -1, false);
}

void hcct_image_close(struct hcct_image *image)
{
    size_t frames = image->inlined_capacity;
    hcct_memory_release(image->out.bytes, image->out.capacity);
    hcct_strings_close(&image->strings);
    hcct_memory_release(image->inlined, frames * sizeof *image->inlined);
    hcct_memory_unmap(image->prefix_index, image->prefix_bytes);
    hcct_memory_unmap(image->pending, image->prefix_bytes);
    hcct_memory_unmap(image->numbers, (image->entry_count + 1) * sizeof *image->numbers);
    hcct_subset_close(&image->subset);
    hcct_sum_close(&image->sum);
    hcct_memory_unmap(image->functions, (image->record_count + 1) * sizeof *image->functions);
}
