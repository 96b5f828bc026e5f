#include "heights/infer/precision.h"

#include <inttypes.h>

const char *const hcct_class_names[HCCT_CLASS_COUNT] = { "precise", "ambiguous", "incorrect", "missing",
                                                         "lost" };

/* The class of the path at one of its heights, and the number of the training's paths there. */
static enum hcct_path_class class_at(const struct hcct_stack_paths *paths, uint32_t index, uint32_t at,
                                     uint32_t *degree)
{
    uint32_t from, to;
    bool met = false;
    hcct_paths_find(paths, paths->paths[index].function, paths->heights[at], &from, &to);
    for (*degree = 0; from < to; from++) {
        uint32_t other = paths->cids[from].path;
        if (!(paths->paths[other].in >> HCCT_PATHS_TRAINING & 1))
            continue;
        ++*degree;
        met |= other == index;
    }
    return met ? (*degree == 1 ? HCCT_CLASS_PRECISE : HCCT_CLASS_AMBIGUOUS)
               : (*degree ? HCCT_CLASS_INCORRECT : HCCT_CLASS_MISSING);
}

static enum hcct_path_class class_of(const struct hcct_stack_paths *paths, uint32_t index, uint32_t *degree)
{
    const struct hcct_stack_path *path = &paths->paths[index];
    enum hcct_path_class worst = HCCT_CLASS_PRECISE;
    *degree = 0;
    if (path->loss)
        return HCCT_CLASS_LOST;
    for (uint32_t i = 0; i < path->count; i++) {
        uint32_t here;
        enum hcct_path_class class = class_at(paths, index, path->first + i, &here);
        worst = class > worst ? class : worst;
        *degree = here > *degree ? here : *degree;
    }
    return worst;
}

void hcct_precision_count(const struct hcct_stack_paths *paths, int tested, struct hcct_precision *precision)
{
    *precision = (struct hcct_precision){ .all_paths = 0 };
    for (uint32_t i = 1; i < paths->count; i++) {
        const struct hcct_stack_path *path = &paths->paths[i];
        bool is_bracket = path->function == HCCT_STACK_NONE && path->loss == HCCT_PATH_OUTSIDE;
        uint32_t degree;
        if (!(path->in >> tested & 1) || is_bracket)
            continue;
        enum hcct_path_class class = class_of(paths, i, &degree);
        precision->paths[class]++;
        precision->calls[class] += path->calls[tested];
        precision->all_paths++;
        precision->all_calls += path->calls[tested];
        precision->lost[path->loss] += path->loss != HCCT_PATH_FOUND;
        for (uint32_t k = degree; class <= HCCT_CLASS_AMBIGUOUS && k <= HCCT_DEGREES; k++)
            precision->up_to[k]++;
        for (uint32_t k = 0; k < path->count; k++)
            if (paths->heights[path->first + k] > (int64_t)precision->deepest)
                precision->deepest = (uint64_t)paths->heights[path->first + k];
    }
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

void hcct_precision_print(const struct hcct_precision *precision, FILE *out)
{
    fprintf(out,
            "%" PRIu64 " call paths by function, %" PRIu64 " calls; the highest stack has %" PRIu64
            " bytes\n",
            precision->all_paths, precision->all_calls, precision->deepest);
    for (int i = 0; i < HCCT_CLASS_COUNT; i++)
        if (precision->paths[i] || i <= HCCT_CLASS_AMBIGUOUS)
            fprintf(out, "  %-10s %7.2f%% of the paths, %6.2f%% of the calls\n", hcct_class_names[i],
                    percent(precision->paths[i], precision->all_paths),
                    percent(precision->calls[i], precision->all_calls));
    fprintf(out, "  5-precise  %7.2f%% of the paths (at most five share the pair of function and height)\n",
            percent(precision->up_to[5], precision->all_paths));
    static const char *const why[HCCT_PATH_LOSS_COUNT] = {
        [HCCT_PATH_OUTSIDE] = "called by code that is not instrumented",
        [HCCT_PATH_NO_FUNCTION] = "the binary lacks a function",
        [HCCT_PATH_NO_CALL] = "the binary lacks a call",
        [HCCT_PATH_NO_SIZE] = "a frame has no fixed size",
        [HCCT_PATH_TOO_MANY] = "too many heights",
    };
    for (int i = 1; i < HCCT_PATH_LOSS_COUNT; i++)
        if (precision->lost[i])
            fprintf(out, "  lost: %" PRIu64 " paths, %s\n", precision->lost[i], why[i]);
}

void hcct_precision_print_json(const struct hcct_precision *precision, FILE *out)
{
    fprintf(out, "{\"paths\": %" PRIu64 ", \"calls\": %" PRIu64 ", \"deepest_bytes\": %" PRIu64,
            precision->all_paths, precision->all_calls, precision->deepest);
    for (int i = 0; i < HCCT_CLASS_COUNT; i++)
        fprintf(out, ", \"%s\": {\"paths\": %" PRIu64 ", \"calls\": %" PRIu64 "}", hcct_class_names[i],
                precision->paths[i], precision->calls[i]);
    fprintf(out, ", \"up_to_degree\": [");
    for (int i = 1; i <= HCCT_DEGREES; i++)
        fprintf(out, "%s%" PRIu64, i > 1 ? ", " : "", precision->up_to[i]);
    fprintf(out, "], \"lost_by\": {");
    for (int i = 1; i < HCCT_PATH_LOSS_COUNT; i++)
        fprintf(out, "%s\"%s\": %" PRIu64, i > 1 ? ", " : "", hcct_path_loss_names[i], precision->lost[i]);
    fprintf(out, "}}\n");
}
