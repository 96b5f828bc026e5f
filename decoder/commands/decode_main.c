/* The command hcct-decode: options and files; the library does the rest. Exit status: 0 done, 1 a file or
 * the output is bad, 2 usage, 23 --format=leaks found leaks. Every file is read and checked before anything
 * is printed. */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/commands/add_up.h"
#include "decoder/commands/command.h"
#include "decoder/commands/phase_pages.h"
#include "decoder/commands/program_build.h"
#include "decoder/commands/query_options.h"
#include "decoder/profile/heap.h"
#include "decoder/profile/new.h"
#include "decoder/profile/phases.h"
#include "decoder/query/filter.h"
#include "decoder/query/suppressions.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/lookup.h"
#include "decoder/text/progress.h"
#include "decoder/text/terminal.h"
#include "format/error.h"
#include "format/names.h"
#include "hcct/abi.h"

const char hcct_command_name[] = "hcct-decode";

struct command {
    struct hcct_report_options report;
    struct hcct_query_options query;
    struct hcct_suppressions suppressions;
    const char *output; /* NULL: stdout */
    bool force;
    bool no_pager;
    bool only_new;
    uint64_t *words; /* --context, each */
    uint32_t word_count;
    int recursion;       /* enum hcct_file_recursion */
    const char *program; /* that profiles are to be of; NULL: any */
};

/* The option --format stands between the two. */
static const char usage[] =
    "Usage: hcct-decode [options] [FILE...]\n"
    "       hcct-decode [options] --view=callers|peek FUNCTION [FILE...]\n"
    "Print the hot calling contexts of profiles (default: ids.bin; - is standard input).\n"
    "\n";
static const char usage_options[] =
    "  --by=WHAT          what contexts are told apart by: site (default), line, function, thread\n"
    "  --view=VIEW        tree (default); callers: who calls FUNCTION (or all), bottom-up; flat: a table of\n"
    "                     functions; peek: FUNCTION, its callers and what it "
    "calls\n" HCCT_QUERY_VALUES_HELP HCCT_QUERY_FILTERS_HELP "  --depth=N          only so many levels\n"
    "  --no-demangle      as --names=linkage\n"
    "  --no-inlines       leave inlined frames out\n"
    "  --recursion=WHAT   keep (default), fold: a call site stands on a path once\n"
    "  --all              every monitored context, not only the hot ones and their ancestors\n"
    "  --new              only the contexts that the profile of HCCT_OPTIONS=known= lacks, all of them\n"
    "  --phi=X            a context is hot with at least this share of the calls (default: the profile's)\n"
    "  --top=N            the N hottest of them; folded: N lines, and those of [other]\n"
    "  --min-count=N      only contexts with at least N calls\n"
    "  --max-depth=N      fold repeated cycles deeper than that (256; 0: never)\n"
    "  --suppressions=FILE  of --format=leaks: leak:PATTERN in each line, as LeakSanitizer has them\n"
    "  --reachable        of --format=leaks: what is still reachable, too\n"
    "  --no-source        html: no lines of source in the page\n"
    "  --spread=WHAT      tree: columns of how profiles that were added up, or threads, differ: of each "
    "context\n"
    "                     the smallest, mean and largest count in one of them, and where; WHAT: profiles,\n"
    "                     threads\n"
    "  --context=0x...    print only the path of the context that hcct_context() gave this number\n"
    "                     (may be repeated; one FILE)\n"
    "  --no-pager         no pager on a terminal\n"
    "  --program=PROGRAM  refuse profiles of other programs than this one, a path or a name\n"
    "  --force            merge files of different programs or builds, by function and line\n"
    "  -o, --output=FILE  write to FILE (-: standard output)\n"
    "  -h, --help         print this and exit\n"
    "  -V, --version      print the versions and exit\n";

static bool parse_format(const char *text, const struct hcct_report_format **format)
{
    *format = hcct_formats_find(text);
    if (!*format)
        return hcct_command_refuse_word("format", text, hcct_formats_names());
    if (!(*format)->print)
        fprintf(stderr, "hcct-decode: built without --format=%s, for lack of %s\n", text, (*format)->needs);
    return (*format)->print;
}

