/* The command hcct-push: sends profiles to a store of profiles by HTTP, each as pprof with its labels. Exit
 * status: 0 all were sent, 1 a file is bad or the store did not take a profile, 2 usage.
 *
 * Pyroscope gets POST BASE/ingest: a form with the profile. The name, labels and times are in the query. Its
 * handler reads forms only where the query has no format=. Parca gets POST BASE/profiles/writeraw: JSON with
 * the labels, and the profile in base 64.
 *
 * Nothing goes to another host than the URL's: proxies of the environment and redirections are not followed.
 * Messages tell neither headers nor the password of a URL. */
#include <curl/curl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decoder/commands/command.h"
#include "decoder/commands/fleet/inputs.h"
#include "decoder/report/formats/formats.h"
#include "decoder/text/json_writer.h"
#include "decoder/text/text.h"

const char hcct_command_name[] = "hcct-push";

static const char usage[] =
    "Usage: hcct-push [options] URL [FILE...]\n"
    "Send profiles (default: ids.bin) to a store such as http://localhost:4040, each as pprof with labels.\n"
    "FILE may be a folder, for all files below it, a pattern in quotes, or - for standard input.\n"
    "\n"
    "  --to=STORE            pyroscope (default), parca (default for a URL that ends in its path)\n"
    "  --name=NAME           what the store calls the program (default: the name of its file)\n"
    "  --label=KEY=VALUE     a label beside host, pid, build and command, or instead of one (repeatable)\n"
    "  --header=NAME:VALUE   a header of each request, such as Authorization (repeatable)\n"
    "  --timeout=SECONDS     of each request (default: 60)\n"
    "  --keep-going          leave out files that cannot be read or are damaged\n"
    "  -h, --help            print this and exit\n"
    "  -V, --version         print the versions and exit\n";

enum { TO = 256, NAME, LABEL, HEADER, TIMEOUT, KEEP_GOING };

