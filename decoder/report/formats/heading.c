/* The heading of the formats for people, see heading.h: which program, how many calls in how many contexts,
 * how exact that is, and what is missing. What does not apply is left out, so that the heading of a sound
 * profile is short. */
#include "decoder/report/formats/heading.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "decoder/claim/amount.h"
#include "decoder/claim/words.h"
#include "decoder/query/pattern.h"
#include "decoder/report/changed.h"
#include "decoder/report/formats/formats.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "format/names.h"

static void print_amount(FILE *out, const struct hcct_summary *summary, uint64_t count)
{
    char text[HCCT_AMOUNT_BYTES];
    fputs(hcct_amount_whole(&summary->ground, count, text), out);
}

static void print_lost(FILE *out, const struct hcct_summary *summary, uint64_t count, const char *what,
                       const char **separator)
{
    if (!count)
        return;
    fputs(*separator, out);
    print_amount(out, summary, count);
    fprintf(out, " %s", what);
    *separator = ", ";
}

static void print_part(FILE *out, uint64_t count, const char *noun, const char *what, const char **separator)
{
    if (!count)
        return;
    fprintf(out, "%s%" PRIu64 " %s%s %s", *separator, count, noun, hcct_amount_plural(count), what);
    *separator = ", ";
}

_Static_assert(HCCT_OBJECT_LIMIT == 4096, "the text below");

/* Prints in one line what is missing or misplaced. False, and nothing, if the profile is sound. */
static bool print_not_exact(FILE *out, const struct hcct_summary *summary)
{
    const char *separator = "not exact: ";
    print_lost(out, summary, summary->dropped_memory,
               summary->ground.value != HCCT_HEAP_ALLOCATED ? "in contexts that were not kept"
               : summary->has_object_limit
                   ? "dropped in objects beyond the first 4,096, or for lack of memory"
                   : "dropped for lack of memory",
               &separator);
    print_lost(out, summary, summary->dropped_chain - summary->cold_chain,
               "without a recorded chain of callers", &separator);
    print_lost(out, summary, summary->dropped_interrupted, summary->ground.noun->missed, &separator);
    print_lost(out, summary, summary->undecodable, "not decodable", &separator);
    print_lost(out, summary, summary->unaccounted, "not accounted for", &separator);
    print_lost(out, summary, summary->stale, "with lost callers", &separator);
    print_part(out, summary->overflowed, "call", "past the limit of the context stack", &separator);
    print_part(out, summary->ground.estimate.untimed, "thread", "without a timer, not counted", &separator);
    print_part(out, summary->lost_count, "chain", "of callers not decodable", &separator);
    if (summary->ground.sure == HCCT_SURE_NOTHING) {
        fprintf(out, "%s" HCCT_CAPPED, separator);
        separator = ", ";
    }
    bool any = *separator == ',';
    if (any)
        fputc('\n', out);
    return any;
}

enum { COMMAND_BYTES = 100 };

/* The length of `text`, or where to cut it, which is not within a character. */
static size_t cut(const char *text)
{
    size_t length = strnlen(text, COMMAND_BYTES + 1);
    if (length <= COMMAND_BYTES)
        return length;
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return length;
}

/* The program's path with its arguments. The name that the program was called by is shown only if it is not
 * that of the path. */
static void print_program(FILE *out, const struct hcct_summary *summary)
{
    const char *program = *summary->program ? summary->program : "(unknown program)";
    const char *arguments = summary->command + strcspn(summary->command, " "), *name = arguments;
    while (name > summary->command && name[-1] != '/')
        name--;
    const char *own = hcct_text_base_name(program);
    bool is_same = (size_t)(arguments - name) == strlen(own) && !memcmp(name, own, strlen(own));
    const char *shown = is_same ? arguments : summary->command;
    char command[COMMAND_BYTES + 2];
    snprintf(command, sizeof command, "%.*s", (int)cut(shown), shown);
    hcct_escape_line(out, program);
    fputs(is_same || !*shown ? "" : " (", out);
    hcct_escape_line(out, command);
    fputs(shown[strlen(command)] ? "..." : "", out);
    fputs(is_same || !*shown ? "" : ")", out);
}

