/* The format `pprof`: a gzip'ed profile.proto, as `go tool pprof` and its relatives read it.
 *
 * A sample is a context: its frames, its own count (of a heap: all values), and the most by which that may be
 * too high. A location is a function together with the line where it is left: the function's own line for the
 * last function of the context, for the others the line of the call. Inlined frames are lines of the location
 * of the function that holds them. A context with places is several samples, which end at the lines of these.
 *
 * In protobuf, messages of one type that follow each other are read as one. So each string, function,
 * location and sample is packed as soon as it is met, as a profile with nothing else in it, and the whole
 * profile is never in memory.
 *
 * Invariants
 *   1. what a message refers to by an id was packed before it;
 *   2. ids are indices + 1 of the arrays below; string 0 is the empty one. */
#include "decoder/report/facts.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/node.h"
#include "decoder/report/place_lines.h"
#include "decoder/report/shown_names.h"

#ifdef HCCT_HAS_PPROF

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "format/names.h"
#include "pprof.pb-c.h"

/* For each N, [xN] is a function of its own. */
struct function_key {
    uint32_t frame, repeat;
};

struct line_key {
    uint32_t function; /* index */
    uint32_t line;
};

/* lines[first] to lines[first + count - 1] */
struct location_key {
    uint32_t first, count, mapping;
};

struct mapping_key {
    const char *path, *build_id;
};

enum { LABELS = 4 };

struct writer {
    ProtobufCBuffer buffer; /* the first member, as pack_bytes gets its address */
    FILE *out;
    const struct hcct_report *report;
    z_stream stream;
    char **strings;
    struct function_key *functions;
    struct line_key *lines;
    struct location_key *locations;
    struct mapping_key *mappings;
    uint64_t *path;                                         /* the sample's locations */
    Hcct__Pprof__Label labels[LABELS], *label_list[LABELS]; /* of each sample */
    uint32_t label_count;
    uint32_t string_count, string_capacity, function_count, function_capacity, line_count, line_capacity;
    uint32_t location_count, location_capacity, mapping_count, mapping_capacity, path_count, path_capacity;
    struct hcct_place_lines places;
    struct hcct_table string_table, function_table, location_table;
};

/* --- packing -------------------------------------------------------------------------------------- */

static void deflate_bytes(struct writer *writer, const uint8_t *bytes, size_t length, int flush)
{
    unsigned char block[16384];
    if (!hcct_limit_take(writer->report->limit, length))
        return;
    writer->stream.next_in = (Bytef *)(uintptr_t)bytes;
    /* of a message, whose strings come from a section of up to 4 GB */
    writer->stream.avail_in = (uInt)length;
    do {
        writer->stream.next_out = block;
        writer->stream.avail_out = sizeof block;
        deflate(&writer->stream, flush);
        fwrite(block, 1, sizeof block - writer->stream.avail_out, writer->out);
    } while (writer->stream.avail_out == 0);
}

static void pack_bytes(ProtobufCBuffer *buffer, size_t length, const uint8_t *bytes)
{
    deflate_bytes((struct writer *)buffer, bytes, length, Z_NO_FLUSH);
}

static void pack(struct writer *writer, const Hcct__Pprof__Profile *profile)
{
    hcct__pprof__profile__pack_to_buffer(profile, &writer->buffer);
}

/* --- strings, functions, mappings ----------------------------------------------------------------- */

static bool same_string(const void *array, uint32_t index, const void *key)
{
    return !strcmp(((char *const *)array)[index], key);
}