static const struct option long_options[] = {
    { "to", required_argument, NULL, TO },
    { "name", required_argument, NULL, NAME },
    { "label", required_argument, NULL, LABEL },
    { "header", required_argument, NULL, HEADER },
    { "timeout", required_argument, NULL, TIMEOUT },
    { "keep-going", no_argument, NULL, KEEP_GOING },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

enum store { STORE_BY_URL, STORE_PYROSCOPE, STORE_PARCA };
static const char *const endpoints[] = {
    [STORE_PYROSCOPE] = "/ingest", [STORE_PARCA] = "/profiles/writeraw"
};

enum {
    LABEL_LIMIT = 32,     /* of the user */
    OWN_LABELS = 5,       /* ours */
    CONNECT_SECONDS = 10, /* at most */
    ANSWER_BYTES = 200,   /* of the store, that a message shows */
    TIMEOUT_LIMIT = 86400
};

struct label {
    const char *key, *value;
};

struct job {
    enum store store;
    char *url;         /* of the endpoint */
    const char *shown; /* what messages call the store: without user and password */
    const char *name;  /* NULL: the program's */
    struct label labels[LABEL_LIMIT];
    uint32_t label_count;
    struct curl_slist *headers;
    uint64_t timeout;
    bool keep_going;
    CURL *curl;
    uint64_t sent, left_out;
};

/* A profile that is to be sent. */
struct shipment {
    const struct job *job;
    const struct hcct_summary *summary;
    char *pprof;
    size_t pprof_length;
    char pid[16], build[20];
    struct label labels[LABEL_LIMIT + OWN_LABELS];
    uint32_t label_count;
};

/* --- the profile ----------------------------------------------------------------------------------- */

static const char *name_of(const struct shipment *it)
{
    const char *name = it->job->name ? it->job->name : hcct_text_base_name(it->summary->program);
    return *name ? name : "unknown";
}

/* The user's labels come first, and each key is there once. */
static void add_label(struct shipment *it, const char *key, const char *value)
{
    bool is_new = *value;
    for (uint32_t i = 0; i < it->label_count; i++)
        is_new &= strcmp(it->labels[i].key, key) != 0;
    if (is_new)
        it->labels[it->label_count++] = (struct label){ key, value };
}

/* Those of the samples (pprof.c), which Parca takes from here only. There a profile has no name of its own:
 * that is the label job. */
static void make_labels(struct shipment *it)
{
    const struct hcct_summary *summary = it->summary;
    if (summary->pid)
        snprintf(it->pid, sizeof it->pid, "%" PRIu32, summary->pid);
    if (!summary->build_id)
        strcpy(it->build, "several");
    else
        snprintf(it->build, sizeof it->build, "%016" PRIx64, summary->build_id);
    for (uint32_t i = 0; i < it->job->label_count; i++)
        add_label(it, it->job->labels[i].key, it->job->labels[i].value);
    add_label(it, "host", summary->host);
    add_label(it, "pid", it->pid);
    add_label(it, "build", it->build);
    add_label(it, "command", summary->command);
    if (it->job->store == STORE_PARCA)
        add_label(it, "job", name_of(it));
}

static bool make_pprof(struct shipment *it, struct hcct_merge *merge, struct hcct_error *error)
{
    struct hcct_report_options options = HCCT_REPORT_DEFAULTS;
    FILE *out = open_memstream(&it->pprof, &it->pprof_length);
    options.format = &hcct_format_pprof;
    options.all = true;
    if (!out)
        return hcct_error_out_of_memory(error);
    bool done = hcct_report_print(out, merge, &options, error);
    bool written = !ferror(out);
    written = !fclose(out) && written;
    return done && (written || hcct_error_out_of_memory(error));
}

/* --- requests -------------------------------------------------------------------------------------- */

/* Keeps the beginning of what the store answers; its bytes may be anything. */
static size_t keep_answer(char *bytes, size_t size, size_t count, void *context)
{
    char *answer = context;
    size_t length = strlen(answer), room = ANSWER_BYTES - length, more = size * count;
    for (size_t i = 0; i < more && i < room; i++)
        answer[length++] = bytes[i] >= ' ' && bytes[i] < 127 ? bytes[i] : ' ';
    answer[length] = 0;
    return size * count;
}

static const char *hint_for(CURLcode code, long status)
{
    if (code == CURLE_COULDNT_CONNECT)
        return "; does the store run, and does it listen there?";
    if (code == CURLE_OPERATION_TIMEDOUT)
        return "; --timeout=SECONDS waits longer";
    if (code != CURLE_OK)
        return "";
    if (status == 401 || status == 403)
        return "; --header='Authorization: Bearer TOKEN' says who sends it, --header='X-Scope-OrgID: TENANT' "
               "for whom";
    if (status >= 300 && status < 400)
        return "; redirections are not followed: give the URL that it leads to";
    return status == 404 || status == 405 ? "; is this the store that --to names?" : "";
}

static bool complain(const struct job *job, CURLcode code, const char *fault, const char *answer)
{
    char message[CURL_ERROR_SIZE + ANSWER_BYTES + 200];
    long status = 0;
    curl_easy_getinfo(job->curl, CURLINFO_RESPONSE_CODE, &status);
    const char *hint = hint_for(code, status);
    if (code != CURLE_OK)
        snprintf(message, sizeof message, "not sent: %s%s", *fault ? fault : curl_easy_strerror(code), hint);
    else
        snprintf(message, sizeof message, "not taken: HTTP status %ld%s%s%s", status, *answer ? ": " : "",
                 answer + strspn(answer, " "), hint);
    return hcct_command_complain(job->shown, message);
}

static bool perform(const struct job *job, const char *url, const struct curl_slist *headers)
{
    char answer[ANSWER_BYTES + 1] = "", fault[CURL_ERROR_SIZE] = "";
    uint64_t connect = job->timeout < CONNECT_SECONDS ? job->timeout : CONNECT_SECONDS;
    CURL *curl = job->curl;
    long status = 0;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)connect);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)job->timeout);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, fault);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep_answer);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return (code == CURLE_OK && status >= 200 && status < 300) || complain(job, code, fault, answer);
}

static bool out_of_memory(void)
{
    return hcct_command_complain("memory", "exhausted");
}

/* The user's headers and one of ours, which asks for no answer before the body. NULL: out of memory. */
static struct curl_slist *make_headers(const struct job *job, const char *type)
{
    struct curl_slist *headers = curl_slist_append(NULL, "Expect:"), *last = headers;
    if (last && type)
        last = curl_slist_append(headers, type);
    for (const struct curl_slist *at = job->headers; last && at; at = at->next)
        last = curl_slist_append(headers, at->data);
    if (last)
        return headers;
    curl_slist_free_all(headers);
    return NULL;
}

/* --- Pyroscope ------------------------------------------------------------------------------------- */

/* Valid UTF-8; what Pyroscope takes for the end of a value becomes _. */
static bool add_value(struct hcct_text *to, const char *value)
{
    size_t from = to->length;
    bool done = hcct_escape_add(to, HCCT_TEXT_PLAIN, value);
    for (; done && from < to->length; from++)
        if (strchr(",{}", to->bytes[from]))
            to->bytes[from] = '_';
    return done;
}

