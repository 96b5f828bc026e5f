/* The file that a run leaves, ids.bin: its only definition, for the writer in the runtime and the reader in
 * the decoder. docs/format.md shows one byte by byte. The values of modes, algorithms, metrics and their like
 * are in format/names.def.
 *
 *     struct hcct_file_header
 *     struct hcct_file_section[section_count]     at offset header_bytes
 *     the sections' contents, each at a multiple of 8, gaps filled with zeros, in the order of the table
 *
 * Invariants (the reader refuses a file that breaks one)
 *   1. integers are little endian; every offset is from the start of the file;
 *   2. the header's checksum covers the header (that field taken as 0) and the section table; a section's
 *      covers its content;
 *   3. sections do not overlap, each kind stands once, gaps are smaller than 8 bytes and zero, the last one
 *      ends at file_bytes (so every byte is covered);
 *   4. an index is smaller than the number of elements of the section that it points into, or HCCT_FILE_NONE;
 *      a string offset lies inside the string section, which ends with a zero byte; offset 0 is the empty
 *      string;
 *   5. the parent of a prefix, and the `outer` of an inlined frame, has a smaller index. */
#ifndef HCCT_FORMAT_LAYOUT_H
#define HCCT_FORMAT_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "format/divide.h"

#define HCCT_FILE_MAGIC "HCCTIDS\n" /* 8 bytes, no terminator */
#define HCCT_FILE_VERSION 3
#define HCCT_FILE_NONE UINT32_MAX
#define HCCT_OBJECT_LIMIT 4096 /* objects of a process whose calls count: the first so many */

struct hcct_file_header {
    char magic[8];
    uint32_t version;
    uint32_t header_bytes; /* sizeof(struct hcct_file_header) */
    uint64_t file_bytes;
    uint32_t section_count;
    uint32_t checksum; /* hcct_checksum */
};

enum hcct_file_kind {
    HCCT_FILE_RUN = 1,     /* one struct hcct_file_run */
    HCCT_FILE_STRINGS = 2, /* zero-terminated strings */
    HCCT_FILE_FUNCTIONS = 3,
    HCCT_FILE_SITES = 4,
    HCCT_FILE_INLINED = 5,
    HCCT_FILE_PREFIXES = 6,
    HCCT_FILE_CONTEXTS = 7,
    HCCT_FILE_OBJECTS = 8,
    HCCT_FILE_COLUMNS = 9,
    HCCT_FILE_CELLS = 10,
    HCCT_FILE_NOTES = 11,
    HCCT_FILE_THREADS = 12, /* only with threads=split */
    /* uint64_t[a power of two]: a filter of the names of all functions, inlined ones included. None, or no
     * section: the file has all functions and sites. Otherwise it has those that its contexts need */
    HCCT_FILE_NAMES = 13,
    HCCT_FILE_CURVE = 14,    /* only with metric=heap, and of one run: the size of the heap over time */
    HCCT_FILE_ESTIMATE = 15, /* one struct hcct_file_estimate, only if the counts come from samples */
    HCCT_FILE_KIND_COUNT
};

struct hcct_file_section {
    uint32_t kind;          /* enum hcct_file_kind; a reader skips kinds that it does not know */
    uint32_t element_bytes; /* 1 for strings */
    uint64_t offset;
    uint64_t bytes; /* in the file; a multiple of element_bytes, unless they are packed */
    uint32_t checksum;
    uint32_t flags; /* HCCT_SECTION_PACKED, or 0 */
};

#define HCCT_SECTION_PACKED 1 /* the elements are packed (packed.h) */

/* What a word means: how contexts are encoded (encoding/context.h). A reader refuses what it does not know.
 * HEIGHTS: as PCCE, but the program ran without instrumentation, and paths were inferred from stack heights
 * (heights). A path is one of functions: a site stands for all calls of one function by another. */
