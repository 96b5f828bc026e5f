/* See start/options.h. It uses no stdio and no malloc, as it runs before all constructors, the C library's
 * too.
 *
 * A key is a row of `keys` with its reader and its help. */
#define _GNU_SOURCE
#include "runtime/start/options.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "format/layout.h"
#include "format/names.h"
#include "runtime/base/environment.h"
#include "runtime/base/say.h"
#include "runtime/core/settings.h"
#include "runtime/count/settings.h"
#include "runtime/heap/settings.h"
#include "runtime/known/known.h"
#include "runtime/meter/settings.h"
#include "runtime/output/paths.h"
#include "runtime/output/settings.h"
#include "runtime/stack/settings.h"
#include "runtime/start/meters.h"
#include "runtime/start/rules.h"
#include "runtime/start/settings.h"
#include "runtime/trace/trace.h"

#define DURATION_LIMIT_NS (UINT64_C(1000000000) * 60 * 60 * 24 * 365)
enum {
    CONTEXT_BYTES = 160, /* mode=hcct: a counter, its buckets (stream/space_saving.c), and two nodes */
    HEAP_BYTES = 512,    /* the same, and the values of a heap */
    CONTEXTS_LIMIT = 1 << 23,
    EPSILON_LIMIT = 1000000, /* counters that epsilon may ask for: 53 MB */
};

/* --- values ------------------------------------------------------------------------------------ */

static bool read_path(const char *text, char *path, size_t size)
{
    size_t length = strlen(text);
    if (!length || length >= size)
        return false;
    memcpy(path, text, length + 1);
    return true;
}

static bool read_output(const char *text)
{
    for (const char *at = text; (at = strchr(at, '%')); at += 2)
        if (!at[1] || !strchr("phmt%", at[1]))
            return false;
    bool good = read_path(text, hcct_output_settings.path, sizeof hcct_output_settings.path);
    hcct_output_settings.path_is_given = hcct_output_settings.path_is_given || good;
    return good;
}

static bool read_known(const char *text)
{
    return read_path(text, hcct_known_path, sizeof hcct_known_path);
}

static bool read_trace(const char *text)
{
    return read_path(text, hcct_trace_path, sizeof hcct_trace_path);
}

static bool read_phi(const char *text)
{
    return hcct_real_read_share(text, &hcct_count_settings.phi);
}

static bool epsilon_given;

static bool read_epsilon(const char *text)
{
    bool good = hcct_real_read_share(text, &hcct_count_settings.epsilon);
    epsilon_given = epsilon_given || good;
    return good;
}

static bool read_name(const char *text, const char *const *names, int *value)
{
    int found = hcct_name_find(names, text);
    if (found >= 0)
        *value = found;
    return found >= 0;
}

static bool read_mode(const char *text)
{
    return read_name(text, hcct_mode_names, &hcct_core_settings.mode);
}

static bool read_recursion(const char *text)
{
    return read_name(text, hcct_recursion_names, &hcct_stack_settings.recursion);
}

static bool read_unit(const char *text)
{
    if (!hcct_unit_is_valid(text))
        return false;
    strcpy(hcct_output_settings.unit, text);
    return true;
}

static bool read_either(const char *text, const char *off, const char *on, bool *value)
{
    bool is_on = strcmp(text, on) == 0, good = is_on || strcmp(text, off) == 0;
    *value = good ? is_on : *value;
    return good;
}

static bool read_dump(const char *text)
{
    return read_either(text, "0", "1", &hcct_start_settings.dump);
}

static bool read_counting(const char *text)
{
    return read_either(text, "off", "on", &hcct_start_settings.counting);
}

static bool read_heap_scan(const char *text)
{
    return read_either(text, "off", "on", &hcct_heap_settings.scan);
}

/* A whole number with a unit, at most a year. */
static bool read_duration(const char *text, uint64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        { "us", 1000 }, { "ms", 1000000 }, { "s", UINT64_C(1000000000) }, { "m", UINT64_C(60000000000) }
    };
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    unsigned long long count = strtoull(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].name) == 0 && count > 0 && count <= DURATION_LIMIT_NS / units[i].ns) {
            *ns = count * units[i].ns;
            return true;
        }
    return false;
}

