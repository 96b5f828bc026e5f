/* What the commands share, see command.h. */
#include "decoder/commands/command.h"

#include "decoder/commands/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/store/open.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "decoder/text/nearest.h"
#include "decoder/text/progress.h"
#include "format/error.h"
#include "format/input.h"
#include "format/layout.h"
#include "format/names.h"
#include "format/section_reader.h"
#include "hcct/abi.h"

bool hcct_command_complain(const char *subject, const char *what)
{
    hcct_progress_end();
    fprintf(stderr, "%s: ", hcct_command_name);
    hcct_escape_line(stderr, subject);
    fputs(": ", stderr);
    hcct_escape_line(stderr, what); /* it may have names of a file */
    putc('\n', stderr);
    return false;
}

bool hcct_command_complain_about(const char *subject, const struct hcct_error *error)
{
    if (error->offset == HCCT_ERROR_NOWHERE)
        return hcct_command_complain(subject, error->message);
    char message[sizeof error->message + 64];
    snprintf(message, sizeof message, "offset %" PRIu64 ": %s", error->offset, error->message);
    return hcct_command_complain(subject, message);
}

enum hcct_command_status hcct_command_usage(void)
{
    fprintf(stderr, "Try '%s --help'.\n", hcct_command_name);
    return HCCT_COMMAND_USAGE;
}

/* --- options that went ---------------------------------------------------------------------------- */

/* What took the place of an option of earlier versions, or of a value of one. */
static const struct {
    const char *option, *value, *instead;
} gone[] = {
    { "algorithm", NULL, "hcct-lab replay has it, of a trace" },
    { "burst", NULL, "HCCT_OPTIONS=budget=10% counts in bursts where needed" },
    { "diff", NULL, "hcct-compare does that without it" },
    { "epsilon", NULL, "HCCT_OPTIONS=epsilon=X says it" },
    { "externals", NULL, "what hcct-cc --hcct-externals compiled counts such calls in each run" },
    { "files-from", NULL, "name a folder, or a pattern in quotes" },
    { "format", "curve", "--format=json has the points in heap.curve, and --format=html draws them" },
    { "keep-callees", NULL, "set HCCT_HEIGHTS_PLAN=calls in the environment" },
    { "keep-calls", NULL, "set HCCT_HEIGHTS_PLAN=tails in the environment" },
    { "keep-tail-calls", NULL, "set HCCT_HEIGHTS_PLAN=frames in the environment" },
    { "memory", NULL, "add up parts, and then their sums" },
    { "method", NULL, "set HCCT_HEIGHTS_PLAN=random in the environment" },
    { "metrics", NULL, "it is hcct-lab metrics now" },
    { "mode", NULL, "--exact is mode=cct, and HCCT_OPTIONS=mode=MODE says it, too" },
    { "no-pager", NULL, "set HCCT_PAGER= in the environment" },
    { "no-source", NULL, "a page has the lines of the files that can be read where it is made" },
    { "no-spread", NULL, "a sum always tells how its profiles differ" },
    { "phases", NULL, "it is --phase=A,B with one file now" },
    { "program", NULL, "hcct-run has it" },
    { "reachable", NULL, "--value=live shows what is still live" },
    { "resume", NULL, "add up parts, and then their sums" },
    { "source", NULL, "it is --format=source now" },
    { "suppressions", NULL, "--ignore=REGEX leaves the leaks through a function out" },
};

/* `value` NULL: of the option itself. False if it is none that went. */
static bool tell_gone(const char *option, size_t length, const char *value)
{
    size_t i = 0;
    while (i < sizeof gone / sizeof gone[0] &&
           (strlen(gone[i].option) != length || strncmp(gone[i].option, option, length) ||
            strcmp(gone[i].value ? gone[i].value : "", value ? value : "")))
        i++;
    if (i == sizeof gone / sizeof gone[0])
        return false;
    fprintf(stderr, "%s: --%s%s%s went: %s\n", hcct_command_name, gone[i].option, value ? "=" : "",
            value ? value : "", gone[i].instead);
    return true;
}

/* --- options -------------------------------------------------------------------------------------- */

