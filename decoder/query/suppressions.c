#include "decoder/query/suppressions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/input.h"

/* --- patterns ------------------------------------------------------------------------------------- */

bool hcct_suppressions_match(const char *pattern, const char *text)
{
    bool is_anchored = *pattern == '^', is_any = false;
    if (!*text)
        return false;
    for (pattern += is_anchored; *pattern;) {
        if (*pattern == '*') {
            pattern++;
            is_any = true;
            continue;
        }
        if (*pattern == '$')
            return !*text || is_any;
        size_t length = strcspn(pattern, "*$");
        const char *at = memmem(text, strlen(text), pattern, length);
        if (!at || (is_anchored && !is_any && at != text))
            return false;
        text = at + length;
        pattern += length;
        is_anchored = is_any = false;
    }
    return true;
}

/* --- the file ------------------------------------------------------------------------------------- */

static bool read_file(struct hcct_suppressions *suppressions, const char *name, struct hcct_error *error)
{
    FILE *in = hcct_input_open_within(name, HCCT_INPUT_TEXT_BYTES);
    size_t length = 0, capacity = 0;
    bool done = in;
    for (size_t got = 1; done && got; length += got) {
        if (capacity - length < 2) {
            char *more = realloc(suppressions->text, capacity = 2 * capacity + 4096);
            if (!more) {
                fclose(in);
                return hcct_error_out_of_memory(error);
            }
            suppressions->text = more;
        }
        got = fread(suppressions->text + length, 1, capacity - length - 1, in);
        suppressions->text[length + got] = 0;
    }
    done = done && !ferror(in);
    int reason = errno;
    if (in)
        fclose(in);
    return done ||
           hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE, "%s", hcct_input_reason(reason));
}

static bool take_line(struct hcct_suppressions *suppressions, char *line, unsigned number,
                      struct hcct_error *error)
{
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length && strchr(" \t\r", line[length - 1]))
        line[--length] = 0;
    if (!length || *line == '#')
        return true;
    if (strncmp(line, "leak:", 5) != 0 || !line[5])
        return hcct_error_set(error, HCCT_ERROR_FOREIGN, HCCT_ERROR_NOWHERE,
                              "line %u is no suppression: leak:PATTERN", number);
    if (!hcct_vector_grow(&suppressions->list, &suppressions->capacity, suppressions->count,
                          sizeof *suppressions->list))
        return hcct_error_out_of_memory(error);
    suppressions->list[suppressions->count++] = (struct hcct_suppression){ .pattern = line + 5 };
    return true;
}

bool hcct_suppressions_open(struct hcct_suppressions *suppressions, const char *name,
                            struct hcct_error *error)
{
    *suppressions = (struct hcct_suppressions){ .text = NULL };
    bool done = read_file(suppressions, name, error);
    unsigned number = 1;
    for (char *line = suppressions->text, *end; done && line; line = end, number++) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        done = take_line(suppressions, line, number, error);
    }
    return done;
}

void hcct_suppressions_close(struct hcct_suppressions *suppressions)
{
    free(suppressions->text);
    free(suppressions->list);
    *suppressions = (struct hcct_suppressions){ .text = NULL };
}

/* --- contexts ------------------------------------------------------------------------------------- */

static bool matches_frame(const char *pattern, const struct hcct_tree_frame *frame, const char *name)
{
    return hcct_suppressions_match(pattern, name) || hcct_suppressions_match(pattern, frame->linkage) ||
           hcct_suppressions_match(pattern, frame->file) ||
           (frame->object && hcct_suppressions_match(pattern, frame->object));
}

/* The name without the brackets of what is not instrumented. False when memory is out. */
static bool find_in_frame(const struct hcct_suppressions *suppressions, const struct hcct_frames *frames,
                          uint32_t number, struct hcct_suppression **found)
{
    char *text = hcct_frames_text(frames, number, HCCT_NAMES_FULL), *name = text;
    size_t length = text ? strlen(text) : 0;
    if (length > 1 && text[0] == '[' && text[length - 1] == ']') {
        text[length - 1] = 0;
        name++;
    }
    for (uint32_t i = 0; text && !*found && i < suppressions->count; i++)
        if (matches_frame(suppressions->list[i].pattern, &frames->frames[number], name))
            *found = &suppressions->list[i];
    free(text);
    return text;
}

bool hcct_suppressions_find(const struct hcct_suppressions *suppressions, const struct hcct_tree *tree,
                            const struct hcct_frames *frames, uint32_t node, struct hcct_suppression **found)
{
    *found = NULL;
    if (!suppressions || !suppressions->count)
        return true;
    for (; node != HCCT_NODE_NONE && !*found; node = tree->nodes[node].parent)
        if (!find_in_frame(suppressions, frames, tree->nodes[node].frame, found))
            return false;
    return true;
}