/* When it ran; the last start is not known, so of several runs the end is told. */
static void print_times(FILE *out, const struct hcct_summary *summary)
{
    const uint64_t times[] = { summary->start, summary->profile_count > 1 ? summary->end : 0 };
    for (int i = 0; i < 2 && times[i]; i++) {
        time_t seconds = (time_t)(times[i] / 1000000000);
        struct tm local;
        char text[32];
        if (localtime_r(&seconds, &local) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &local))
            fprintf(out, "%s%s", i ? " to " : ", ", text);
    }
}

/* What a heap profile is of, and what else it can be asked for. */
static void print_heap(FILE *out, const struct hcct_summary *summary)
{
    const struct hcct_value_total *heap = summary->values;
    if (!summary->ground.noun->is_heap)
        return;
    fprintf(out,
            "heap: %" PRIu64 " bytes allocated in %" PRIu64 " block%s, %" PRIu64 " live at the peak, %" PRIu64
            " at the end in %" PRIu64 " block%s, %" PRIu64
            " block%s temporary (--value=live, peak, blocks, ...)\n",
            heap[HCCT_HEAP_ALLOCATED].total, heap[HCCT_HEAP_BLOCKS].total,
            hcct_amount_plural(heap[HCCT_HEAP_BLOCKS].total), heap[HCCT_HEAP_PEAK].total,
            heap[HCCT_HEAP_LIVE].total, heap[HCCT_HEAP_LIVE_BLOCKS].total,
            hcct_amount_plural(heap[HCCT_HEAP_LIVE_BLOCKS].total), heap[HCCT_HEAP_TEMPORARY].total,
            hcct_amount_plural(heap[HCCT_HEAP_TEMPORARY].total));
    hcct_claim_print_samples(out, &summary->ground);
    if (summary->mapped > heap[HCCT_HEAP_PEAK].total)
        fprintf(out,
                "not counted: up to %" PRIu64
                " bytes that the program mapped itself (mmap); if an allocator of "
                "its own gives them out: hcct-cc --hcct-allocator=REGEX (docs/heap.md)\n",
                summary->mapped);
    if (heap[HCCT_HEAP_LOST].is_known)
        fprintf(out, "lost: no pointer leads to %" PRIu64 " bytes in %" PRIu64 " block%s (--value=lost)\n",
                heap[HCCT_HEAP_LOST].total, heap[HCCT_HEAP_LOST_BLOCKS].total,
                hcct_amount_plural(heap[HCCT_HEAP_LOST_BLOCKS].total));
    if (summary->ground.value != HCCT_HEAP_ALLOCATED && summary->dropped_memory)
        fprintf(out,
                "any context may have up to %" PRIu64
                " %s more: its blocks from a time when it was not kept\n",
                summary->dropped_memory, summary->ground.unit);
}

/* What is new, of a run that was told what is known. */
static void print_new(FILE *out, const struct hcct_summary *summary)
{
    char amount[HCCT_AMOUNT_BYTES];
    if (summary->has_new)
        fprintf(out, "%" PRIu64 " new context%s, beside %" PRIu64 " that were known%s%s\n", summary->found,
                hcct_amount_plural(summary->found), summary->known,
                summary->only_new ? "; only new ones are shown, with " : " (--new shows them)",
                summary->only_new ? hcct_amount_text(&summary->ground, summary->in_tree, amount) : "");
    if (summary->has_new && summary->unnoted)
        fprintf(out, "at least: memory was short, and %" PRIu64 " calls may be of other new ones\n",
                summary->unnoted);
}

/* The phases of the program with their shares, in its order; or the one that the report is about. */
static void print_phases(FILE *out, const struct hcct_summary *summary)
{
    uint64_t all = 0;
    char share[HCCT_AMOUNT_BYTES];
    for (uint32_t i = 0; i < summary->phase_count; i++)
        all = hcct_sum(all, summary->phases[i].calls);
    if (!all)
        return;
    fputs("phases:", out);
    for (uint32_t i = 0; i < summary->phase_count; i++) {
        const struct hcct_phase_total *phase = &summary->phases[i];
        bool is_shown = summary->ground.phase && !strcmp(summary->ground.phase, phase->name);
        fputs(i ? ", " : " ", out);
        hcct_escape_line(out, phase->name);
        fprintf(out, " %s%s", hcct_amount_share_of(all, phase->calls, share), is_shown ? " (shown)" : "");
    }
    fputs(summary->ground.phase ? "\n" : " (--phase=NAME)\n", out);
}