static void complain_unknown(const char *argument, const struct option *options)
{
    struct hcct_nearest search = { .word = argument + strspn(argument, "-") };
    const char *end = strchrnul(search.word, '=');
    search.length = (size_t)(end - search.word);
    if (tell_gone(search.word, search.length, NULL))
        return;
    uint32_t fits = 0;
    for (; options->name; options++) {
        hcct_nearest_try(&search, options->name);
        fits += search.length && !strncmp(search.word, options->name, search.length);
    }
    fprintf(stderr, "%s: %.*s: %s", hcct_command_name, (int)(end - argument), argument,
            fits > 1 ? "may be any of several options" : "no such option");
    if (search.nearest && fits <= 1)
        fprintf(stderr, "; did you mean --%s?", search.nearest);
    fputc('\n', stderr);
}

int hcct_command_option(int argc, char **argv, const char *letters, const struct option *options, int *index)
{
    const char *argument = optind < argc ? argv[optind] : "";
    opterr = 0;
    int option = getopt_long(argc, argv, letters, options, index);
    if (option != '?')
        return option;
    if (argc && optind > 1 && !strncmp(argv[optind - 1], "--", 2))
        argument = argv[optind - 1]; /* operands were passed over */
    const struct option *known = options;
    while (known->name && (!optopt || known->val != optopt))
        known++;
    bool is_long = !strncmp(argument, "--", 2);
    if (!optopt && is_long) {
        complain_unknown(argument, options);
    } else if (is_long && known->name) {
        fprintf(stderr, "%s: --%s %s\n", hcct_command_name, known->name,
                known->has_arg == no_argument ? "takes no value" : "needs a value");
    } else {
        const char *letter = strchr(letters, optopt);
        fprintf(stderr, "%s: -%c: %s\n", hcct_command_name, optopt,
                letter ? "needs a value" : "no such option");
    }
    return option;
}

/* --- files ---------------------------------------------------------------------------------------- */

static FILE *open_input(const char *name)
{
    FILE *in = strcmp(name, "-") ? hcct_input_open(name) : stdin;
    if (!in)
        hcct_command_complain(name, hcct_input_reason(errno));
    return in;
}

static bool read_stream(struct hcct_command_file *file, FILE *in, hcct_wanted_bytes *wanted)
{
    if (hcct_profile_read(in, wanted, &file->bytes, &file->length))
        return true;
    file->lacks_memory = !ferror(in);
    return hcct_command_complain(file->name, file->lacks_memory ? "out of memory" : strerror(errno));
}

bool hcct_command_read(struct hcct_command_file *file, hcct_wanted_bytes *wanted)
{
    FILE *in = open_input(file->name);
    bool done = in && read_stream(file, in, wanted);
    if (in && in != stdin)
        fclose(in);
    return done;
}

bool hcct_command_open(struct hcct_command_file *file)
{
    struct hcct_error error;
    FILE *in = open_input(file->name);
    bool done =
        in && (hcct_profile_check_large(in, &error) || hcct_command_complain_about(file->name, &error));
    bool is_open = done && file->leaves_rows && hcct_profile_open_large(&file->profile, in);
    done = done && (is_open || read_stream(file, in, hcct_section_wanted_bytes));
    if (in && in != stdin)
        fclose(in);
    if (!done)
        return false;
    done = is_open || hcct_profile_open(&file->profile, file->bytes, file->length, &error);
    file->lacks_memory |= !done && error.code == HCCT_ERROR_MEMORY;
    if (!done)
        return hcct_command_complain_about(file->name, &error);
    if (file->profile.unpacked) {
        free(file->bytes);
        file->bytes = NULL;
    }
    file->profile.name = file->name;
    return true;
}

bool hcct_command_try(struct hcct_command_file *file)
{
    struct hcct_error error;
    FILE *in = hcct_input_open(file->name);
    bool done = in && hcct_profile_read(in, hcct_section_wanted_bytes, &file->bytes, &file->length) &&
                hcct_profile_open(&file->profile, file->bytes, file->length, &error);
    if (in)
        fclose(in);
    return done;
}

void hcct_command_close(struct hcct_command_file *file)
{
    hcct_profile_close(&file->profile);
    free(file->bytes);
    *file = (struct hcct_command_file){ .name = file->name };
}

struct sorted {
    uint64_t content; /* checksum and length */
    char *name;
};

