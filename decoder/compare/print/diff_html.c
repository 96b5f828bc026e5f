/* The page of a difference: both trees as one, siblings with the largest changes first. A box is as wide as
 * the changes in it and below it, and colours show which way these go. Calls of functions that no context has
 * stand below a root [other], as in the page of a profile, so that sums by function have them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/words.h"
#include "decoder/compare/print/diff_html.h"
#include "decoder/compare/print/diff_text.h"
#include "decoder/report/formats/formats.h"
#include "decoder/report/formats/viewer/html.h"
#include "decoder/report/shown_names.h"
#include "decoder/store/sum.h"
#include "decoder/text/escape.h"
#include "decoder/text/memory.h"
#include "format/names.h"

/* The difference as a report: one list of frames and sites, A's first, and one tree. */
struct joined {
    struct hcct_frames frames;
    struct hcct_tree tree; /* the nodes of the difference, [other], and a node for each of `evicted` */
    uint32_t other;        /* the frame [other], of B */
    struct evicted *evicted;
    uint32_t evicted_count, evicted_capacity;
};

/* The calls of a function that no context has. */
struct evicted {
    uint32_t frame; /* of B */
    uint64_t calls[2];
};

struct subject {
    const struct hcct_diff *diff;
    const struct hcct_diff_values *values; /* NULL: the page has only this one */
    const struct joined *joined;
};

static const struct hcct_diff *diff_of(const struct hcct_html *page)
{
    return ((const struct subject *)page->subject)->diff;
}

static const struct joined *joined_of(const struct hcct_html *page)
{
    return ((const struct subject *)page->subject)->joined;
}

/* Of [other] and what is below it: nothing to compare. */
static const struct hcct_diff_node *node_of(const struct hcct_html *page, uint32_t node)
{
    static const struct hcct_diff_node other = { .side = { HCCT_NODE_NONE, HCCT_NODE_NONE },
                                                 .kind = HCCT_DIFF_BOTH };
    return node < diff_of(page)->node_count ? &diff_of(page)->nodes[node] : &other;
}

/* --- members about both profiles ------------------------------------------------------------------ */

static void write_side(struct hcct_json *json, const struct hcct_diff_side *side)
{
    struct hcct_report report = { .summary = &side->merge.summary,
                                  .phi = side->merge.summary.phi,
                                  .hot_contexts = side->hot_contexts };
    hcct_html_facts(json, &report);
    hcct_html_runs(json, &side->merge.summary);
}

static void write_pair(struct hcct_json *json, const char *key, uint64_t a, uint64_t b)
{
    hcct_json_array(json, key, HCCT_JSON_WORDS);
    hcct_json_unsigned(json, NULL, a);
    hcct_json_unsigned(json, NULL, b);
    hcct_json_end(json);
}