enum hcct_file_scheme { HCCT_SCHEME_PCCE = 0, HCCT_SCHEME_HEIGHTS = 1, HCCT_SCHEME_COUNT };
enum hcct_file_mode {
#define HCCT_MODE(symbol, name, help) HCCT_MODE_##symbol,
#include "format/names.def"
    HCCT_MODE_COUNT
};
enum hcct_file_algorithm {
#define HCCT_ALGORITHM(symbol, name) HCCT_ALGORITHM_##symbol,
#define HCCT_ALGORITHM_RESULT(symbol, name) HCCT_ALGORITHM_##symbol,
#include "format/names.def"
    HCCT_ALGORITHM_COUNT
};
enum hcct_file_metric {
#define HCCT_METRIC(symbol, name, title, help) HCCT_METRIC_##symbol,
#include "format/names.def"
    HCCT_METRIC_COUNT
};
/* Whether counts are nanoseconds that samples stand for; and whether they are nanoseconds at all. */
static inline int hcct_metric_is_sampled(uint32_t metric)
{
    return metric == HCCT_METRIC_TIME || metric == HCCT_METRIC_WALL;
}
static inline int hcct_metric_is_time(uint32_t metric)
{
    return hcct_metric_is_sampled(metric) || metric == HCCT_METRIC_CLOCK;
}
/* Whether the file names the unit of its counts. */
static inline int hcct_metric_has_unit(uint32_t metric)
{
    return metric == HCCT_METRIC_WEIGHT || metric == HCCT_METRIC_HEAP;
}
enum hcct_file_guarantee {
#define HCCT_GUARANTEE(symbol, name) HCCT_GUARANTEE_##symbol,
#include "format/names.def"
    HCCT_GUARANTEE_COUNT
};
/* FOLDED: in every chain of pushes each site occurs once. A reader that adds profiles of both kinds folds the
 * others (docs/contexts.md). */
enum hcct_file_recursion {
#define HCCT_RECURSION(symbol, name, help) HCCT_RECURSION_##symbol,
#include "format/names.def"
    HCCT_RECURSION_COUNT
};

#define HCCT_DELTA_ONE 10000

/* The build_id of sums of several numberings (decoder/tree/by_names.h). BY_NAMES, of several programs: words,
 * functions and sites are numbers made of names and lines, so they mean the same in all such files.
 * BY_OBJECTS, of one program whose runs loaded different objects: the sites keep their ids, unless the object
 * that they are in has several builds. */
#define HCCT_FILE_BUILD_BY_NAMES UINT64_C(0x6279206e616d6573)
#define HCCT_FILE_BUILD_BY_OBJECTS UINT64_C(0x6279206f626a6563)

struct hcct_file_run {
    uint16_t mode;
    uint16_t scheme;
    uint16_t algorithm;
    uint16_t delta; /* in 1/HCCT_DELTA_ONE: the probability that a bound fails for some hot context */
    uint16_t recursion;
    uint16_t metric;
    uint32_t pid;
    double phi;
    double epsilon;    /* no error is above epsilon * N */
    uint64_t capacity; /* counters, 1/epsilon or more; 0 in cct mode */
    uint64_t build_id; /* hash of the numbered objects: ids of two files with equal build_id mean the same */
    uint64_t memory_bytes; /* of the profiler at the time of writing */
    uint32_t program;      /* string: the path of the executable */
    uint32_t command;      /* string: its arguments, separated by spaces */
    uint32_t host;         /* string */
    uint32_t source;       /* string: of a sum of one profile, what that was called; else empty */
    uint32_t profiles;     /* that were added up; 1: it is no sum */
    uint32_t job;          /* the process group; 0: not known, or of several */
    /* in nanoseconds since 1970, by the clock of the host; 0: not known */
    uint64_t start; /* of the process; of a forked child, its fork */
    uint64_t end;   /* when the profile was written; 0: the process was killed, or still runs */
};

/* What is not exact, or not there, and numbers that are told besides: each kind once. A sound run has none of
 * the former. */
enum hcct_file_note_kind {
#define HCCT_NOTE(symbol, name) HCCT_NOTE_##symbol,
#include "format/names.def"
    HCCT_NOTE_COUNT
};

struct hcct_file_note {
    uint32_t kind;
    uint32_t reserved; /* 0 */
    uint64_t amount;
};

/* What is known of a thread, with threads=split. Its number is in its prefix. Two threads of which the same
 * is known have one element. */
struct hcct_file_thread {
    uint64_t key;   /* hcct_layout_thread_key of the rest */
    uint64_t first; /* the base of the function that it began with; 0: not known */
    /* as pthread_setname_np gave it, filled up with zeros; empty: it has that of the process */
    char name[16];
};

#define HCCT_PHASES 16 /* the most that a process tells apart */
/* The name of what was counted outside of all phases, and in phases beyond that limit. */
#define HCCT_PHASE_NONE_NAME "[no phase]"
#define HCCT_PHASE_REST_NAME "[other phases]"

/* A loaded object. Those whose functions were numbered come first, then the others that samples of
 * metric=time were in. */
struct hcct_file_object {
    uint32_t path;     /* string */
    uint32_t build_id; /* string: hexadecimal, empty where the object has none */
};