static bool read_snapshot(const char *text)
{
    if (strcmp(text, "0") != 0)
        return !strstr(text, "us") && read_duration(text, &hcct_start_settings.snapshot_ns);
    hcct_start_settings.snapshot_ns = 0;
    return true;
}

static bool read_frequency(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value < 1 || value > 10000)
        return false;
    hcct_meter_settings.frequency = (uint32_t)value;
    return true;
}

static bool read_verbosity(const char *text)
{
    if (text[0] < '0' || text[0] > '9' || text[1])
        return false;
    hcct_say_verbosity = text[0] - '0';
    return true;
}

static bool read_budget(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || strcmp(end, "%") != 0 || value < 1 || value > 100)
        return false;
    hcct_meter_settings.budget = (unsigned)value;
    return true;
}

static bool read_ranks(const char *text)
{
    return read_name(text, hcct_ranks_names, &hcct_start_settings.ranks);
}

static bool read_threads(const char *text)
{
    return read_name(text, hcct_threads_names, &hcct_core_settings.threads);
}

/* A number of bytes, with K, M or G. */
static bool read_bytes(const char *text, uint64_t least, uint64_t most, uint64_t *bytes)
{
    static const char units[] = "KMG";
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (*text < '0' || *text > '9' || end[unit != NULL] || value > most >> shift ||
        (value && value << shift < least))
        return false;
    *bytes = value << shift;
    return true;
}

static bool read_heap_sample(const char *text)
{
    return read_bytes(text, 1024, UINT64_C(1) << 30, &hcct_heap_settings.sample);
}

static bool read_memory(const char *text)
{
    if (strcmp(text, "unlimited") != 0)
        return read_bytes(text, 0, (uint64_t)CONTEXTS_LIMIT * CONTEXT_BYTES, &hcct_stack_settings.memory);
    hcct_core_settings.mode = HCCT_MODE_CCT;
    return true;
}

static bool read_help(const char *text);

static const struct {
    const char *key;
    bool (*read)(const char *text);
    const char *help;
} keys[] = {
    { "output", read_output,
      "file that the profile goes to (ids.bin); %p pid, %h host, %m build, %t TMPDIR, %% a percent sign" },
    { "mode", read_mode, "what is kept (hcct)"
#define HCCT_MODE(symbol, name, help) "; " name ": " help
#include "format/names.def"
    },
    { "memory", read_memory,
      "mode=hcct: bytes for contexts, as in 64M; as long as they fit every count is exact (32M); unlimited: "
      "mode=cct" },
    { "phi", read_phi, "hotness threshold, a share of the calls (1e-4)" },
    { "epsilon", read_epsilon, "allowed over-count, a share of the calls (phi/5)" },
    { "counting", read_counting,
      "on (default); off: contexts are tracked, and nothing is counted until hcct_start()" },
    { "budget", read_budget,
      "share of the time that counting may add, 1% to 100%: when all calls would take more, they are counted "
      "in bursts; none: all are counted" },
    { "ranks", read_ranks, "what the ranks of an MPI program leave (merge)"
#define HCCT_RANKS(symbol, name, help) "; " name ": " help
#include "format/names.def"
    },
    { "threads", read_threads, "what is told of threads (joined)"
#define HCCT_THREADS(symbol, name, help) "; " name ": " help
#include "format/names.def"
    },
    { "metric", hcct_meters_read_metric,
      "what is counted (calls)"
#define HCCT_METRIC(symbol, name, title, help) "; " name ": " help
#include "format/names.def"
      "; page-faults, cycles, instructions, branches, branch-misses, cache-references, cache-misses: by the "
      "system's counters" },
    { "heap_sample", read_heap_sample,
      "metric=heap: blocks are sampled, with one byte of so many, 1K to 1G, as in 512K; 0: all count (0)" },
    { "heap_scan", read_heap_scan,
      "metric=heap: on: a profile tells which live blocks no pointer leads to; off (default)" },
    { "unit", read_unit, "what metric=weight counts, for the decoder to show (weight)" },
    { "frequency", read_frequency, "metric=time and wall: samples a second of CPU time, 1 to 10000 (100)" },
    { "dump", read_dump, "1 writes the profile when hcct-top --dump asks for it (0)" },
    { "snapshot", read_snapshot,
      "time between profiles that are written while the program runs, such as 60s (units ms, s, m); 0: only "
      "at its end (0)" },
    { "recursion", read_recursion, "contexts of a recursion (keep)"
#define HCCT_RECURSION(symbol, name, help) "; " name ": " help
#include "format/names.def"

    },
    { "known", read_known,
      "profile of an earlier run (mode=cct): what it lacks is new, which the profile tells, and "
      "hcct_on_new_context(); none: nothing is known" },
    { "trace", read_trace,
      "file that the context of every call goes to, for hcct-lab replay; with mode=cct" },
    { "verbosity", read_verbosity, "0 silent, 1 warnings (default), 2 a summary at exit" },
    { "help", read_help, "1 lists the keys" },
};