/* The name of a program there has letters, digits and "_-./". */
static bool add_name(struct hcct_text *to, const char *name)
{
    bool done = true;
    for (; done && *name; name++) {
        bool plain = (*name >= '0' && *name <= '9') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= 'a' && *name <= 'z') || strchr("_-./", *name);
        done = hcct_text_add(to, plain ? name : "_", 1);
    }
    return done;
}

/* NAME{KEY=VALUE,...} */
static bool make_name(struct hcct_text *name, const struct shipment *it)
{
    bool done = add_name(name, name_of(it)) && hcct_text_add_string(name, "{");
    for (uint32_t i = 0; done && i < it->label_count; i++)
        done = (!i || hcct_text_add_string(name, ",")) && hcct_text_add_string(name, it->labels[i].key) &&
               hcct_text_add_string(name, "=") && add_value(name, it->labels[i].value);
    return done && hcct_text_add_string(name, "}") && hcct_text_end(name);
}

/* NULL: out of memory. */
static char *make_pyroscope_url(const struct shipment *it)
{
    const struct hcct_file_times *times = &it->summary->times;
    uint64_t from = times->start ? times->start / 1000000000 : (uint64_t)time(NULL),
             until = times->end / 1000000000 + 1;
    struct hcct_text name = { 0 };
    char *escaped = make_name(&name, it) ? curl_easy_escape(it->job->curl, name.bytes, 0) : NULL;
    char *url = NULL;
    if (escaped && asprintf(&url, "%s?name=%s&from=%" PRIu64 "&until=%" PRIu64 "&spyName=hcct", it->job->url,
                            escaped, from, until > from ? until : from + 1) < 0)
        url = NULL;
    curl_free(escaped);
    free(name.bytes);
    return url;
}

/* Pyroscope names a kind of profiles that it does not know by its last value, which is the error. This
 * configuration gives it the name of the first one. */
static void make_config(char *config, size_t length, const struct hcct_summary *summary)
{
    char name[32];
    snprintf(name, sizeof name, "%s", summary->unit);
    for (char *at = name; *at; at++)
        if (strchr(" -/.%", *at))
            *at = '_';
    snprintf(config, length,
             "{\"error\":{\"units\":\"samples\",\"aggregation\":\"sum\",\"display-name\":\"%s\"}}", name);
}

static bool add_part(curl_mime *form, const char *name, const char *file, const char *bytes, size_t length)
{
    curl_mimepart *part = curl_mime_addpart(form);
    return part && !curl_mime_name(part, name) && !curl_mime_filename(part, file) &&
           !curl_mime_data(part, bytes, length);
}

static bool send_to_pyroscope(const struct shipment *it)
{
    char config[128], *url = make_pyroscope_url(it);
    struct curl_slist *headers = make_headers(it->job, NULL);
    curl_mime *form = curl_mime_init(it->job->curl);
    make_config(config, sizeof config, it->summary);
    bool done = url && headers && form &&
                add_part(form, "profile", "profile.pb.gz", it->pprof, it->pprof_length) &&
                add_part(form, "sample_type_config", "config.json", config, strlen(config));
    if (done) {
        curl_easy_setopt(it->job->curl, CURLOPT_MIMEPOST, form);
        done = perform(it->job, url, headers);
    } else {
        out_of_memory();
    }
    curl_mime_free(form);
    curl_slist_free_all(headers);
    free(url);
    return done;
}

/* --- Parca ----------------------------------------------------------------------------------------- */

static void put_base64(FILE *out, const char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t word = (uint32_t)(unsigned char)bytes[i] << 16;
        word |= i + 1 < length ? (uint32_t)(unsigned char)bytes[i + 1] << 8 : 0;
        word |= i + 2 < length ? (uint32_t)(unsigned char)bytes[i + 2] : 0;
        putc(digits[word >> 18], out);
        putc(digits[word >> 12 & 63], out);
        putc(i + 1 < length ? digits[word >> 6 & 63] : '=', out);
        putc(i + 2 < length ? digits[word & 63] : '=', out);
    }
}

static void put_label(struct hcct_json *json, const char *key, const char *value)
{
    hcct_json_object(json, NULL, HCCT_JSON_DENSE);
    hcct_json_text(json, "name", key);
    hcct_json_text(json, "value", value);
    hcct_json_end(json);
}

