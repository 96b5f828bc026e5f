/* How many calls of a trace (format/trace.h) would find their word in its slot, for several kinds of tables.
 *
 *     slots TRACE
 *
 * Prints a row of a table for each: the slots; how many of them are open to a word (ways), of which the one
 * that was hit last is taken last; after how many misses in a row a word takes a slot, any of them counts;
 * the calls that hit, and those that take a slot. Here taking a slot costs nothing. In the runtime it needs
 * the word's chain, and adds what the slot had counted to the tables. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/commands/command.h"
#include "hcct/abi.h"
#include "lab/replay/trace.h"

const char hcct_command_name[] = "slots";

enum { WAYS_MAX = 4 };

struct kind {
    unsigned slots_log2, ways, patience;
};

struct set {
    uint64_t words[WAYS_MAX]; /* the one that was hit last is the first */
    unsigned misses;          /* since the last hit, or since a word took a slot */
};

struct table {
    struct kind kind;
    struct set *sets;
    uint32_t last_set;
    uint64_t hits, taken;
};

static const struct kind kinds[] = { { 14, 1, 1 }, { 14, 1, 2 }, { 14, 1, 8 }, { 14, 1, 64 }, { 14, 2, 1 },
                                     { 14, 4, 1 }, { 16, 1, 1 }, { 16, 1, 8 }, { 16, 1, 64 }, { 16, 4, 1 } };
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct reading {
    struct table tables[KINDS];
    uint64_t calls;
};

static void look(struct table *table, uint64_t word)
{
    unsigned ways = table->kind.ways, way = 0;
    struct set *set = &table->sets[(uint32_t)(word / HCCT_ID_UNIT) & table->last_set];
    while (way < ways && set->words[way] != word)
        way++;
    if (way == ways && set->words[ways - 1] && ++set->misses < table->kind.patience)
        return;
    table->hits += way < ways;
    table->taken += way == ways;
    way -= way == ways;
    memmove(set->words + 1, set->words, way * sizeof set->words[0]);
    set->words[0] = word;
    set->misses = 0;
}

static void take_call(void *context, uint32_t stream, uint64_t word, uint64_t ns)
{
    struct reading *reading = context;
    (void)ns;
    (void)stream; /* the slots of all threads are one table here */
    reading->calls++;
    for (struct table *table = reading->tables; table != reading->tables + KINDS; table++)
        look(table, word);
}

int main(int argc, char **argv)
{
    static struct reading reading;
    struct hcct_command_file file = { .name = argc == 2 ? argv[1] : "" };
    struct hcct_trace trace;
    struct hcct_error error;
    for (unsigned i = 0; i < KINDS; i++) {
        uint32_t sets = (UINT32_C(1) << kinds[i].slots_log2) / kinds[i].ways;
        reading.tables[i] = (struct table){ kinds[i], calloc(sets, sizeof(struct set)), sets - 1, 0, 0 };
        if (!reading.tables[i].sets)
            return HCCT_COMMAND_BAD;
    }
    if (!hcct_command_read(&file, hcct_trace_wanted_bytes) ||
        !hcct_trace_open(&trace, file.bytes, file.length, &error) ||
        !hcct_trace_play(&trace, take_call, &reading, &error))
        return HCCT_COMMAND_BAD;
    printf("| slots | ways | taken after misses | hits, %% of the calls | slots taken, %% |\n");
    printf("|---:|---:|---:|---:|---:|\n");
    for (const struct table *table = reading.tables; table != reading.tables + KINDS; table++)
        printf("| %u | %u | %u | %.1f | %.1f |\n", 1u << table->kind.slots_log2, table->kind.ways,
               table->kind.patience, 100.0 * (double)table->hits / (double)reading.calls,
               100.0 * (double)table->taken / (double)reading.calls);
    hcct_trace_close(&trace);
    hcct_command_close(&file);
    return 0;
}
