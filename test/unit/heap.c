/* The heap meter's tables against plain arrays: live blocks in any order of changes, and the values of
 * contexts, the peak by a copy at each new maximum. The curve against the trace of all changes, and copies of
 * what contexts had at its detailed points. */
#include "runtime/heap/tables/blocks.h"
#include "runtime/heap/tables/contexts.h"
#include "runtime/heap/tables/curve.h"

#include <stdlib.h>
#include <string.h>

#include "test/unit/check.h"
#include "test/unit/draw.h"

/* What blocks.c and contexts.c need of the runtime. */
void *hcct_memory_map(size_t bytes)
{
    return calloc(1, bytes);
}

void *hcct_memory_reserve(size_t bytes)
{
    return calloc(1, bytes);
}

size_t hcct_memory_share(size_t wanted, unsigned parts)
{
    (void)parts;
    return wanted;
}

void hcct_memory_unmap(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

static unsigned released;
void hcct_prefix_release(hcct_node node)
{
    released += node != 0;
}

/* --- blocks -------------------------------------------------------------------------------------- */

enum { ADDRESSES = 60000 };

static struct {
    struct hcct_heap_block block;
    bool is_live;
} known[ADDRESSES], over[ADDRESSES]; /* those over others */

/* Addresses that are alike, as an allocator's are: the first half 16 apart, the others pages apart. */
static uintptr_t address_of(unsigned i)
{
    return i < ADDRESSES / 2 ? 0x7f0012340010u + 16 * i : 0x500000000000u + 4096 * (uintptr_t)i;
}

static struct hcct_heap_block draw_block(void)
{
    return (struct hcct_heap_block){ draw() >> (16 + draw() % 48), (uint32_t)draw() % HCCT_HEAP_UNCOUNTED };
}

static void put(unsigned i)
{
    struct hcct_heap_block block = draw_block();
    enum hcct_heap_put put = hcct_heap_blocks_put(address_of(i), hcct_heap_blocks_hash(address_of(i)), block);
    CHECK(put == (known[i].is_live ? HCCT_HEAP_KNOWN : HCCT_HEAP_ADDED));
    if (!known[i].is_live)
        known[i].block = block;
    known[i].is_live = true;
}

/* A usual change finds the block below, and sees that there is more to do. */
static void put_over(unsigned i)
{
    const uint64_t hash = hcct_heap_blocks_hash(address_of(i));
    struct hcct_heap_block block = draw_block();
    struct hcct_heap_place place;
    if (!known[i].is_live)
        return;
    enum hcct_heap_put put = hcct_heap_blocks_put_over(address_of(i), hash, block);
    CHECK(put == (over[i].is_live ? HCCT_HEAP_KNOWN : HCCT_HEAP_ADDED) && hcct_heap_over_count);
    CHECK(!hcct_heap_blocks_find_usual(hcct_heap_table_of(hash), hash, address_of(i), &place) ||
          hcct_heap_block_at(place).bytes >= HCCT_HEAP_LARGE);
    if (!over[i].is_live)
        over[i].block = block;
    over[i].is_live = true;
}

static void take_over(unsigned i)
{
    struct hcct_heap_block block;
    bool taken = hcct_heap_blocks_take_over(address_of(i), hcct_heap_blocks_hash(address_of(i)), &block);
    CHECK(taken == over[i].is_live);
    if (taken)
        CHECK(block.bytes == over[i].block.bytes && block.context == over[i].block.context);
    over[i].is_live = false;
}

static void take(unsigned i)
{
    struct hcct_heap_block block;
    take_over(i);
    bool taken = hcct_heap_blocks_take(address_of(i), hcct_heap_blocks_hash(address_of(i)), &block);
    CHECK(taken == known[i].is_live);
    if (taken)
        CHECK(block.bytes == known[i].block.bytes && block.context == known[i].block.context);
    known[i].is_live = false;
}

static void check_blocks(void)
{
    size_t live = 0, found;
    for (unsigned i = 0; i < ADDRESSES; i++)
        live += (size_t)known[i].is_live + over[i].is_live;
    CHECK(hcct_heap_blocks_check(&found) && found == live);
}

static void test_blocks(void)
{
    hcct_heap_blocks_abandon();
    for (unsigned phase = 0; phase < 12; phase++) {
        unsigned puts = phase % 3 == 0 ? 7 : phase % 3 == 1 ? 4 : 1; /* of 8 steps: grows, stays, shrinks */
        for (unsigned step = 0; step < 100000; step++) {
            unsigned i = (unsigned)(draw() % ADDRESSES);
            if (draw() % 8 < puts)
                draw() % 4 ? put(i) : put_over(i);
            else
                draw() % 4 ? take(i) : take_over(i);
        }
        check_blocks();
    }
    static uint32_t to[1 << 24];
    for (unsigned i = 0; i < 1 << 24; i++)
        to[i] = i / 2;
    hcct_heap_blocks_move(to);
    for (unsigned i = 0; i < ADDRESSES; i++)
        known[i].block.context /= 2, over[i].block.context /= 2;
    check_blocks();
    for (unsigned i = 0; i < ADDRESSES / 2; i++)
        take(i);
    hcct_heap_blocks_uncount();
    hcct_heap_blocks_move(to);
    for (unsigned i = 0; i < ADDRESSES; i++)
        known[i].block.context = over[i].block.context = HCCT_HEAP_UNCOUNTED;
    for (unsigned i = ADDRESSES / 2; i < ADDRESSES; i++)
        take(i);
    check_blocks();
    hcct_heap_blocks_clear();
    check_blocks();
}

/* --- how near and how even blocks are -------------------------------------------------------------- */

enum { GREATEST_COUNT = 200000 };

static struct {
    uint64_t puts, far_puts, pages;
} seen;

/* A block is far if neither its home nor the next bucket has a place, and the table need not grow. */
static void put_and_look(uintptr_t address)
{
    static uintptr_t last_page;
    const uint64_t hash = hcct_heap_blocks_hash(address);
    struct hcct_heap_table *table = hcct_heap_table_of(hash);
    const struct hcct_heap_block block = { 1, 1 };
    bool grows = table->count >= table->limit;
    if (!hcct_heap_blocks_put_usual(table, hash, address, block)) {
        seen.far_puts += !grows;
        hcct_heap_blocks_put(address, hash, block);
    }
    seen.puts++;
    uintptr_t page = (uintptr_t)hcct_heap_bucket_of(table, hash, address) / 4096;
    seen.pages += page != last_page;
    last_page = page;
}

/* Blocks one behind the other, in `parts` parts of the memory, and at all states of the tables. */
static void put_all(uintptr_t step, unsigned parts)
{
    memset(&seen, 0, sizeof seen);
    for (unsigned count = 3000; count < GREATEST_COUNT; count = count / 4 * 5) {
        for (unsigned part = 0; part < parts; part++) {
            uintptr_t from = 0x7f0000000010u + draw() % 100000 * 65536;
            for (unsigned i = 0; i < count / parts; i++)
                put_and_look(from + i * step);
        }
        hcct_heap_blocks_clear();
    }
}

static void test_neighbours(void)
{
    hcct_heap_blocks_abandon();
    for (uintptr_t step = 32; step <= 65536; step += step / 2 / 16 * 16) {
        put_all(step, 1);
        CHECK(seen.far_puts * 100 <= seen.puts * 12);
        /* If a hash spread blocks and not regions, most would be in another page than the block before. */
        CHECK(step > 64 || seen.pages * 4 <= seen.puts);
        put_all(step, 4);
        CHECK(seen.far_puts * 100 <= seen.puts * 12);
    }
    put_all(16, 1);
    CHECK(seen.far_puts * 100 <= seen.puts * 25);
}

/* --- contexts ------------------------------------------------------------------------------------ */

enum { KEYS = 200, LIVE = 500 };

struct model {
    uint64_t bytes, blocks, live_bytes, live_blocks, peak_bytes, peak_blocks, life, temporary, resized;
    uint32_t sizes[HCCT_HEAP_SIZES];
    uint32_t number;
};
static struct model models[KEYS + 1]; /* the first one has what is not kept */
static struct {
    unsigned key;
    uint64_t bytes, birth;
} live[LIVE];
static unsigned live_count;
static uint64_t now, total, most;

static void begin(unsigned key, uint64_t bytes)
{
    struct model *model = &models[key];
    model->bytes += bytes;
    model->blocks++;
    model->live_bytes += bytes;
    model->live_blocks++;
    unsigned class = 0;
    while (class < HCCT_HEAP_SIZES - 1 && bytes > UINT64_C(16) << 2 * class)
        class ++;
    model->sizes[class]++;
    now += bytes;
    total += bytes;
    if (total > most) {
        most = total;
        for (unsigned i = 0; i <= KEYS; i++) {
            models[i].peak_bytes = models[i].live_bytes;
            models[i].peak_blocks = models[i].live_blocks;
        }
    }
    live[live_count].key = key;
    live[live_count].bytes = bytes;
    live[live_count++].birth = now;
    hcct_heap_context_gain(model->number, bytes);
    model->temporary += bytes % 2;
    hcct_heap_context_count(model->number, HCCT_HEAP_TEMPORARY,
                            (struct hcct_heap_weight){ .blocks = bytes % 2 });
    model->resized += bytes % 3;
    hcct_heap_context_count(model->number, HCCT_HEAP_RESIZED,
                            (struct hcct_heap_weight){ .blocks = bytes % 3 });
}

static void end(unsigned i)
{
    struct model *model = &models[live[i].key];
    model->life += now - live[i].birth;
    model->live_bytes -= live[i].bytes;
    model->live_blocks--;
    total -= live[i].bytes;
    hcct_heap_context_lose(model->number, live[i].bytes);
    live[i] = live[--live_count];
}

static void check_context(unsigned key)
{
    const struct model *model = &models[key];
    const uint64_t expected[] = {
        [HCCT_HEAP_ALLOCATED] = model->bytes, [HCCT_HEAP_BLOCKS] = model->blocks,
        [HCCT_HEAP_LIVE] = model->live_bytes, [HCCT_HEAP_LIVE_BLOCKS] = model->live_blocks,
        [HCCT_HEAP_PEAK] = model->peak_bytes, [HCCT_HEAP_PEAK_BLOCKS] = model->peak_blocks
    };
    for (unsigned value = 0; value < sizeof expected / sizeof expected[0]; value++)
        CHECK(hcct_heap_context_value(model->number, (enum hcct_heap_value)value) == expected[value]);
}

/* Of all contexts together, those that are not kept included. */
static void check_totals(void)
{
    uint64_t life = 0, blocks = 0, sizes[HCCT_HEAP_SIZES] = { 0 };
    for (unsigned key = 0; key <= KEYS; key++) {
        life += models[key].life;
        blocks += models[key].blocks;
        for (unsigned i = 0; i < HCCT_HEAP_SIZES; i++)
            sizes[i] += models[key].sizes[i];
    }
    for (unsigned i = 0; i < live_count; i++)
        life += now - live[i].birth;
    CHECK(hcct_heap_contexts_life() == (blocks ? life / blocks : 0));
    for (uint32_t i = 0; i < HCCT_HEAP_SIZES; i++)
        CHECK(hcct_heap_contexts_size(i) == sizes[i]);
    CHECK(hcct_heap_contexts_total(HCCT_HEAP_LIVE) == total &&
          hcct_heap_contexts_total(HCCT_HEAP_PEAK) == most &&
          hcct_heap_contexts_total(HCCT_HEAP_LIVE_BLOCKS) == live_count);
}

/* --- the curve ------------------------------------------------------------------------------------ */

enum { RUNS = 8, STEPS = 200000, COPIES = 400 };

static struct {
    uint64_t allocated, live;
} trace[STEPS];
static unsigned steps;

static struct {
    uint64_t allocated, live, of[KEYS + 1];
} copies[COPIES]; /* of each detailed point ever */
static unsigned copy_count;

/* After a change. */
static void note_change(void)
{
    trace[steps].allocated = now;
    trace[steps++].live = total;
    uint32_t newest = hcct_heap_contexts_points() - 2;
    if (newest == UINT32_MAX || !hcct_heap_curve_point(newest).detail)
        return;
    struct hcct_file_curve point = hcct_heap_curve_point(newest);
    bool is_copied = copy_count && copies[copy_count - 1].allocated == point.allocated_bytes &&
                     copies[copy_count - 1].live == point.live_bytes;
    if (is_copied || copy_count == COPIES)
        return;
    CHECK(point.allocated_bytes == now && point.live_bytes == total);
    copies[copy_count].allocated = now;
    copies[copy_count].live = total;
    for (unsigned key = 0; key <= KEYS; key++)
        copies[copy_count].of[key] = models[key].live_bytes;
    copy_count++;
}

static void check_detail(uint32_t number, struct hcct_file_curve point)
{
    unsigned copy = copy_count;
    while (copy-- &&
           (copies[copy].allocated != point.allocated_bytes || copies[copy].live != point.live_bytes))
        ;
    CHECK(copy < copy_count);
    for (unsigned key = 0; copy < copy_count && key <= KEYS; key++)
        if (!key || models[key].number)
            CHECK(hcct_heap_context_at_point(models[key].number, number) == copies[copy].of[key]);
}

/* Each point is a change of the trace, and no larger heap was passed over. */
static void check_curve(void)
{
    uint32_t count = hcct_heap_contexts_points();
    unsigned at = 0, details = 0;
    uint64_t highest = 0;
    CHECK(count <= 512 && (count > 200 || steps < 1000));
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_file_curve point = hcct_heap_curve_point(i);
        uint64_t highest_here = i ? hcct_heap_curve_point(i - 1).live_bytes : 0;
        for (; at < steps; at++) {
            highest_here = trace[at].live > highest_here ? trace[at].live : highest_here;
            if (trace[at].allocated == point.allocated_bytes && trace[at].live == point.live_bytes)
                break;
        }
        CHECK(at < steps && point.most_bytes == highest_here);
        highest = highest_here > highest ? highest_here : highest;
        details += point.detail != 0;
        if (point.detail)
            check_detail(i, point);
    }
    CHECK(highest == most && details <= HCCT_FILE_CURVE_DETAILS && (details >= 4 || steps < 1000));
}

