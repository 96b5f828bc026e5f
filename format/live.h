/* The file that a run with continuous=1 counts in, and that a kill leaves: the runtime's own tables, mapped.
 * docs/format.md tells how it is read. At a normal end the profile of layout.h takes its place.
 *
 *     struct hcct_live_header        at 0
 *     struct hcct_live_state         at HCCT_LIVE_PAGE
 *     pieces, each at a multiple of HCCT_LIVE_PAGE, in any order, none overlapping another
 *
 * Invariants, at every instruction of every thread
 *   1. the pieces of the header's table exist, and what the header points at is whole;
 *   2. a slot with a key has its own count, side and node; an entry with a key its own count, error and node;
 *   3. calls = entries + slots beyond what was drained + batches beyond what was drained. Two things may be
 *      missing: the `move` under way, of which a reader finds out whether it was done, and one call of each
 *      thread.
 * A process that is killed has executed a prefix of each thread's instructions. So the order of stores in the
 * program is all that this needs, on every processor. */
#ifndef HCCT_FORMAT_LIVE_H
#define HCCT_FORMAT_LIVE_H

#include <stddef.h>
#include <stdint.h>

#define HCCT_LIVE_MAGIC "HCCTLIV\n" /* 8 bytes, no terminator */
#define HCCT_LIVE_VERSION 1
#define HCCT_LIVE_PAGE 4096
#define HCCT_LIVE_PIECES 16000
#define HCCT_LIVE_HEADER_BYTES (98 * HCCT_LIVE_PAGE)

enum hcct_live_kind {
    HCCT_LIVE_FREE = 0,
    HCCT_LIVE_STATIC = 1, /* a whole profile (format.h) with no entries: functions, sites, strings, objects */
    HCCT_LIVE_SUMMARY = 2, /* struct hcct_live_summary; mode=hcct */
    HCCT_LIVE_NODES = 3,   /* struct hcct_live_node[]; all such pieces together are one array */
    HCCT_LIVE_EXACT = 4,   /* struct hcct_live_exact[]; mode=cct */
    HCCT_LIVE_WORKER = 5,  /* struct hcct_live_worker */
    HCCT_LIVE_PINS = 6,    /* struct hcct_live_pin[], in no order */
};

struct hcct_live_piece {
    uint64_t offset; /* in the file */
    uint64_t bytes;
    uint64_t address; /* in the process */
};

struct hcct_live_header {
    char magic[8];
    uint32_t version;
    uint32_t header_bytes; /* HCCT_LIVE_HEADER_BYTES */
    uint32_t piece_count;
    uint32_t static_piece; /* index + 1, as the next two; 0: none yet */
    uint32_t exact_piece;
    uint32_t process;                /* that counts here; 0: not known */
    uint8_t kinds[HCCT_LIVE_PIECES]; /* enum hcct_live_kind: FREE until the piece is whole */
    struct hcct_live_piece pieces[HCCT_LIVE_PIECES];
};

enum hcct_live_move_kind { HCCT_LIVE_MOVE_NONE = 0, HCCT_LIVE_MOVE_SLOT = 1, HCCT_LIVE_MOVE_BATCH = 2 };

/* What is being handed over to the tables, under the table lock. */
struct hcct_live_move {
    uint64_t worker; /* address */
    uint64_t count;  /* of the slot, all that will be drained then */
    uint64_t total;  /* of the tables before */
    uint32_t at;     /* slot, or first key of the batch */
    uint32_t kind;   /* enum hcct_live_move_kind; written last, and first when done */
};

/* The beginning of struct hcct_tables (runtime/core/tables.h). */
struct hcct_live_state {
    struct hcct_live_move move;
    uint64_t dropped_memory;
    uint64_t dropped_interrupted;
    uint64_t stale;
    uint64_t overflowed;
    uint64_t running; /* what the slots count while this is 0 does not count */
    uint64_t exact_unused[3];
    uint64_t exact_total;
    uint64_t exact_dropped;
};

/* The beginning of a summary (runtime/stream/space_saving.c). */
struct hcct_live_summary {
    uint64_t total;
    uint64_t floor;
    uint64_t undo_total; /* the total with the weight that these are about: they hold if it is `total` */
    uint64_t undo_count; /* of the counter that the weight is added to, before; UINT64_MAX: a newcomer's */
    uint32_t undo_place;
    uint32_t capacity;
    uint64_t counters_offset; /* struct hcct_live_counter[capacity], from here */
};

struct hcct_live_counter {
    uint64_t key; /* 0: none */
    uint64_t count;
    uint64_t error;
    uint32_t unused;
    uint32_t node; /* index into the nodes; 0: none */
};

struct hcct_live_exact {
    uint64_t key; /* 0: none */
    uint64_t count;
    uint32_t node;
    uint32_t unused;
};

struct hcct_live_node {
    uint64_t h;
    uint64_t word;
    uint64_t site;
    uint32_t parent;
    uint32_t references;
    uint32_t kind; /* enum hcct_prefix_kind */
    uint32_t unused;
};

struct hcct_live_pin {
    uint64_t word; /* 0: none; written last */
    uint32_t node;
    uint32_t unused;
};

#define HCCT_LIVE_SLOTS 16384
#define HCCT_LIVE_BATCH_KEYS 510

struct hcct_live_slot {
    uint64_t key; /* 0: none */
    uint64_t count;
};

struct __attribute__((packed, aligned(4))) hcct_live_side {
    uint64_t drained;
    uint32_t node;
};

struct hcct_live_worker {
    struct hcct_live_side sides[HCCT_LIVE_SLOTS]; /* the last slot's first */
    uint64_t batch[HCCT_LIVE_BATCH_KEYS];
    uint32_t batch_count, batch_drained;
    uint64_t batch_unused;
    struct hcct_live_slot slots[HCCT_LIVE_SLOTS];
};

static inline const struct hcct_live_side *hcct_live_side_of(const struct hcct_live_worker *worker,
                                                             uint32_t slot)
{
    return &worker->sides[HCCT_LIVE_SLOTS - 1 - slot];
}

_Static_assert(sizeof(struct hcct_live_header) <= HCCT_LIVE_HEADER_BYTES, "file layout");
_Static_assert(sizeof(struct hcct_live_state) <= HCCT_LIVE_PAGE, "file layout");
_Static_assert(sizeof(struct hcct_live_counter) == 32, "file layout");
_Static_assert(sizeof(struct hcct_live_exact) == 24, "file layout");
_Static_assert(sizeof(struct hcct_live_node) == 40, "file layout");
_Static_assert(sizeof(struct hcct_live_pin) == 16, "file layout");
_Static_assert(sizeof(struct hcct_live_worker) == 113 * HCCT_LIVE_PAGE, "file layout");

#endif