enum option_value {
    FORMAT = 256,
    BY,
    NO_DEMANGLE,
    NO_INLINES,
    ALL,
    PHI,
    TOP,
    MIN_COUNT,
    MAX_DEPTH,
    PROGRAM,
    FORCE,
    NO_PAGER,
    NO_SOURCE,
    CONTEXT,
    SUPPRESSIONS,
    REACHABLE,
    NEW,
    RECURSION,
    SPREAD
};

static const struct option long_options[] = {
    { "format", required_argument, NULL, FORMAT },
    { "by", required_argument, NULL, BY },
    HCCT_QUERY_FILTERS,
    HCCT_QUERY_VALUES,
    { "no-demangle", no_argument, NULL, NO_DEMANGLE },
    { "no-inlines", no_argument, NULL, NO_INLINES },
    { "recursion", required_argument, NULL, RECURSION },
    { "all", no_argument, NULL, ALL },
    { "new", no_argument, NULL, NEW },
    { "phi", required_argument, NULL, PHI },
    { "top", required_argument, NULL, TOP },
    { "min-count", required_argument, NULL, MIN_COUNT },
    { "max-depth", required_argument, NULL, MAX_DEPTH },
    { "program", required_argument, NULL, PROGRAM },
    { "force", no_argument, NULL, FORCE },
    { "no-pager", no_argument, NULL, NO_PAGER },
    { "no-source", no_argument, NULL, NO_SOURCE },
    { "spread", required_argument, NULL, SPREAD },
    { "context", required_argument, NULL, CONTEXT },
    { "suppressions", required_argument, NULL, SUPPRESSIONS },
    { "reachable", no_argument, NULL, REACHABLE },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

static const char *const by_words[] = {
    [HCCT_BY_SITE] = "site",         [HCCT_BY_PLACE] = "",        [HCCT_BY_LINE] = "line",
    [HCCT_BY_FUNCTION] = "function", [HCCT_BY_THREAD] = "thread", NULL
};

static const char *const spread_words[] = {
    [HCCT_SPREAD_NONE] = "", [HCCT_SPREAD_PROFILES] = "profiles", [HCCT_SPREAD_THREADS] = "threads", NULL
};

static bool add_word(struct command *command, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long word = strtoull(text, &end, 0);
    if (errno || *end || end == text || *text < '0' || *text > '9')
        return hcct_command_refuse("context", text);
    uint64_t *words = realloc(command->words, (command->word_count + 1) * sizeof *words);
    if (!words)
        return hcct_command_complain("hcct-decode", "out of memory");
    command->words = words;
    words[command->word_count++] = word;
    return true;
}

static bool take_option(struct command *command, int option, const char *argument)
{
    struct hcct_report_options *report = &command->report;
    uint64_t number;
    int word;
    switch (option) {
    case FORMAT:
        return parse_format(argument, &report->format);
    case BY:
        if (!hcct_command_word("by", argument, by_words, &word))
            return false;
        report->by = (enum hcct_frames_by)word;
        return report->by_given = true;
    case NO_DEMANGLE:
        command->query.names = HCCT_NAMES_LINKAGE;
        return command->query.names_given = true;
    case NO_INLINES:
        report->inlines = false;
        return true;
    case RECURSION:
        return hcct_command_word("recursion", argument, hcct_recursion_names, &command->recursion);
    case ALL:
        return report->all = true;
    case NEW:
        report->all = true;
        return command->only_new = true;
    case PHI:
        return hcct_command_share("phi", argument, &report->phi);
    case TOP:
        return hcct_command_count("top", argument, &report->top_count) &&
               (report->top_count || hcct_command_refuse_but("top", argument, "1 or more"));
    case MIN_COUNT:
        return hcct_command_count("min-count", argument, &report->min_count);
    case MAX_DEPTH:
        if (!hcct_command_count("max-depth", argument, &number))
            return false;
        if (number > UINT32_MAX)
            return hcct_command_refuse("max-depth", argument);
        report->max_depth = (uint32_t)number;
        return true;
    case PROGRAM:
        command->program = argument;
        return *argument || hcct_command_refuse("program", argument);
    case FORCE:
        return command->force = true;
    case NO_PAGER:
        return command->no_pager = true;
    case NO_SOURCE:
        return report->no_source = true;
    case SPREAD:
        if (!hcct_command_word("spread", argument, spread_words, &word))
            return false;
        report->spread = (enum hcct_report_spread)word;
        return true;
    case CONTEXT:
        return add_word(command, argument);
    case SUPPRESSIONS:
        return hcct_command_suppressions(&command->suppressions, argument);
    case REACHABLE:
        return report->reachable = true;
    case 'o':
        command->output = hcct_command_output(argument);
        return true;
    default:
        return hcct_query_take(&command->query, option, argument);
    }
}

/* --- output --------------------------------------------------------------------------------------- */

static bool wants_colour(FILE *out)
{
    const char *terminal = getenv("TERM"), *plain = getenv("NO_COLOR");
    return isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") && !(plain && *plain);
}

static bool is_file(FILE *out)
{
    struct stat status;
    return !fstat(fileno(out), &status) && S_ISREG(status.st_mode);
}

/* Why a profile is empty, as far as it, and the executable where it was, can tell. */
static const char *why_nothing(const struct hcct_summary *summary)
{
    struct hcct_program_build build = hcct_program_build_read(summary->program);
    bool is_event = hcct_name_find(hcct_event_names, summary->unit) >= 0;
    const char *not_timed = build.is_instrumented && !(build.all & HCCT_SETTING_TIME)
                                ? ": the program was not compiled by hcct-cc --hcct-time, or not all of it"
                                : NULL;
    if (summary->inferred)
        return ": there was no sample, and a program that hardly computes gets none";
    switch (summary->metric) {
    case HCCT_METRIC_TIME:
    case HCCT_METRIC_WALL:
        return not_timed ? not_timed
                         : ": it used less CPU time than the timer waits for a sample, 10 ms unless "
                           "HCCT_OPTIONS=frequency= says other; or something in it was compiled without "
                           "--hcct-time, which it said when it ran";
    case HCCT_METRIC_CLOCK:
        if (build.is_instrumented && !(build.any & HCCT_SETTING_CLOCK))
            return ": the program was not compiled by hcct-cc --hcct-clock";
        return ": no function that hcct-cc --hcct-clock=FILE names returned";
    case HCCT_METRIC_WEIGHT:
        if (!is_event)
            return ": the program did not call hcct_count()";
        return not_timed
                   ? not_timed
                   : ": there were fewer than one sample takes; or this machine "
                     "does not count them, or the system forbids it, which the program said when it ran";
    case HCCT_METRIC_CALLS:
        return "";
    case HCCT_METRIC_HEAP:
        if (hcct_heap_value(&summary->heap, HCCT_HEAP_BLOCKS))
            return ": what was allocated is by --value=blocks";
        return ": no call of malloc was seen; those in the file that defines a malloc of the program's "
               "own are not (docs/heap.md)";
    default:
        return "";
    }
}

/* "no calls were counted", "no time was counted". */
static void print_nothing(FILE *out, const struct hcct_summary *summary)
{
    const char *noun = hcct_metric_is_time(summary->metric) ? "time" : summary->unit;
    bool is_plural = *noun && noun[strlen(noun) - 1] == 's';
    fprintf(out, "no %s %s counted (N = 0)%s\n", noun, is_plural ? "were" : "was", why_nothing(summary));
}

static int print(struct command *command, struct hcct_merge *merge, const char *file)
{
    int status;
    struct hcct_error error;
    const struct hcct_report_format *format = command->report.format;
    /* blocks of no bytes may be lost, too */
    bool nothing = merge->summary.calls == 0 && !format->needs_lost;
    if (!nothing && !hcct_report_suits(merge, format, &error)) {
        hcct_command_complain_about(file, &error);
        return HCCT_COMMAND_BAD;
    }
    FILE *out = hcct_command_create(command->output);
    const char *name = hcct_command_output_name(command->output);
    if (!out)
        return HCCT_COMMAND_BAD;
    if (format->is_binary && isatty(fileno(out))) {
        hcct_command_complain(name, "a terminal cannot show this format: name a file by -o");
        return HCCT_COMMAND_USAGE;
    }
    bool leaked = false;
    command->report.suppressions = &command->suppressions;
    command->report.leaked = &leaked;
    command->report.colour = wants_colour(out);
    command->report.width = hcct_terminal_width(out);
    pid_t pager = command->output || command->no_pager || !format->is_for_people ? 0 : hcct_terminal_page();
    command->report.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    if (nothing || !is_file(out)) /* progress would get between the lines of output */
        hcct_progress_end();
    hcct_progress_phase("writing", 0);
    if (nothing)
        print_nothing(format->is_for_people ? out : stderr, &merge->summary);
    if ((!nothing || format->is_document) && !hcct_report_print(out, merge, &command->report, &error)) {
        hcct_command_complain_about(error.code == HCCT_ERROR_FOREIGN ? file : name, &error);
        hcct_command_discard(out, command->output);
        status = HCCT_COMMAND_BAD;
    } else {
        status = hcct_command_finish(out, command->output);
        if (!status && leaked)
            status = HCCT_COMMAND_LEAKED;
    }
    hcct_progress_end();
    if (pager)
        hcct_terminal_wait(pager);
    return status;
}

/* Says why --spread=profiles shows nothing, where there are several profiles. */
static void warn_spread(const struct command *command, const struct hcct_merge *merge,
                        const struct hcct_profile *profiles, uint32_t count, const char *file)
{
    bool is_whole = true;
    if (command->report.spread != HCCT_SPREAD_PROFILES || merge->summary.profile_count < 2 ||
        hcct_spread_profiles(&merge->spread))
        return;
    for (uint32_t i = 0; i < count; i++)
        is_whole &= !profiles[i].spread_count;
    hcct_command_complain(file, is_whole ? "does not tell how its profiles differ: made with --no-spread"
                                         : "tells how its profiles differ of the whole run and the first "
                                           "value only");
}

/* The page of a program with phases has each of them, too. */
static int print_with_phases(struct command *command, struct hcct_merge *merge,
                             const struct hcct_profile *profiles, uint32_t count, const char *file)
{
    struct hcct_error error;
    struct hcct_report_part *pages = NULL;
    const struct hcct_summary *summary = &merge->summary;
    warn_spread(command, merge, profiles, count, file);
    bool has_phases = summary->phase_count && !summary->phase && command->report.format == &hcct_format_html;
    if (has_phases &&
        !hcct_phase_pages_make(&pages, profiles, count, summary, command->force, &command->report, &error)) {
        hcct_command_complain_about(file, &error);
        return HCCT_COMMAND_BAD;
    }
    command->report.phases = pages;
    int status = print(command, merge, file);
    hcct_phase_pages_free(pages, summary->phase_count);
    return status;
}

/* Prints the contexts of --context. That one is not known does not keep the others back. */
static int look_up(const struct command *command, const struct hcct_command_file *file)
{
    struct hcct_error error;
    int status = HCCT_COMMAND_DONE;
    FILE *out = hcct_command_create(command->output);
    if (!out)
        return HCCT_COMMAND_BAD;
    for (uint32_t i = 0; i < command->word_count; i++)
        if (!hcct_lookup_print(out, &file->profile, command->words[i],
                               command->report.names_given ? command->report.names : HCCT_NAMES_FULL,
                               command->report.inlines, &error)) {
            hcct_command_complain_about(file->name, &error);
            status = HCCT_COMMAND_BAD;
        }
    if (status != HCCT_COMMAND_DONE && !ftello(out)) { /* none is known */
        hcct_command_discard(out, command->output);
        return status;
    }
    int finished = hcct_command_finish(out, command->output);
    return status == HCCT_COMMAND_DONE ? finished : status;
}

static void swap(struct hcct_command_file *a, struct hcct_command_file *b)
{
    struct hcct_command_file file = *a;
    *a = *b;
    *b = file;
}

/* Puts the files that have the phase in front, and returns their number. 0: none has it, or no file has
 * phases; a file with phases is in front then, if there is one. */
static uint32_t find_phase(struct hcct_command_file *files, uint32_t count, const char *phase)
{
    uint32_t with_phases = count, found = 0;
    for (uint32_t i = count; i--;)
        with_phases = files[i].profile.phase_count ? i : with_phases;
    if (with_phases == count)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        if (hcct_phases_have(&files[i].profile, phase))
            swap(&files[found++], &files[i]);
    if (!found)
        swap(&files[0], &files[with_phases]);
    return found;
}

static bool choose(const struct command *command, struct hcct_command_file *file, bool has_phase)
{
    struct hcct_error error;
    struct hcct_query_options query = command->query;
    if (has_phase && !file->profile.phase_count)
        query.phase = NULL; /* all of it is in no phase */
    if (!hcct_query_choose(&query, file, command->report.format->chooses_values))
        return false;
    return !command->only_new || hcct_new_choose(&file->profile, &error) ||
           hcct_command_complain_about(file->name, &error);
}

/* Opens the files, and leaves out those that lack the phase of --phase, unless all do: sets *used to the
 * number of the others, which stand in front, with their profiles. */
static bool open_all(struct hcct_command_file *files, struct hcct_profile *profiles, uint32_t count,
                     uint32_t *used, const struct command *command)
{
    const char *program = command->program;
    for (uint32_t i = 0; i < count; i++) {
        if (!hcct_command_open(&files[i]))
            return false;
        const struct hcct_profile *profile = &files[i].profile;
        if (program && !hcct_profile_is_of(profile, program)) {
            struct hcct_error error;
            hcct_error_set(&error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE, "of another program (%s) than %s",
                           hcct_profile_string(profile, profile->run->program), program);
            return hcct_command_complain_about(files[i].name, &error);
        }
    }
    uint32_t found = command->query.phase ? find_phase(files, count, command->query.phase) : 0;
    *used = found ? found : count;
    if (!command->only_new && !hcct_command_add_up(files, used)) /* a sum does not tell what is new */
        return false;
    for (uint32_t i = 0; i < *used; i++) {
        if (!choose(command, &files[i], found))
            return false;
        profiles[i] = files[i].profile;
    }
    hcct_profiles_fold(profiles, *used, command->recursion == HCCT_RECURSION_FOLDED);
    return true;
}

static int decode(struct command *command, char **names, uint32_t count)
{
    struct hcct_command_file *files = calloc(count, sizeof *files);
    struct hcct_profile *profiles = calloc(count, sizeof *profiles); /* the files', one after the other */
    struct hcct_error error;
    struct hcct_merge merge;
    int status = HCCT_COMMAND_BAD;
    uint32_t which, used;
    for (uint32_t i = 0; files && i < count; i++)
        files[i].name = names[i];
    hcct_progress_phase("reading", 0);
    hcct_progress_show();
    if (!files || !profiles)
        hcct_command_complain("hcct-decode", "out of memory");
    else if (open_all(files, profiles, count, &used, command)) {
        if (command->word_count) {
            status = look_up(command, &files[0]);
        } else if (hcct_merge_build(&merge, profiles, used, command->force, 0, &which, &error)) {
            status = print_with_phases(command, &merge, profiles, used, files[0].name);
            hcct_merge_free(&merge);
        } else {
            hcct_command_complain_about(files[which].name, &error);
        }
    }
    for (uint32_t i = 0; files && i < count; i++)
        hcct_command_close(&files[i]);
    free(files);
    free(profiles);
    return status;
}

static bool refuse_together(const char *one, const char *format, const char *why)
{
    fprintf(stderr, "hcct-decode: %s does not go with --format=%s: %s\n", one, format, why);
    return false;
}

/* Complains about options that do not go together. Text folds what libraries do if nothing else is said. */
static bool check_options(struct command *command, int file_count)
{
    struct hcct_query *query = &command->query.query;
    const struct hcct_report_format *format = command->report.format;
    bool table = query->view == HCCT_VIEW_FLAT || query->view == HCCT_VIEW_PEEK;
    if (command->word_count && file_count > 1)
        return hcct_command_complain("--context", "a number means something in one profile only");
    if (command->only_new && command->query.phase)
        return hcct_command_complain("--new", "does not go with --phase: what is new is told of whole runs");
    if (query->view == HCCT_VIEW_PEEK && !query->function)
        return hcct_command_complain("--view=peek", "which function?");
    if (table && !format->print_table)
        return refuse_together(query->view == HCCT_VIEW_FLAT ? "--view=flat" : "--view=peek", format->name,
                               "a table is text, csv or json");
    if (table && command->report.by == HCCT_BY_THREAD)
        return hcct_command_complain("--by=thread", "does not go with a table of functions; "
                                                    "--focus='thread NAME' makes one of that thread");
    if (command->force && format->is_for_compilers)
        return refuse_together("--force", format->name, "builds have places of their own");
    if (format->is_for_compilers && (query->view != HCCT_VIEW_TREE || hcct_filter_is_needed(query)))
        return refuse_together("a view or a filter", format->name, "compilers want all of the program");
    if (format == &hcct_format_source && command->report.by_given && command->report.by == HCCT_BY_FUNCTION)
        return refuse_together("--by=function", format->name,
                               "it lists call sites: --view=flat lists functions");
    if (format == &hcct_format_html && query->view == HCCT_VIEW_CALLERS)
        return refuse_together("--view=callers", format->name, "the page has that view");
    if (format == &hcct_format_leaks && query->view == HCCT_VIEW_CALLERS)
        return refuse_together("--view=callers", format->name, "it lists whole paths");
    if (format == &hcct_format_source && query->view != HCCT_VIEW_TREE)
        return refuse_together("a view", format->name, "it lists call sites");
    if (!query->fold && format == &hcct_format_tree && !table)
        query->fold = HCCT_QUERY_FOLD_DEFAULT;
    return true;
}

int main(int argc, char **argv)
{
    struct command command = { .report = HCCT_REPORT_DEFAULTS };
    char default_name[] = "ids.bin", *default_names[] = { default_name };
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    for (int option; (option = hcct_command_option(argc, argv, "o:hV", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            hcct_formats_help(stdout);
            return hcct_command_help(usage_options);
        }
        if (option == 'V')
            return hcct_command_version();
        if (!take_option(&command, option, optarg))
            return hcct_command_usage();
    }
    struct hcct_query *query = &command.query.query;
    bool asks = query->view == HCCT_VIEW_CALLERS || query->view == HCCT_VIEW_PEEK;
    if (asks && !query->function && optind < argc &&
        (query->view == HCCT_VIEW_PEEK || access(argv[optind], R_OK)))
        query->function = argv[optind++];
    if (!check_options(&command, argc - optind))
        return hcct_command_usage();
    command.report.query = *query;
    command.report.value = command.query.value;
    command.report.names = command.query.names;
    command.report.names_given = command.query.names_given;
    if (optind == argc && access(default_name, F_OK) != 0 && errno == ENOENT) {
        hcct_command_complain(
            default_name,
            "no such file; a program that hcct-cc compiled leaves it where it ran, when it ends");
        return HCCT_COMMAND_BAD;
    }
    char **names = optind == argc ? default_names : argv + optind;
    uint32_t count = optind == argc ? 1 : (uint32_t)(argc - optind);
    for (uint32_t i = 0; i < count; i++)
        if (!hcct_command_leaves(command.output, names[i]))
            return hcct_command_usage();
    return decode(&command, names, count);
}