struct hcct_file_function {
    uint64_t base; /* ids [base, base + contexts) are this function's; no two functions' ranges meet */
    uint64_t contexts;
    uint32_t linkage_name;
    uint32_t source_name;
    uint32_t file;
    uint32_t line;  /* 0: not known */
    uint32_t flags; /* enum hcct_function_flag (abi.h) */
    uint32_t object;
    /* calls of it that no context has, counts taken less their errors: of contexts that left the summary.
     * Exact, if these numbers, and the counts less errors, add up to N */
    uint64_t evicted;
};

/* Functions are in ascending order of base; the sites of a function stand together, functions in order. */
struct hcct_file_site {
    uint64_t id;
    /* > 0 an encoded edge from caller to callee; else, as in struct hcct_state, it pushes, or never calls
     * back */
    int64_t delta;
    uint32_t caller;      /* function */
    uint32_t callee;      /* function, or NONE: indirect, or not instrumented */
    uint32_t callee_name; /* string: linkage name of a direct callee, else empty */
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t inlined; /* the innermost inlined frame, or NONE */
    uint32_t flags;   /* enum hcct_site_flag (abi.h) */
    uint32_t ordinal; /* of the site within its function, from 1: what is shown where there is no line */
    uint32_t discriminator; /* LLVM's base discriminator: tells calls of one line apart; 0: none */
};

struct hcct_file_inlined {
    uint32_t linkage_name;
    uint32_t source_name;
    uint32_t file;
    uint32_t line;
    uint32_t call_file;
    uint32_t call_line;
    uint16_t call_column;
    uint16_t call_discriminator; /* as a site's */
    uint32_t outer;              /* or NONE: the function itself */
};

enum hcct_prefix_kind {
    HCCT_PREFIX_ROOT = 0,    /* a thread's root, h = 0; prefix 0 is always this one, and the only one */
    HCCT_PREFIX_PUSH = 1,    /* h = hcct_mix(word, site) */
    HCCT_PREFIX_UNKNOWN = 2, /* h = word; what is above the push is lost */
    HCCT_PREFIX_SIGNAL = 3,  /* h = word; a handler's root, `site` is the signal's number */
    /* h = hcct_mix(word, site); the context (word, parent) ran code of an object that is not instrumented,
     * which `site` tells. Entries with this prefix have id 0 */
    HCCT_PREFIX_LEAF = 4,
    /* h = hcct_context_thread(site); the root of a thread with threads=split. `site` is its number, from 1,
     * `word` the key of what is known of it, or 0 */
    HCCT_PREFIX_THREAD = 5,
    /* h as that of a leaf; samples of the context (word, parent) itself, at a place in its code, which `site`
     * tells (hcct_layout_place_site). Entries with this prefix have id 0 */
    HCCT_PREFIX_PLACE = 6,
    HCCT_PREFIX_KIND_COUNT
};

/* Whether such a prefix stands below a context, (word, parent). */
static inline int hcct_layout_is_below(uint32_t kind)
{
    return kind == HCCT_PREFIX_PUSH || kind == HCCT_PREFIX_LEAF || kind == HCCT_PREFIX_PLACE;
}

static inline uint64_t hcct_layout_thread_key(const struct hcct_file_thread *thread)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ thread->first;
    for (unsigned i = 0; i < sizeof thread->name; i++)
        hash = (hash ^ (unsigned char)thread->name[i]) * UINT64_C(0x100000001b3);
    return hash | 1;
}

/* The filter of names, a Bloom filter. It never lacks a name that was added. Of others, it seems to have one
 * in fifty or less, unless there are more inlined functions than others. */
enum { HCCT_NAMES_BITS = 8, HCCT_NAMES_WORDS_LIMIT = 1 << 20 };

/* Of a linkage name, up to the first suffix that an optimizer may have added. */
static inline uint64_t hcct_layout_name_hash(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = name; *at && (*at != '.' || at == name); at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* The bits of a name: four in one word. */
static inline uint64_t hcct_layout_name_bits(uint64_t hash)
{
    return UINT64_C(1) << (hash & 63) | UINT64_C(1) << (hash >> 6 & 63) | UINT64_C(1) << (hash >> 12 & 63) |
           UINT64_C(1) << (hash >> 18 & 63);
}

static inline void hcct_layout_names_add(uint64_t *filter, uint64_t words, uint64_t hash)
{
    filter[hash >> 24 & (words - 1)] |= hcct_layout_name_bits(hash);
}

static inline int hcct_layout_names_have(const uint64_t *filter, uint64_t words, uint64_t hash)
{
    uint64_t bits = hcct_layout_name_bits(hash);
    return (filter[hash >> 24 & (words - 1)] & bits) == bits;
}

/* The site of a leaf: a hash (FNV-1a) of the last part of its object's path, or of the name of the function
 * that was called there. Both stand among the file's objects. */
static inline uint64_t hcct_layout_leaf_site(const char *path)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *path; path++)
        hash = *path == '/' ? UINT64_C(0xcbf29ce484222325)
                            : (hash ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
    return hash | 1;
}