static bool read_help(const char *text)
{
    if (strcmp(text, "1") != 0)
        return strcmp(text, "0") == 0;
    HCCT_SAY(0, "HCCT_OPTIONS=key=value:key=value, values may be quoted ('a:b'); keys:");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        HCCT_SAY(0, "  ", keys[i].key, "  ", keys[i].help);
    return true;
}

/* --- the string -------------------------------------------------------------------------------- */

/* Keys that were, and what took their place. */
static const struct {
    const char *key, *instead;
} gone[] = {
    { "algorithm", "record a trace (trace=FILE) for hcct-lab replay --algorithm=NAME" },
    { "burst", "budget=10% counts in bursts where that is needed, and hcct-lab replay --burst=L/I a trace" },
    { "interval", "budget=10% chooses when a burst comes" },
    { "length", "a burst of budget= takes 2 ms" },
    { "sample", "budget=10% counts fewer calls, and hcct-lab replay --sample=KIND samples a trace" },
    { "edges", "hcct-lab replay --sample=KIND counts the last edge" },
    { "continuous",
      "a crash leaves the profile by itself, snapshot=60s what a SIGKILL would lose, and dump=1 is "
      "for hcct-top" },
    { "guide", "hcct-cc --hcct-guide=FILE takes it when the program is compiled, which saves more" },
    { "period", "each event has a period of its own (docs/metrics.md)" },
    { "trace_limit", "a trace ends at 1 GB" },
    { "heap_mmap", "metric=heap counts what malloc and its kin give out; /proc/PID/smaps has the mappings" },
};

static void apply(const char *key, const char *value)
{
    static bool is_set[sizeof keys / sizeof keys[0]];
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].key, key) == 0) {
            if (keys[i].read(value))
                is_set[i] = true;
            else
                HCCT_SAY(1, "HCCT_OPTIONS: bad value '", value, "' for ", key,
                         is_set[i] ? ", the value before it is used; " : ", the default is used; ", key, ": ",
                         keys[i].help, strchr(value, '=') ? "; between keys stands ':'" : "");
            return;
        }
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        if (strcmp(gone[i].key, key) == 0) {
            HCCT_SAY(1, "HCCT_OPTIONS: there is no key '", key, "' any more: ", gone[i].instead);
            return;
        }
    HCCT_SAY(1, "HCCT_OPTIONS: unknown key '", key, "' (help=1 lists them)");
}

/* Copies one key=value from `text` and returns the start of the next. Key and value are cut to `size` bytes
 * with their zero. Quotes around a value are removed. Returns NULL if a quote has no end. */
static const char *next_option(const char *text, char *key, char *value, size_t size)
{
    size_t length = 0;
    char quote = 0, *to = key;
    for (; *text && (quote || *text != ':'); text++) {
        if (quote ? *text == quote : to == value && !length && (*text == '\'' || *text == '"')) {
            quote = quote ? 0 : *text;
        } else if (to == key && *text == '=') {
            to[length] = 0;
            to = value;
            length = 0;
        } else if (length + 1 < size) {
            to[length++] = *text;
        }
    }
    to[length] = 0;
    if (to == key)
        value[0] = 0;
    return quote ? NULL : *text ? text + 1 : text;
}

