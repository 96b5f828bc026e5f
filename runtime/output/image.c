/* See image.h. Strings are written last, once each. */
#define _GNU_SOURCE
#include "runtime/output/image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/calendar.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/count/count.h"
#include "runtime/count/phases.h"
#include "runtime/count/settings.h"
#include "runtime/objects/leaf.h"
#include "runtime/objects/linked.h"
#include "runtime/objects/registry.h"
#include "runtime/output/build.h"
#include "runtime/output/columns.h"
#include "runtime/output/place.h"
#include "runtime/output/records.h"
#include "runtime/output/rows.h"
#include "runtime/stack/here.h"
#include "runtime/stack/pins.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/settings.h"
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
    for (size_t i = 0; (path = hcct_leaf_path(i)); i++) {
        struct hcct_file_object *out = hcct_section_append(&image->out, sizeof *out);
        if (out)
            *out = (struct hcct_file_object){ hcct_strings_add(&image->strings, path), 0 };
    }
    hcct_section_close(&image->out);
}

/* --- threads -------------------------------------------------------------------------------------- */

/* What the prefixes of threads refer to, each once: neighbours in number are usually alike, or all differ. */
static void write_threads(struct hcct_image *image)
{
    uint64_t last = 0;
    if (!hcct_threads_are_split())
        return;
    hcct_section_open(&image->out, HCCT_FILE_THREADS, sizeof(struct hcct_file_thread));
    for (hcct_node node = HCCT_NODE_ROOT; node < hcct_prefix_limit(); node++) {
        const struct hcct_prefix *prefix = hcct_prefix_at(node);
        struct hcct_file_thread thread = { 0 };
        if (hcct_rows_have_node(image, node) && prefix->kind == HCCT_PREFIX_THREAD)
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

/* Whether the counts are estimates from bursts. */
static bool has_estimates(void)
{
    return hcct_meter_is_sampled() && hcct_meter->file->observed;
}

static const struct hcct_meter_columns *curve(void)
{
    const struct hcct_meter_columns *columns = hcct_columns_of_meter();
    return columns && columns->points ? columns : NULL;
}

static void write_curve(struct hcct_image *image)
{
    if (!curve())
        return;
    hcct_section_open(&image->out, HCCT_FILE_CURVE, sizeof(struct hcct_file_curve));
    uint32_t count = curve()->points();
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_file_curve point = curve()->point(i);
        hcct_section_append_all(&image->out, &point, sizeof point);
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
    while (length && (!command[length - 1] || command[length - 1] == ' ')) /* of a title that is set, many */
        length--;
    command[length] = 0;
    for (ssize_t i = 0; i < length; i++)
        if (command[i] == 0)
            command[i] = ' ';
}

static void write_run(struct hcct_image *image, bool is_whole)
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
    *out = (struct hcct_file_run){
        .mode = (uint32_t)hcct_core_settings.mode,
        .algorithm = exact ? HCCT_ALGORITHM_EXACT : HCCT_ALGORITHM_SPACE_SAVING,
        .recursion = (uint16_t)hcct_stack_settings.recursion,
        .metric = (uint16_t)hcct_core_settings.metric,
        .pid = (uint32_t)hcct_process_id(),
        .capacity = exact ? 0 : hcct_space_saving_capacity(hcct_tables.summary),
        .build_id = image->build,
        .memory_bytes = hcct_memory_bytes() + hcct_prefix_bytes() + hcct_block_bytes(),
        .program = hcct_strings_add(&image->strings, hcct_say_program_path()),
        .command = hcct_strings_add(&image->strings, command),
        .host = hcct_strings_add(&image->strings, host),
        .profiles = 1,
        .job = hcct_place_job(),
        .start = hcct_calendar_start_ns(),
        .end = is_whole ? hcct_calendar_now_ns() : 0,
    };
    hcct_real_set(&out->phi, hcct_count_settings.phi);
    if (!exact)
        hcct_real_set(&out->epsilon, hcct_count_settings.epsilon);
    hcct_section_close(&image->out);
}

static void write_bursts(struct hcct_image *image)
{
    if (!has_estimates())
        return;
    hcct_section_open(&image->out, HCCT_FILE_ESTIMATE, sizeof(struct hcct_file_estimate));
    struct hcct_file_estimate *out = hcct_section_append(&image->out, sizeof *out);
    if (out)
        *out = image->observed;
    hcct_section_close(&image->out);
}

static uint64_t note(const struct hcct_image *image, enum hcct_file_note_kind kind)
{
    switch (kind) {
    case HCCT_NOTE_DROPPED_MEMORY:
        return hcct_tables.dropped_memory + image->sum.dropped;
    case HCCT_NOTE_DROPPED_CHAIN:
        return image->dropped_chain;
    case HCCT_NOTE_DROPPED_INTERRUPTED:
        return hcct_tables.dropped_interrupted;
    case HCCT_NOTE_STALE:
        return hcct_tables.stale;
    case HCCT_NOTE_OVERFLOWED:
        return hcct_stack_overflow_count();
    case HCCT_NOTE_BOUNDED:
        return hcct_tables.summary && !hcct_phases_are_told_apart()
                   ? hcct_space_saving_since(hcct_tables.summary)
                   : 0;
    default:
        return hcct_meter->file && hcct_meter->file->note ? hcct_meter->file->note(kind) : 0;
    }
}

static void write_notes(struct hcct_image *image)
{
    hcct_section_open(&image->out, HCCT_FILE_NOTES, sizeof(struct hcct_file_note));
    for (uint32_t kind = 0; kind < HCCT_NOTE_COUNT; kind++) {
        struct hcct_file_note one = { .kind = kind, .amount = note(image, kind) };
        if (one.amount)
            hcct_section_append_all(&image->out, &one, sizeof one);
    }
    hcct_section_close(&image->out);
}

static void write_strings(struct hcct_image *image)
{
    hcct_section_open(&image->out, HCCT_FILE_STRINGS, 1);
    hcct_section_append_all(&image->out, image->strings.bytes, image->strings.size);
    hcct_section_close(&image->out);
}

static bool open_image(struct hcct_image *image, bool keeps_all, uint32_t node_limit, bool pinned)
{
    *image = (struct hcct_image){ .pinned = pinned, .keeps_all = keeps_all };
    if (has_estimates())
        image->observed = hcct_meter->file->observed();
    if (!hcct_strings_open(&image->strings) || !hcct_records_gather(image) ||
        !hcct_rows_open(image, node_limit) || !hcct_columns_open(image))
        return false;
    size_t frames = (size_t)image->site_count * 32 + 1024;
    image->inlined = hcct_strings_reserve(&frames, sizeof *image->inlined);
    image->inlined_capacity = (uint32_t)frames;
    image->build = image->object_count == 1 && hcct_linked_build()
                       ? hcct_linked_build()
                       : hcct_build_hash(image->functions, image->function_count);
    return image->inlined != NULL;
}

/* is_whole: with its contexts. */
static bool make(struct hcct_image *image, int file, bool is_whole)
{
    bool has_threads = is_whole && hcct_threads_are_split();
    image->has_all = !is_whole;
    hcct_rows_choose(image);
    hcct_records_choose(image);
    uint32_t section_count =
        11 + has_estimates() + !image->has_all + has_threads + (is_whole && curve() != NULL);
    size_t capacity = file < 0 ? (size_t)1 << 36 : HCCT_SECTION_WINDOW_BYTES;
    char *bytes = hcct_strings_reserve(&capacity, 1);
    if (!bytes)
        return false;
    hcct_section_writer_start(&image->out, bytes, capacity, file, section_count);
    image->out.packs = file >= 0 && hcct_section_should_pack(image->entry_count, hcct_core_settings.metric);
    if (is_whole)
        hcct_threads_read_names();
    hcct_rows_write(image);
    hcct_columns_write(image, is_whole);
    if (has_threads)
        write_threads(image);
    if (is_whole)
        write_curve(image);
    hcct_records_write_functions(image);
    hcct_records_write_sites(image);
    if (!image->has_all)
        hcct_records_write_names(image);
    write_objects(image);
    write_run(image, is_whole);
    write_notes(image);
    write_bursts(image);
    write_strings(image);
    return !image->strings.failed && hcct_section_writer_finish(&image->out);
}

bool hcct_image_open(struct hcct_image *image)
{
    return open_image(image, !hcct_tables.summary, hcct_prefix_limit(), hcct_pins_next(NULL) != NULL) &&
           hcct_sum_open(&image->sum);
}

bool hcct_image_make(struct hcct_image *image, int file)
{
    return make(image, file, true);
}

bool hcct_image_make_static(struct hcct_image *image)
{
    return open_image(image, false, HCCT_NODE_ROOT + 1, false) && make(image, -1, false);
}

void hcct_image_close(struct hcct_image *image)
{
    size_t frames = image->inlined_capacity;
    hcct_memory_release(image->out.bytes, image->out.capacity);
    hcct_strings_close(&image->strings);
    hcct_memory_release(image->inlined, frames * sizeof *image->inlined);
    hcct_columns_close(image);
    hcct_rows_close(image);
    hcct_subset_close(&image->subset);
    hcct_sum_close(&image->sum);
    hcct_memory_unmap(image->functions, (image->record_count + 1) * sizeof *image->functions);
}
