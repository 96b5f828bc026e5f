/* See recover.h. First it finds out whether the move that was under way when the process ended was done
 * (finish_move). Then it adds what slots and batches hold, beyond what was drained, to what the tables hold.
 *
 * Invariants of what comes out, for every key with true weight w, estimate c and error e, except for one call
 * of each thread
 *   1. c - e <= w <= c; in mode=cct e = 0;
 *   2. a key without an entry has w <= floor. A key that is in a slot or a batch, and not in the summary, had
 *      at most the floor before.
 * Cost: O(n log n) for n slots, entries and keys in batches. */
#include "decoder/profile/recover.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/profile/pack.h"
#include "decoder/profile/profile.h"
#include "decoder/profile/reader.h"
#include "decoder/profile/sum.h"
#include "encoding/context.h"
#include "format/error.h"
#include "format/live.h"

/* What one place holds of a key. */
struct item {
    uint64_t key, count, error;
    uint32_t node;
    bool is_entry; /* from the tables: `count` includes the floor */
};

struct recovery {
    const unsigned char *bytes;
    size_t length;
    const struct hcct_live_header *header;
    const struct hcct_live_state *state;
    const struct hcct_live_summary *summary; /* NULL in mode=cct */
    const struct hcct_live_counter *counters;
    const struct hcct_live_exact *exact;
    uint64_t exact_count;
    struct hcct_profile objects; /* the static part */
    struct hcct_error *error;

    struct hcct_live_node *nodes;
    uint32_t *index;   /* by node: index in the file + 1, or one of the two below */
    uint32_t *pending; /* scratch, by node */
    uint32_t node_count;

    struct item *items;
    size_t item_count;
    uint64_t total;      /* of all weights, in tables, slots and batches */
    bool slot_was_moved; /* by the move under way */
    uint32_t batch_moved;

    struct hcct_file_prefix *prefixes;
    struct hcct_file_entry *entries;
    struct hcct_file_pin *pins;
    uint32_t prefix_count, entry_count, pin_count;
    uint64_t dropped_chain;
};

#define INDEX_BUSY (UINT32_MAX - 1)
#define INDEX_BROKEN UINT32_MAX

static bool corrupt(const struct recovery *r, const void *at, const char *what)
{
    uint64_t offset = at ? (uint64_t)((const unsigned char *)at - r->bytes) : 0;
    return hcct_error_set(r->error, HCCT_ERROR_CORRUPT, offset, "%s", what);
}

bool hcct_recover_is_live(const void *bytes, size_t length)
{
    return length >= 8 && !memcmp(bytes, HCCT_LIVE_MAGIC, 8);
}

/* --- pieces --------------------------------------------------------------------------------------- */

static bool check_header(struct recovery *r)
{
    r->header = (const void *)r->bytes;
    if (r->length < HCCT_LIVE_HEADER_BYTES + HCCT_LIVE_PAGE)
        return hcct_error_set(r->error, HCCT_ERROR_TRUNCATED, r->length, "truncated within the header");
    if (r->header->version != HCCT_LIVE_VERSION)
        return hcct_error_set(r->error, HCCT_ERROR_VERSION, offsetof(struct hcct_live_header, version),
                              "version %u of the tables of a running program, this program reads version %u",
                              r->header->version, HCCT_LIVE_VERSION);
    if (r->header->header_bytes != HCCT_LIVE_HEADER_BYTES || r->header->piece_count > HCCT_LIVE_PIECES)
        return corrupt(r, &r->header->header_bytes, "wrong size of the header");
    r->state = (const void *)(r->bytes + HCCT_LIVE_HEADER_BYTES);
    for (uint32_t i = 0; i < r->header->piece_count; i++) {
        const struct hcct_live_piece *piece = &r->header->pieces[i];
        if (r->header->kinds[i] == HCCT_LIVE_FREE)
            continue;
        if (piece->offset % HCCT_LIVE_PAGE || piece->offset < HCCT_LIVE_HEADER_BYTES + HCCT_LIVE_PAGE ||
            piece->offset > r->length || piece->bytes > r->length - piece->offset)
            return corrupt(r, piece, "a table is outside the file");
        if (r->header->kinds[i] == HCCT_LIVE_WORKER && piece->bytes != sizeof(struct hcct_live_worker))
            return corrupt(r, piece, "wrong size of a thread's table");
    }
    return true;
}