/* `normalized`: there are no addresses that Parca would have to look up. */
static void put_parca_body(struct hcct_json *json, const struct shipment *it)
{
    hcct_json_object(json, NULL, HCCT_JSON_DENSE);
    hcct_json_bool(json, "normalized", true);
    hcct_json_array(json, "series", HCCT_JSON_DENSE);
    hcct_json_object(json, NULL, HCCT_JSON_DENSE);
    hcct_json_object(json, "labels", HCCT_JSON_DENSE);
    hcct_json_array(json, "labels", HCCT_JSON_DENSE);
    put_label(json, "__name__", "hcct");
    for (uint32_t i = 0; i < it->label_count; i++)
        put_label(json, it->labels[i].key, it->labels[i].value);
    hcct_json_end(json);
    hcct_json_end(json);
    hcct_json_array(json, "samples", HCCT_JSON_DENSE);
    hcct_json_object(json, NULL, HCCT_JSON_DENSE);
    hcct_json_printf(json, "raw_profile", "\"");
    put_base64(json->out, it->pprof, it->pprof_length);
    putc('"', json->out);
    while (json->depth)
        hcct_json_end(json);
}

/* False when memory is out. */
static bool make_parca_body(const struct shipment *it, char **body, size_t *length)
{
    FILE *out = open_memstream(body, length);
    if (!out)
        return false;
    struct hcct_json json = { .out = out, .text = HCCT_TEXT_JSON };
    put_parca_body(&json, it);
    bool done = !ferror(out);
    return !fclose(out) && done;
}

