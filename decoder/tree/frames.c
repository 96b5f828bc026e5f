/* Frames and sites, see frames.h. A hash table finds them by their identity (same_frame, same_site). How much
 * of a frame belongs to its identity depends on --by, which the key of the table carries (struct view). */
#include "decoder/tree/frames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/names/symbol.h"
#include "decoder/store/sum.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

const char *const hcct_kind_names[] = { "function", "inlined", "external", "signal", "unknown",
                                        "thread",   "repeat",  "folded",   "other" };

/* The elements to compare, and how much of them belongs to their identity. */
struct view {
    const struct hcct_frames *frames;
    enum hcct_frames_by by;
};

/* Whether all that is known of an element tells it apart, and not only names and lines. */
static bool is_exact(const struct view *view, bool loose)
{
    return view->by < HCCT_BY_LINE && !view->frames->loose && !loose;
}

static const char *file_key(const struct view *view, bool exact, const char *file)
{
    bool several = view->frames->loose || view->frames->objects;
    return several && !exact ? hcct_text_base_name(file) : file;
}

/* By function, the file matters for local functions; and for inlined frames, which may be local. */
static bool file_counts(bool exact, const struct hcct_tree_frame *frame)
{
    return exact || frame->kind == HCCT_FRAME_INLINED || frame->local;
}

/* A signal and a cycle have only their number. A function's is its place in the numbering. */
static bool number_counts(const struct view *view, bool exact, const struct hcct_tree_frame *frame)
{
    return (exact && !view->frames->objects) || frame->kind == HCCT_FRAME_SIGNAL ||
           frame->kind == HCCT_FRAME_THREAD || frame->kind == HCCT_FRAME_REPEAT;
}

/* Where numberings differ, the object's build tells functions apart. */
static const char *object_key(const struct view *view, bool exact, const struct hcct_tree_frame *frame)
{
    return exact && view->frames->objects && frame->object_build_id ? frame->object_build_id : "";
}

static uint64_t hash_frame(const struct view *view, const struct hcct_tree_frame *frame)
{
    bool exact = frame->kind != HCCT_FRAME_EXTERNAL && is_exact(view, frame->loose);
    uint64_t hash = hcct_hash_step(frame->kind, number_counts(view, exact, frame) ? frame->number : 0);
    hash = hcct_hash_text(hash, frame->linkage,
                          exact ? strlen(frame->linkage) : hcct_symbol_stem(frame->linkage));
    if (file_counts(exact, frame)) {
        const char *file = file_key(view, exact, frame->file);
        hash = hcct_hash_text(hash, file, strlen(file));
    }
    if (!exact)
        return hash;
    const char *object = object_key(view, exact, frame);
    return hcct_hash_text(hcct_hash_step(hash, frame->line), object, strlen(object));
}

static bool same_frame(const void *array, uint32_t index, const void *key)
{
    const struct view *view = array;
    const struct hcct_tree_frame *a = &view->frames->frames[index], *b = key;
    bool exact = is_exact(view, a->loose);
    if (a->kind != b->kind || exact != is_exact(view, b->loose) ||
        (number_counts(view, exact, a) && a->number != b->number))
        return false;
    size_t length = hcct_symbol_stem(a->linkage);
    if (length != hcct_symbol_stem(b->linkage) || memcmp(a->linkage, b->linkage, length))
        return false;
    if (file_counts(exact, a) != file_counts(exact, b))
        return false;
    if (exact && (strcmp(a->linkage, b->linkage) || a->line != b->line ||
                  strcmp(object_key(view, exact, a), object_key(view, exact, b))))
        return false;
    return !file_counts(exact, a) || !strcmp(file_key(view, exact, a->file), file_key(view, exact, b->file));
}

/* Known lines tell sites apart; without a line, the id does. */
static bool id_counts(const struct view *view, bool exact, const struct hcct_tree_site *site)
{
    if (!site->line)
        return true;
    return exact && !(view->by == HCCT_BY_PLACE && (site->inlines || site->column));
}