/* How many contexts are hot, and which hot ones may be missing. */
static void print_hot(FILE *out, const struct hcct_report *report, const char *unit)
{
    const struct hcct_summary *summary = report->summary;
    fprintf(out, "%" PRIu64 " hot context%s (*): at least %.4g%% of the %s each (phi %g)\n",
            report->hot_contexts, hcct_amount_plural(report->hot_contexts), report->phi * 100, unit,
            report->phi);
    if (report->hot_by_site && report->hot_by_site != report->hot_contexts)
        fprintf(out,
                "(--view=flat and json count %" PRIu64
                ": here the copies that a compiler makes of a call, and folded frames, are one)\n",
                report->hot_by_site);
    if (hcct_report_may_lack_hot(report)) {
        char text[HCCT_AMOUNT_BYTES];
        fprintf(out, "of those with up to %s some may be missing\n",
                hcct_amount_text(&summary->ground, summary->ground.floor, text));
    }
}

/* Contexts that left memory cannot be folded any more: the run has to do it. */
static void print_cold(FILE *out, const struct hcct_report *report)
{
    const struct hcct_ground *ground = &report->summary->ground;
    char share[HCCT_AMOUNT_BYTES];
    fprintf(
        out, "contexts too cold to be shown have %s of the %s%s\n",
        hcct_amount_share(ground, report->options->cold, share), hcct_amount_all(ground),
        ground->floor && !report->summary->folded
            ? ":\nif functions call themselves, run it with HCCT_OPTIONS=recursion=fold: all depths are one "
              "context then"
            : "");
}

void hcct_heading_print(FILE *out, const struct hcct_report *report)
{
    const struct hcct_summary *summary = report->summary;
    print_program(out, summary);
    if (summary->profile_count > 1)
        fprintf(out, ", %u runs%s", summary->profile_count,
                summary->several_builds ? " of several builds" : "");
    print_times(out, summary);
    putc('\n', out);
    const struct hcct_ground *ground = &summary->ground;
    char amount[HCCT_AMOUNT_BYTES];
    /* a value's title begins with its unit. The comma: "bytes allocated, freed or not, in 3 contexts" */
    if (ground->noun->is_heap)
        fprintf(out, "%s%s,", hcct_amount_text(ground, ground->total, amount),
                hcct_heap_value_titles[ground->value] + strlen(hcct_heap_value_units[ground->value]));
    else
        print_amount(out, summary, ground->total);
    fprintf(out, " in %" PRIu64 " %scontext%s", summary->context_count,
            ground->floor || ground->sure == HCCT_SURE_UPPER ? "monitored " : "",
            hcct_amount_plural(summary->context_count));
    if (summary->folded)
        fputs(", recursion folded", out);
    hcct_claim_print(out, ground, hcct_summary_is_sound(summary), hcct_report_may_lack_hot(report));
    putc('\n', out);
    if (report->options->folds_unasked)
        fprintf(out, "folded as else contexts too cold to be shown have %s of the %s (--recursion=keep)\n",
                hcct_amount_share(ground, report->options->cold, amount), hcct_amount_all(ground));
    else if (report->options->cold)
        print_cold(out, report);
    print_heap(out, summary);
    print_new(out, summary);
    print_phases(out, summary);
    print_hot(out, report, hcct_amount_all(ground));
    if (summary->cold_chain) {
        print_amount(out, summary, summary->cold_chain);
        fprintf(out, " in contexts too cold for a record of their callers: below phi each, and not shown\n");
    }
    const char *asked = report->options->query.function;
    if (asked && !strpbrk(asked, "^$.*+?()[]{}|\\") && !hcct_pattern_is_name(asked, report->frames))
        fprintf(out, "no function has the name %s: these have it as a part of theirs\n", asked);
    hcct_claim_print_estimate(out, ground);
    if (!print_not_exact(out, summary))
        fputs(ground->is_inferred ? "" : "sound: nothing dropped, nothing lost\n", out);
    if (ground->is_inferred)
        fputs("paths of functions, inferred from stack heights: one that the training lacks may stand as "
              "another\n",
              out);
    hcct_changed_print(out, report, report->options->width || report->options->format == &hcct_format_source);
    if (report->options->width)
        fprintf(out, "%.1f MB of memory for the profile\n", (double)summary->memory_bytes / 1e6);
    fputc('\n', out);
}