uint64_t hcct_recover_wanted_bytes(const void *bytes, size_t length)
{
    const struct hcct_live_header *header = bytes;
    uint64_t wanted = HCCT_LIVE_HEADER_BYTES + HCCT_LIVE_PAGE;
    if (length < wanted)
        return wanted;
    if (header->version != HCCT_LIVE_VERSION || header->header_bytes != HCCT_LIVE_HEADER_BYTES ||
        header->piece_count > HCCT_LIVE_PIECES)
        return length;
    for (uint32_t i = 0; i < header->piece_count; i++) {
        const struct hcct_live_piece *piece = &header->pieces[i];
        uint64_t end = piece->bytes < UINT64_MAX - piece->offset ? piece->offset + piece->bytes : UINT64_MAX;
        if (header->kinds[i] != HCCT_LIVE_FREE && end > wanted)
            wanted = end;
    }
    return wanted;
}

static int compare_offsets(const void *left, const void *right)
{
    const struct hcct_live_piece *a = *(const struct hcct_live_piece *const *)left,
                                 *b = *(const struct hcct_live_piece *const *)right;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* What stands in the file once counts once: so memory is in proportion to the file, and no call is counted
 * twice. */
static bool check_overlaps(struct recovery *r)
{
    size_t count = 0;
    const struct hcct_live_piece **order = malloc(HCCT_LIVE_PIECES * sizeof *order), *bad = NULL;
    if (!order)
        return hcct_error_out_of_memory(r->error);
    for (uint32_t i = 0; i < r->header->piece_count; i++)
        if (r->header->kinds[i] != HCCT_LIVE_FREE)
            order[count++] = &r->header->pieces[i];
    if (count)
        qsort(order, count, sizeof *order, compare_offsets);
    for (size_t i = 1; i < count && !bad; i++)
        if (order[i]->offset - order[i - 1]->offset < order[i - 1]->bytes)
            bad = order[i];
    free(order);
    return !bad || corrupt(r, bad, "a table overlaps another one");
}

static const void *contents(const struct recovery *r, uint32_t piece)
{
    return r->bytes + r->header->pieces[piece].offset;
}

/* The piece that a field of the header names; HCCT_LIVE_PIECES if it is not of that kind. */
static uint32_t named_piece(const struct recovery *r, uint32_t number, enum hcct_live_kind kind)
{
    bool good = number && number <= r->header->piece_count && r->header->kinds[number - 1] == kind;
    return good ? number - 1 : HCCT_LIVE_PIECES;
}

static bool find_tables(struct recovery *r)
{
    uint32_t exact = named_piece(r, r->header->exact_piece, HCCT_LIVE_EXACT);
    if (exact < HCCT_LIVE_PIECES) {
        r->exact = contents(r, exact);
        r->exact_count = r->header->pieces[exact].bytes / sizeof *r->exact;
    }
    for (uint32_t i = 0; i < r->header->piece_count && !r->summary; i++) {
        if (r->header->kinds[i] != HCCT_LIVE_SUMMARY)
            continue;
        const struct hcct_live_summary *summary = contents(r, i);
        uint64_t bytes = r->header->pieces[i].bytes, offset;
        if (bytes < sizeof *summary || (offset = summary->counters_offset) % 8 || offset < sizeof *summary ||
            offset > bytes || summary->capacity > (bytes - offset) / sizeof *r->counters)
            return corrupt(r, summary, "wrong size of the summary");
        r->summary = summary;
        r->counters = (const void *)((const char *)summary + offset);
    }
    bool exact_mode = r->objects.run->mode == HCCT_MODE_CCT;
    return exact_mode == !r->summary || corrupt(r, r->header, "the tables are not those of the mode");
}

static int compare_addresses(const void *left, const void *right)
{
    const struct hcct_live_piece *a = *(const struct hcct_live_piece *const *)left,
                                 *b = *(const struct hcct_live_piece *const *)right;
    return a->address < b->address ? -1 : a->address > b->address;
}

/* One array of what may be in several pieces, by their addresses in the process; up to the first hole. */
static bool join_nodes(struct recovery *r)
{
    uint64_t count = 0, end = 0;
    size_t pieces = 0;
    const struct hcct_live_piece **order = malloc(HCCT_LIVE_PIECES * sizeof *order);
    for (uint32_t i = 0; order && i < r->header->piece_count; i++)
        if (r->header->kinds[i] == HCCT_LIVE_NODES)
            order[pieces++] = &r->header->pieces[i];
    if (pieces)
        qsort(order, pieces, sizeof *order, compare_addresses);
    for (size_t i = 0; i < pieces; i++)
        count += order[i]->bytes / sizeof *r->nodes;
    bool fits = count < INDEX_BUSY;
    r->nodes = fits ? calloc(count + 2, sizeof *r->nodes) : NULL;
    r->index = fits ? calloc(count + 2, sizeof *r->index) : NULL;
    r->pending = fits ? malloc((count + 2) * sizeof *r->pending) : NULL;
    r->prefixes = fits ? calloc(count + 2, sizeof *r->prefixes) : NULL;
    bool good = order && r->nodes && r->index && r->pending && r->prefixes;
    for (size_t i = 0; good && i < pieces && (i == 0 || order[i]->address == end); i++) {
        uint32_t more = (uint32_t)(order[i]->bytes / sizeof *r->nodes);
        memcpy(r->nodes + r->node_count, r->bytes + order[i]->offset, more * sizeof *r->nodes);
        r->node_count += more;
        end = order[i]->address + order[i]->bytes;
    }
    free(order);
    return good || (fits ? hcct_error_out_of_memory(r->error) : corrupt(r, NULL, "too many prefixes"));
}

/* --- what was under way ---------------------------------------------------------------------------- */

static const struct hcct_live_worker *moving_worker(const struct recovery *r)
{
    for (uint32_t i = 0; i < r->header->piece_count; i++)
        if (r->header->kinds[i] == HCCT_LIVE_WORKER && r->header->pieces[i].address == r->state->move.worker)
            return contents(r, i);
    return NULL;
}

static uint64_t exact_sum(const struct recovery *r)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < r->exact_count; i++)
        sum += r->exact[i].key ? r->exact[i].count : 0;
    return sum;
}

