/* Facts about a profile, see facts.h. */
#include "decoder/report/facts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "decoder/store/bursts.h"
#include "format/names.h"

const char *const hcct_sure_names[] = { "exact", "upper", "chance", "nothing" };

bool hcct_claim_is_by_samples(const struct hcct_summary *it)
{
    return hcct_metric_is_sampled(it->metric) ||
           (it->metric == HCCT_METRIC_WEIGHT && hcct_name_find(hcct_event_names, it->unit) >= 0);
}

enum hcct_sure hcct_claim_sure(const struct hcct_summary *it)
{
    if (it->is_capped)
        return HCCT_SURE_NOTHING;
    if (hcct_summary_is_sampled(it) || hcct_claim_is_by_samples(it))
        return HCCT_SURE_CHANCE;
    return it->guarantee == HCCT_GUARANTEE_EXACT ? HCCT_SURE_EXACT : HCCT_SURE_UPPER;
}

static void say_chance(const struct hcct_summary *it, char text[HCCT_CLAIM_BYTES])
{
    const char *estimates = "probabilistic, estimates from", *what = hcct_bursts_name(&it->bursts);
    if (it->is_estimate && it->phase)
        snprintf(text, HCCT_CLAIM_BYTES, "%s the run's %" PRIu64 " %s", estimates, it->bursts.bursts, what);
    else if (it->is_estimate)
        snprintf(text, HCCT_CLAIM_BYTES, "%s %" PRIu64 " %s, %" PRIu64 " calls counted", estimates,
                 it->bursts.bursts, what, it->bursts.calls);
    else if (it->heap_period)
        snprintf(text, HCCT_CLAIM_BYTES, "%s samples, one byte in %" PRIu64, estimates, it->heap_period);
    else
        snprintf(text, HCCT_CLAIM_BYTES, "%s samples", estimates);
}

void hcct_claim_say(const struct hcct_summary *it, bool may_lack_hot, char text[HCCT_CLAIM_BYTES])
{
    switch (hcct_claim_sure(it)) {
    case HCCT_SURE_EXACT:
        snprintf(text, HCCT_CLAIM_BYTES, "exact%s",
                 hcct_summary_is_sound(it) ? "" : ", but for what was dropped");
        break;
    case HCCT_SURE_UPPER:
        if (!(it->delta > 0))
            snprintf(text, HCCT_CLAIM_BYTES, "deterministic");
        else if (may_lack_hot)
            snprintf(text, HCCT_CLAIM_BYTES, "probabilistic, but hot contexts may be missing");
        else
            snprintf(text, HCCT_CLAIM_BYTES, "probabilistic, delta %g", it->delta);
        break;
    case HCCT_SURE_CHANCE:
        say_chance(it, text);
        break;
    case HCCT_SURE_NOTHING:
        snprintf(text, HCCT_CLAIM_BYTES, "none: " HCCT_CAPPED);
        break;
    }
}

void hcct_claim_say_shortly(const struct hcct_summary *it, char text[HCCT_CLAIM_BYTES])
{
    enum hcct_sure sure = hcct_claim_sure(it);
    if (sure == HCCT_SURE_UPPER)
        snprintf(text, HCCT_CLAIM_BYTES, "epsilon %g", it->epsilon);
    else
        snprintf(text, HCCT_CLAIM_BYTES, "%s",
                 sure == HCCT_SURE_EXACT    ? "exact counts"
                 : sure == HCCT_SURE_CHANCE ? "estimates"
                                            : "no bounds");
}

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
    int at = 0;
    facts->items[at++] = (struct hcct_fact){ "program", it->program };
    if (!it->build_id)
        fact(facts, &at, "build", "several");
    else
        fact(facts, &at, "build", "%016" PRIx64, it->build_id);
    fact(facts, &at, "runs", "%u", it->profile_count);
    fact(facts, &at, "mode", "%s", hcct_mode_names[it->mode]);
    fact(facts, &at, "algorithm", "%s", hcct_algorithm_names[it->algorithm]);
    char guarantee[HCCT_CLAIM_BYTES];
    hcct_claim_say(it, hcct_report_may_lack_hot(report), guarantee);
    fact(facts, &at, "guarantee", "%s", guarantee);
    fact(facts, &at, "recursion", "%s", hcct_recursion_names[it->folded]);
    fact(facts, &at, "metric", it->metric ? "%s in %s" : "%s", hcct_metric_names[it->metric], it->unit);
    if (it->metric == HCCT_METRIC_CALLS)
        fact(facts, &at, "calls", "%" PRIu64, it->calls);
    else
        fact(facts, &at, "total", "%" PRIu64 " %s", it->calls, it->unit);
    fact(facts, &at, "contexts", "%" PRIu64 " monitored, %" PRIu64 " hot", it->context_count,
         report->hot_contexts);
    fact(facts, &at, "phi", "%g", report->phi);
    fact(facts, &at, "epsilon", "%g", it->epsilon);
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
