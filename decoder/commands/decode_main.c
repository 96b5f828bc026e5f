/* The command hcct-decode: options and files; the library does the rest. Exit status: 0 done, 1 a file or
 * the output is bad, 2 usage, 23 --format=leaks found leaks. Every file is read and checked before anything
 * is printed. */
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/claim/amount.h"
#include "decoder/commands/command.h"
#include "decoder/commands/input.h"
#include "decoder/commands/job.h"
#include "decoder/commands/phase_pages.h"
#include "decoder/commands/query_options.h"
#include "decoder/query/filter.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/lookup.h"
#include "decoder/report/program_build.h"
#include "decoder/text/memory.h"
#include "decoder/text/progress.h"
#include "decoder/text/terminal.h"
#include "format/error.h"
#include "format/names.h"
#include "hcct/abi.h"

const char hcct_command_name[] = "hcct-decode";

struct command {
    struct hcct_report_options report;
    struct hcct_query_options query;
    bool only_new;
    uint64_t *words; /* --context, each */
    uint32_t word_count, word_capacity;
    int recursion; /* enum hcct_file_recursion */
    bool recursion_given;
};

static const char usage[] =
    "Usage: hcct-decode [options] [FILE...]\n"
    "       hcct-decode [options] --view=callers|peek FUNCTION [FILE...]\n"
    "Print the hot calling contexts of profiles (default: ids.bin; - is standard input).\n";

static bool parse_format(const char *text, const struct hcct_report_format **format)
{
    *format = hcct_formats_find(text);
    if (!*format)
        return hcct_command_refuse_word("format", text, hcct_formats_names());
    if (!(*format)->print)
        fprintf(stderr, "hcct-decode: built without --format=%s, for lack of %s\n", text,
                hcct_formats_needs(*format));
    return (*format)->print;
}

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
    hcct_memory_grow(&command->words, &command->word_capacity, command->word_count, sizeof *command->words);
    command->words[command->word_count++] = word;
    return true;
}

