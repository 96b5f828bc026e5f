#include "heights/plan/refine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/store/table.h"
#include "format/input.h"

/* --- the text -------------------------------------------------------------------------------------- */

static bool read_bytes(const char *word, uint32_t *bytes)
{
    char *end;
    unsigned long value = strtoul(word, &end, 10);
    *bytes = (uint32_t)value;
    return *end == 0 && end != word && value && value <= UINT16_MAX + 1;
}

/* Fills in what the words of a line say. False if they are none. */
static bool parse(struct hcct_plan_line *line, char *words[5])
{
    bool calls = !strcmp(words[0], "calls"), wraps = !strcmp(words[0], "wrap");
    char **names = wraps ? words + 2 : words + 1;
    if (!names[0] || (wraps && !names[1]) || (!calls && !read_bytes(names[-1], &line->bytes)))
        return false;
    const char *file = names[wraps ? 2 : 1];
    line->function = strdup(names[0]);
    line->callee = wraps ? strdup(names[1]) : NULL;
    line->file = strdup(file ? file : "");
    return line->function && line->file && (line->callee || !wraps);
}

/* False if the line is none of a plan, or memory is out. */
static bool add_line(struct hcct_plan_lines *lines, char *text)
{
    char *words[5] = { NULL }, *parts = NULL, *word = strtok_r(text, " \t\r\n", &parts);
    if (!word || *word == '#')
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words && word; i++) {
        words[i] = word;
        word = strtok_r(NULL, " \t\r\n", &parts);
    }
    if (!hcct_vector_grow(&lines->lines, &lines->capacity, lines->count, sizeof *lines->lines))
        return false;
    lines->lines[lines->count] = (struct hcct_plan_line){ .function = NULL };
    return parse(&lines->lines[lines->count++], words);
}

const char *hcct_refine_open(struct hcct_plan_lines *lines, const char *path)
{
    char *text = NULL;
    size_t capacity = 0;
    bool done = true;
    FILE *file = hcct_input_open_within(path, HCCT_INPUT_TEXT_BYTES);
    *lines = (struct hcct_plan_lines){ .count = 0 };
    if (!file)
        return hcct_input_reason(errno);
    while (done && getline(&text, &capacity, file) > 0)
        done = add_line(lines, text);
    free(text);
    fclose(file);
    return done ? NULL : "has a line that is none of a plan";
}

void hcct_refine_close(struct hcct_plan_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        free(lines->lines[i].function);
        free(lines->lines[i].callee);
        free(lines->lines[i].file);
    }
    free(lines->lines);
}

/* --- what it says of the program ------------------------------------------------------------------- */

/* The wrapped call, or NULL. Calls by name of what pointers may lead to go with those through pointers. */
static struct hcct_plan_wrap *find_wrap(struct hcct_plan *plan, uint32_t caller, uint32_t callee)
{
    for (uint32_t i = 0; i < plan->wrap_count; i++)
        if (plan->wraps[i].caller == caller && plan->wraps[i].callee == callee)
            return &plan->wraps[i];
    return NULL;
}

static void begin_line(struct hcct_plan_state *state, const struct hcct_plan_line *line)
{
    const struct hcct_stack_binary *binary = state->paths->binary;
    struct hcct_plan *plan = state->plan;
    uint32_t function = hcct_stack_function_named(binary, line->function, line->file);
    if (function == HCCT_STACK_NONE)
        return;
    if (line->bytes / HCCT_PLAN_STEP_BYTES >= HCCT_PLAN_NUMBERS)
        state->number_count = HCCT_PLAN_NUMBERS_MORE;
    if (line->callee) {
        bool by_pointer = !strcmp(line->callee, "*");
        uint32_t callee =
            by_pointer ? HCCT_STACK_NONE : hcct_stack_function_named(binary, line->callee, line->file);
        struct hcct_plan_wrap *wrap =
            callee == HCCT_STACK_NONE && !by_pointer ? NULL : find_wrap(plan, function, callee);
        if (wrap)
            wrap->bytes = wrap->built = line->bytes;
    } else if (line->bytes) {
        plan->bytes[function] = state->built[function] = line->bytes;
    } else {
        plan->calls[function] = true;
    }
}

void hcct_refine_begin(struct hcct_plan_state *state, const struct hcct_plan_lines *lines)
{
    memset(state->plan->calls, 0, state->paths->binary->function_count);
    for (uint32_t i = 0; i < lines->count; i++)
        begin_line(state, &lines->lines[i]);
}