/* The site of a place in the code: of its object the upper bits of hcct_layout_leaf_site, and its address in
 * the object's file, if that has so few bits. */
#define HCCT_PLACE_ADDRESS_BITS 40
static inline uint64_t hcct_layout_place_site(uint64_t leaf_site, uint64_t address)
{
    return leaf_site >> (HCCT_PLACE_ADDRESS_BITS + 1) << (HCCT_PLACE_ADDRESS_BITS + 1) | address << 1 | 1;
}

static inline uint64_t hcct_layout_place_address(uint64_t site)
{
    return site >> 1 & ((UINT64_C(1) << HCCT_PLACE_ADDRESS_BITS) - 1);
}

/* A chain of pushes. The pusher's own context is (word, parent): decode word - h(parent). */
struct hcct_file_prefix {
    uint64_t word;
    uint64_t site;   /* the id of a site of the function that `word` names */
    uint32_t parent; /* prefix; NONE for root, unknown and signal */
    uint32_t kind;   /* enum hcct_prefix_kind */
};

/* A context: decode word - h(prefix). Its id is 0 if code ran that is not instrumented, and was called by the
 * prefix's push. What was measured of it stands in the cells of the columns; a context without a cell was
 * kept for hcct_context_pin.
 *
 * In canonical order, which the run does not change, files are added by merging: prefixes by their depth,
 * then by parent, kind, site and word; contexts by prefix (NONE last), then by word. A writer that lacks the
 * memory to sort may leave that (format/canonical.h). */
struct hcct_file_context {
    uint64_t word;
    uint32_t prefix;   /* or NONE: not known; its cell of the first column is then in dropped_chain too */
    uint32_t reserved; /* 0 */
};

/* How the cells of one column add up to those of a sum. */
enum hcct_file_add {
#define HCCT_ADD(symbol, name) HCCT_ADD_##symbol,
#include "format/names.def"
    HCCT_ADD_COUNT
};

/* What was measured: the first column is what the run's metric counts, the others are beside it. */
struct hcct_file_column {
    uint32_t name;      /* string: "calls", "live" */
    uint32_t part;      /* string: the phase that it is of; empty: the whole run */
    uint32_t unit;      /* string, see hcct_unit_is_valid */
    uint16_t guarantee; /* enum hcct_file_guarantee */
    uint16_t add;       /* enum hcct_file_add */
    uint32_t first;     /* its cells: cells[first] and the next ones, by ascending context */
    uint32_t count;
    uint32_t mark;     /* of a context without a cell, as a cell's */
    uint32_t reserved; /* 0 */
    uint64_t total;    /* N: everything counted, what was dropped included */
    uint64_t floor;    /* a context without a cell has at most so much; and at least nothing */
    uint64_t missing;  /* the part of `total` that belongs to no context, and is told nowhere else */
    uint64_t period;   /* of samples: one of so many was chosen; 0: all, or files that differ were added up */
};

/* One context in one column: it has at most `count`, and at least `count` - `error`. */
struct hcct_file_cell {
    uint32_t context;
    /* Of an estimate its trials: the estimate has the variance of so many independent ones. Of bursts those
     * of the context's share of N, of samples those of the count itself; 0: not known. With HCCT_ADD_LEAST
     * and HCCT_ADD_MOST a string: the profile that has it; empty: not known */
    uint32_t mark;
    uint64_t count;
    uint64_t error;
};

/* Columns of sums: in how many profiles a context is, and its smallest and largest count in one of them. Of
 * one run: which contexts are new (known=). Of any: which ones hcct_context_pin keeps. */
#define HCCT_COLUMN_LIMIT 256
#define HCCT_COLUMN_PRESENT "present"
#define HCCT_COLUMN_LEAST "least"
#define HCCT_COLUMN_MOST "most"
#define HCCT_COLUMN_NEW "new"
#define HCCT_COLUMN_PINNED "pinned"
#define HCCT_COLUMN_POINT "live at" /* a detailed point of the curve; the part is its number, from 1 */
/* Of the heap, without cells: the mean life of a block, in bytes that the process allocated meanwhile; and
 * how many blocks had at most 16 bytes, at most 64, 256 and so on. The last of these has the rest. */