static int64_t put_string(struct writer *writer, const char *text)
{
    Hcct__Pprof__Profile profile = HCCT__PPROF__PROFILE__INIT;
    struct hcct_text copy = { 0 };
    hcct_escape_add(&copy, HCCT_TEXT_PLAIN, text);
    uint32_t hash = (uint32_t)hcct_hash_text(0, copy.bytes, copy.length);
    uint32_t found = hcct_table_find(&writer->string_table, hash, same_string, writer->strings, copy.bytes);
    if (found != HCCT_TABLE_NONE) {
        free(copy.bytes);
        return found;
    }
    hcct_memory_grow(&writer->strings, &writer->string_capacity, writer->string_count, sizeof(char *));
    hcct_memory_add(&writer->string_table, hash, writer->string_count);
    writer->strings[writer->string_count] = copy.bytes;
    profile.n_strings = 1;
    profile.strings = &writer->strings[writer->string_count];
    pack(writer, &profile);
    return writer->string_count++;
}

static bool same_function(const void *array, uint32_t index, const void *key)
{
    return !memcmp((const struct function_key *)array + index, key, sizeof(struct function_key));
}

static uint32_t put_function(struct writer *writer, const struct hcct_tree_node *node)
{
    const struct hcct_tree_frame *frame = &writer->report->frames->frames[node->frame];
    struct function_key key = { node->frame, frame->kind == HCCT_FRAME_REPEAT ? node->site : 0 };
    uint32_t hash = (uint32_t)hcct_hash_step(key.frame, key.repeat);
    uint32_t found = hcct_table_find(&writer->function_table, hash, same_function, writer->functions, &key);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_grow(&writer->functions, &writer->function_capacity, writer->function_count, sizeof key);
    hcct_memory_add(&writer->function_table, hash, writer->function_count);
    char name[HCCT_TREE_TEXT_BYTES];
    Hcct__Pprof__Profile profile = HCCT__PPROF__PROFILE__INIT;
    Hcct__Pprof__Function function = HCCT__PPROF__FUNCTION__INIT, *functions = &function;
    function.id = writer->function_count + UINT64_C(1);
    function.name = put_string(writer, hcct_node_name(writer->report, node, name));
    function.linkage = *frame->linkage ? put_string(writer, frame->linkage) : function.name;
    function.file = put_string(writer, frame->file);
    function.line = frame->line;
    profile.n_functions = 1;
    profile.functions = &functions;
    pack(writer, &profile);
    writer->functions[writer->function_count] = key;
    return writer->function_count++;
}

/* Returns the id. A search is enough, as there is one mapping for each loaded object. */
static uint32_t put_mapping(struct writer *writer, const struct hcct_tree_frame *frame)
{
    if (!frame->object)
        return 0;
    for (uint32_t i = 0; i < writer->mapping_count; i++)
        if (!strcmp(writer->mappings[i].path, frame->object) &&
            !strcmp(writer->mappings[i].build_id, frame->object_build_id))
            return i + 1;
    hcct_memory_grow(&writer->mappings, &writer->mapping_capacity, writer->mapping_count,
                     sizeof *writer->mappings);
    Hcct__Pprof__Profile profile = HCCT__PPROF__PROFILE__INIT;
    Hcct__Pprof__Mapping mapping = HCCT__PPROF__MAPPING__INIT, *mappings = &mapping;
    mapping.id = writer->mapping_count + UINT64_C(1);
    mapping.file = put_string(writer, frame->object);
    mapping.build_id = put_string(writer, frame->object_build_id);
    mapping.has_functions = mapping.has_files = mapping.has_lines = mapping.has_inlined = true;
    profile.n_mappings = 1;
    profile.mappings = &mappings;
    pack(writer, &profile);
    writer->mappings[writer->mapping_count] = (struct mapping_key){ frame->object, frame->object_build_id };
    return ++writer->mapping_count;
}

/* Packs the program's mapping first, as readers take the first one for the program. */
static void put_program(struct writer *writer)
{
    const struct hcct_report *report = writer->report;
    for (uint32_t i = 0; i < report->tree->node_count; i++) {
        const struct hcct_tree_frame *frame = &report->frames->frames[report->tree->nodes[i].frame];
        if (frame->object && !strcmp(frame->object, report->summary->program)) {
            put_mapping(writer, frame);
            return;
        }
    }
}