static uint64_t hash_site(const struct view *view, const struct hcct_tree_site *site)
{
    bool exact = is_exact(view, site->loose);
    const char *file = file_key(view, exact, site->file);
    uint64_t hash = hcct_hash_step(site->line, exact ? site->column : 0);
    hash = hcct_hash_step(hash, id_counts(view, exact, site) ? site->id : 0);
    return hcct_hash_text(hash, file, strlen(file));
}

static bool same_site(const void *array, uint32_t index, const void *key)
{
    const struct view *view = array;
    const struct hcct_tree_site *a = &view->frames->sites[index], *b = key;
    bool exact = is_exact(view, a->loose);
    if (a->line != b->line || exact != is_exact(view, b->loose) ||
        (exact && (a->column != b->column || a->inlines != b->inlines)))
        return false;
    if (exact && view->by == HCCT_BY_SITE && a->discriminator != b->discriminator)
        return false;
    bool counts = id_counts(view, exact, a);
    if (counts != id_counts(view, exact, b) || (counts && a->id != b->id))
        return false;
    return !strcmp(file_key(view, exact, a->file), file_key(view, exact, b->file));
}

uint64_t hcct_frames_frame_key(const struct hcct_frames *frames, const struct hcct_tree_frame *frame)
{
    return hash_frame(&(struct view){ frames, HCCT_BY_SITE }, frame);
}

uint64_t hcct_frames_site_key(const struct hcct_frames *frames, const struct hcct_tree_site *site)
{
    return hash_site(&(struct view){ frames, HCCT_BY_SITE }, site);
}

uint32_t hcct_frames_frame(struct hcct_frames *frames, const struct hcct_tree_frame *frame)
{
    struct view view = { frames, HCCT_BY_SITE };
    uint32_t hash = (uint32_t)hash_frame(&view, frame);
    uint32_t found = hcct_table_find(&frames->frame_table, hash, same_frame, &view, frame);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_grow(&frames->frames, &frames->frame_capacity, frames->frame_count, sizeof *frame);
    hcct_memory_add(&frames->frame_table, hash, frames->frame_count);
    frames->frames[frames->frame_count] = *frame;
    return frames->frame_count++;
}

static const char *copy(struct hcct_frames *frames, const char *text)
{
    char *kept = hcct_memory_print("%s", text);
    hcct_frames_own(frames, kept);
    return kept;
}

uint32_t hcct_frames_keep(struct hcct_frames *frames, const struct hcct_tree_frame *frame)
{
    uint32_t index = hcct_frames_frame(frames, frame);
    struct hcct_tree_frame *it = &frames->frames[index];
    if (it->linkage == frame->linkage) { /* it is new */
        it->linkage = copy(frames, frame->linkage);
        it->source = copy(frames, frame->source);
        it->file = copy(frames, frame->file);
    }
    return index;
}

uint32_t hcct_frames_site(struct hcct_frames *frames, const struct hcct_tree_site *site)
{
    struct view view = { frames, HCCT_BY_SITE };
    uint32_t hash = (uint32_t)hash_site(&view, site);
    uint32_t found = hcct_table_find(&frames->site_table, hash, same_site, &view, site);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_grow(&frames->sites, &frames->site_capacity, frames->site_count, sizeof *site);
    hcct_memory_add(&frames->site_table, hash, frames->site_count);
    frames->sites[frames->site_count] = *site;
    return frames->site_count++;
}

/* The site has a hash of the object's name, and a profile has one object with it. */
static bool same_place(const void *array, uint32_t index, const void *key)
{
    const struct hcct_tree_place *a = (const struct hcct_tree_place *)array + index, *b = key;
    return a->site == b->site;
}