/* Whether the weight that the total was raised by last was added to `key`. What the filter took counts as not
 * added. */
static bool is_in_summary(const struct recovery *r, uint64_t key)
{
    const struct hcct_live_summary *summary = r->summary;
    uint32_t place = summary->undo_place;
    if (summary->undo_total != summary->total || place >= summary->capacity || r->counters[place].key != key)
        return false;
    return summary->undo_count == UINT64_MAX || summary->undo_count != r->counters[place].count;
}

/* The batch's keys that the total has, but for the last one, if no counter has it. */
static uint32_t moved_keys(const struct recovery *r, const struct hcct_live_worker *worker)
{
    const struct hcct_live_move *move = &r->state->move;
    uint64_t moved = r->summary->total - move->total;
    if (move->at >= HCCT_LIVE_BATCH_KEYS || moved > HCCT_LIVE_BATCH_KEYS - move->at || !moved)
        return 0;
    return (uint32_t)moved - !is_in_summary(r, worker->batch[move->at + moved - 1]);
}

static void finish_move(struct recovery *r)
{
    const struct hcct_live_move *move = &r->state->move;
    const struct hcct_live_worker *worker = move->kind ? moving_worker(r) : NULL;
    r->total = r->summary ? r->summary->total : exact_sum(r);
    if (worker && move->kind == HCCT_LIVE_MOVE_BATCH && r->summary && worker->batch_drained == move->at)
        r->total = move->total + (r->batch_moved = moved_keys(r, worker));
    if (!worker || move->kind != HCCT_LIVE_MOVE_SLOT || move->at >= HCCT_LIVE_SLOTS ||
        hcct_live_side_of(worker, move->at)->drained == move->count)
        return;
    if (!r->summary) {
        r->slot_was_moved = r->total != move->total;
        return;
    }
    uint64_t weight = move->count - hcct_live_side_of(worker, move->at)->drained;
    r->slot_was_moved =
        r->summary->total == move->total + weight && is_in_summary(r, worker->slots[move->at].key);
    r->total = move->total + (r->slot_was_moved ? weight : 0);
}

/* --- items ---------------------------------------------------------------------------------------- */

static void add_item(struct recovery *r, struct item item)
{
    if (item.key && item.count)
        r->items[r->item_count++] = item;
}

static void take_beyond(struct recovery *r, uint64_t key, uint64_t count, uint32_t node)
{
    add_item(r, (struct item){ key, count, 0, node, false });
    r->total += key ? count : 0;
}

static void take_worker(struct recovery *r, const struct hcct_live_worker *worker, bool moving)
{
    const struct hcct_live_move *move = &r->state->move;
    for (uint32_t i = 0; i < HCCT_LIVE_SLOTS; i++) {
        uint64_t count = worker->slots[i].count, drained = hcct_live_side_of(worker, i)->drained;
        if (moving && r->slot_was_moved && i == move->at)
            drained = move->count;
        if (count > drained)
            take_beyond(r, worker->slots[i].key, count - drained, hcct_live_side_of(worker, i)->node);
    }
    uint32_t from = worker->batch_drained + (moving ? r->batch_moved : 0), to = worker->batch_count;
    for (uint32_t i = from; i < to && i < HCCT_LIVE_BATCH_KEYS; i++)
        take_beyond(r, worker->batch[i], 1, 0);
}

