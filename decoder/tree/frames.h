/* The frames and call sites that the nodes of a calling context tree refer to, each stored once.
 *
 * Invariants
 *   1. two functions of one profile are two frames, even if they look the same to a reader;
 *   2. equal frames and sites of several profiles of one build are one. With `loose` (several programs,
 *      --force) names and lines alone make them equal. With `objects` (one program that loaded other objects)
 *      they do so for an object whose builds differ. Of the other objects, functions of one name and line in
 *      one object are one frame, and sites are told apart by their ids;
 *   3. strings belong to the profiles' bytes, which outlive the frames, or to the frames
 *      (hcct_frames_own). */
#ifndef HCCT_DECODER_TREE_FRAMES_H
#define HCCT_DECODER_TREE_FRAMES_H

#include "decoder/names/symbol.h"
#include "decoder/store/table.h"
#include "decoder/tree/objects.h"

enum hcct_frame_kind {
    HCCT_FRAME_FUNCTION,
    HCCT_FRAME_INLINED,
    HCCT_FRAME_EXTERNAL, /* [qsort] */
    HCCT_FRAME_SIGNAL,   /* [signal 14] */
    HCCT_FRAME_UNKNOWN,  /* [unknown] */
    /* [thread worker 3]; `source` is its name if the program gave it one. Several joined ones have the number
     * 0: [threads worker] */
    HCCT_FRAME_THREAD,
    HCCT_FRAME_REPEAT, /* [xN]: a cycle that was folded; N is the node's `site` */
    HCCT_FRAME_FOLDED, /* [std]: a run of functions, see --fold */
    HCCT_FRAME_OTHER,  /* [other]: contexts that are not shown, see other.h */
    HCCT_FRAME_KIND_COUNT
};
extern const char *const hcct_kind_names[HCCT_FRAME_KIND_COUNT]; /* in json, csv and the page */

struct hcct_tree_frame {
    const char *linkage;
    const char *source;
    const char *file;
    const char *object, *object_build_id; /* function: where it was loaded from; NULL for others */
    char *name;                           /* what is shown; hcct_frames_name makes it */
    /* Function: its base, which tells copies of it apart; 0 if only calls of it are counted. Signal: its
     * number. Repeat: the cycle's length. */
    uint64_t number;
    const char *start; /* thread: the linkage name of the function that it began with; NULL: not known */
    uint64_t evicted;  /* calls of a function that no context has (struct hcct_file_function) */
    uint32_t line;
    uint8_t kind; /* enum hcct_frame_kind */
    bool local;
    bool loose; /* names and lines alone tell it apart */
};

struct hcct_tree_site {
    const char *file; /* empty: not known */
    uint64_t id;
    uint32_t line;
    uint32_t column;
    uint32_t ordinal; /* of the call in its function, from 1; 0: a frame was inlined here */
    uint32_t discriminator;
    bool inlines; /* a frame was inlined here */
    bool loose;
};

/* Where in the code samples were taken. */
struct hcct_tree_place {
    uint64_t site;                        /* format/layout.h */
    const char *object, *object_build_id; /* NULL: the profile does not tell */
};

struct hcct_frames {
    struct hcct_tree_frame *frames;
    struct hcct_tree_site *sites;
    struct hcct_tree_place *places;
    uint32_t frame_count, frame_capacity, site_count, site_capacity, place_count, place_capacity;
    struct hcct_table frame_table, site_table, place_table;
    char **owned; /* strings that are no profile's */
    uint32_t owned_count, owned_capacity;
    const char *ellipsis; /* in short names; NULL: "…". Read it by hcct_frames_ellipsis. */
    bool loose;
    const struct hcct_objects *objects; /* NULL: of one build, or loose; else the objects of all profiles */
};

#define HCCT_FRAMES_NONE UINT32_MAX

/* Sets `evicted` of all frames to 0: where a query chose contexts, nobody knows which part of it is theirs.
 * The next one is the sum over all frames. */
void hcct_frames_drop_evicted(struct hcct_frames *frames);
uint64_t hcct_frames_evicted(const struct hcct_frames *frames);

/* The index of that frame, site or place, added if new. */
uint32_t hcct_frames_frame(struct hcct_frames *frames, const struct hcct_tree_frame *frame);
/* As hcct_frames_frame, but a new frame gets copies of linkage, source and file, so that these need not
 * outlive the frames. Other strings are not copied. */
uint32_t hcct_frames_keep(struct hcct_frames *frames, const struct hcct_tree_frame *frame);
uint32_t hcct_frames_site(struct hcct_frames *frames, const struct hcct_tree_site *site);
uint32_t hcct_frames_place(struct hcct_frames *frames, const struct hcct_tree_place *place);

/* A number made of what tells frames and sites of several numberings apart: the same in all of them. Two that
 * differ have the same with a probability of 2^-64. */
uint64_t hcct_frames_frame_key(const struct hcct_frames *frames, const struct hcct_tree_frame *frame);
uint64_t hcct_frames_site_key(const struct hcct_frames *frames, const struct hcct_tree_site *site);

/* Gives the frames a string from malloc, to be freed with them. */
void hcct_frames_own(struct hcct_frames *frames, char *text);

/* The name to show, made on first use. */
const char *hcct_frames_name(struct hcct_frames *frames, uint32_t frame, enum hcct_names names);
/* Another name instead. */
void hcct_frames_rename(struct hcct_frames *frames, uint32_t frame, enum hcct_names names);
/* A name from malloc, whatever is shown. */
char *hcct_frames_text(const struct hcct_frames *frames, uint32_t frame, enum hcct_names names);

const char *hcct_frames_ellipsis(const struct hcct_frames *frames);

void hcct_frames_free(struct hcct_frames *frames);

/* What tells two contexts apart (--by). */
enum hcct_frames_by {
    HCCT_BY_SITE,
    HCCT_BY_PLACE, /* as by site, but copies of one place, as inlining makes them, are one; for people */
    HCCT_BY_LINE,
    HCCT_BY_FUNCTION,
    HCCT_BY_THREAD, /* all contexts of a thread are one; for reports */
};

/* Fills frame_group[frame_count] and site_group[site_count]: for each element the smallest index of those
 * that `by` takes for equal. By function all sites are HCCT_FRAMES_NONE. */
void hcct_frames_group(const struct hcct_frames *frames, enum hcct_frames_by by, uint32_t *frame_group,
                       uint32_t *site_group);

/* Fills frame_group[frame_count]: frames whose shown names are equal are one. All names must have been
 * made. */
void hcct_frames_group_by_name(const struct hcct_frames *frames, uint32_t *frame_group);

/* Appends " (file)" to the name of a used local function if another used one of that name is in another file.
 * The names of used frames must have been made; by_name is what hcct_frames_group_by_name filled. */
void hcct_frames_tell_apart(struct hcct_frames *frames, const bool *used, const uint32_t *by_name);

#endif