/* --- locations ------------------------------------------------------------------------------------ */

static bool same_location(const void *array, uint32_t index, const void *key)
{
    const struct writer *writer = array;
    const struct location_key *a = &writer->locations[index], *b = key;
    return a->mapping == b->mapping && a->count == b->count &&
           !memcmp(writer->lines + a->first, writer->lines + b->first, a->count * sizeof *writer->lines);
}

static void pack_location(struct writer *writer, const struct location_key *key)
{
    Hcct__Pprof__Profile profile = HCCT__PPROF__PROFILE__INIT;
    Hcct__Pprof__Location location = HCCT__PPROF__LOCATION__INIT, *locations = &location;
    Hcct__Pprof__Line *lines = hcct_memory_array(key->count, sizeof *lines);
    Hcct__Pprof__Line **pointers = hcct_memory_array(key->count, sizeof *pointers);
    for (uint32_t i = 0; i < key->count; i++) {
        hcct__pprof__line__init(&lines[i]);
        lines[i].function = writer->lines[key->first + i].function + UINT64_C(1);
        lines[i].line = writer->lines[key->first + i].line;
        pointers[i] = &lines[i];
    }
    location.id = writer->location_count + UINT64_C(1);
    location.mapping = key->mapping;
    location.n_lines = key->count;
    location.lines = pointers;
    profile.n_locations = 1;
    profile.locations = &locations;
    pack(writer, &profile);
    free(lines);
    free(pointers);
}

/* Makes a location of the lines from `first` on, and returns its id. If it is known already, those lines are
 * dropped again. */
static uint64_t put_location(struct writer *writer, uint32_t first, uint32_t mapping)
{
    struct location_key key = { first, writer->line_count - first, mapping };
    uint64_t hash = hcct_hash_step(mapping, key.count);
    for (uint32_t i = first; i < writer->line_count; i++)
        hash = hcct_hash_step(hash, (uint64_t)writer->lines[i].function << 32 | writer->lines[i].line);
    uint32_t found = hcct_table_find(&writer->location_table, (uint32_t)hash, same_location, writer, &key);
    if (found != HCCT_TABLE_NONE) {
        writer->line_count = first;
        return found + UINT64_C(1);
    }
    hcct_memory_grow(&writer->locations, &writer->location_capacity, writer->location_count, sizeof key);
    hcct_memory_add(&writer->location_table, (uint32_t)hash, writer->location_count);
    pack_location(writer, &key);
    writer->locations[writer->location_count] = key;
    return ++writer->location_count;
}

static void add_line(struct writer *writer, const struct hcct_tree_node *node, uint32_t line)
{
    struct line_key key = { put_function(writer, node), line };
    hcct_memory_grow(&writer->lines, &writer->line_capacity, writer->line_count, sizeof key);
    writer->lines[writer->line_count++] = key;
}

/* --- samples -------------------------------------------------------------------------------------- */

static uint32_t line_of_site(const struct writer *writer, const struct hcct_tree_node *node)
{
    const struct hcct_tree_site *site = hcct_node_site(writer->report, node);
    return site ? site->line : 0;
}

/* Adds the functions that are inlined at a place. Returns the line that their caller has there. */
static uint32_t add_inlined(struct writer *writer, const struct hcct_source_line *place)
{
    struct hcct_frames *frames = writer->report->frames;
    uint32_t line = place->line;
    for (uint32_t i = 0; i < place->inlined_count; i++) {
        const struct hcct_source_frame *from = &place->inlined[i];
        struct hcct_tree_node node = { .frame = hcct_place_lines_keep(
                                           frames, from, hcct_names_of(writer->report->options)) };
        add_line(writer, &node, line);
        line = from->call_line;
    }
    return line;
}

static uint32_t own_line(const struct writer *writer, const struct hcct_tree_node *node)
{
    const struct hcct_tree_frame *frame = &writer->report->frames->frames[node->frame];
    return frame->kind == HCCT_FRAME_REPEAT ? 0 : frame->line;
}