uint32_t hcct_frames_place(struct hcct_frames *frames, const struct hcct_tree_place *place)
{
    uint32_t hash = (uint32_t)hcct_hash_step(0, place->site);
    uint32_t found = hcct_table_find(&frames->place_table, hash, same_place, frames->places, place);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_grow(&frames->places, &frames->place_capacity, frames->place_count, sizeof *place);
    hcct_memory_add(&frames->place_table, hash, frames->place_count);
    frames->places[frames->place_count] = *place;
    return frames->place_count++;
}

/* "[thread worker 3]": the name that the program gave it, or that of the function that it began with. */
static char *thread_name(const struct hcct_tree_frame *frame, enum hcct_names names, const char *ellipsis)
{
    char *name = *frame->source || !*frame->linkage
                     ? hcct_memory_print("%s", frame->source)
                     : hcct_symbol_display(frame->linkage, "", names, ellipsis);
    char *text = frame->number
                     ? hcct_memory_print("[thread %s%s%" PRIu64 "]", name, *name ? " " : "", frame->number)
                     : hcct_memory_print("[threads %s]", *name ? name : "?");
    free(name);
    return text;
}

const char *hcct_frames_ellipsis(const struct hcct_frames *frames)
{
    return frames->ellipsis ? frames->ellipsis : "…";
}

char *hcct_frames_text(const struct hcct_frames *frames, uint32_t index, enum hcct_names names)
{
    const struct hcct_tree_frame *frame = &frames->frames[index];
    const char *ellipsis = hcct_frames_ellipsis(frames);
    bool is_external = frame->kind == HCCT_FRAME_EXTERNAL;
    char *name, *text;
    switch (frame->kind) {
    case HCCT_FRAME_UNKNOWN:
        return hcct_memory_print("[unknown]");
    case HCCT_FRAME_REPEAT:
        return hcct_memory_print("[x]");
    case HCCT_FRAME_OTHER:
        return hcct_memory_print("[other]");
    case HCCT_FRAME_FOLDED:
        return hcct_memory_print("[%s]", frame->linkage);
    case HCCT_FRAME_SIGNAL:
        return hcct_memory_print("[signal %" PRIu64 "]", frame->number);
    case HCCT_FRAME_THREAD:
        return thread_name(frame, names, ellipsis);
    default:
        name = hcct_symbol_display(frame->linkage, is_external ? "" : frame->source, names, ellipsis);
    }
    if (*name && !is_external)
        return name;
    text = is_external ? hcct_memory_print("[%s]", name)
                       : hcct_memory_print("%s", *frame->source ? frame->source : "(no name)");
    free(name);
    return text;
}

const char *hcct_frames_name(struct hcct_frames *frames, uint32_t frame, enum hcct_names names)
{
    struct hcct_tree_frame *it = &frames->frames[frame];
    if (!it->name)
        it->name = hcct_frames_text(frames, frame, names);
    return it->name;
}

void hcct_frames_rename(struct hcct_frames *frames, uint32_t frame, enum hcct_names names)
{
    free(frames->frames[frame].name);
    frames->frames[frame].name = hcct_frames_text(frames, frame, names);
}

void hcct_frames_own(struct hcct_frames *frames, char *text)
{
    hcct_memory_grow(&frames->owned, &frames->owned_capacity, frames->owned_count, sizeof(char *));
    frames->owned[frames->owned_count++] = text;
}

void hcct_frames_free(struct hcct_frames *frames)
{
    while (frames->owned_count)
        free(frames->owned[--frames->owned_count]);
    free(frames->owned);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        free(frames->frames[i].name);
    free(frames->frames);
    free(frames->sites);
    free(frames->places);
    hcct_table_free(&frames->frame_table);
    hcct_table_free(&frames->site_table);
    hcct_table_free(&frames->place_table);
    *frames = (struct hcct_frames){ 0 };
}

