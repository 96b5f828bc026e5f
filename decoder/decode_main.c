/* The command hcct-decode: options and files; everything else is in the library. Exit status: 0 done, 1 a file or
 * the output is bad, 2 usage. Every file is read and checked before anything is printed. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/report.h"
#include "decoder/terminal.h"
#include "hcct/abi.h"

#ifndef HCCT_VERSION
#define HCCT_VERSION "0.1.0"
#endif

enum status { STATUS_DONE = 0, STATUS_BAD = 1, STATUS_USAGE = 2 };

struct command {
    struct hcct_report_options report;
    const char *output; /* NULL: stdout */
    bool force;
    bool no_pager;
};

static const char usage[] =
    "Usage: hcct-decode [options] [FILE...]\n"
    "Print the hot calling contexts of profiles (default: ids.bin; - is standard input).\n"
    "\n"
    "  --format=FORMAT    tree (default), source, folded, json, csv; for viewers: html, pprof, speedscope,\n"
    "                     callgrind, callgrind-graph, dot, flamegraph\n"
    "  --by=WHAT          what tells two contexts apart: site, line, function\n"
    "  --no-demangle      linkage names\n"
    "  --no-inlines       leave inlined frames out\n"
    "  --all              every monitored context, not only the hot ones and their ancestors\n"
    "  --phi=X            hot is a context with at least this share of the calls (default: the profile's)\n"
    "  --top=N            the N hottest of them; folded: N lines\n"
    "  --min-count=N      only contexts with at least N calls\n"
    "  --max-depth=N      fold repeated cycles deeper than that (256; 0: never)\n"
    "  --source           the hot call sites with their lines of source (as --format=source)\n"
    "  --no-pager         no pager on a terminal\n"
    "  --force            merge files of different programs or builds, by function and line\n"
    "  -o, --output=FILE  write to FILE\n"
    "  -h, --help         print this and exit\n"
    "  -V, --version      print the versions and exit\n";

static bool refuse(const char *option, const char *value)
{
    fprintf(stderr, "hcct-decode: %s: not a value of --%s\n", value, option);
    return false;
}

static bool parse_count(const char *option, const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *end || text[0] < '0' || text[0] > '9' || number > most)
        return refuse(option, text);
    *value = number;
    return true;
}

static bool parse_share(const char *option, const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (*end || end == text || !(number >= 0 && number <= 1))
        return refuse(option, text);
    *value = number;
    return true;
}

static bool parse_format(const char *text, enum hcct_report_format *format)
{
    for (int i = 0; i < HCCT_REPORT_FORMAT_COUNT; i++)
        if (!strcmp(hcct_report_row((enum hcct_report_format)i)->name, text)) {
            *format = (enum hcct_report_format)i;
            bool built_in = hcct_report_row(*format)->print;
            if (!built_in)
                fprintf(stderr, "hcct-decode: built without --format=%s, for lack of protobuf-c and zlib\n", text);
            return built_in;
        }
    return refuse("format", text);
}

static bool parse_word(const char *option, const char *text, const char *const *words, int *value)
{
    for (int i = 0; words[i]; i++)
        if (*words[i] && !strcmp(words[i], text)) {
            *value = i;
            return true;
        }
    return refuse(option, text);
}

enum option_value { FORMAT = 256, BY, NO_DEMANGLE, NO_INLINES, ALL, PHI, TOP, MIN_COUNT, MAX_DEPTH, FORCE, NO_PAGER, SOURCE };