static bool collect(struct recovery *r)
{
    uint64_t limit = r->exact_count + (r->summary ? r->summary->capacity : 0);
    for (uint32_t i = 0; i < r->header->piece_count; i++)
        if (r->header->kinds[i] == HCCT_LIVE_WORKER)
            limit += HCCT_LIVE_SLOTS + HCCT_LIVE_BATCH_KEYS;
    if (limit >= HCCT_FILE_NONE)
        return corrupt(r, NULL, "too many contexts");
    r->items = calloc(limit + 1, sizeof *r->items);
    r->entries = calloc(limit + 1, sizeof *r->entries);
    if (!r->items || !r->entries)
        return hcct_error_out_of_memory(r->error);
    finish_move(r);
    for (uint64_t i = 0; i < r->exact_count; i++)
        add_item(r, (struct item){ r->exact[i].key, r->exact[i].count, 0, r->exact[i].node, true });
    for (uint32_t i = 0; r->summary && i < r->summary->capacity; i++) {
        const struct hcct_live_counter *at = &r->counters[i];
        uint64_t error = at->error < at->count ? at->error : at->count;
        add_item(r, (struct item){ at->key, at->count, error, at->node, true });
    }
    const struct hcct_live_worker *moving = moving_worker(r);
    for (uint32_t i = 0; i < r->header->piece_count && r->state->running; i++)
        if (r->header->kinds[i] == HCCT_LIVE_WORKER)
            take_worker(r, contents(r, i), contents(r, i) == moving);
    return true;
}

/* --- prefixes and entries -------------------------------------------------------------------------- */

static bool is_sound(const struct recovery *r, uint32_t node)
{
    const struct hcct_live_node *at = &r->nodes[node];
    if (at->kind == HCCT_PREFIX_PUSH)
        return at->parent && at->parent < r->node_count && at->h == hcct_context_push(at->word, at->site);
    if (at->kind == HCCT_PREFIX_ROOT)
        return node == 1;
    return at->kind <= HCCT_PREFIX_SIGNAL || (at->kind == HCCT_PREFIX_THREAD && at->site <= UINT32_MAX);
}

/* The index in the file of a node, its ancestors first; HCCT_FILE_NONE if its chain does not end well. */
static uint32_t prefix_of(struct recovery *r, uint32_t node)
{
    uint32_t depth = 0, at = node;
    bool good = node && node < r->node_count;
    while (good && !r->index[at]) {
        r->index[at] = INDEX_BUSY;
        r->pending[depth++] = at;
        good = is_sound(r, at);
        if (!good || r->nodes[at].kind != HCCT_PREFIX_PUSH)
            break;
        at = r->nodes[at].parent;
        good = r->index[at] < INDEX_BUSY; /* neither a cycle nor broken */
    }
    good = good && (depth || r->index[node] < INDEX_BUSY);
    while (depth) {
        const struct hcct_live_node *from = &r->nodes[r->pending[--depth]];
        uint32_t *index = &r->index[r->pending[depth]];
        if (!good) {
            *index = INDEX_BROKEN;
            continue;
        }
        uint32_t parent = from->kind == HCCT_PREFIX_PUSH ? r->index[from->parent] - 1 : HCCT_FILE_NONE;
        bool is_thread = from->kind == HCCT_PREFIX_THREAD; /* of which nothing is known but its number */
        r->prefixes[r->prefix_count] =
            (struct hcct_file_prefix){ is_thread ? 0 : from->word, from->site, parent, from->kind };
        *index = ++r->prefix_count;
    }
    return good ? r->index[node] - 1 : HCCT_FILE_NONE;
}

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    return a->key < b->key ? -1 : a->key > b->key;
}