static void fold_model(unsigned key)
{
    for (unsigned i = 0; i < copy_count; i++) {
        copies[i].of[0] += copies[i].of[key];
        copies[i].of[key] = 0;
    }
    struct model *from = &models[key], *to = &models[0];
    to->bytes += from->bytes;
    to->blocks += from->blocks;
    to->live_bytes += from->live_bytes;
    to->live_blocks += from->live_blocks;
    to->peak_bytes += from->peak_bytes;
    to->peak_blocks += from->peak_blocks;
    to->life += from->life;
    to->temporary += from->temporary;
    to->resized += from->resized;
    for (unsigned i = 0; i < HCCT_HEAP_SIZES; i++)
        to->sizes[i] += from->sizes[i];
    for (unsigned i = 0; i < live_count; i++)
        live[i].key = live[i].key == key ? 0 : live[i].key;
    *from = (struct model){ 0 };
}

/* Every third context goes. */
static void drop_some(void)
{
    bool stays[KEYS + 1];
    uint32_t to[KEYS + 1];
    for (uint32_t i = 0; i < hcct_heap_contexts_count(); i++)
        stays[i] = draw() % 3 != 0;
    hcct_heap_contexts_keep(stays, to);
    for (unsigned key = 1; key <= KEYS; key++) {
        uint32_t number = models[key].number;
        if (number && !stays[number])
            fold_model(key);
        else if (number)
            models[key].number = to[number];
    }
}