/* Of what is no profile, or cannot be read twice, the largest number: reading it will tell. */
static uint64_t content_of(const char *name)
{
    struct hcct_file_header header = { .checksum = UINT32_MAX, .file_bytes = UINT32_MAX };
    struct stat info;
    bool is_file = strcmp(name, "-") && !stat(name, &info) && S_ISREG(info.st_mode);
    FILE *in = is_file ? hcct_input_open(name) : NULL;
    bool has = in && fread(&header, sizeof header, 1, in) == 1;
    if (in)
        fclose(in);
    return has ? (uint64_t)header.checksum << 32 | (uint32_t)header.file_bytes : UINT64_MAX;
}

static int by_content(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    if (a->content != b->content)
        return a->content < b->content ? -1 : 1;
    return strcmp(a->name, b->name);
}

char **hcct_command_sorted(char *const *names, uint32_t count)
{
    struct sorted *sorted = hcct_memory_array(count, sizeof *sorted);
    char **result = hcct_memory_array(count, sizeof *result);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (struct sorted){ content_of(names[i]), names[i] };
    if (count)
        qsort(sorted, count, sizeof *sorted, by_content);
    for (uint32_t i = 0; i < count; i++)
        result[i] = sorted[i].name;
    free(sorted);
    return result;
}

static bool is_standard(const char *name)
{
    return !name || !strcmp(name, "-");
}

/* /dev/stdout is a link, too, but no file of its own. */
bool hcct_command_is_link(const char *name)
{
    struct stat link, to, standard;
    if (lstat(name, &link) || !S_ISLNK(link.st_mode))
        return false;
    if (stat(name, &to))
        return true;
    bool is_output =
        !fstat(STDOUT_FILENO, &standard) && to.st_dev == standard.st_dev && to.st_ino == standard.st_ino;
    return !is_output && (S_ISREG(to.st_mode) || S_ISDIR(to.st_mode));
}

const char *hcct_command_output(const char *name)
{
    return is_standard(name) ? NULL : name;
}

const char *hcct_command_output_name(const char *name)
{
    return is_standard(name) ? "standard output" : name;
}

bool hcct_command_leaves(const char *output, const char *input)
{
    struct stat to, from;
    bool same = !is_standard(output) && !stat(output, &to) && S_ISREG(to.st_mode) &&
                !(is_standard(input) ? fstat(STDIN_FILENO, &from) : stat(input, &from)) &&
                to.st_dev == from.st_dev && to.st_ino == from.st_ino;
    return !same || hcct_command_complain(output, "would be overwritten, and it is read");
}

/* Whether there is something to lose. */
static bool has_content(const char *name)
{
    struct stat there;
    return !stat(name, &there) && S_ISREG(there.st_mode) && there.st_size;
}

static FILE *create_draft(const char *name)
{
    int file = open(name, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        hcct_command_complain(name, strerror(errno));
        return NULL;
    }
    close(file);
    file = hcct_temporary_open();
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!out)
        hcct_command_complain(hcct_temporary_folder(), strerror(errno));
    return out;
}

static bool is_draft(FILE *out)
{
    struct stat info;
    return out != stdout && !fstat(fileno(out), &info) && S_ISREG(info.st_mode) && !info.st_nlink;
}

/* Makes room for a result of that length, so that writing it does not fail for lack of it. The content stays,
 * whether there is room or not. */
static bool reserve(int file, off_t length)
{
    struct stat before;
    if (fstat(file, &before))
        return false;
    int reason = 0;
    while (before.st_size < length &&
           (reason = posix_fallocate(file, before.st_size, length - before.st_size)) == EINTR)
        ;
    if (reason)
        ftruncate(file, before.st_size);
    errno = reason;
    return !reason;
}

/* Puts what was written in the place of what was there. */
static bool replace_content(int draft, int file)
{
    struct stat result;
    if (fstat(draft, &result) || !reserve(file, result.st_size))
        return false;
    bool done = hcct_temporary_copy(draft, file);
    int reason = errno;
    if (ftruncate(file, done ? result.st_size : 0) && done)
        return false;
    errno = reason;
    return done;
}

static bool copy_draft(FILE *out, const char *name)
{
    int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool done = file >= 0 && replace_content(fileno(out), file);
    int reason = errno;
    if (file >= 0 && close(file) && done) {
        reason = errno;
        done = false;
    }
    errno = reason;
    return done;
}

/* What is written straight into; NULL: nothing. A command has one output. */
static const char *direct_name;
static bool is_new; /* it was not there before */