static bool take_option(void *context, enum hcct_option option, char *argument)
{
    struct command *command = context;
    struct hcct_report_options *report = &command->report;
    uint64_t number;
    int word;
    switch (option) {
    case HCCT_OPTION_FORMAT:
        return parse_format(argument, &report->format);
    case HCCT_OPTION_BY:
        if (!hcct_command_word("by", argument, by_words, &word))
            return false;
        report->by = (enum hcct_frames_by)word;
        return report->by_given = true;
    case HCCT_OPTION_NO_INLINES:
        report->inlines = false;
        return true;
    case HCCT_OPTION_RECURSION:
        command->recursion_given = true;
        return hcct_command_word("recursion", argument, hcct_recursion_names, &command->recursion);
    case HCCT_OPTION_ALL:
        return report->all = true;
    case HCCT_OPTION_NEW:
        report->all = true;
        return command->only_new = true;
    case HCCT_OPTION_PHI:
        return hcct_command_share("phi", argument, &report->phi);
    case HCCT_OPTION_MIN_COUNT:
        return hcct_command_count("min-count", argument, &report->min_count);
    case HCCT_OPTION_MAX_DEPTH:
        if (!hcct_command_count("max-depth", argument, &number))
            return false;
        if (number > UINT32_MAX)
            return hcct_command_refuse("max-depth", argument);
        report->max_depth = (uint32_t)number;
        return true;
    case HCCT_OPTION_SPREAD:
        if (!hcct_command_word("spread", argument, spread_words, &word))
            return false;
        report->spread = (enum hcct_report_spread)word;
        return true;
    case HCCT_OPTION_CONTEXT:
        return add_word(command, argument);
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
    const struct hcct_noun *noun = summary->ground.noun;
    bool is_built = (build.settings & noun->setting) == noun->setting;
    if (summary->ground.is_inferred)
        return ": there was no sample, and a program that hardly computes gets none";
    if (noun->is_heap && summary->values[HCCT_HEAP_BLOCKS].total)
        return ": what was allocated is by --value=blocks";
    return build.is_instrumented && !is_built ? noun->unbuilt : noun->nothing;
}

/* "no calls were counted", "no time was counted". */
static void print_nothing(FILE *out, const struct hcct_summary *summary)
{
    const char *noun = hcct_amount_all(&summary->ground);
    bool is_plural = *noun && noun[strlen(noun) - 1] == 's';
    fprintf(out, "no %s %s counted (N = 0)%s\n", noun, is_plural ? "were" : "was", why_nothing(summary));
}

static int print(struct command *command, struct hcct_decoded *decoded, const char *file)
{
    int status;
    struct hcct_error error;
    const struct hcct_report_format *format = command->report.format;
    /* blocks of no bytes may be lost, too */
    bool nothing = decoded->summary.ground.total == 0 && format->values != HCCT_VALUES_LOST;
    if (!nothing && !hcct_report_suits(decoded, format, &error)) {
        hcct_command_complain_about(file, &error);
        return HCCT_COMMAND_BAD;
    }
    FILE *out = hcct_command_create(command->query.output);
    const char *name = hcct_command_output_name(command->query.output);
    if (!out)
        return HCCT_COMMAND_BAD;
    if (format->medium == HCCT_MEDIUM_BINARY && isatty(fileno(out))) {
        hcct_command_complain(name, "a terminal cannot show this format: name a file by -o");
        return HCCT_COMMAND_USAGE;
    }
    bool leaked = false;
    command->report.leaked = &leaked;
    command->report.colour = wants_colour(out);
    command->report.width = hcct_terminal_width(out);
    bool is_terminal = format->medium == HCCT_MEDIUM_TERMINAL;
    bool is_document = !is_terminal && format->medium != HCCT_MEDIUM_LINES;
    pid_t pager = command->query.output || !is_terminal ? 0 : hcct_terminal_page();
    command->report.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    if (nothing || !is_file(out)) /* progress would get between the lines of output */
        hcct_progress_end();
    hcct_progress_phase("writing", 0);
    if (nothing)
        print_nothing(is_terminal ? out : stderr, &decoded->summary);
    if ((!nothing || is_document) && !hcct_report_print(out, decoded, &command->report, &error)) {
        hcct_command_complain_about(error.code == HCCT_ERROR_FOREIGN ? file : name, &error);
        hcct_command_discard(out);
        status = HCCT_COMMAND_BAD;
    } else {
        status = hcct_command_finish(out, command->query.output);
        if (!status && leaked)
            status = HCCT_COMMAND_LEAKED;
    }
    hcct_progress_end();
    if (pager)
        hcct_terminal_wait(pager);
    return status;
}

/* Says why --spread=profiles shows nothing, where there are several profiles. */
static void warn_spread(const struct command *command, const struct hcct_decoded *decoded, const char *file)
{
    if (command->report.spread != HCCT_SPREAD_PROFILES || decoded->summary.profile_count < 2 ||
        decoded->spread)
        return;
    hcct_command_complain(file, "tells how its profiles differ of the whole run and the first value only");
}

/* The page of a program with phases has each of them, too. */
static int print_with_phases(struct command *command, struct hcct_decoded *decoded,
                             const struct hcct_input *input)
{
    struct hcct_error error;
    struct hcct_report_part *pages = NULL;
    const struct hcct_summary *summary = &decoded->summary;
    warn_spread(command, decoded, input->name);
    bool has_phases =
        summary->phase_count && !summary->ground.phase && command->report.format->medium == HCCT_MEDIUM_PAGE;
    if (has_phases && !hcct_phase_pages_make(&pages, &input->profile, summary, &command->report, &error)) {
        hcct_command_complain_about(input->name, &error);
        return HCCT_COMMAND_BAD;
    }
    command->report.phases = pages;
    int status = print(command, decoded, input->name);
    hcct_phase_pages_free(pages, summary->phase_count);
    return status;
}

/* Prints the contexts of --context. That one is not known does not keep the others back. */
static int look_up(const struct command *command, const struct hcct_input *input)
{
    struct hcct_error error;
    int status = HCCT_COMMAND_DONE;
    FILE *out = hcct_command_create(command->query.output);
    if (!out)
        return HCCT_COMMAND_BAD;
    for (uint32_t i = 0; i < command->word_count; i++)
        if (!hcct_lookup_print(out, &input->profile, command->words[i],
                               command->report.names_given ? command->report.names : HCCT_NAMES_FULL,
                               command->report.inlines, &error)) {
            hcct_command_complain_about(input->name, &error);
            status = HCCT_COMMAND_BAD;
        }
    if (status != HCCT_COMMAND_DONE && !ftello(out)) { /* none is known */
        hcct_command_discard(out);
        return status;
    }
    int finished = hcct_command_finish(out, command->query.output);
    return status == HCCT_COMMAND_DONE ? finished : status;
}

/* Of a heap a page has all values, and the option says which comes first. */
static struct hcct_choice choice_of(const struct command *command)
{
    bool is_one = command->query.value_given && command->report.format->values < HCCT_VALUES_FIRST;
    return (struct hcct_choice){ .phase = command->query.phase,
                                 .value = is_one ? command->query.value : 0,
                                 .is_one_value = is_one,
                                 .only_new = command->only_new };
}

static uint64_t cold_of(const struct command *command, const struct hcct_decoded *decoded)
{
    double phi = command->report.phi < 0 ? decoded->summary.phi : command->report.phi;
    uint64_t calls = decoded->summary.ground.total;
    return hcct_tree_cold(&decoded->tree, calls, hcct_report_hot_count(phi, calls));
}

/* The depths of a recursion are many contexts, and each may be cold. Where such contexts have more than half
 * of all, people are told, and see recursion folded, if that shows at least twice as much; then *decoded is
 * of that. */
static void fold_if_better(struct command *command, struct hcct_input *input, struct hcct_decoded *decoded,
                           const struct hcct_choice *choice)
{
    const struct hcct_report_options *report = &command->report;
    struct hcct_error ignored;
    struct hcct_decoded folded;
    bool is_for_people = (report->format->medium == HCCT_MEDIUM_TERMINAL &&
                          report->format->shape == HCCT_SHAPE_TREE && report->query.view == HCCT_VIEW_TREE) ||
                         report->format->medium == HCCT_MEDIUM_PAGE,
         chooses = report->all || report->top_count || report->min_count || choice->only_new || choice->value;
    uint64_t calls = decoded->summary.ground.total, cold = cold_of(command, decoded);
    if (!is_for_people || chooses || cold <= calls / 2)
        return;
    command->report.cold = cold;
    if (command->recursion_given || input->profile.folded || hcct_profile_is_of_several(&input->profile))
        return;
    input->profile.folded = true;
    if (!hcct_decoded_open(&folded, &input->profile, choice, 0, &ignored)) {
        input->profile.folded = false;
        return;
    }
    bool is_better =
        (calls - cold_of(command, &folded)) / 2 >= calls - cold && cold_of(command, &folded) < cold;
    hcct_decoded_close(is_better ? decoded : &folded);
    input->profile.folded = is_better;
    if (is_better) {
        *decoded = folded;
        command->report.folds_unasked = true;
    }
}

static int show(struct command *command, struct hcct_input *input)
{
    struct hcct_error error;
    struct hcct_decoded decoded;
    struct hcct_choice choice = choice_of(command);
    bool needs_heap = command->query.value_given && command->report.format->values >= HCCT_VALUES_FIRST;
    if ((needs_heap && !hcct_choice_is_heap(&input->profile, &error)) ||
        !hcct_decoded_open(&decoded, &input->profile, &choice, 0, &error)) {
        hcct_command_complain_about(input->name, &error);
        return HCCT_COMMAND_BAD;
    }
    fold_if_better(command, input, &decoded, &choice);
    int status = print_with_phases(command, &decoded, input);
    hcct_decoded_close(&decoded);
    return status;
}

/* Whether it is told how several profiles differ: data and the page do so without being asked. */
static bool shows_spread(const struct hcct_report_options *report)
{
    return report->spread == HCCT_SPREAD_PROFILES || report->format->shape == HCCT_SHAPE_DATA ||
           report->format->medium == HCCT_MEDIUM_PAGE;
}

static int decode(struct command *command, char **names, uint32_t count)
{
    struct hcct_input input;
    const struct hcct_input_wishes wishes = { .force = command->query.force,
                                              .folds = command->recursion == HCCT_RECURSION_FOLDED,
                                              .spread = shows_spread(&command->report) };
    int status = HCCT_COMMAND_BAD;
    hcct_progress_phase("reading", 0);
    hcct_progress_show();
    if (hcct_input_read(&input, names, count, &wishes))
        status = command->word_count ? look_up(command, &input) : show(command, &input);
    hcct_input_close(&input);
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
    if (command->query.force && format->shape == HCCT_SHAPE_PROGRAM)
        return refuse_together("--force", format->name, "builds have places of their own");
    if (format->shape == HCCT_SHAPE_PROGRAM &&
        (query->view != HCCT_VIEW_TREE || hcct_filter_is_needed(query)))
        return refuse_together("a view or a filter", format->name, "compilers want all of the program");
    bool by_function = command->report.by_given && command->report.by == HCCT_BY_FUNCTION;
    if (format->shape == HCCT_SHAPE_SITES && by_function)
        return refuse_together("--by=function", format->name,
                               "it lists call sites: --view=flat lists functions");
    if (format->medium == HCCT_MEDIUM_PAGE && query->view == HCCT_VIEW_CALLERS)
        return refuse_together("--view=callers", format->name, "the page has that view");
    if (format->shape == HCCT_SHAPE_MARKED && query->view == HCCT_VIEW_CALLERS)
        return refuse_together("--view=callers", format->name, "it lists whole paths");
    if (format->shape == HCCT_SHAPE_SITES && query->view != HCCT_VIEW_TREE)
        return refuse_together("a view", format->name, "it lists call sites");
    bool is_text = format->medium == HCCT_MEDIUM_TERMINAL && format->shape == HCCT_SHAPE_TREE;
    if (!query->fold && is_text && !table)
        query->fold = HCCT_QUERY_FOLD_DEFAULT;
    return true;
}

int main(int argc, char **argv)
{
    struct command command = { .report = HCCT_REPORT_DEFAULTS };
    const struct hcct_command_line line = { HCCT_IN_DECODE, usage, false, take_option, &command };
    struct hcct_job job = { .count = 0 };
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    int ended = hcct_options_read(&line, argc, argv);
    if (ended >= 0)
        return ended;
    struct hcct_query *query = &command.query.query;
    bool asks = query->view == HCCT_VIEW_CALLERS || query->view == HCCT_VIEW_PEEK;
    if (asks && !query->function && optind < argc &&
        (query->view == HCCT_VIEW_PEEK || access(argv[optind], R_OK)))
        query->function = argv[optind++];
    if (!check_options(&command, argc - optind))
        return hcct_command_usage();
    command.report.query = *query;
    command.report.value = command.query.value;
    command.report.top_count = command.query.top_count;
    command.report.names = command.query.names;
    command.report.names_given = command.query.names_given;
    if (optind == argc && access(HCCT_JOB_PROFILE, F_OK) != 0 && errno == ENOENT) {
        hcct_command_complain(
            HCCT_JOB_PROFILE,
            "no such file; a program that hcct-cc compiled leaves it where it ran, when it ends");
        return HCCT_COMMAND_BAD;
    }
    if (optind == argc)
        job = hcct_job_find();
    char **names = optind == argc ? job.names : argv + optind;
    uint32_t count = optind < argc ? (uint32_t)(argc - optind) : command.word_count ? 1 : job.count;
    for (uint32_t i = 0; i < count; i++)
        if (!hcct_command_leaves(command.query.output, names[i]))
            return hcct_command_usage();
    int status = decode(&command, names, count);
    if (job.others && status == HCCT_COMMAND_DONE)
        fprintf(stderr, "%s: %" PRIu32 " more profile%s of the same job: %s.*\n", hcct_command_name,
                job.others, hcct_amount_plural(job.others), HCCT_JOB_PROFILE);
    hcct_job_free(&job);
    return status;
}