static const struct option long_options[] = {
    {"format", required_argument, NULL, FORMAT},
    {"by", required_argument, NULL, BY},
    {"no-demangle", no_argument, NULL, NO_DEMANGLE},
    {"no-inlines", no_argument, NULL, NO_INLINES},
    {"all", no_argument, NULL, ALL},
    {"phi", required_argument, NULL, PHI},
    {"top", required_argument, NULL, TOP},
    {"min-count", required_argument, NULL, MIN_COUNT},
    {"max-depth", required_argument, NULL, MAX_DEPTH},
    {"force", no_argument, NULL, FORCE},
    {"no-pager", no_argument, NULL, NO_PAGER},
    {"source", no_argument, NULL, SOURCE},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static const char *const by_words[] = {
    [HCCT_BY_SITE] = "site", [HCCT_BY_PLACE] = "", [HCCT_BY_LINE] = "line", [HCCT_BY_FUNCTION] = "function", NULL};

static bool take_option(struct command *command, int option, const char *argument)
{
    struct hcct_report_options *report = &command->report;
    uint64_t number;
    int word;
    switch (option) {
    case FORMAT:
        return parse_format(argument, &report->format);
    case BY:
        if (!parse_word("by", argument, by_words, &word))
            return false;
        report->by = (enum hcct_frames_by)word;
        return report->by_given = true;
    case NO_DEMANGLE:
        report->demangle = false;
        return true;
    case NO_INLINES:
        report->inlines = false;
        return true;
    case ALL:
        return report->all = true;
    case PHI:
        return parse_share("phi", argument, &report->phi);
    case TOP:
        return parse_count("top", argument, UINT64_MAX, &report->top_count) &&
               (report->top_count || refuse("top", argument));
    case MIN_COUNT:
        return parse_count("min-count", argument, UINT64_MAX, &report->min_count);
    case MAX_DEPTH:
        if (!parse_count("max-depth", argument, UINT32_MAX, &number))
            return false;
        report->max_depth = (uint32_t)number;
        return true;
    case FORCE:
        return command->force = true;
    case NO_PAGER:
        return command->no_pager = true;
    case SOURCE:
        report->format = HCCT_REPORT_SOURCE;
        return true;
    case 'o':
        command->output = argument;
        return true;
    default: /* getopt_long has said what is wrong */
        return false;
    }
}

/* --- files ---------------------------------------------------------------------------------------- */

struct file {
    const char *name;
    void *bytes;
    size_t length;
};

static bool complain(const char *name, const char *what)
{
    fprintf(stderr, "hcct-decode: %s: %s\n", name, what);
    return false;
}

static bool read_file(struct file *file)
{
    bool standard = !strcmp(file->name, "-");
    FILE *in = standard ? stdin : fopen(file->name, "rb");
    if (!in)
        return complain(file->name, strerror(errno));
    size_t capacity = 0;
    bool done = true;
    for (size_t got = 1; done && got; file->length += got) {
        if (file->length == capacity) {
            size_t larger = capacity ? capacity * 2 : 1 << 16;
            void *moved = larger > capacity ? realloc(file->bytes, larger) : NULL;
            if (!moved) {
                done = complain(file->name, "out of memory");
                break;
            }
            file->bytes = moved;
            capacity = larger;
        }
        got = fread((char *)file->bytes + file->length, 1, capacity - file->length, in);
    }
    if (done && ferror(in))
        done = complain(file->name, strerror(errno));
    if (!standard)
        fclose(in);
    return done;
}

static bool complain_about(const char *name, const struct hcct_decode_error *error)
{
    if (error->offset == HCCT_DECODE_NOWHERE)
        return complain(name, error->message);
    fprintf(stderr, "hcct-decode: %s: offset %" PRIu64 ": %s\n", name, error->offset, error->message);
    return false;
}

/* --- output --------------------------------------------------------------------------------------- */

/* A reader that went away is no error. */
static int finish_output(FILE *out, const char *name)
{
    bool failed = ferror(out);
    int reason = failed ? errno : 0;
    if (fclose(out)) {
        reason = failed && reason ? reason : errno;
        failed = true;
    }
    if (!failed || reason == EPIPE)
        return STATUS_DONE;
    complain(name, reason ? strerror(reason) : "write error");
    return STATUS_BAD;
}

static bool wants_colour(FILE *out)
{
    const char *terminal = getenv("TERM"), *plain = getenv("NO_COLOR");
    return isatty(fileno(out)) && terminal && strcmp(terminal, "dumb") && !(plain && *plain);
}

static bool is_for_people(const struct command *command)
{
    return command->report.format == HCCT_REPORT_TREE || command->report.format == HCCT_REPORT_SOURCE;
}

static int print(struct command *command, struct hcct_merge *merge)
{
    int status;
    struct hcct_decode_error error;
    FILE *out = command->output ? fopen(command->output, "w") : stdout;
    const char *name = command->output ? command->output : "standard output";
    if (!out) {
        complain(name, strerror(errno));
        return STATUS_BAD;
    }
    if (hcct_report_row(command->report.format)->is_binary && isatty(fileno(out))) {
        complain(name, "a terminal cannot show this format: name a file by -o");
        return STATUS_USAGE;
    }
    command->report.colour = wants_colour(out);
    command->report.width = hcct_terminal_width(out);
    pid_t pager = command->output || command->no_pager || !is_for_people(command) ? 0 : hcct_terminal_page();
    command->report.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    bool nothing = merge->summary.calls == 0;
    if (nothing)
        fputs("no calls were counted (N = 0)\n", is_for_people(command) ? out : stderr);
    if ((!nothing || hcct_report_row(command->report.format)->is_document) &&
        !hcct_report_print(out, merge, &command->report, &error)) {
        complain_about(name, &error);
        fclose(out);
        status = STATUS_BAD;
    } else {
        status = finish_output(out, name);
    }
    if (pager)
        hcct_terminal_wait(pager);
    return status;
}

static bool open_profiles(struct file *files, struct hcct_profile *profiles, uint32_t count)
{
    struct hcct_decode_error error;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_file(&files[i]))
            return false;
        if (!hcct_profile_open(&profiles[i], files[i].bytes, files[i].length, &error))
            return complain_about(files[i].name, &error);
    }
    return true;
}

static int decode(struct command *command, char **names, uint32_t count)
{
    struct file *files = calloc(count, sizeof *files);
    struct hcct_profile *profiles = calloc(count, sizeof *profiles);
    struct hcct_decode_error error;
    struct hcct_merge merge;
    int status = STATUS_BAD;
    uint32_t which;
    for (uint32_t i = 0; files && i < count; i++)
        files[i].name = names[i];
    if (!files || !profiles)
        complain("hcct-decode", "out of memory");
    else if (open_profiles(files, profiles, count)) {
        if (hcct_merge_build(&merge, profiles, count, command->force, 0, &which, &error)) {
            status = print(command, &merge);
            hcct_merge_free(&merge);
        } else {
            complain_about(files[which].name, &error);
        }
    }
    for (uint32_t i = 0; files && profiles && i < count; i++) {
        hcct_profile_close(&profiles[i]);
        free(files[i].bytes);
    }
    free(files);
    free(profiles);
    return status;
}

int main(int argc, char **argv)
{
    struct command command = {.report = HCCT_REPORT_DEFAULTS};
    char default_name[] = "ids.bin", *default_names[] = {default_name};
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    for (int option; (option = getopt_long(argc, argv, "o:hV", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return finish_output(stdout, "standard output");
        }
        if (option == 'V') {
            printf("hcct-decode %s, file format %d, abi %d\n", HCCT_VERSION, HCCT_FILE_VERSION, HCCT_ABI_VERSION);
            return finish_output(stdout, "standard output");
        }
        if (!take_option(&command, option, optarg)) {
            fputs("Try 'hcct-decode --help'.\n", stderr);
            return STATUS_USAGE;
        }
    }
    if (optind == argc)
        return decode(&command, default_names, 1);
    return decode(&command, argv + optind, (uint32_t)(argc - optind));
}