/* The N-th one has the element data-N, unless it is shown at first, or nothing changed in it. */
static void write_values(struct hcct_json *json, const struct hcct_diff_values *values)
{
    hcct_json_array(json, "values", HCCT_JSON_LINES);
    for (uint32_t i = 0; i < values->count; i++) {
        hcct_json_object(json, NULL, HCCT_JSON_WORDS);
        hcct_json_text(json, "name", hcct_heap_value_names[values->value[i]]);
        hcct_json_text(json, "title", hcct_heap_value_titles[values->value[i]]);
        hcct_json_unsigned(json, "changed", values->changed_count[i]);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

/* Whether the sums by function lack nothing: each call that no context has is known to be of a function. */
static bool has_exact_functions(const struct hcct_diff *diff)
{
    return hcct_claim_has_bounds(diff->sure) && diff->side[0].unassigned == diff->side[0].evicted &&
           diff->side[1].unassigned == diff->side[1].evicted;
}

static void write_diff(struct hcct_json *json, const struct hcct_diff *diff,
                       const struct hcct_diff_values *values)
{
    const struct hcct_diff_side *side = diff->side;
    hcct_json_break(json);
    hcct_json_object(json, "diff", HCCT_JSON_WORDS);
    write_side(json, &side[0]);
    hcct_json_bool(json, "same_build", diff->same_build);
    hcct_json_bool(json, "exact_functions", has_exact_functions(diff));
    hcct_json_bool(json, "estimate", diff->sure == HCCT_SURE_CHANCE);
    if (hcct_diff_text_threads(diff))
        hcct_json_text(json, "threads", hcct_diff_text_threads(diff));
    if (diff->sure == HCCT_SURE_NOTHING)
        hcct_json_text(json, "saturated", HCCT_CAPPED);
    hcct_json_unsigned(json, "both", diff->context_count[HCCT_DIFF_BOTH]);
    hcct_json_unsigned(json, "moved", diff->context_count[HCCT_DIFF_MOVED]);
    hcct_json_unsigned(json, "only_a", diff->context_count[HCCT_DIFF_ONLY_A]);
    hcct_json_unsigned(json, "only_b", diff->context_count[HCCT_DIFF_ONLY_B]);
    hcct_json_unsigned(json, "changed", diff->ranked_count);
    hcct_json_unsigned(json, "beyond", diff->beyond_count);
    write_pair(json, "calls", side[0].merge.summary.ground.total, side[1].merge.summary.ground.total);
    write_pair(json, "lost", side[0].dropped, side[1].dropped);
    if (values)
        write_values(json, values);
    hcct_json_end(json);
}

/* Of each node that moved: its parent in A, and its name there. */
static void write_moved(struct hcct_html *page, const struct hcct_diff *diff)
{
    struct hcct_json *json = &page->json;
    const struct hcct_diff_side *side = &diff->side[0];
    hcct_json_break(json);
    hcct_json_object(json, "was", HCCT_JSON_WORDS);
    for (uint32_t i = 0; i < diff->node_count && !ferror(json->out); i++) {
        if (diff->nodes[i].kind != HCCT_DIFF_MOVED)
            continue;
        const struct hcct_tree_node *node = &side->tree.nodes[diff->nodes[i].side[0]];
        char key[16];
        snprintf(key, sizeof key, "%u", page->line_of[i]);
        hcct_json_array(json, key, HCCT_JSON_WORDS);
        hcct_json_index(json, NULL,
                        node->parent == HCCT_NODE_NONE ? HCCT_NODE_NONE
                                                       : page->line_of[diff->of_a[node->parent]]);
        hcct_json_text(json, NULL, side->merge.frames.frames[node->frame].name);
        hcct_json_end(json);
    }
    hcct_json_end(json);
}

static void write_head(struct hcct_html *page)
{
    const struct hcct_diff *diff = diff_of(page);
    write_side(&page->json, &diff->side[1]);
    const struct hcct_summary *summary = &diff->side[1].merge.summary;
    hcct_html_metric(&page->json, summary);
    if (summary->ground.noun->is_heap)
        hcct_json_text(&page->json, "value", hcct_heap_value_names[summary->ground.value]);
    hcct_json_text(&page->json, "sure", hcct_sure_names[diff->sure]);
    write_diff(&page->json, diff, ((const struct subject *)page->subject)->values);
    write_moved(page, diff);
}

/* --- columns -------------------------------------------------------------------------------------- */

static void write_count(struct hcct_html *page, uint32_t node, int which)
{
    const struct hcct_diff_side *side = &diff_of(page)->side[which];
    uint32_t at = node_of(page, node)->side[which], first = diff_of(page)->node_count + 1;
    bool is_counted = hcct_diff_is_counted(side, at);
    uint64_t count = is_counted      ? side->tree.nodes[at].count
                     : node >= first ? joined_of(page)->evicted[node - first].calls[which]
                                     : 0;
    hcct_html_count(&page->json, is_counted || count, count);
}

static void write_before(struct hcct_html *page, uint32_t node)
{
    write_count(page, node, 0);
}

static void write_after(struct hcct_html *page, uint32_t node)
{
    write_count(page, node, 1);
}

static void write_change(struct hcct_html *page, uint32_t node)
{
    const struct hcct_diff_node *it = node_of(page, node);
    hcct_json_printf(&page->json, NULL, "%s%" PRIu64, it->falls ? "-" : "", it->change);
}

/* 0 where the node's counts do not compare. */
static void write_bounds(struct hcct_html *page, uint32_t node)
{
    const struct hcct_diff_node *it = node_of(page, node);
    if (!it->is_context) {
        hcct_json_unsigned(&page->json, NULL, 0);
        return;
    }
    hcct_json_array(&page->json, NULL, HCCT_JSON_DENSE);
    hcct_json_unsigned(&page->json, NULL, it->range[0].low);
    hcct_json_unsigned(&page->json, NULL, it->range[0].high);
    hcct_json_unsigned(&page->json, NULL, it->range[1].low);
    hcct_json_unsigned(&page->json, NULL, it->range[1].high);
    hcct_json_end(&page->json);
}

static void write_kind(struct hcct_html *page, uint32_t node)
{
    hcct_json_unsigned(&page->json, NULL, node_of(page, node)->kind);
}

static void write_beyond(struct hcct_html *page, uint32_t node)
{
    hcct_json_unsigned(&page->json, NULL, node_of(page, node)->beyond);
}

/* --- both trees as one ---------------------------------------------------------------------------- */

/* memcpy, but for empty arrays, which may be NULL. */
static void copy(void *to, const void *from, size_t count, size_t element_bytes)
{
    if (count)
        memcpy(to, from, count * element_bytes);
}

static void join_frames(struct joined *joined, const struct hcct_diff *diff)
{
    const struct hcct_frames *a = &diff->side[0].merge.frames, *b = &diff->side[1].merge.frames;
    struct hcct_frames *to = &joined->frames;
    to->frames = hcct_memory_array((size_t)a->frame_count + b->frame_count, sizeof *to->frames);
    to->sites = hcct_memory_array((size_t)a->site_count + b->site_count, sizeof *to->sites);
    copy(to->frames, a->frames, a->frame_count, sizeof *to->frames);
    copy(to->frames + a->frame_count, b->frames, b->frame_count, sizeof *to->frames);
    copy(to->sites, a->sites, a->site_count, sizeof *to->sites);
    copy(to->sites + a->site_count, b->sites, b->site_count, sizeof *to->sites);
    to->frame_count = a->frame_count + b->frame_count;
    to->site_count = a->site_count + b->site_count;
}

/* The node as B has it, or as A has it where it is not in B. Its count, which siblings are sorted by, is the
 * change. */
static struct hcct_tree_node join_node(const struct hcct_diff *diff, const struct hcct_diff_node *node)
{
    int shown = node->side[1] != HCCT_NODE_NONE;
    const struct hcct_frames *a = &diff->side[0].merge.frames;
    struct hcct_tree_node it = diff->side[shown].tree.nodes[node->side[shown]];
    it.parent = node->parent;
    it.frame += shown ? a->frame_count : 0;
    it.site += shown && it.site != HCCT_FRAMES_NONE ? a->site_count : 0;
    it.count = node->change;
    it.error = 0;
    it.flags = HCCT_NODE_COUNTED | HCCT_NODE_KEPT;
    return it;
}

/* The calls of a frame of B, added if new. `number_of`: per frame its number in the list, from 1. */
static struct evicted *find_evicted(struct joined *joined, uint32_t *number_of, uint32_t frame)
{
    if (!number_of[frame]) {
        hcct_memory_grow(&joined->evicted, &joined->evicted_capacity, joined->evicted_count,
                         sizeof *joined->evicted);
        joined->evicted[joined->evicted_count++] = (struct evicted){ .frame = frame };
        number_of[frame] = joined->evicted_count;
    }
    return &joined->evicted[number_of[frame] - 1];
}

/* Lists the calls that no context has, of both sides. B gets the frames of A that it lacks, and [other]. */
static void join_evicted(struct joined *joined, struct hcct_diff *diff)
{
    static const struct hcct_tree_frame other = {
        .linkage = "", .source = "", .file = "", .kind = HCCT_FRAME_OTHER
    };
    struct hcct_frames *a = &diff->side[0].merge.frames, *b = &diff->side[1].merge.frames;
    uint32_t *number_of = hcct_memory_zeros((size_t)a->frame_count + b->frame_count, sizeof *number_of);
    for (uint32_t i = 0; i < b->frame_count; i++)
        if (b->frames[i].evicted)
            find_evicted(joined, number_of, i)->calls[1] = b->frames[i].evicted;
    for (uint32_t i = 0; i < a->frame_count; i++) {
        struct hcct_tree_frame frame = a->frames[i];
        if (!frame.evicted)
            continue;
        frame.name = NULL;
        frame.evicted = 0;
        struct evicted *it = find_evicted(joined, number_of, hcct_frames_frame(b, &frame));
        it->calls[0] = hcct_sum(it->calls[0], a->frames[i].evicted);
    }
    if (joined->evicted_count)
        joined->other = hcct_frames_frame(b, &other);
    free(number_of);
}

/* Without counts, as these are none of contexts: the columns have them. */
static struct hcct_tree_node other_node(uint32_t parent, uint32_t frame)
{
    return (struct hcct_tree_node){
        .parent = parent, .frame = frame, .site = HCCT_FRAMES_NONE, .flags = HCCT_NODE_KEPT
    };
}

static void join(struct joined *joined, const struct hcct_diff *diff)
{
    struct hcct_tree *tree = &joined->tree;
    uint32_t first = diff->side[0].merge.frames.frame_count; /* of B's frames */
    tree->nodes =
        hcct_memory_array((size_t)diff->node_count + 1 + joined->evicted_count, sizeof *tree->nodes);
    join_frames(joined, diff);
    for (uint32_t i = 0; i < diff->node_count; i++)
        tree->nodes[i] = join_node(diff, &diff->nodes[i]);
    tree->node_count = diff->node_count;
    if (!joined->evicted_count)
        return;
    tree->nodes[tree->node_count++] = other_node(HCCT_NODE_NONE, first + joined->other);
    for (uint32_t i = 0; i < joined->evicted_count; i++)
        tree->nodes[tree->node_count++] = other_node(diff->node_count, first + joined->evicted[i].frame);
}

/* As the page of a profile has them. */
static void make_names(struct hcct_diff *diff, enum hcct_names names)
{
    const struct hcct_report_options options = { .format = &hcct_format_html,
                                                 .names = names,
                                                 .names_given = true };
    for (int which = 0; which < 2; which++) {
        struct hcct_frames *frames = &diff->side[which].merge.frames;
        for (uint32_t i = 0; i < frames->frame_count; i++)
            hcct_frames_rename(frames, i, names);
        hcct_names_make(frames, &diff->side[which].tree, &options);
    }
}

typedef void print_what(FILE *out, const struct hcct_report *report, const struct hcct_html_content *content);

static void print(print_what *what, FILE *out, struct hcct_diff *diff, const struct hcct_diff_values *values,
                  enum hcct_names names)
{
    static const struct hcct_html_column columns[] = {
        { "count", write_after, 0 },
        { "before", write_before, 0 },
        { "change", write_change, 0 },
        { "bounds", write_bounds, 0 },
        { "match", write_kind, 0 },
        { "hot", write_beyond, 0 },
        { NULL, NULL, 0 },
    };
    struct joined joined = { 0 };
    struct hcct_report report = { .summary = &diff->side[1].merge.summary,
                                  .frames = &joined.frames,
                                  .tree = &joined.tree,
                                  .by = HCCT_BY_LINE };
    const struct subject subject = { diff, values, &joined };
    const struct hcct_html_content content = { .subject = &subject,
                                               .head = write_head,
                                               .columns = columns,
                                               .names = names,
                                               .parts = values ? values->parts : NULL,
                                               .part_count = values ? values->count : 0 };
    join_evicted(&joined, diff);
    make_names(diff, names);
    join(&joined, diff);
    what(out, &report, &content);
    free(joined.frames.frames); /* their names are the sides' */
    free(joined.frames.sites);
    free(joined.evicted);
    hcct_tree_free(&joined.tree);
}

void hcct_diff_print_html(FILE *out, struct hcct_diff *diff, const struct hcct_diff_values *values,
                          enum hcct_names names)
{
    print(hcct_html_page, out, diff, values, names);
}

/* --- the values of two heaps ---------------------------------------------------------------------- */

static void print_part(struct hcct_report_part *part, struct hcct_diff *diff, enum hcct_names names)
{
    FILE *out = hcct_memory_got(open_memstream(&part->text, &part->length));
    print(hcct_html_object, out, diff, NULL, names);
    if (fclose(out))
        hcct_memory_end();
}

/* The difference of one value, if there is any. */
static bool make(struct hcct_report_part *part, uint32_t *changed_count,
                 const struct hcct_profile *const profiles[2], int value,
                 const struct hcct_diff_options *options, struct hcct_error *error)
{
    struct hcct_diff_options of_value = *options;
    struct hcct_diff diff;
    for (int i = 0; i < 2; i++)
        of_value.choice[i] = (struct hcct_choice){ .value = value, .is_one_value = true };
    if (!hcct_diff_build(&diff, profiles[0], profiles[1], &of_value, error))
        return false;
    *changed_count = diff.ranked_count;
    if (diff.ranked_count)
        print_part(part, &diff, options->names);
    hcct_diff_free(&diff);
    return true;
}

bool hcct_diff_values_make(struct hcct_diff_values *values, const struct hcct_profile *const profiles[2],
                           const struct hcct_diff *shown, const struct hcct_diff_options *options,
                           struct hcct_error *error)
{
    bool done = true;
    memset(values, 0, sizeof *values);
    for (int value = 0; done && value < HCCT_HEAP_VALUE_COUNT; value++) {
        if (!hcct_choice_value(profiles[0], value) || !hcct_choice_value(profiles[1], value))
            continue;
        uint32_t at = values->count++;
        values->value[at] = value;
        if (value == shown->side[1].merge.summary.ground.value)
            values->changed_count[at] = shown->ranked_count;
        else
            done = make(&values->parts[at], &values->changed_count[at], profiles, value, options, error);
    }
    if (!done)
        hcct_diff_values_free(values);
    return done;
}

void hcct_diff_values_free(struct hcct_diff_values *values)
{
    for (uint32_t i = 0; i < values->count; i++)
        free(values->parts[i].text);
    memset(values, 0, sizeof *values);
}
