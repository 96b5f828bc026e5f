/* Patterns, see pattern.h. */
#include "decoder/query/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/text/nearest.h"
#include "format/expression.h"

static bool compile(const char *pattern, regex_t *regex, struct hcct_error *error)
{
    char room[128];
    const char *why = hcct_expression_compile(regex, pattern, room);
    return !why || hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE, "%.60s: not a pattern: %s",
                                  pattern, why);
}

bool hcct_pattern_check(const char *pattern, struct hcct_error *error)
{
    regex_t regex;
    if (!compile(pattern, &regex, error))
        return false;
    regfree(&regex);
    return true;
}

/* --- matching --------------------------------------------------------------------------------------- */

typedef bool is_match(const char *text, const void *what);

static bool found_in(const char *text, const void *regex)
{
    return !regexec(regex, text, 0, NULL, 0);
}

/* "[malloc]" is also named malloc. */
static bool is_name(const char *text, const void *name)
{
    size_t length = strlen(name);
    if (!strcmp(text, name))
        return true;
    return text[0] == '[' && !strncmp(text + 1, name, length) && !strcmp(text + 1 + length, "]");
}

static bool ends_in_name(const char *text, const void *name)
{
    size_t length = strlen(name), all = strlen(text);
    return all > length + 2 && !memcmp(text + all - length - 2, "::", 2) &&
           !memcmp(text + all - length, name, length);
}

/* "Cache<…>::get" with its arguments left out: "Cache::get". */
static void leave_arguments_out(char *text, const char *ellipsis)
{
    char left_out[16];
    size_t length = (size_t)snprintf(left_out, sizeof left_out, "<%s>", ellipsis ? ellipsis : "…");
    while ((text = strstr(text, left_out)))
        memmove(text, text + length, strlen(text + length) + 1);
}

#define FORM(names) (1U << (names))

/* A form of its own: the short name without "<…>". */
#define BARE FORM(31)

/* Fills match[frame_count]: whether one of those forms of a frame's name matches. Returns how many do. */
static uint32_t match_frames(const struct hcct_frames *frames, unsigned forms, is_match *matches,
                             const void *what, bool *match)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        for (unsigned form = HCCT_NAMES_SHORT; form <= HCCT_NAMES_LINKAGE && !match[i]; form++) {
            bool bare = form == HCCT_NAMES_SHORT && forms & BARE;
            if (!(forms & FORM(form)) && !bare)
                continue;
            char *text = hcct_frames_text(frames, i, (enum hcct_names)form);
            if (bare)
                leave_arguments_out(text, frames->ellipsis);
            match[i] = matches(text, what);
            free(text);
        }
        count += match[i];
    }
    return count;
}

/* The forms of names that a pattern is searched in. */
static unsigned forms_of(const char *pattern)
{
    bool full = strpbrk(pattern, "< ") || strstr(pattern, "\\(");
    return FORM(HCCT_NAMES_SHORT) | (full ? FORM(HCCT_NAMES_FULL) : 0) |
           (strstr(pattern, "_Z") ? FORM(HCCT_NAMES_LINKAGE) : 0);
}

bool *hcct_pattern_match(const char *pattern, const struct hcct_frames *frames)
{
    regex_t regex;
    struct hcct_error error;
    if (!compile(pattern, &regex, &error))
        hcct_memory_end(); /* it was a pattern before */
    bool *match = hcct_memory_zeros(frames->frame_count, sizeof *match);
    match_frames(frames, forms_of(pattern), found_in, &regex, match);
    regfree(&regex);
    return match;
}

static bool match_names(const char *name, const struct hcct_frames *frames, bool *match)
{
    const unsigned all = FORM(HCCT_NAMES_SHORT) | FORM(HCCT_NAMES_PARAMETERS) | FORM(HCCT_NAMES_ARGUMENTS) |
                         FORM(HCCT_NAMES_FULL) | FORM(HCCT_NAMES_LINKAGE);
    const unsigned ends = FORM(HCCT_NAMES_SHORT) | FORM(HCCT_NAMES_PARAMETERS) | FORM(HCCT_NAMES_ARGUMENTS);
    return match_frames(frames, all, is_name, name, match) ||
           match_frames(frames, ends, ends_in_name, name, match) ||
           match_frames(frames, BARE, is_name, name, match) ||
           match_frames(frames, BARE, ends_in_name, name, match);
}

bool hcct_pattern_is_name(const char *name, const struct hcct_frames *frames)
{
    bool *match = hcct_memory_zeros(frames->frame_count, sizeof *match);
    bool is = match_names(name, frames, match);
    free(match);
    return is;
}

/* "[std]" is no pattern of one character, but what a folded frame is called. */
static bool is_in_brackets(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && name[0] == '[' && name[length - 1] == ']';
}

bool *hcct_pattern_function(const char *name, const struct hcct_frames *frames)
{
    bool *match = hcct_memory_zeros(frames->frame_count, sizeof *match);
    struct hcct_error not_one; /* "operator[" is a name, and no pattern */
    if (match_names(name, frames, match) || is_in_brackets(name) || !hcct_pattern_check(name, &not_one))
        return match;
    free(match);
    return hcct_pattern_match(name, frames);
}

/* The function whose short name, or the last part of it, is nearest to `name` but not `name` itself; from
 * malloc. NULL: none is near. */
static char *nearest_function(const char *name, const struct hcct_frames *frames)
{
    struct hcct_nearest search = { .word = name, .length = strlen(name) };
    char *nearest = NULL;
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        char *text = hcct_frames_text(frames, i, HCCT_NAMES_SHORT);
        const char *before = search.nearest, *scope = text;
        for (const char *at = text; (at = strstr(at, "::")); scope = at)
            at += 2;
        if (strcmp(text, name)) {
            hcct_nearest_try(&search, text);
            hcct_nearest_try(&search, scope);
        }
        if (search.nearest == before) {
            free(text);
            continue;
        }
        free(nearest);
        memmove(text, search.nearest, strlen(search.nearest) + 1);
        search.nearest = nearest = text;
    }
    return nearest;
}

/* The calls of functions that a user means by that name, and that no context has. */
static uint64_t evicted_calls(const char *name, const struct hcct_frames *frames)
{
    bool *match = hcct_pattern_function(name, frames);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < frames->frame_count; i++)
        sum = hcct_sum(sum, match[i] ? frames->frames[i].evicted : 0);
    free(match);
    return sum;
}

bool hcct_pattern_not_found(const char *name, const struct hcct_frames *frames, struct hcct_error *error)
{
    uint64_t evicted = evicted_calls(name, frames);
    char *nearest = evicted || is_in_brackets(name) ? NULL : nearest_function(name, frames);
    if (evicted)
        hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE,
                       "%.60s has %" PRIu64 " calls (--view=flat), but none of its contexts was kept: "
                       "HCCT_OPTIONS=mode=cct keeps all",
                       name, evicted);
    else if (is_in_brackets(name))
        hcct_error_set(
            error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE,
            "no call is called %.60s; if --fold made that frame, ask for one of its functions, which "
            "--fold='' shows",
            name);
    else if (nearest)
        hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE,
                       "no call of %.60s was counted; did you mean %.60s?", name, nearest);
    else
        hcct_error_set(
            error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE,
            "no call of %.60s was counted; if it was inlined, a build with hcct-cc "
            "--hcct-before-inlining counts it, if it is not instrumented, one with --hcct-externals",
            name);
    free(nearest);
    return false;
}