static bool send_to_parca(const struct shipment *it)
{
    char *body = NULL;
    size_t length = 0;
    struct curl_slist *headers = make_headers(it->job, "Content-Type: application/json");
    bool done = headers && make_parca_body(it, &body, &length);
    if (done) {
        curl_easy_setopt(it->job->curl, CURLOPT_POSTFIELDS, body);
        curl_easy_setopt(it->job->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
        done = perform(it->job, it->job->url, headers);
    } else {
        out_of_memory();
    }
    curl_slist_free_all(headers);
    free(body);
    return done;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static bool send_shipment(struct job *job, struct shipment *it)
{
    make_labels(it);
    curl_easy_reset(job->curl); /* connections stay */
    bool done = job->store == STORE_PARCA ? send_to_parca(it) : send_to_pyroscope(it);
    job->sent += done;
    return done;
}

/* With --keep-going a bad file is left out. A store that does not take a profile ends the command. */
static bool push_file(void *context, const char *name)
{
    struct job *job = context;
    struct hcct_command_file file = { .name = name };
    struct hcct_merge merge;
    struct hcct_error error;
    uint32_t which;
    bool done = hcct_command_open(&file);
    if (done && (done = hcct_merge_build(&merge, &file.profile, 1, false, 0, &which, &error) ||
                        hcct_command_complain_about(name, &error))) {
        struct shipment it = { .job = job, .summary = &merge.summary };
        done = make_pprof(&it, &merge, &error) || hcct_command_complain_about(name, &error);
        bool sent = done && send_shipment(job, &it);
        free(it.pprof);
        hcct_merge_free(&merge);
        if (done) {
            hcct_command_close(&file);
            return sent;
        }
    }
    hcct_command_close(&file);
    job->left_out += job->keep_going;
    return job->keep_going;
}

static enum hcct_command_status report(const struct job *job, bool done)
{
    if (job->left_out)
        fprintf(stderr, "hcct-push: left out %" PRIu64 " of %" PRIu64 " files\n", job->left_out,
                job->left_out + job->sent);
    if (!done && job->sent)
        fprintf(stderr, "hcct-push: sent %" PRIu64 " before that\n", job->sent);
    if (done && !job->sent)
        done = hcct_command_complain(job->shown, "there was no profile to send");
    if (!done)
        return HCCT_COMMAND_BAD;
    printf("sent %" PRIu64 " profile%s to %s\n", job->sent, job->sent == 1 ? "" : "s", job->shown);
    return hcct_command_finish(stdout, NULL);
}

static enum hcct_command_status push(struct job *job, char **names)
{
    static char default_name[] = "ids.bin";
    char *default_names[] = { default_name, NULL };
    const struct hcct_inputs inputs = { .visit = push_file, .context = job };
    bool done = !curl_global_init(CURL_GLOBAL_DEFAULT) && (job->curl = curl_easy_init());
    if (!done)
        hcct_command_complain("libcurl", "cannot be used");
    for (char **name = *names ? names : default_names; done && *name; name++)
        done = hcct_inputs_each(&inputs, *name);
    curl_easy_cleanup(job->curl);
    curl_global_cleanup();
    return report(job, done);
}

/* --- options --------------------------------------------------------------------------------------- */

static bool take_store(enum store *store, const char *text)
{
    *store = !strcmp(text, "pyroscope") ? STORE_PYROSCOPE
             : !strcmp(text, "parca")   ? STORE_PARCA
                                        : STORE_BY_URL;
    return *store || hcct_command_refuse("to", text);
}

/* Both stores take names of letters, digits and _; those that begin with __ are their own. */
static bool is_key(const char *text, size_t length)
{
    bool good = length && !(text[0] >= '0' && text[0] <= '9') && strncmp(text, "__", 2) != 0;
    for (size_t i = 0; i < length; i++)
        good &= (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'A' && text[i] <= 'Z') ||
                (text[i] >= 'a' && text[i] <= 'z') || text[i] == '_';
    return good;
}

/* Splits the argument in place. */
static bool take_label(struct job *job, char *text)
{
    char *value = strchr(text, '=');
    if (!value || !value[1] || !is_key(text, (size_t)(value - text)) || job->label_count == LABEL_LIMIT)
        return hcct_command_refuse("label", text);
    *value = 0;
    job->labels[job->label_count++] = (struct label){ text, value + 1 };
    return true;
}

/* The value may be a secret: it is in no message, and other users do not see it in the list of processes. */
static bool take_header(struct job *job, char *text)
{
    char *value = strchr(text, ':');
    bool good = value && value > text && value[1 + strspn(value + 1, " ")] && !strpbrk(text, "\r\n");
    if (!good) {
        fputs("hcct-push: --header wants NAME:VALUE\n", stderr);
        return false;
    }
    struct curl_slist *headers = curl_slist_append(job->headers, text);
    job->headers = headers ? headers : job->headers;
    memset(value + 1, '*', strlen(value + 1));
    return headers || out_of_memory();
}

static bool take_option(struct job *job, int option, char *argument)
{
    switch (option) {
    case TO:
        return take_store(&job->store, argument);
    case NAME:
        job->name = argument;
        return *argument || hcct_command_refuse("name", argument);
    case LABEL:
        return take_label(job, argument);
    case HEADER:
        return take_header(job, argument);
    case TIMEOUT:
        return hcct_command_count("timeout", argument, &job->timeout) &&
               ((job->timeout && job->timeout <= TIMEOUT_LIMIT) || hcct_command_refuse("timeout", argument));
    case KEEP_GOING:
        return job->keep_going = true;
    default: /* a complaint was printed */
        return false;
    }
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && !strcmp(text + length - end_length, end);
}

/* Takes the URL of a store or of its endpoint: makes the endpoint's, and the name for messages. */
static bool take_url(struct job *job, char *text)
{
    char *host = text ? strstr(text, "://") : NULL;
    bool known = host && (!strncmp(text, "http://", 7) || !strncmp(text, "https://", 8));
    if (!known || !host[3] || strpbrk(text, "?# \r\n")) {
        fputs("hcct-push: say where to: http://HOST:PORT or https://HOST, with a path if it has one\n",
              stderr);
        return false;
    }
    for (size_t length = strlen(text); text[length - 1] == '/';)
        text[--length] = 0;
    if (job->store == STORE_BY_URL)
        job->store = ends_in(text, endpoints[STORE_PARCA]) ? STORE_PARCA : STORE_PYROSCOPE;
    const char *endpoint = ends_in(text, endpoints[job->store]) ? "" : endpoints[job->store];
    if (asprintf(&job->url, "%s%s", text, endpoint) < 0) {
        job->url = NULL;
        return out_of_memory();
    }
    char *path = host + 3 + strcspn(host + 3, "/"), *at = memrchr(host + 3, '@', (size_t)(path - host - 3));
    if (at)
        memset(host + 3, '*', (size_t)(at - host - 3));
    job->shown = text;
    return true;
}

int main(int argc, char **argv)
{
    struct job job = { .timeout = 60 };
    bool good = true;
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    for (int option; good && (option = hcct_command_option(argc, argv, "hV", long_options, NULL)) != -1;) {
        if (option == 'h')
            return hcct_command_help(usage);
        if (option == 'V')
            return hcct_command_version();
        good = take_option(&job, option, optarg);
    }
    good = good && take_url(&job, argv[optind]);
    enum hcct_command_status status = good ? push(&job, argv + optind + 1) : hcct_command_usage();
    curl_slist_free_all(job.headers);
    free(job.url);
    return status;
}
