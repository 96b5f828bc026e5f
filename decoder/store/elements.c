/* Every element of every section on its own: indices and string offsets inside their sections, values inside
 * their enumerations, parents before children. */
#include "decoder/store/elements.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "format/error.h"

static bool corrupt(const struct hcct_profile *profile, const void *element, struct hcct_error *error,
                    const char *what)
{
    return hcct_error_set(error, HCCT_ERROR_CORRUPT, hcct_elements_offset(profile, element), "%s", what);
}

static bool is_string(const struct hcct_profile *profile, uint32_t offset)
{
    return offset < profile->string_bytes;
}

static bool is_index_or_none(uint32_t index, uint32_t count)
{
    return index < count || index == HCCT_FILE_NONE;
}

static bool is_share(double value)
{
    return isfinite(value) && value >= 0 && value <= 1;
}

static bool check_strings(const struct hcct_profile *profile, struct hcct_error *error)
{
    if (!profile->string_bytes || profile->strings[0] || profile->strings[profile->string_bytes - 1])
        return corrupt(profile, profile->strings, error, "the strings do not begin and end with a zero byte");
    return true;
}

static bool check_run(const struct hcct_profile *profile, struct hcct_error *error)
{
    const struct hcct_file_run *run = profile->run;
    if (run->scheme >= HCCT_SCHEME_COUNT)
        return hcct_error_set(
            error, HCCT_ERROR_VERSION, hcct_elements_offset(profile, &run->scheme),
            "contexts are encoded by scheme %u, which this program does not know: decode it "
            "with the version of hcct that wrote it",
            run->scheme);
    if (run->mode >= HCCT_MODE_COUNT || run->algorithm >= HCCT_ALGORITHM_COUNT ||
        run->delta > HCCT_DELTA_ONE || run->recursion >= HCCT_RECURSION_COUNT ||
        run->metric >= HCCT_METRIC_COUNT || !run->profiles)
        return corrupt(profile, run, error, "unknown mode, algorithm, recursion or metric");
    if (!is_share(run->phi) || !is_share(run->epsilon))
        return corrupt(profile, &run->phi, error, "phi or epsilon is not a share");
    if (!is_string(profile, run->program) || !is_string(profile, run->command) ||
        !is_string(profile, run->host) || !is_string(profile, run->source))
        return corrupt(profile, &run->program, error, "a string of the run is outside the strings");
    return true;
}

static bool check_functions(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->code.function_count; i++) {
        const struct hcct_file_function *function = &profile->code.functions[i];
        if (!is_string(profile, function->linkage_name) || !is_string(profile, function->source_name) ||
            !is_string(profile, function->file))
            return corrupt(profile, function, error, "a function's string is outside the strings");
        if (!is_index_or_none(function->object, profile->code.object_count))
            return corrupt(profile, function, error, "a function's object does not exist");
        if (i && function->base <= profile->code.functions[i - 1].base)
            return corrupt(profile, function, error, "functions are not in ascending order");
    }
    return true;
}

static bool check_sites(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->code.site_count; i++) {
        const struct hcct_file_site *site = &profile->code.sites[i];
        if (!is_string(profile, site->callee_name) || !is_string(profile, site->file))
            return corrupt(profile, site, error, "a site's string is outside the strings");
        if (site->caller >= profile->code.function_count ||
            (i && site->caller < profile->code.sites[i - 1].caller))
            return corrupt(profile, site, error, "a site's caller does not exist or is out of order");
        if (!is_index_or_none(site->callee, profile->code.function_count) ||
            (site->callee == HCCT_FILE_NONE && site->delta > 0))
            return corrupt(profile, site, error, "a site's callee does not exist");
        if (!is_index_or_none(site->inlined, profile->code.inlined_count))
            return corrupt(profile, site, error, "a site's inlined frame does not exist");
        if (site->id % 2 == 0)
            return corrupt(profile, site, error, "a site's id is even");
    }
    return true;
}

