/* Facts about a profile, see facts.h. */
#include "decoder/report/facts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "decoder/claim/words.h"
#include "format/names.h"

static void fact(struct hcct_facts *facts, int *at, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void fact(struct hcct_facts *facts, int *at, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(facts->texts[*at], sizeof facts->texts[*at], format, arguments);
    va_end(arguments);
    facts->items[*at] = (struct hcct_fact){ key, facts->texts[*at] };
    ++*at;
}

void hcct_facts_make(struct hcct_facts *facts, const struct hcct_report *report)
{
    const struct hcct_summary *it = report->summary;
    const struct hcct_ground *ground = &it->ground;
    int at = 0;
    facts->items[at++] = (struct hcct_fact){ "program", it->program };
    if (!it->build_id)
        fact(facts, &at, "build", "several");
    else
        fact(facts, &at, "build", "%016" PRIx64, it->build_id);
    fact(facts, &at, "runs", "%u", it->profile_count);
    fact(facts, &at, "mode", "%s", ground->mode);
    fact(facts, &at, "algorithm", "%s", ground->algorithm);
    char guarantee[HCCT_CLAIM_BYTES];
    hcct_claim_say(ground, hcct_summary_is_sound(it), hcct_report_may_lack_hot(report), guarantee);
    fact(facts, &at, "guarantee", "%s", guarantee);
    fact(facts, &at, "recursion", "%s", hcct_recursion_names[it->folded]);
    bool is_calls = ground->noun->is_calls;
    fact(facts, &at, "metric", is_calls ? "%s" : "%s in %s", ground->metric, ground->unit);
    if (is_calls)
        fact(facts, &at, "calls", "%" PRIu64, ground->total);
    else
        fact(facts, &at, "total", "%" PRIu64 " %s", ground->total, ground->unit);
    fact(facts, &at, "contexts", "%" PRIu64 " monitored, %" PRIu64 " hot", it->context_count,
         report->hot_contexts);
    fact(facts, &at, "phi", "%g", report->phi);
    fact(facts, &at, "epsilon", "%g", ground->epsilon);
    fact(facts, &at, "dropped",
         "memory %" PRIu64 ", chain %" PRIu64 ", interrupted %" PRIu64 ", undecodable %" PRIu64
         ", unaccounted %" PRIu64,
         it->dropped_memory, it->dropped_chain, it->dropped_interrupted, it->undecodable, it->unaccounted);
    fact(facts, &at, "misplaced", "stale %" PRIu64 ", overflowed %" PRIu64 ", lost_pushes %" PRIu64,
         it->stale, it->overflowed, it->lost_count);
    fact(facts, &at, "writer", "hcct-decode %s", HCCT_VERSION);
}

void hcct_facts_write(struct hcct_json *json, const char *key, const struct hcct_facts *facts)
{
    hcct_json_object(json, key, HCCT_JSON_WORDS);
    for (int i = 0; i < HCCT_FACT_COUNT; i++)
        hcct_json_text(json, facts->items[i].key, facts->items[i].text);
    hcct_json_end(json);
}
