/* The call paths of a program and their stack heights: the path map (Mytkowicz, Coughlin, Diwan, "Inferred
 * Call Path Profiling", OOPSLA 2009, sections 4.2 and 8.4).
 *
 * A path is a sequence of functions, without call sites, as in the paper. Paths come from profiles of an
 * instrumented build; heights come from the binary that is to be sampled (binary.h), whose frames are its
 * own. A path has a height for each sum of the frames' bytes over its calls: mostly one, more if a function
 * calls another with several sizes of its frame, and equal ones if other calls on the way are tail calls. The
 * pair of the last function and a height is the context identifier (CID).
 *
 * Invariants
 *   1. a path's parent has a smaller index; path 0 is the empty one;
 *   2. a path that is lost has no heights, nor has any path below it. */
#ifndef HCCT_HEIGHTS_INFER_PATHS_H
#define HCCT_HEIGHTS_INFER_PATHS_H

#include "decoder/store/profile.h"
#include "decoder/store/table.h"
#include "heights/infer/binary.h"

/* Why a path has no height. */
enum hcct_path_loss {
    HCCT_PATH_FOUND,
    HCCT_PATH_OUTSIDE,     /* a caller is no function of the profile: [qsort], [signal 14], [unknown] */
    HCCT_PATH_NO_FUNCTION, /* the binary lacks a function, or has it in another object */
    HCCT_PATH_NO_CALL,     /* the binary has no such call */
    HCCT_PATH_NO_SIZE,     /* a frame has no fixed size */
    HCCT_PATH_TOO_MANY,    /* more than HCCT_PATH_HEIGHTS heights */
    HCCT_PATH_LOSS_COUNT
};
extern const char *const hcct_path_loss_names[HCCT_PATH_LOSS_COUNT];

enum { HCCT_PATH_HEIGHTS = 64 };

/* Which profile a path was in. */
enum { HCCT_PATHS_TRAINING, HCCT_PATHS_TESTED };

struct hcct_stack_path {
    uint64_t calls[2];
    uint32_t parent, function; /* of the binary; HCCT_STACK_NONE: the path is lost */
    uint32_t first, count;     /* its heights */
    uint32_t frame;            /* of a path that is lost */
    uint8_t in;                /* bits: 1 << HCCT_PATHS_TRAINING, ... */
    uint8_t loss;              /* enum hcct_path_loss */
};

/* What the profiles say of a function of the binary; linkage NULL: nothing. */
struct hcct_stack_source {
    char *linkage, *source, *file;
    uint32_t line;
};

/* What a height of a path was made of: a height of the parent, and the bytes of the caller's frame. */
struct hcct_stack_origin {
    uint32_t height; /* HCCT_STACK_NONE: the path is a thread's first function */
    int64_t bytes;
    uint64_t way;   /* a sum over the calls, which tells who makes them to whom, and which are tail calls */
    bool is_framed; /* the caller's frame is there: no tail call */
};

/* A path at one of its heights. */
struct hcct_stack_cid {
    int64_t height;
    uint32_t function, path;
};

struct hcct_stack_paths {
    const struct hcct_stack_binary *binary;
    struct hcct_stack_path *paths;
    struct hcct_stack_source *sources; /* by function of the binary */
    int64_t *heights;
    struct hcct_stack_origin *origins; /* of each height */
    struct hcct_stack_cid *cids;       /* by function, height and path */
    uint32_t count, capacity, height_count, height_capacity, origin_capacity, cid_count;
    struct hcct_table table;
};

bool hcct_paths_open(struct hcct_stack_paths *paths, const struct hcct_stack_binary *binary);
void hcct_paths_close(struct hcct_stack_paths *paths);
/* Adds the paths of a profile. False when memory is out. */
bool hcct_paths_add(struct hcct_stack_paths *paths, const struct hcct_profile *profile, int which);
/* Finds the heights of all paths, and lists the CIDs. False when memory is out. */
bool hcct_paths_measure(struct hcct_stack_paths *paths);
/* The CIDs of that function: *from to *to. */
void hcct_paths_of(const struct hcct_stack_paths *paths, uint32_t function, uint32_t *from, uint32_t *to);
/* The CIDs of that function and height: *from to *to. */
void hcct_paths_find(const struct hcct_stack_paths *paths, uint32_t function, int64_t height, uint32_t *from,
                     uint32_t *to);

#endif