#define HCCT_COLUMN_LIFE "life"
#define HCCT_COLUMN_SIZES "size"
#define HCCT_HEAP_SIZES 12
/* Of the heap, without cells: the most that the executable had mapped itself (anonymous mmap), if it has
 * functions that may give that out unseen. */
#define HCCT_COLUMN_MAPPED "mapped"

/* The columns of metric=heap that hcct-decode --value names. */
enum hcct_heap_value {
#define HCCT_HEAP_VALUE(symbol, name, unit, title) HCCT_HEAP_##symbol,
#include "format/names.def"
    HCCT_HEAP_VALUE_COUNT
};

#define HCCT_FILE_CURVE_DETAILS 8

/* A point of the curve, in the order of time; the last one is the end. What each context had live at a
 * detailed one is a column. */
struct hcct_file_curve {
    uint64_t allocated_bytes; /* so far, freed or not */
    uint64_t live_bytes;
    uint64_t most_bytes; /* the most that was live since the point before */
    uint64_t time_ns;    /* since the start of the program */
    uint32_t detail;     /* the number of a detailed point, from 1; 0: it is none */
    uint32_t reserved;   /* 0 */
};

enum hcct_estimate_kind {
#define HCCT_ESTIMATE(symbol, name) HCCT_ESTIMATE_##symbol,
#include "format/names.def"
    HCCT_ESTIMATE_COUNT
};

/* What the estimates of the first column come from (docs/metrics.md): samples, which are bursts or single
 * calls. Counts and N are sums over the samples, of calls times their weights. */
struct hcct_file_estimate {
    /* CPU time of a thread that has one burst. 0: files that differ were added up. With kind BUDGET the
     * mean: the intervals differ */
    uint64_t interval_ns;
    uint64_t length_ns; /* of a burst, and of any unit of time */
    uint64_t units;     /* of time, or calls, in all */
    uint64_t samples;   /* those that were counted */
    /* bursts that were due and left out; others have a larger weight for them */
    uint64_t skipped;
    uint64_t calls; /* counted, without weights */
    /* of y over the samples: y is the sample's calls times their weight times interval_ns / length_ns, as in
     * all counts */
    double sum;
    double squares;       /* the sum of y^2 */
    uint64_t untimed;     /* threads without a timer, whose calls are not counted */
    uint64_t is_adaptive; /* 0 or 1 */
    uint64_t kind;        /* enum hcct_estimate_kind */
    /* the largest weight of a call, if samples are single calls. 0: they are not, or files that differ were
     * added up */
    uint64_t period;
    union {
        uint64_t slack; /* if samples are single calls: N may be too high or too low by so much */
        /* with kind BUDGET: the part of `calls` that was counted outside of bursts, once each */
        uint64_t whole;
    };
};

_Static_assert(sizeof(struct hcct_file_header) == 32, "file layout");
_Static_assert(sizeof(struct hcct_file_section) == 32, "file layout");
_Static_assert(sizeof(struct hcct_file_run) == 96, "file layout");
_Static_assert(sizeof(struct hcct_file_note) == 16, "file layout");
_Static_assert(sizeof(struct hcct_file_thread) == 32, "file layout");
_Static_assert(sizeof(struct hcct_file_object) == 8, "file layout");
_Static_assert(sizeof(struct hcct_file_function) == 48, "file layout");
_Static_assert(sizeof(struct hcct_file_site) == 56, "file layout");
_Static_assert(sizeof(struct hcct_file_inlined) == 32, "file layout");
_Static_assert(sizeof(struct hcct_file_prefix) == 24, "file layout");
_Static_assert(sizeof(struct hcct_file_context) == 16, "file layout");
_Static_assert(sizeof(struct hcct_file_column) == 64, "file layout");
_Static_assert(sizeof(struct hcct_file_cell) == 24, "file layout");
_Static_assert(sizeof(struct hcct_file_curve) == 40, "file layout");
_Static_assert(sizeof(struct hcct_file_estimate) == 104, "file layout");

/* Whether `text` may name a unit: 1 to 31 letters, digits and " _-/.%", which no format has to escape. */
static inline int hcct_unit_is_valid(const char *text)
{
    int length = 0;
    for (; text[length]; length++) {
        char c = text[length];
        int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
                    c == '_' || c == '-' || c == '/' || c == '.' || c == '%';
        if (!plain || length == 31)
            return 0;
    }
    return length > 0;
}

#endif