static bool check_inlined(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->code.inlined_count; i++) {
        const struct hcct_file_inlined *inlined = &profile->code.inlined[i];
        if (!is_string(profile, inlined->linkage_name) || !is_string(profile, inlined->source_name) ||
            !is_string(profile, inlined->file) || !is_string(profile, inlined->call_file))
            return corrupt(profile, inlined, error, "an inlined frame's string is outside the strings");
        if (!is_index_or_none(inlined->outer, i))
            return corrupt(profile, inlined, error, "an inlined frame's outer frame does not come before it");
    }
    return true;
}

/* --- rows ------------------------------------------------------------------------------------------ */

const char *hcct_elements_prefix_fault(const struct hcct_file_prefix *prefix, uint32_t index)
{
    bool below = hcct_layout_is_below(prefix->kind);
    if (prefix->kind >= HCCT_PREFIX_KIND_COUNT || (prefix->kind == HCCT_PREFIX_ROOT) != (index == 0) ||
        (index == 0 && (prefix->word || prefix->site)))
        return "a prefix of the wrong kind";
    if (prefix->kind == HCCT_PREFIX_THREAD && prefix->site > UINT32_MAX)
        return "a thread's number is too large";
    if (below ? prefix->parent >= index : prefix->parent != HCCT_FILE_NONE)
        return "a prefix's parent does not come before it";
    return NULL;
}

const char *hcct_elements_context_fault(const struct hcct_profile *profile,
                                        const struct hcct_file_context *context)
{
    bool is_sound = is_index_or_none(context->prefix, profile->rows.prefix_count) && !context->reserved;
    return is_sound ? NULL : "a context's prefix does not exist";
}

static bool has_marks(const struct hcct_file_column *column)
{
    return column->add == HCCT_ADD_LEAST || column->add == HCCT_ADD_MOST;
}

const char *hcct_elements_cell_fault(const struct hcct_profile *profile,
                                     const struct hcct_file_column *column, const struct hcct_file_cell *cell,
                                     uint32_t least_context)
{
    if (cell->context >= profile->rows.context_count || cell->context < least_context)
        return "a cell's context does not exist, or is out of order";
    if (cell->error > cell->count || (has_marks(column) && !is_string(profile, cell->mark)))
        return "a cell's error is larger than its count, or its mark is outside the strings";
    return NULL;
}

static bool check_prefixes(const struct hcct_profile *profile, struct hcct_error *error)
{
    const char *fault = NULL;
    if (!profile->rows.prefix_count)
        return corrupt(profile, profile->rows.prefixes, error, "the root prefix is missing");
    for (uint32_t i = 0; i < profile->rows.prefix_count; i++)
        if ((fault = hcct_elements_prefix_fault(&profile->rows.prefixes[i], i)))
            return corrupt(profile, &profile->rows.prefixes[i], error, fault);
    return true;
}

static bool check_contexts(const struct hcct_profile *profile, struct hcct_error *error)
{
    const char *fault = NULL;
    for (uint32_t i = 0; i < profile->rows.context_count; i++)
        if ((fault = hcct_elements_context_fault(profile, &profile->rows.contexts[i])))
            return corrupt(profile, &profile->rows.contexts[i], error, fault);
    return true;
}

static bool check_cells(const struct hcct_profile *profile, const struct hcct_file_column *column,
                        struct hcct_error *error)
{
    const struct hcct_file_cell *cells = hcct_profile_cells(profile, column);
    const char *fault = NULL;
    for (uint32_t i = 0, least = 0; i < column->count; least = cells[i++].context + 1)
        if ((fault = hcct_elements_cell_fault(profile, column, &cells[i], least)))
            return corrupt(profile, &cells[i], error, fault);
    return true;
}

/* Cells belong to the columns one after the other: so they are in proportion to the file. */
bool hcct_elements_check_places(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < profile->rows.column_count; i++) {
        const struct hcct_file_column *column = &profile->rows.columns[i];
        if (column->first != next || column->count > profile->rows.cell_count - next)
            return corrupt(profile, column, error, "a column's cells are not where they belong");
        next += column->count;
    }
    return next == profile->rows.cell_count ||
           corrupt(profile, profile->rows.columns, error, "there are cells of no column");
}