/* Puts the locations from a node up to its root into `path`. `place`: where in its function the sample was
 * taken, or the library's function called that the node is; NULL: not known. */
static void collect_path(struct writer *writer, uint32_t index, const struct hcct_source_line *place)
{
    const struct hcct_report *report = writer->report;
    const struct hcct_tree_node *nodes = report->tree->nodes, *node = &nodes[index];
    uint32_t line = own_line(writer, node), placed = index;
    if (report->frames->frames[node->frame].kind == HCCT_FRAME_EXTERNAL)
        placed = node->parent;
    writer->path_count = 0;
    for (; index != HCCT_NODE_NONE; index = node->parent) {
        uint32_t first = writer->line_count;
        node = &nodes[index];
        if (place && index == placed)
            line = add_inlined(writer, place);
        while (report->frames->frames[node->frame].kind == HCCT_FRAME_INLINED &&
               node->parent != HCCT_NODE_NONE) {
            add_line(writer, node, line);
            line = line_of_site(writer, node);
            node = &nodes[node->parent];
        }
        add_line(writer, node, line);
        line = line_of_site(writer, node);
        uint64_t location =
            put_location(writer, first, put_mapping(writer, &report->frames->frames[node->frame]));
        hcct_memory_grow(&writer->path, &writer->path_capacity, writer->path_count, sizeof *writer->path);
        writer->path[writer->path_count++] = location;
    }
}

/* The values of a heap: their names are those that heap profilers use, and the first four stand where they do
 * in the profiles of Go and gperftools. */
static const struct heap_type {
    enum hcct_heap_value value;
    const char *name;
} heap_types[] = {
    { HCCT_HEAP_BLOCKS, "alloc_objects" },        { HCCT_HEAP_ALLOCATED, "alloc_space" },
    { HCCT_HEAP_LIVE_BLOCKS, "inuse_objects" },   { HCCT_HEAP_LIVE, "inuse_space" },
    { HCCT_HEAP_PEAK_BLOCKS, "peak_objects" },    { HCCT_HEAP_PEAK, "peak_space" },
    { HCCT_HEAP_TEMPORARY, "temporary_objects" }, { HCCT_HEAP_RESIZED, "resized_objects" },
    { HCCT_HEAP_LOST_BLOCKS, "lost_objects" },    { HCCT_HEAP_LOST, "lost_space" },
};
static_assert(sizeof heap_types / sizeof heap_types[0] == HCCT_HEAP_VALUE_COUNT, "each value has a name");

enum { TYPE_COUNT = HCCT_HEAP_VALUE_COUNT + 1 }; /* at most: the values, and the error of one */

