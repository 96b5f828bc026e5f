/* See html_heap.h. */
#include "decoder/report/formats/viewer/html_heap.h"

#include <assert.h>
#include <inttypes.h>

#include "format/names.h"

static const char *const keys[] = {
#define HCCT_HEAP_VALUE(symbol, name, unit, title) "value " name,
#include "format/names.def"
    "value point 1", "value point 2", "value point 3", "value point 4",
    "value point 5", "value point 6", "value point 7", "value point 8",
};
static_assert(sizeof keys / sizeof keys[0] == HCCT_HEAP_VALUE_COUNT + HCCT_FILE_CURVE_DETAILS,
              "each value has a column");

static const char *name_of(uint32_t value)
{
    return keys[value] + sizeof "value " - 1;
}

static void write_value(struct hcct_json *json, const char *name, const char *title, const char *unit,
                        uint64_t total, uint64_t rest)
{
    hcct_json_object(json, NULL, HCCT_JSON_WORDS);
    hcct_json_text(json, "name", name);
    hcct_json_text(json, "title", title);
    hcct_json_text(json, "unit", unit);
    hcct_json_unsigned(json, "total", total);
    hcct_json_unsigned(json, "rest", rest);
    hcct_json_end(json);
}

static void write_values(struct hcct_json *json, const struct hcct_summary *it)
{
    hcct_json_array(json, "values", HCCT_JSON_LINES);
    for (int i = 0; i < HCCT_HEAP_VALUE_COUNT; i++) {
        if (!it->values[i].is_known)
            continue;
        bool has_bounds = i == HCCT_HEAP_ALLOCATED; /* each context's error is its bound */
        write_value(json, hcct_heap_value_names[i], hcct_heap_value_titles[i], hcct_heap_value_units[i],
                    it->values[i].total, has_bounds ? 0 : it->values[i].rest);
    }
    for (uint32_t i = 0; i < it->detail_count; i++) {
        const struct hcct_file_curve *point = hcct_summary_point(it, i);
        char title[128];
        snprintf(title, sizeof title, "bytes live when %" PRIu64 " were allocated, at %.3f s",
                 point->allocated_bytes, (double)point->time_ns / 1e9);
        write_value(json, name_of(HCCT_HEAP_VALUE_COUNT + i), title, "bytes", point->live_bytes,
                    it->values[HCCT_HEAP_VALUE_COUNT + i].rest);
    }
    hcct_json_end(json);
}

static void write_curve(struct hcct_json *json, const struct hcct_summary *it)
{
    hcct_json_array(json, "curve", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < it->curve_count; i++) {
        const struct hcct_file_curve *point = &it->curve[i];
        hcct_json_array(json, NULL, HCCT_JSON_WORDS);
        hcct_json_unsigned(json, NULL, point->allocated_bytes);
        hcct_json_unsigned(json, NULL, point->live_bytes);
        hcct_json_unsigned(json, NULL, point->most_bytes);
        hcct_json_printf(json, NULL, "%.9f", (double)point->time_ns / 1e9);
        hcct_json_text(json, NULL, point->detail ? name_of(HCCT_HEAP_VALUE_COUNT + point->detail - 1) : "");
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

void hcct_html_heap_head(struct hcct_json *json, const struct hcct_report *report)
{
    const struct hcct_report_options *options = report->options;
    hcct_json_break(json);
    hcct_json_text(json, "value", name_of(options ? (uint32_t)options->value : 0));
    hcct_json_bool(json, "sampled", report->summary->ground.has_samples);
    hcct_json_unsigned(json, "period", report->summary->ground.period);
    write_values(json, report->summary);
    if (report->summary->curve)
        write_curve(json, report->summary);
}

static void write_own(struct hcct_html *page, uint32_t node)
{
    hcct_json_unsigned(&page->json, NULL, hcct_tree_values(page->report->tree, node)[page->value]);
}

void hcct_html_heap_columns(struct hcct_html_column *columns, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        columns[i] = (struct hcct_html_column){ keys[i], write_own, (int)i };
    columns[count] = (struct hcct_html_column){ NULL, NULL, 0 };
}