static bool check_columns(const struct hcct_profile *profile, struct hcct_error *error)
{
    if (!profile->rows.column_count || profile->rows.column_count > HCCT_COLUMN_LIMIT)
        return corrupt(profile, profile->rows.columns, error, "there is no column, or there are too many");
    for (uint32_t i = 0; i < profile->rows.column_count; i++) {
        const struct hcct_file_column *column = &profile->rows.columns[i];
        if (!is_string(profile, column->name) || !is_string(profile, column->part) ||
            !is_string(profile, column->unit) || !hcct_unit_is_valid(profile->strings + column->unit))
            return corrupt(profile, column, error, "a column's name or unit is none");
        if (column->guarantee >= HCCT_GUARANTEE_COUNT || column->add >= HCCT_ADD_COUNT || column->reserved)
            return corrupt(profile, column, error, "a column's guarantee, or how it adds up, is not known");
        if (has_marks(column) ? !is_string(profile, column->mark) : column->mark != 0)
            return corrupt(profile, column, error, "a column's mark is outside the strings");
    }
    const struct hcct_file_column *first = profile->rows.columns;
    return (first->add == HCCT_ADD_SUM && !first->part) ||
           corrupt(profile, first, error, "the first column is none");
}

static bool check_notes(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->note_count; i++) {
        const struct hcct_file_note *note = &profile->notes[i];
        if (note->kind >= HCCT_NOTE_COUNT || note->reserved || (i && note->kind <= note[-1].kind))
            return corrupt(profile, note, error, "a note is not known, or out of order");
    }
    return true;
}

static bool check_estimate(const struct hcct_profile *profile, struct hcct_error *error)
{
    const struct hcct_file_estimate *estimate = profile->estimate;
    if (estimate && estimate->kind >= HCCT_ESTIMATE_COUNT)
        return hcct_error_set(error, HCCT_ERROR_VERSION, hcct_elements_offset(profile, &estimate->kind),
                              "estimates of kind %" PRIu64 ", which this program does not know: decode it "
                              "with the version of hcct that wrote it",
                              estimate->kind);
    if (estimate && (!isfinite(estimate->sum) || !isfinite(estimate->squares) || estimate->sum < 0 ||
                     estimate->squares < 0 || estimate->is_adaptive > 1))
        return corrupt(profile, estimate, error, "the sums over the samples are none");
    return true;
}

static bool check_objects(const struct hcct_profile *profile, struct hcct_error *error)
{
    for (uint32_t i = 0; i < profile->code.object_count; i++)
        if (!is_string(profile, profile->code.objects[i].path) ||
            !is_string(profile, profile->code.objects[i].build_id))
            return corrupt(profile, &profile->code.objects[i], error,
                           "an object's string is outside the strings");
    return true;
}

/* The phases' N add up to that of the run, both up to the largest number. */
static bool check_phases(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint64_t calls = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < profile->rows.column_count; i++) {
        if (!hcct_profile_is_phase(profile, &profile->rows.columns[i]))
            continue;
        calls = hcct_sum(calls, profile->rows.columns[i].total);
        count++;
    }
    return !count || (calls == hcct_profile_main(profile)->total && count <= HCCT_PHASES + 2) ||
           corrupt(profile, profile->rows.columns, error,
                   "the calls of the phases do not add up to those of the run, or there are too many");
}

static bool check_curve(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint64_t allocated = 0, time = 0, live = 0;
    uint32_t details = 0;
    if (profile->curve_count && profile->run->metric != HCCT_METRIC_HEAP)
        return corrupt(profile, profile->run, error, "a curve of no heap");
    for (uint32_t i = 0; i < profile->curve_count; i++) {
        const struct hcct_file_curve *point = &profile->curve[i];
        if ((point->detail && point->detail != ++details) || details > HCCT_FILE_CURVE_DETAILS ||
            point->reserved || point->allocated_bytes < allocated || point->time_ns < time ||
            point->most_bytes < live || point->most_bytes < point->live_bytes)
            return corrupt(profile, point, error, "the points of the curve are out of order");
        allocated = point->allocated_bytes;
        time = point->time_ns;
        live = point->live_bytes;
    }
    return true;
}

/* --- texts ----------------------------------------------------------------------------------------- */