/* The format has no larger ones. */
static int64_t value_of(uint64_t count)
{
    return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

/* How many of heap_types the profile has: the lost ones come last. */
static uint32_t heap_type_count(const struct writer *writer)
{
    const struct hcct_report *report = writer->report;
    uint32_t count = report->tree->value_count ? HCCT_HEAP_VALUE_COUNT : 0;
    while (count && !report->summary->values[heap_types[count - 1].value].is_known)
        count--;
    return count;
}

/* Returns how many values a sample has. The error is the last one. */
static size_t put_values(const struct writer *writer, uint32_t node, int64_t *values)
{
    const struct hcct_tree *tree = writer->report->tree;
    size_t count = 0;
    for (uint32_t i = 0; i < heap_type_count(writer); i++)
        values[count++] = value_of(hcct_tree_values(tree, node)[heap_types[i].value]);
    if (!count)
        values[count++] = value_of(hcct_tree_low(&tree->nodes[node]));
    values[count++] = value_of(tree->nodes[node].error);
    return count;
}

/* What was counted at a node, or at one place of it. */
static void put_sample(struct writer *writer, uint32_t index, const struct hcct_source_line *place,
                       int64_t *values, size_t value_count)
{
    Hcct__Pprof__Profile profile = HCCT__PPROF__PROFILE__INIT;
    Hcct__Pprof__Sample sample = HCCT__PPROF__SAMPLE__INIT, *samples = &sample;
    collect_path(writer, index, place);
    sample.n_locations = writer->path_count;
    sample.locations = writer->path;
    sample.n_values = value_count;
    sample.values = values;
    sample.n_labels = writer->label_count;
    sample.labels = writer->label_list;
    profile.n_samples = 1;
    profile.samples = &samples;
    pack(writer, &profile);
}

static void put_node(struct writer *writer, uint32_t index)
{
    const struct hcct_tree *tree = writer->report->tree;
    int64_t values[TYPE_COUNT];
    size_t count = put_values(writer, index, values);
    bool is_whole = true;
    for (uint32_t i = hcct_tree_first_spot(tree, index); i < tree->spot_count; i++) {
        const struct hcct_tree_spot *spot = &tree->spots[i];
        if (spot->node != index)
            break;
        int64_t own[] = { value_of(hcct_claim_low(spot->count, spot->error)), value_of(spot->error) };
        values[0] -= own[0] < values[0] ? own[0] : values[0];
        values[1] -= own[1] < values[1] ? own[1] : values[1];
        put_sample(writer, index, &writer->places.lines[spot->place], own, 2);
        is_whole = false;
    }
    if (is_whole || values[0])
        put_sample(writer, index, NULL, values, count);
}

static const char *type_name(const struct hcct_summary *summary)
{
    const struct hcct_noun *noun = summary->ground.noun;
    for (int i = 0; noun->is_heap && i < HCCT_HEAP_VALUE_COUNT; i++)
        if ((int)heap_types[i].value == summary->ground.value)
            return heap_types[i].name;
    return noun->pprof ? noun->pprof : summary->ground.unit;
}

static Hcct__Pprof__Label *add_label(struct writer *writer, const char *key)
{
    Hcct__Pprof__Label *label = &writer->labels[writer->label_count];
    *label = (Hcct__Pprof__Label)HCCT__PPROF__LABEL__INIT;
    label->key = put_string(writer, key);
    return writer->label_list[writer->label_count++] = label;
}

/* What tells the profiles of a fleet apart where a store or pprof itself adds them up. What differs between
 * the profiles of a sum is left out. */
static void make_labels(struct writer *writer)
{
    const struct hcct_summary *summary = writer->report->summary;
    char build[20];
    snprintf(build, sizeof build, "%016" PRIx64, summary->build_id);
    if (*summary->host)
        add_label(writer, "host")->text = put_string(writer, summary->host);
    if (summary->pid)
        add_label(writer, "pid")->number = summary->pid;
    if (summary->build_id)
        add_label(writer, "build")->text = put_string(writer, build);
    if (*summary->command)
        add_label(writer, "command")->text = put_string(writer, summary->command);
}

static void set_type(struct writer *writer, Hcct__Pprof__ValueType *type, const char *name, const char *unit)
{
    hcct__pprof__value_type__init(type);
    type->type = put_string(writer, name);
    type->unit = put_string(writer, strcmp(unit, "bytes") && strcmp(unit, "nanoseconds") ? "count" : unit);
}

/* Returns how many types there are; a sample's values are in the same order. Sets which one pprof shows if
 * nobody says another. */
static size_t put_types(struct writer *writer, Hcct__Pprof__ValueType *types, int64_t *shown)
{
    const struct hcct_summary *summary = writer->report->summary;
    const char *unit = summary->ground.noun->decimals ? "nanoseconds" : summary->ground.unit;
    size_t count = 0;
    for (uint32_t i = 0; i < heap_type_count(writer); i++, count++) {
        enum hcct_heap_value value = heap_types[i].value;
        set_type(writer, &types[count], heap_types[i].name, hcct_heap_value_units[value]);
        if (value == HCCT_HEAP_LIVE)
            *shown = types[count].type;
    }
    if (!count) {
        set_type(writer, &types[count], type_name(summary), unit);
        *shown = types[count++].type;
    }
    set_type(writer, &types[count++], "error", unit);
    return count;
}

/* When the program ran, for stores of profiles. What is not known stays 0: of a process that was killed, how
 * long it ran. Every call is counted, so the period is 1; of a sampled heap, the bytes for one sample, or 0
 * where these differ. */
static void set_times(Hcct__Pprof__Profile *profile, const struct hcct_summary *summary)
{
    profile->time = value_of(summary->start);
    profile->duration = summary->end > summary->start ? value_of(summary->end - summary->start) : 0;
    profile->period = summary->ground.has_samples ? value_of(summary->ground.period) : 1;
}

static int64_t put_comment(struct writer *writer, const char *key, const char *text)
{
    struct hcct_text line = { 0 };
    hcct_text_print(&line, "%s: %s", key, text);
    int64_t string = put_string(writer, line.bytes);
    free(line.bytes);
    return string;
}

static void put_head(struct writer *writer)
{
    Hcct__Pprof__Profile profile = HCCT__PPROF__PROFILE__INIT;
    Hcct__Pprof__ValueType types[TYPE_COUNT], *pointers[TYPE_COUNT];
    struct hcct_facts facts;
    int64_t comments[HCCT_FACT_COUNT + 1];
    put_string(writer, "");
    profile.n_types = put_types(writer, types, &profile.default_type);
    for (size_t i = 0; i < profile.n_types; i++) {
        pointers[i] = &types[i];
        if (types[i].type == profile.default_type)
            profile.period_type = &types[i];
    }
    set_times(&profile, writer->report->summary);
    hcct_facts_make(&facts, writer->report);
    profile.types = pointers;
    for (int i = 0; i < HCCT_FACT_COUNT; i++)
        comments[profile.n_comments++] = put_comment(writer, facts.items[i].key, facts.items[i].text);
    if (writer->report->summary->ground.total > INT64_MAX)
        comments[profile.n_comments++] = put_comment(
            writer, "saturated", "the largest value that pprof has is 2^63 - 1, and larger ones are that");
    profile.comments = comments;
    pack(writer, &profile);
}

static void close_writer(struct writer *writer)
{
    deflateEnd(&writer->stream);
    while (writer->string_count)
        free(writer->strings[--writer->string_count]);
    free(writer->strings);
    free(writer->functions);
    free(writer->lines);
    free(writer->locations);
    free(writer->mappings);
    free(writer->path);
    hcct_place_lines_close(&writer->places);
    hcct_table_free(&writer->string_table);
    hcct_table_free(&writer->function_table);
    hcct_table_free(&writer->location_table);
}

static void print_pprof(FILE *out, const struct hcct_report *report)
{
    const struct hcct_tree *tree = report->tree;
    struct writer writer = { .buffer = { pack_bytes }, .out = out, .report = report };
    if (deflateInit2(&writer.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        hcct_memory_end();
    hcct_place_lines_open(&writer.places, tree, report->frames);
    put_head(&writer);
    put_program(&writer);
    make_labels(&writer);
    for (uint32_t i = 0; i < tree->node_count && !report->limit->passed && !ferror(out); i++)
        if (tree->nodes[i].flags & HCCT_NODE_COUNTED)
            put_node(&writer, i);
    deflate_bytes(&writer, (const uint8_t *)"", 0, Z_FINISH);
    close_writer(&writer);
}

#else

#define print_pprof NULL

#endif

const struct hcct_report_format hcct_format_pprof = {
    .name = "pprof",
    .print = print_pprof,
    .by = HCCT_BY_SITE,
    .names = HCCT_NAMES_LINKAGE,
    .shape = HCCT_SHAPE_SUMMED,
    .medium = HCCT_MEDIUM_BINARY,
    .values = HCCT_VALUES_ALL,
};