/* The first of the elements that are equal to number `index`, and were grouped. */
static uint32_t group_of(struct hcct_table *table, uint64_t hash, hcct_table_equal *equal, const void *array,
                         uint32_t index, const void *key)
{
    uint32_t found = hcct_table_find(table, (uint32_t)hash, equal, array, key);
    if (found != HCCT_TABLE_NONE)
        return found;
    hcct_memory_add(table, (uint32_t)hash, index);
    return index;
}

void hcct_frames_group(const struct hcct_frames *frames, enum hcct_frames_by by, uint32_t *frame_group,
                       uint32_t *site_group)
{
    struct view view = { frames, by };
    struct hcct_table frame_table = { 0 }, site_table = { 0 };
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        const struct hcct_tree_frame *frame = &frames->frames[i];
        frame_group[i] = group_of(&frame_table, hash_frame(&view, frame), same_frame, &view, i, frame);
    }
    for (uint32_t i = 0; i < frames->site_count; i++) {
        const struct hcct_tree_site *site = &frames->sites[i];
        site_group[i] = by == HCCT_BY_FUNCTION
                            ? HCCT_FRAMES_NONE
                            : group_of(&site_table, hash_site(&view, site), same_site, &view, i, site);
    }
    hcct_table_free(&frame_table);
    hcct_table_free(&site_table);
}

static bool same_name(const void *array, uint32_t index, const void *key)
{
    const struct hcct_frames *frames = array;
    const struct hcct_tree_frame *a = &frames->frames[index], *b = key;
    return (a->kind == HCCT_FRAME_REPEAT) == (b->kind == HCCT_FRAME_REPEAT) &&
           (a->kind == HCCT_FRAME_OTHER) == (b->kind == HCCT_FRAME_OTHER) && !strcmp(a->name, b->name);
}

void hcct_frames_group_by_name(const struct hcct_frames *frames, uint32_t *frame_group)
{
    struct hcct_table table = { 0 };
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        const char *name = frames->frames[i].name; /* NULL: it is not used */
        frame_group[i] = name ? group_of(&table, hcct_hash_text(0, name, strlen(name)), same_name, frames, i,
                                         &frames->frames[i])
                              : i;
    }
    hcct_table_free(&table);
}

/* The local functions of one name: `several` if they are of two files, `ambiguous` if two of these files have
 * one base name. */
struct namesake {
    const char *file;
    bool several, ambiguous;
};

static void note_namesake(struct namesake *of, const struct hcct_tree_frame *frame)
{
    if (!of->file) {
        of->file = frame->file;
        return;
    }
    if (!strcmp(of->file, frame->file))
        return;
    of->several = true;
    of->ambiguous |= !strcmp(hcct_text_base_name(of->file), hcct_text_base_name(frame->file));
}

void hcct_frames_tell_apart(struct hcct_frames *frames, const bool *used, const uint32_t *by_name)
{
    struct namesake *namesakes = hcct_memory_zeros(frames->frame_count, sizeof *namesakes);
    for (uint32_t i = 0; i < frames->frame_count; i++)
        if (used[i] && frames->frames[i].local)
            note_namesake(&namesakes[by_name[i]], &frames->frames[i]);
    for (uint32_t i = 0; i < frames->frame_count; i++) {
        struct hcct_tree_frame *frame = &frames->frames[i];
        const struct namesake *of = &namesakes[by_name[i]];
        if (!used[i] || !frame->local || !of->several)
            continue;
        char *name = frame->name;
        frame->name = hcct_memory_print("%s (%s)", name,
                                        of->ambiguous ? frame->file : hcct_text_base_name(frame->file));
        free(name);
    }
    free(namesakes);
}

void hcct_frames_drop_evicted(struct hcct_frames *frames)
{
    for (uint32_t i = 0; i < frames->frame_count; i++)
        frames->frames[i].evicted = 0;
}

uint64_t hcct_frames_evicted(const struct hcct_frames *frames)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < frames->frame_count; i++)
        sum = hcct_sum(sum, frames->frames[i].evicted);
    return sum;
}