/* Elements share texts. One long text that all of them share would be shown, and stored, as often as there
 * are elements: together they may refer to so much. */
#define TEXT_BYTES_LEAST (UINT64_C(1) << 20)
#define TEXT_BYTES_PER_BYTE 256

bool hcct_elements_take_text(const struct hcct_profile *profile, uint64_t *left, uint32_t offset)
{
    size_t length = strlen(profile->strings + offset);
    bool fits = length <= *left;
    *left -= fits ? length : 0;
    return fits;
}

static bool refuse_texts(const struct hcct_profile *profile, struct hcct_error *error)
{
    return corrupt(profile, profile->strings, error,
                   "the texts that all elements share are too long for the file");
}

static bool check_texts(const struct hcct_profile *profile, uint64_t *left, struct hcct_error *error)
{
    bool fits = true;
    *left = TEXT_BYTES_LEAST + TEXT_BYTES_PER_BYTE * (uint64_t)profile->length;
    for (uint32_t i = 0; fits && i < profile->code.function_count; i++)
        fits = hcct_elements_take_text(profile, left, profile->code.functions[i].linkage_name) &&
               hcct_elements_take_text(profile, left, profile->code.functions[i].source_name) &&
               hcct_elements_take_text(profile, left, profile->code.functions[i].file);
    for (uint32_t i = 0; fits && i < profile->code.site_count; i++)
        fits = hcct_elements_take_text(profile, left, profile->code.sites[i].callee_name) &&
               hcct_elements_take_text(profile, left, profile->code.sites[i].file);
    for (uint32_t i = 0; fits && i < profile->code.inlined_count; i++)
        fits = hcct_elements_take_text(profile, left, profile->code.inlined[i].linkage_name) &&
               hcct_elements_take_text(profile, left, profile->code.inlined[i].source_name) &&
               hcct_elements_take_text(profile, left, profile->code.inlined[i].file) &&
               hcct_elements_take_text(profile, left, profile->code.inlined[i].call_file);
    for (uint32_t i = 0; fits && i < profile->code.object_count; i++)
        fits = hcct_elements_take_text(profile, left, profile->code.objects[i].path) &&
               hcct_elements_take_text(profile, left, profile->code.objects[i].build_id);
    return fits || refuse_texts(profile, error);
}

static bool check_marks(const struct hcct_profile *profile, uint64_t *left, struct hcct_error *error)
{
    bool fits = true;
    for (uint32_t i = 0; fits && i < profile->rows.column_count; i++) {
        const struct hcct_file_column *column = &profile->rows.columns[i];
        const struct hcct_file_cell *cells = hcct_profile_cells(profile, column);
        for (uint32_t k = 0; has_marks(column) && fits && k < column->count; k++)
            fits = hcct_elements_take_text(profile, left, cells[k].mark);
    }
    return fits || refuse_texts(profile, error);
}

static bool check_names(const struct hcct_profile *profile, struct hcct_error *error)
{
    uint32_t words = profile->code.name_count;
    if (words & (words - 1))
        return corrupt(profile, profile->code.names, error,
                       "the size of the filter of names is no power of two");
    return true;
}

bool hcct_elements_check(const struct hcct_profile *profile, uint64_t *text_left, struct hcct_error *error)
{
    return check_strings(profile, error) && check_run(profile, error) && check_objects(profile, error) &&
           check_functions(profile, error) && check_sites(profile, error) && check_inlined(profile, error) &&
           check_columns(profile, error) && check_phases(profile, error) && check_notes(profile, error) &&
           check_estimate(profile, error) && check_names(profile, error) && check_curve(profile, error) &&
           check_texts(profile, text_left, error);
}

bool hcct_elements_check_rows(const struct hcct_profile *profile, uint64_t *text_left,
                              struct hcct_error *error)
{
    bool done = hcct_elements_check_places(profile, error) && check_prefixes(profile, error) &&
                check_contexts(profile, error);
    for (uint32_t i = 0; done && i < profile->rows.column_count; i++)
        done = check_cells(profile, &profile->rows.columns[i], error);
    return done && check_marks(profile, text_left, error);
}