static void run_contexts(void)
{
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned key = 1 + (unsigned)(draw() % KEYS * (draw() % 100)) / 100;
        uint64_t bytes = draw() % 4 ? draw() % 100 : draw() >> (34 + draw() % 20);
        if (!models[key].number && !hcct_heap_contexts_are_full())
            models[key].number = hcct_heap_contexts_add(key * 77, 5);
        CHECK(hcct_heap_contexts_find(key * 77) == models[key].number);
        if (live_count == LIVE || (live_count && draw() % 9 < 4))
            end((unsigned)(draw() % live_count));
        else
            begin(models[key].number ? key : 0, bytes);
        note_change();
        if (step % 5000 == 4999)
            drop_some();
        if (step % 20000 == 700)
            check_curve();
        if (step % 1000 == 0)
            for (unsigned i = 0; i <= KEYS; i++)
                if (!i || models[i].number)
                    check_context(i);
    }
    check_totals();
    released = 0;
    uint32_t count = hcct_heap_contexts_count();
    hcct_heap_contexts_clear(true);
    CHECK(released == count - 1 && hcct_heap_contexts_count() == 1);
}

/* Several runs, since which columns details take depends on what was allocated. */
static void test_contexts(void)
{
    CHECK(hcct_heap_contexts_start(KEYS / 2, 0));
    for (unsigned run = 0; run < RUNS; run++) {
        memset(models, 0, sizeof models);
        live_count = steps = copy_count = 0;
        now = total = most = 0;
        run_contexts();
    }
}

int main(void)
{
    test_blocks();
    test_neighbours();
    test_contexts();
    return check_done();
}