static void make_entries(struct recovery *r)
{
    uint64_t floor = r->summary ? r->summary->floor : 0;
    if (prefix_of(r, 1)) { /* the root is the first */
        r->prefixes[0] = (struct hcct_file_prefix){ .parent = HCCT_FILE_NONE, .kind = HCCT_PREFIX_ROOT };
        r->prefix_count = r->prefix_count ? r->prefix_count : 1;
    }
    if (r->item_count)
        qsort(r->items, r->item_count, sizeof *r->items, compare_items);
    for (size_t i = 0, next; i < r->item_count; i = next) {
        struct item sum = r->items[i];
        for (next = i + 1; next < r->item_count && r->items[next].key == sum.key; next++) {
            sum.count = hcct_sum(sum.count, r->items[next].count);
            sum.error = hcct_sum(sum.error, r->items[next].error);
            sum.node = sum.node ? sum.node : r->items[next].node;
            sum.is_entry = sum.is_entry || r->items[next].is_entry;
        }
        if (!sum.is_entry) {
            sum.count = hcct_sum(sum.count, floor);
            sum.error = floor;
        }
        if (sum.count <= floor) /* which image.c leaves out, too */
            continue;
        uint32_t prefix = prefix_of(r, sum.node);
        uint64_t error = sum.error < sum.count ? sum.error : sum.count;
        r->entries[r->entry_count++] = (struct hcct_file_entry){ sum.key, sum.count, error, prefix, 0 };
        r->dropped_chain += prefix == HCCT_FILE_NONE ? sum.count - error : 0;
    }
}

static uint64_t pin_limit(const struct recovery *r)
{
    uint64_t limit = 0;
    for (uint32_t i = 0; i < r->header->piece_count; i++)
        if (r->header->kinds[i] == HCCT_LIVE_PINS)
            limit += r->header->pieces[i].bytes / sizeof(struct hcct_live_pin);
    return limit;
}

/* A pin whose chain does not end well is left out: its number tells nothing any more. */
static bool make_pins(struct recovery *r)
{
    uint64_t limit = pin_limit(r);
    if (limit >= HCCT_FILE_NONE)
        return corrupt(r, NULL, "too many pins");
    r->pins = calloc(limit + 1, sizeof *r->pins);
    if (!r->pins)
        return hcct_error_out_of_memory(r->error);
    for (uint32_t i = 0; i < r->header->piece_count; i++) {
        if (r->header->kinds[i] != HCCT_LIVE_PINS)
            continue;
        const struct hcct_live_pin *pins = contents(r, i);
        for (uint64_t p = 0; p < r->header->pieces[i].bytes / sizeof *pins; p++) {
            uint32_t prefix = pins[p].word ? prefix_of(r, pins[p].node) : HCCT_FILE_NONE;
            if (prefix != HCCT_FILE_NONE)
                r->pins[r->pin_count++] = (struct hcct_file_pin){ .word = pins[p].word, .prefix = prefix };
        }
    }
    return true;
}

/* --- the profile ----------------------------------------------------------------------------------- */

static struct hcct_file_run make_run(const struct recovery *r)
{
    struct hcct_file_run run = *r->objects.run;
    run.dropped_memory = r->state->dropped_memory + r->state->exact_dropped;
    run.dropped_interrupted = r->state->dropped_interrupted;
    run.dropped_chain = r->dropped_chain;
    run.stale = r->state->stale;
    run.overflowed = r->state->overflowed;
    run.floor = r->summary ? r->summary->floor : 0;
    run.calls = r->total + run.dropped_memory + run.dropped_interrupted;
    return run;
}

static bool make_file(struct recovery *r, void **file, size_t *length)
{
    struct hcct_profile out = r->objects;
    struct hcct_file_run run = make_run(r);
    out.run = &run;
    out.prefixes = r->prefixes;
    out.prefix_count = r->prefix_count;
    out.entries = r->entries;
    out.entry_count = r->entry_count;
    out.pins = r->pins;
    out.pin_count = r->pin_count;
    *file = hcct_profile_pack(&out, length);
    return *file || hcct_error_out_of_memory(r->error);
}

bool hcct_recover(const void *bytes, size_t length, void **file, size_t *file_length,
                  struct hcct_error *error)
{
    struct recovery r = { .bytes = bytes, .length = length, .error = error };
    if ((uintptr_t)bytes % 8)
        return corrupt(&r, NULL, "the buffer is not aligned");
    if (!check_header(&r) || !check_overlaps(&r))
        return false;
    uint32_t piece = named_piece(&r, r.header->static_piece, HCCT_LIVE_STATIC);
    if (piece == HCCT_LIVE_PIECES)
        return corrupt(&r, &r.header->static_piece, "the program's functions are missing");
    if (!hcct_reader_read(&r.objects, contents(&r, piece), r.header->pieces[piece].bytes, error))
        return false;
    bool good = find_tables(&r) && join_nodes(&r) && collect(&r);
    if (good) {
        make_entries(&r);
        good = make_pins(&r) && make_file(&r, file, file_length);
    }
    free(r.nodes);
    free(r.index);
    free(r.pending);
    free(r.prefixes);
    free(r.items);
    free(r.entries);
    free(r.pins);
    hcct_profile_close(&r.objects);
    return good;
}
