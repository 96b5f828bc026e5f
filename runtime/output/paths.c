/* See paths.h. No stdio and no malloc: this runs before all constructors, and in handlers. */
#define _GNU_SOURCE
#include "runtime/output/paths.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "hcct/ranks.h"
#include "runtime/base/environment.h"
#include "runtime/base/say.h"
#include "runtime/core/notice.h"
#include "runtime/output/settings.h"

struct hcct_output_settings hcct_output_settings = { .path = "ids.bin", .unit = "weight" };

struct text {
    char *at;
    size_t left;
};

static void put(struct text *out, const char *text)
{
    size_t length = strlen(text);
    if (out->left <= length) {
        out->left = 0;
        return;
    }
    memcpy(out->at, text, length + 1);
    out->at += length;
    out->left -= length;
}

/* A copy, because programs overwrite their environment (setproctitle). */
static char temporary_folder[PATH_MAX] = "/tmp";

void hcct_paths_set_temporary(const char *folder)
{
    size_t length = strlen(folder);
    if (length && length < sizeof temporary_folder)
        memcpy(temporary_folder, folder, length + 1);
}

/* Where the program was at start, with a slash at the end. Empty: nothing is relative, or nobody knows. */
static char start_folder[PATH_MAX];

static bool is_temporary(const char *pattern)
{
    return strncmp(pattern, "%t", 2) == 0;
}

static void put_start(struct text *out, const char *path)
{
    if (path[0] != '/')
        put(out, start_folder);
}

/* TMPDIR may be relative, too. */
static void put_temporary(struct text *out)
{
    put_start(out, temporary_folder);
    put(out, temporary_folder);
}

void hcct_paths_note_folder(void)
{
    const char *output =
        is_temporary(hcct_output_settings.path) ? temporary_folder : hcct_output_settings.path;
    if (output[0] == '/' && temporary_folder[0] == '/')
        return;
    if (getcwd(start_folder, sizeof start_folder - 1)) {
        strcat(start_folder, start_folder[1] ? "/" : "");
        return;
    }
    start_folder[0] = 0; /* the C library may have written into it all the same */
    if (output[0] != '/')
        HCCT_SAY(1,
                 "the program begins in a folder that was removed, or whose path is too long: if it goes to "
                 "another folder, the profile does, too");
}

int hcct_paths_output(char *path, size_t size, const char *build_id, int child)
{
    struct text out = { path, size };
    char pid[24], host[256] = "";
    const char *pid_text = hcct_say_decimal((unsigned long)hcct_process_id(), pid, sizeof pid);
    bool has_pid = false;
    if (!is_temporary(hcct_output_settings.path))
        put_start(&out, hcct_output_settings.path);
    for (const char *at = hcct_output_settings.path; *at; at++) {
        const char one[2] = { *at, 0 }, *text = one;
        if (*at == '%' && at[1]) {
            switch (*++at) {
            case 'p':
                text = pid_text;
                has_pid = true;
                break;
            case 'h':
                gethostname(host, sizeof host - 1);
                text = host;
                break;
            case 'm':
                text = build_id;
                break;
            case 't':
                put_temporary(&out);
                text = "";
                break;
            case '%':
                text = "%";
                break;
            }
        }
        put(&out, text);
    }
    if ((child || hcct_output_settings.is_spawned) && !has_pid) {
        put(&out, ".");
        put(&out, pid_text);
    } else if (hcct_output_settings.rank && !has_pid) {
        put(&out, ".rank");
        put(&out, hcct_say_decimal((unsigned long)hcct_output_settings.rank - 1, pid, sizeof pid));
    }
    return out.left > 0;
}

int hcct_paths_fallback(char *path, size_t size, const char *build_id)
{
    static char usual[PATH_MAX];
    if (!hcct_paths_output(usual, sizeof usual, build_id, 1) || !strchr(usual, '/'))
        return 0;
    struct text out = { path, size };
    put_temporary(&out);
    put(&out, strrchr(usual, '/'));
    return out.left > 0;
}

static int number(const char *digits)
{
    int result = 0;
    for (; digits && *digits >= '0' && *digits <= '9' && result < 100000000; digits++)
        result = 10 * result + *digits - '0';
    return result;
}

void hcct_paths_read_rank(char **environment)
{
    static const char *const names[][2] = { { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
                                            { "PMI_RANK", "PMI_SIZE" } };
    for (unsigned i = 0; &__hcct_mpi_is_linked && i < sizeof names / sizeof names[0]; i++) {
        const char *rank = hcct_environment_find(environment, names[i][0]);
        if (rank && number(hcct_environment_find(environment, names[i][1])) > 1)
            hcct_output_settings.rank = number(rank) + 1;
    }
}