/* `verbosity` is read first, as it decides which messages the other keys may print. */
static void read_keys(const char *text, bool only_verbosity)
{
    /* one byte more than the longest value, so that a value that was cut is refused */
    static char key[sizeof hcct_output_settings.path + 1], value[sizeof key];
    while (text && *text) {
        const char *option = text;
        text = next_option(text, key, value, sizeof key);
        if (!text && !only_verbosity)
            HCCT_SAY(1, "HCCT_OPTIONS: no end of the quotes in ", option, ", which is left out");
        else if (text && *option != ':' && (strcmp(key, "verbosity") == 0) == only_verbosity)
            apply(key, value);
    }
}

/* Sets epsilon, the number of counters, and how many contexts are kept before there are no more than these.
 * phi is at least epsilon: a context with less than epsilon of the calls may have no counter. */
static void check_counters(void)
{
    const union hcct_real one = hcct_real_of(1, 0), limit = hcct_real_of(EPSILON_LIMIT, 0);
    if (!epsilon_given)
        hcct_count_settings.epsilon = hcct_real_quotient(hcct_count_settings.phi, hcct_real_of(5, 0));
    bool bounded = hcct_core_settings.mode == HCCT_MODE_HCCT;
    union hcct_real wanted = hcct_real_quotient(one, hcct_count_settings.epsilon);
    if (wanted.bits > limit.bits) {
        if (bounded)
            HCCT_SAY(1, "HCCT_OPTIONS: epsilon is too small for 64 MB of memory, 1e-6 is used");
        hcct_count_settings.epsilon = hcct_real_quotient(one, limit);
        wanted = limit;
    }
    if (bounded && hcct_count_settings.phi.bits < hcct_count_settings.epsilon.bits) {
        HCCT_SAY(
            1, "HCCT_OPTIONS: phi is less than epsilon, whose value it gets: rarer contexts may be missing");
        hcct_count_settings.phi = hcct_count_settings.epsilon;
    }
    bool is_heap = hcct_core_settings.metric == HCCT_METRIC_HEAP;
    uint32_t fit = (uint32_t)(hcct_stack_settings.memory / (is_heap ? HEAP_BYTES : CONTEXT_BYTES));
    hcct_count_settings.capacity = (uint32_t)hcct_real_times(wanted, 1);
    hcct_count_settings.capacity +=
        hcct_real_of(hcct_count_settings.capacity, 0).bits < wanted.bits; /* rounds up */
    hcct_count_settings.contexts = fit > hcct_count_settings.capacity ? fit : hcct_count_settings.capacity;
}

/* A variable whose name is nearly right does nothing. */
static void tell_misspelt(char **environment)
{
    static const char begin[] = "HCCT_OPT", right[] = "HCCT_OPTIONS=";
    for (; environment && *environment; environment++)
        if (!strncmp(*environment, begin, sizeof begin - 1) &&
            strncmp(*environment, right, sizeof right - 1) != 0)
            HCCT_SAY(1, *environment, ": means nothing; the variable is HCCT_OPTIONS");
}

void hcct_options_read(char **environment)
{
    int saved = errno;
    hcct_say_start();
    hcct_output_settings.is_secure = getauxval(AT_SECURE) != 0;
    const char *text =
        hcct_output_settings.is_secure ? NULL : hcct_environment_find(environment, "HCCT_OPTIONS");
    const char *folder = hcct_output_settings.is_secure ? NULL : hcct_environment_find(environment, "TMPDIR");
    if (folder)
        hcct_paths_set_temporary(folder);
    read_keys(text, true);
    if (!hcct_output_settings.is_secure)
        tell_misspelt(environment);
    read_keys(text, false);
    hcct_rules_check();
    if (hcct_trace_path[0]) /* a replay needs every context */
        hcct_core_settings.mode = HCCT_MODE_CCT;
    check_counters();
    hcct_meters_choose();
    hcct_paths_note_folder();
    errno = saved;
}