/* Leaves that file as it was: it had no content. */
static void empty_output(void)
{
    if (direct_name && is_new)
        unlink(direct_name);
    else if (direct_name)
        truncate(direct_name, 0);
}

FILE *hcct_command_create(const char *name)
{
    if (!is_standard(name) && hcct_command_is_link(name)) {
        hcct_command_complain(name, "is a link");
        return NULL;
    }
    if (!is_standard(name) && has_content(name))
        return create_draft(name);
    FILE *out = is_standard(name) ? stdout : fopen(name, "wx");
    is_new = out && out != stdout;
    if (!out && errno == EEXIST)
        out = fopen(name, "w");
    if (!out)
        hcct_command_complain(name, strerror(errno));
    struct stat info;
    if (out && out != stdout && !fstat(fileno(out), &info) && S_ISREG(info.st_mode))
        direct_name = name;
    hcct_memory_before_end = empty_output;
    return out;
}

void hcct_command_discard(FILE *out)
{
    fclose(out);
    empty_output();
}

enum hcct_command_status hcct_command_finish(FILE *out, const char *name)
{
    bool failed = ferror(out);
    int reason = failed ? errno : 0;
    if (!failed && (fflush(out) || (is_draft(out) && !copy_draft(out, name)))) {
        reason = errno;
        failed = true;
    }
    if (fclose(out)) {
        reason = failed && reason ? reason : errno;
        failed = true;
    }
    if (failed)
        empty_output();
    hcct_memory_before_end = NULL;
    if (!failed || reason == EPIPE)
        return HCCT_COMMAND_DONE;
    hcct_command_complain(hcct_command_output_name(name), reason ? strerror(reason) : "write error");
    return HCCT_COMMAND_BAD;
}

enum hcct_command_status hcct_command_help(const char *usage)
{
    fputs(usage, stdout);
    return hcct_command_finish(stdout, NULL);
}

enum hcct_command_status hcct_command_version(void)
{
    printf("%s %s, file format %d, abi %d\n", hcct_command_name, HCCT_VERSION, HCCT_FILE_VERSION,
           HCCT_ABI_VERSION);
    return hcct_command_finish(stdout, NULL);
}

/* --- values of options ----------------------------------------------------------------------------- */

bool hcct_command_refuse(const char *option, const char *text)
{
    fprintf(stderr, "%s: %s: not a value of --%s\n", hcct_command_name, text, option);
    return false;
}

bool hcct_command_refuse_but(const char *option, const char *text, const char *allowed)
{
    fprintf(stderr, "%s: %s: not a value of --%s (%s)\n", hcct_command_name, text, option, allowed);
    return false;
}

bool hcct_command_refuse_word(const char *option, const char *text, const char *const *words)
{
    struct hcct_nearest search = { .word = text, .length = strlen(text) };
    if (tell_gone(option, strlen(option), text))
        return false;
    fprintf(stderr, "%s: %s: not a value of --%s", hcct_command_name, text, option);
    const char *before = " (";
    for (; *words; words++)
        if (**words) {
            hcct_nearest_try(&search, *words);
            fprintf(stderr, "%s%s", before, *words);
            before = ", ";
        }
    fputc(')', stderr);
    if (search.nearest)
        fprintf(stderr, "; did you mean %s?", search.nearest);
    fputc('\n', stderr);
    return false;
}

bool hcct_command_word(const char *option, const char *text, const char *const *words, int *value)
{
    for (int i = 0; words[i]; i++)
        if (*words[i] && !strcmp(words[i], text)) {
            *value = i;
            return true;
        }
    return hcct_command_refuse_word(option, text, words);
}

bool hcct_command_count(const char *option, const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (errno || *end || text[0] < '0' || text[0] > '9')
        return hcct_command_refuse_but(option, text, "a whole number");
    *value = number;
    return true;
}

/* As the runtime reads numbers: decimal ones. */
bool hcct_command_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return !text[strspn(text, "0123456789.eE+-")] && end != text && !*end;
}

bool hcct_command_share(const char *option, const char *text, double *value)
{
    double number;
    if (!hcct_command_number(text, &number) || !(number >= 0 && number <= 1))
        return hcct_command_refuse_but(option, text, "0 to 1");
    *value = number ? number : 0; /* and not -0 */
    return true;
}
