/* See pool_merge.h: sorted lists of prefixes, then of contexts, each context's cells in
 * each column of the result. */
#include "decoder/store/pool_merge.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "format/canonical.h"
#include "format/divide.h"

/* A context without its chain that has one in another part: it goes there. */
struct moved {
    uint64_t word;
    uint32_t prefix, context; /* of the result; of the part */
};

/* One cell of each source, or what it says of a context without one. */
struct amount {
    uint64_t low, high;
    uint32_t mark;
    bool is_there;
};

struct source {
    struct hcct_pool_part *part;
    uint32_t *prefix; /* by prefix: that of the result */
    struct moved *moved;
    uint32_t moved_count;
    uint32_t prefix_at, context_at, moved_at; /* the next ones */
    uint32_t *column;    /* by column of the result: its own, or NONE: all its cells are 0 */
    uint32_t *cell_at;   /* by column of the result: the next one */
    struct amount *none; /* by column of the result: what it says of a context that it lacks */
    bool *is_of_one;     /* by column of the result: what is_of_one() says */
    uint32_t context[2]; /* that are the current context of the result, or NONE */
};

struct merging {
    struct source *sources;
    uint32_t count;
    struct hcct_records *strings;
    struct hcct_rows to;
    struct hcct_file_cell **cells; /* by column */
    uint32_t *cell_count;
    uint32_t cell_room;
    uint32_t *depth; /* by prefix */
    bool has_estimate;
};

/* --- columns of the result -------------------------------------------------------------------------- */

static const char *text(const struct merging *it, uint32_t offset)
{
    return hcct_profile_string(&it->strings->fixed, offset);
}

static bool is_phase(const struct source *source, const struct hcct_file_column *column)
{
    return column->part && column->name == source->part->rows.columns->name;
}

static bool has_phases(const struct source *source)
{
    bool any = false;
    for (uint32_t i = 0; i < source->part->rows.column_count; i++)
        any |= is_phase(source, &source->part->rows.columns[i]);
    return any;
}

/* What a source has for a column of the result. A run without phases was in none. */
static uint32_t find_column(const struct merging *it, const struct source *source,
                            const struct hcct_file_column *column)
{
    uint32_t own = hcct_rows_find(&source->part->rows, column->name, column->part);
    bool is_none = is_phase(source, column) && !strcmp(text(it, column->part), HCCT_PHASE_NONE_NAME);
    return own == HCCT_FILE_NONE && is_none && !has_phases(source) ? 0 : own;
}

static void add_column(struct merging *it, const struct hcct_file_column *column)
{
    struct hcct_file_column *to = &it->to.columns[it->to.column_count++];
    *to = (struct hcct_file_column){
        .name = column->name, .part = column->part, .unit = column->unit, .add = column->add
    };
}

static void add_spread_column(struct merging *it, const char *name, uint32_t unit, enum hcct_file_add add)
{
    const struct hcct_file_column column = { .name = hcct_records_string(it->strings, name),
                                             .unit = unit,
                                             .add = (uint16_t)add };
    add_column(it, &column);
}

/* A column that one of them lacks is known of none, but phases, and what is pinned. */
static bool is_wanted(const struct merging *it, const struct hcct_file_column *column)
{
    bool may_lack = is_phase(it->sources, column) || column->add == HCCT_ADD_OR, all = true;
    for (uint32_t i = 0; i < it->count; i++)
        all &= find_column(it, &it->sources[i], column) != HCCT_FILE_NONE;
    return column->add != HCCT_ADD_NONE && column->add != HCCT_ADD_LEAST && column->add != HCCT_ADD_MOST &&
           strcmp(text(it, column->name), HCCT_COLUMN_PRESENT) && (all || may_lack);
}

/* Of sums phases are in the order of their names, as there is no first one: what belongs to none, the phases,
 * the rest. */
static int rank_of_phase(const char *name)
{
    return !strcmp(name, HCCT_PHASE_NONE_NAME) ? 0 : strcmp(name, HCCT_PHASE_REST_NAME) ? 1 : 2;
}

static void sort_phases(struct merging *it)
{
    struct hcct_file_column *columns = it->to.columns;
    for (uint32_t i = 1; i < it->to.column_count; i++)
        for (uint32_t k = i; k > 1 && is_phase(it->sources, &columns[k]); k--) {
            const char *names[] = { text(it, columns[k - 1].part), text(it, columns[k].part) };
            int ranks[] = { rank_of_phase(names[0]), rank_of_phase(names[1]) };
            if (!is_phase(it->sources, &columns[k - 1]) || ranks[0] < ranks[1] ||
                (ranks[0] == ranks[1] && strverscmp(names[0], names[1]) <= 0))
                break;
            struct hcct_file_column column = columns[k];
            columns[k] = columns[k - 1];
            columns[k - 1] = column;
        }
}

static void choose_columns(struct merging *it)
{
    uint32_t none = hcct_records_string(it->strings, HCCT_PHASE_NONE_NAME);
    bool any = false, all = true;
    for (uint32_t i = 0; i < it->count; i++) {
        any |= has_phases(&it->sources[i]);
        all &= has_phases(&it->sources[i]);
    }
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_rows *rows = &it->sources[i].part->rows;
        for (uint32_t k = 0; k < rows->column_count; k++)
            if (hcct_rows_find(&it->to, rows->columns[k].name, rows->columns[k].part) == HCCT_FILE_NONE &&
                is_wanted(it, &rows->columns[k]))
                add_column(it, &rows->columns[k]);
    }
    struct hcct_file_column outside = it->to.columns[0];
    outside.part = none;
    if (any && !all && hcct_rows_find(&it->to, outside.name, none) == HCCT_FILE_NONE)
        add_column(it, &outside);
    if (it->count > 1)
        sort_phases(it);
    uint32_t unit = hcct_records_string(it->strings, "profiles");
    if (it->count == 1 && it->sources[0].part->profiles == 1)
        return;
    add_spread_column(it, HCCT_COLUMN_PRESENT, unit, HCCT_ADD_SUM);
    add_spread_column(it, HCCT_COLUMN_LEAST, it->to.columns[0].unit, HCCT_ADD_LEAST);
    add_spread_column(it, HCCT_COLUMN_MOST, it->to.columns[0].unit, HCCT_ADD_MOST);
}

/* --- what a part has -------------------------------------------------------------------------------- */

static bool is_present_column(const struct merging *it, const struct hcct_file_column *column)
{
    return !strcmp(text(it, column->name), HCCT_COLUMN_PRESENT);
}

/* The least, the most, and the number of profiles that have a context: only a sum has such columns. Of one
 * profile both are its count, and the number is 1. */
static bool is_of_one(const struct merging *it, const struct source *source, uint32_t column)
{
    enum hcct_file_add add = it->to.columns[column].add;
    return source->part->profiles == 1 &&
           (add == HCCT_ADD_LEAST || add == HCCT_ADD_MOST || is_present_column(it, &it->to.columns[column]));
}

static const struct hcct_file_column *own_column(const struct source *source, uint32_t column)
{
    uint32_t own = source->column[column];
    return own == HCCT_FILE_NONE ? NULL : &source->part->rows.columns[own];
}

/* What the source says of a context that it lacks. */
static struct amount absent(const struct merging *it, const struct source *source, uint32_t column)
{
    const struct hcct_file_column *own = own_column(source, column);
    enum hcct_file_add add = it->to.columns[column].add;
    struct amount amount = { .high = own ? own->floor : 0, .mark = own ? own->mark : 0 };
    if (is_of_one(it, source, column)) {
        amount.mark = add == HCCT_ADD_LEAST ? source->part->name : 0;
        amount.high = add == HCCT_ADD_SUM ? 0 : amount.high;
    }
    return amount;
}

static void match_columns(struct merging *it)
{
    for (uint32_t i = 0; i < it->count; i++) {
        struct source *source = &it->sources[i];
        for (uint32_t k = 0; k < it->to.column_count; k++) {
            source->column[k] = is_of_one(it, source, k) ? 0 : find_column(it, source, &it->to.columns[k]);
            source->cell_at[k] = 0;
            source->is_of_one[k] = is_of_one(it, source, k);
            source->none[k] = absent(it, source, k);
        }
    }
}

/* Contexts that have their chain come in the order of the source. */
static const struct hcct_file_cell *next_cell(struct source *source, uint32_t column, uint32_t context)
{
    const struct hcct_file_column *own = own_column(source, column);
    uint32_t *at = &source->cell_at[column];
    if (!own || context == HCCT_FILE_NONE)
        return NULL;
    const struct hcct_file_cell *cells = source->part->rows.cells + own->first;
    while (*at < own->count && cells[*at].context < context)
        ++*at;
    return *at < own->count && cells[*at].context == context ? &cells[*at] : NULL;
}

/* Those that take another's chain do not. */
static const struct hcct_file_cell *moved_cell(const struct source *source, uint32_t column, uint32_t context)
{
    const struct hcct_file_column *own = own_column(source, column);
    if (!own || context == HCCT_FILE_NONE)
        return NULL;
    return hcct_cells_find(source->part->rows.cells + own->first, own->count, context);
}

/* What it says of the current context, which may have two cells: one without its chain. */
static struct amount amount_of(struct merging *it, struct source *source, uint32_t column)
{
    struct amount amount = source->none[column];
    if (source->context[0] == HCCT_FILE_NONE && source->context[1] == HCCT_FILE_NONE)
        return amount;
    const struct hcct_file_cell *cells[2] = { next_cell(source, column, source->context[0]),
                                              moved_cell(source, column, source->context[1]) };
    for (int i = 0; i < 2; i++) {
        const struct hcct_file_cell *cell = cells[i];
        if (!cell)
            continue;
        bool again = amount.is_there;
        amount.low = hcct_sum(again ? amount.low : 0, cell->count - cell->error);
        amount.high = hcct_sum(again ? amount.high : 0, cell->count);
        amount.mark = again ? 0 : cell->mark;
        amount.is_there = true;
    }
    if (amount.is_there && source->is_of_one[column]) {
        bool counts = it->to.columns[column].add == HCCT_ADD_SUM;
        amount.low = counts ? 1 : amount.low;
        amount.high = counts ? 1 : amount.high;
        amount.mark = counts ? 0 : source->part->name;
    }
    return amount;
}

/* --- cells ------------------------------------------------------------------------------------------ */

static bool is_named_before(const struct merging *it, uint32_t mark, uint32_t other)
{
    return mark != other && strverscmp(text(it, mark), text(it, other)) < 0;
}

/* The smallest or the largest of what the sources have: of each its amount. Of equal ones the name that comes
 * first; the largest is that of a source that has the context. */
static struct amount extreme(const struct merging *it, const struct amount *now, enum hcct_file_add add)
{
    struct amount sum = now[0];
    bool is_least = add == HCCT_ADD_LEAST;
    for (uint32_t i = 1; i < it->count; i++) {
        bool may_take = is_least || now[i].is_there, has = is_least || sum.is_there,
             is_same = now[i].high == sum.high,
             is_beyond = is_least ? now[i].high < sum.high : now[i].high > sum.high;
        if (may_take && (!has || is_beyond || (is_same && is_named_before(it, now[i].mark, sum.mark))))
            sum.mark = now[i].mark;
        sum.low = is_least == (now[i].low < sum.low) ? now[i].low : sum.low;
        sum.high = is_least == (now[i].high < sum.high) ? now[i].high : sum.high;
        sum.is_there |= now[i].is_there;
    }
    return sum;
}

/* The variance of a sum is the sum of the variances: of shares in proportion to N^2 / trials, of counts to
 * count^2 / trials. Without libm, which programs with libhcct_mpi.a may not link. */
static uint32_t trials_of(const struct merging *it, const struct amount *now, uint32_t column, uint64_t count)
{
    double variance = 0, all = 0;
    bool by_share = it->has_estimate && column == 0;
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_file_column *own = own_column(&it->sources[i], column);
        if (!now[i].is_there && !by_share)
            continue;
        double weight = (double)(by_share && own ? own->total : now[i].high);
        if (!now[i].mark)
            return 0;
        all += by_share ? weight : 0;
        variance += now[i].mark < UINT32_MAX ? weight * weight / now[i].mark : 0;
    }
    all = by_share ? all : (double)count;
    if (!(variance > 0))
        return UINT32_MAX;
    double trials = all * all / variance + 0.5;
    return trials < 1 ? 1 : trials < (double)UINT32_MAX ? (uint32_t)trials : UINT32_MAX;
}

static bool has_trials(const struct hcct_file_column *column)
{
    return column->guarantee == HCCT_GUARANTEE_PROBABILISTIC && column->add == HCCT_ADD_SUM;
}

/* A cell that says no more than that there is none is left out. */
static void add_cell(struct merging *it, uint32_t column, const struct hcct_file_cell *cell)
{
    const struct hcct_file_column *to = &it->to.columns[column];
    bool says_nothing = to->add == HCCT_ADD_SUM
                            ? cell->count == cell->error && cell->count <= to->floor
                            : cell->count == to->floor && cell->error == to->floor && cell->mark == to->mark;
    if (!says_nothing)
        it->cells[column][it->cell_count[column]++] = *cell;
}

static void add_cells(struct merging *it, struct amount *now)
{
    for (uint32_t k = 0; k < it->to.column_count; k++) {
        const struct hcct_file_column *column = &it->to.columns[k];
        struct hcct_file_cell cell = { .context = it->to.context_count };
        bool any = false;
        for (uint32_t i = 0; i < it->count; i++) {
            now[i] = amount_of(it, &it->sources[i], k);
            any |= now[i].is_there;
        }
        if (!any && column->add != HCCT_ADD_LEAST)
            continue;
        if (column->add == HCCT_ADD_LEAST || column->add == HCCT_ADD_MOST) {
            struct amount sum = extreme(it, now, column->add);
            cell.count = sum.high;
            cell.error = sum.high - sum.low;
            cell.mark = sum.mark;
        } else if (column->add == HCCT_ADD_OR) {
            cell.count = 1;
        } else {
            uint64_t low = 0;
            for (uint32_t i = 0; i < it->count; i++) {
                low = hcct_sum(low, now[i].low);
                cell.count = hcct_sum(cell.count, now[i].high);
            }
            cell.error = cell.count - low;
            cell.mark = has_trials(column) ? trials_of(it, now, k, cell.count) : 0;
        }
        add_cell(it, k, &cell);
    }
}

/* --- what a column says as a whole ------------------------------------------------------------------ */

static uint64_t mean(const struct merging *it, uint32_t column)
{
    unsigned __int128 sum = 0;
    uint64_t weight = 0;
    uint32_t blocks = hcct_records_string(it->strings, "blocks");
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_file_column *own = own_column(&it->sources[i], column);
        uint32_t at = hcct_rows_find(&it->sources[i].part->rows, blocks, 0);
        uint64_t count = at == HCCT_FILE_NONE ? 0 : it->sources[i].part->rows.columns[at].total;
        sum += own ? (unsigned __int128)own->total * count : 0;
        weight += count;
    }
    return weight ? (uint64_t)hcct_quotient(sum, weight) : 0;
}

static void add_up_column(const struct merging *it, uint32_t column, const struct amount *none)
{
    struct hcct_file_column *to = &it->to.columns[column];
    for (uint32_t i = 0; i < it->count; i++) {
        const struct source *source = &it->sources[i];
        const struct hcct_file_column *own = own_column(source, column);
        if (!own)
            continue;
        bool counts_profiles = is_present_column(it, to);
        to->guarantee = own->guarantee > to->guarantee ? own->guarantee : to->guarantee;
        to->period = !i || to->period == own->period ? own->period : 0;
        to->total = hcct_sum(to->total, counts_profiles ? source->part->profiles : own->total);
        to->missing = hcct_sum(to->missing, counts_profiles ? 0 : own->missing);
        to->floor = hcct_sum(to->floor, none[i].high);
    }
    if (to->add == HCCT_ADD_MEAN)
        to->total = mean(it, column);
    if (to->add != HCCT_ADD_LEAST && to->add != HCCT_ADD_MOST)
        return;
    struct amount sum = extreme(it, none, to->add);
    to->total = to->missing = to->period = 0;
    to->floor = sum.high;
    to->mark = sum.mark;
}

static void add_up_columns(struct merging *it, struct amount *none)
{
    for (uint32_t k = 0; k < it->to.column_count; k++) {
        for (uint32_t i = 0; i < it->count; i++)
            none[i] = it->sources[i].none[k];
        add_up_column(it, k, none);
    }
}

/* --- prefixes --------------------------------------------------------------------------------------- */

/* The next prefix of a source, as one of the result; false: there is none. */
static bool next_prefix(const struct merging *it, const struct source *source,
                        struct hcct_file_prefix *prefix, uint32_t *depth)
{
    if (source->prefix_at == source->part->rows.prefix_count)
        return false;
    *prefix = source->part->rows.prefixes[source->prefix_at];
    *depth = 0;
    if (prefix->parent != HCCT_FILE_NONE) {
        prefix->parent = source->prefix[prefix->parent];
        *depth = it->depth[prefix->parent] + 1;
    }
    return true;
}

static int compare_prefixes(const struct hcct_file_prefix *a, uint32_t a_depth,
                            const struct hcct_file_prefix *b, uint32_t b_depth)
{
    if (a_depth != b_depth)
        return a_depth < b_depth ? -1 : 1;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    return hcct_canonical_siblings(a, b);
}

static void merge_prefixes(struct merging *it)
{
    struct hcct_file_prefix prefix, least;
    for (;;) {
        uint32_t depth, least_depth = 0;
        bool any = false;
        for (uint32_t i = 0; i < it->count; i++) {
            if (!next_prefix(it, &it->sources[i], &prefix, &depth))
                continue;
            if (!any || compare_prefixes(&prefix, depth, &least, least_depth) < 0) {
                least = prefix;
                least_depth = depth;
            }
            any = true;
        }
        if (!any)
            return;
        it->to.prefixes[it->to.prefix_count] = least;
        it->depth[it->to.prefix_count] = least_depth;
        for (uint32_t i = 0; i < it->count; i++) {
            struct source *source = &it->sources[i];
            if (next_prefix(it, source, &prefix, &depth) &&
                !compare_prefixes(&prefix, depth, &least, least_depth))
                source->prefix[source->prefix_at++] = it->to.prefix_count;
        }
        it->to.prefix_count++;
    }
}

/* --- contexts without a chain ------------------------------------------------------------------------ */

static bool same_word(const void *moved, uint32_t index, const void *key)
{
    return ((const struct moved *)moved)[index].word == *(const uint64_t *)key;
}

static uint32_t hash_word(uint64_t word)
{
    return (uint32_t)hcct_hash_step(0, word);
}

static uint32_t chainless_from(const struct hcct_rows *rows)
{
    uint32_t from = rows->context_count;
    while (from && rows->contexts[from - 1].prefix == HCCT_FILE_NONE)
        from--;
    return from;
}

/* The words of all contexts without a chain, and for each the first chain of the result that one has. */
static bool list_words(struct merging *it, struct moved **words, struct hcct_table *table)
{
    uint32_t count = 0, capacity = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < it->count; i++) {
        const struct hcct_rows *rows = &it->sources[i].part->rows;
        for (uint32_t k = chainless_from(rows); done && k < rows->context_count; k++) {
            uint64_t word = rows->contexts[k].word;
            if (hcct_table_find(table, hash_word(word), same_word, *words, &word) != HCCT_TABLE_NONE)
                continue;
            done = hcct_vector_grow(words, &capacity, count, sizeof **words);
            if (done)
                (*words)[count] = (struct moved){ word, HCCT_FILE_NONE, 0 };
            done = done && hcct_table_add(table, hash_word(word), count++);
        }
    }
    for (uint32_t i = 0; done && count && i < it->count; i++) {
        const struct hcct_rows *rows = &it->sources[i].part->rows;
        for (uint32_t k = 0, end = chainless_from(rows); k < end; k++) {
            const struct hcct_file_context *context = &rows->contexts[k];
            uint32_t at = hcct_table_find(table, hash_word(context->word), same_word, *words, &context->word);
            uint32_t prefix = it->sources[i].prefix[context->prefix];
            if (at != HCCT_TABLE_NONE && prefix < (*words)[at].prefix)
                (*words)[at].prefix = prefix;
        }
    }
    return done;
}

static int compare_moved(const void *left, const void *right)
{
    const struct moved *a = left, *b = right;
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    return a->word < b->word ? -1 : a->word > b->word;
}

static bool move_chainless(struct merging *it)
{
    struct hcct_table table = { 0 };
    struct moved *words = NULL;
    bool done = list_words(it, &words, &table);
    for (uint32_t i = 0; done && i < it->count; i++) {
        struct source *source = &it->sources[i];
        const struct hcct_rows *rows = &source->part->rows;
        uint32_t from = chainless_from(rows);
        source->moved = malloc(((size_t)rows->context_count - from + 1) * sizeof *source->moved);
        done = source->moved;
        for (uint32_t k = from; done && k < rows->context_count; k++) {
            uint64_t word = rows->contexts[k].word;
            struct moved moved = words[hcct_table_find(&table, hash_word(word), same_word, words, &word)];
            moved.context = k;
            source->moved[source->moved_count++] = moved;
        }
        if (done && source->moved_count)
            qsort(source->moved, source->moved_count, sizeof *source->moved, compare_moved);
    }
    hcct_table_free(&table);
    free(words);
    return done;
}

/* --- contexts --------------------------------------------------------------------------------------- */

static bool is_before(const struct hcct_file_context *a, const struct hcct_file_context *b)
{
    return a->prefix != b->prefix ? a->prefix < b->prefix : a->word < b->word;
}

/* The next context of a source that has its chain, and the next one of the others. */
static bool next_context(const struct source *source, bool is_moved, struct hcct_file_context *context)
{
    const struct hcct_rows *rows = &source->part->rows;
    *context = (struct hcct_file_context){ .word = 0 };
    if (is_moved) {
        if (source->moved_at == source->moved_count)
            return false;
        context->word = source->moved[source->moved_at].word;
        context->prefix = source->moved[source->moved_at].prefix;
        return true;
    }
    if (source->context_at == rows->context_count ||
        rows->contexts[source->context_at].prefix == HCCT_FILE_NONE)
        return false;
    context->word = rows->contexts[source->context_at].word;
    context->prefix = source->prefix[rows->contexts[source->context_at].prefix];
    return true;
}

/* The first context of all sources that is left. */
static bool find_next(const struct merging *it, struct hcct_file_context *least)
{
    struct hcct_file_context context;
    bool any = false;
    for (uint32_t i = 0; i < it->count; i++)
        for (int moved = 0; moved < 2; moved++)
            if (next_context(&it->sources[i], moved, &context) && (!any || is_before(&context, least))) {
                *least = context;
                any = true;
            }
    return any;
}

static void take_next(struct merging *it, const struct hcct_file_context *least)
{
    struct hcct_file_context context;
    for (uint32_t i = 0; i < it->count; i++) {
        struct source *source = &it->sources[i];
        source->context[0] = source->context[1] = HCCT_FILE_NONE;
        if (next_context(source, false, &context) && !is_before(least, &context))
            source->context[0] = source->context_at++;
        if (next_context(source, true, &context) && !is_before(least, &context))
            source->context[1] = source->moved[source->moved_at++].context;
    }
}

/* Room for one more cell in each column. */
static bool make_room(struct merging *it)
{
    for (uint32_t k = 0; k < it->to.column_count; k++)
        if (it->cell_count[k] == it->cell_room) {
            uint32_t room = it->cell_room ? 2 * it->cell_room : 256;
            for (uint32_t j = 0; j < it->to.column_count; j++) {
                void *moved = realloc(it->cells[j], room * sizeof *it->cells[j]);
                if (!moved)
                    return false;
                it->cells[j] = moved;
            }
            it->cell_room = room;
        }
    return true;
}

static bool merge_contexts(struct merging *it, struct amount *now)
{
    struct hcct_file_context least;
    while (find_next(it, &least)) {
        uint32_t before = 0, after = 0;
        if (!make_room(it))
            return false;
        take_next(it, &least);
        for (uint32_t k = 0; k < it->to.column_count; k++)
            before += it->cell_count[k];
        add_cells(it, now);
        for (uint32_t k = 0; k < it->to.column_count; k++)
            after += it->cell_count[k];
        if (after != before)
            it->to.contexts[it->to.context_count++] = least;
    }
    return true;
}

/* Puts the columns' cells one behind the other. */
static bool join_columns(struct merging *it)
{
    size_t count = 0;
    for (uint32_t k = 0; k < it->to.column_count; k++)
        count += it->cell_count[k];
    it->to.cells = count < HCCT_FILE_NONE ? malloc((count + 1) * sizeof *it->to.cells) : NULL;
    for (uint32_t k = 0; it->to.cells && k < it->to.column_count; k++) {
        it->to.columns[k].first = it->to.cell_count;
        it->to.columns[k].count = it->cell_count[k];
        if (it->cell_count[k])
            memcpy(it->to.cells + it->to.cell_count, it->cells[k], it->cell_count[k] * sizeof *it->to.cells);
        it->to.cell_count += it->cell_count[k];
        free(it->cells[k]);
        it->cells[k] = NULL;
    }
    return it->to.cells;
}

/* --- the whole -------------------------------------------------------------------------------------- */

static bool allocate(struct merging *it, struct hcct_pool_part *parts)
{
    size_t prefixes = 0, contexts = 0, columns = 4;
    for (uint32_t i = 0; i < it->count; i++) {
        prefixes += parts[i].rows.prefix_count;
        contexts += parts[i].rows.context_count;
        columns += parts[i].rows.column_count;
    }
    if (prefixes >= HCCT_FILE_NONE || contexts >= HCCT_FILE_NONE)
        return false;
    it->to.prefixes = malloc((prefixes + 1) * sizeof *it->to.prefixes);
    it->to.contexts = malloc((contexts + 1) * sizeof *it->to.contexts);
    it->to.columns = malloc((columns + 1) * sizeof *it->to.columns);
    it->depth = malloc((prefixes + 1) * sizeof *it->depth);
    it->cells = calloc(columns + 1, sizeof *it->cells);
    it->cell_count = calloc(columns + 1, sizeof *it->cell_count);
    it->sources = calloc(it->count, sizeof *it->sources);
    bool done = it->to.prefixes && it->to.contexts && it->to.columns && it->depth && it->cells &&
                it->cell_count && it->sources;
    for (uint32_t i = 0; done && i < it->count; i++) {
        struct source *source = &it->sources[i];
        source->part = &parts[i];
        it->has_estimate |= parts[i].is_estimate;
        source->prefix = malloc(((size_t)parts[i].rows.prefix_count + 1) * sizeof *source->prefix);
        source->column = malloc((columns + 1) * sizeof *source->column);
        source->cell_at = malloc((columns + 1) * sizeof *source->cell_at);
        source->none = malloc((columns + 1) * sizeof *source->none);
        source->is_of_one = malloc((columns + 1) * sizeof *source->is_of_one);
        done = source->prefix && source->column && source->cell_at && source->none && source->is_of_one;
    }
    return done;
}

static void release(struct merging *it)
{
    for (uint32_t i = 0; it->sources && i < it->count; i++) {
        free(it->sources[i].prefix);
        free(it->sources[i].moved);
        free(it->sources[i].column);
        free(it->sources[i].cell_at);
        free(it->sources[i].none);
        free(it->sources[i].is_of_one);
    }
    for (uint32_t k = 0; it->cells && k < it->to.column_count; k++)
        free(it->cells[k]);
    free(it->sources);
    free(it->cells);
    free(it->cell_count);
    free(it->depth);
}

static bool cut(struct hcct_pool_part *to, const struct hcct_records *strings)
{
    return !to->capacity || to->rows.columns->count <= to->capacity ||
           hcct_rows_cut(&to->rows, strings->fixed.strings, to->capacity);
}

bool hcct_pool_merge(struct hcct_pool_part *to, struct hcct_pool_part *parts, uint32_t count,
                     struct hcct_records *strings)
{
    struct merging it = { .count = count, .strings = strings };
    struct amount now[HCCT_POOL_WAYS];
    *to = (struct hcct_pool_part){ .name = count == 1 ? parts[0].name : 0 };
    for (uint32_t i = 0; i < count; i++) {
        to->profiles =
            parts[i].profiles < UINT32_MAX - to->profiles ? to->profiles + parts[i].profiles : UINT32_MAX;
        to->capacity = parts[i].capacity > to->capacity ? parts[i].capacity : to->capacity;
        to->is_estimate |= parts[i].is_estimate;
    }
    bool done = allocate(&it, parts);
    if (done) {
        choose_columns(&it);
        match_columns(&it);
        add_up_columns(&it, now);
        merge_prefixes(&it);
        done = move_chainless(&it) && merge_contexts(&it, now) && join_columns(&it);
    }
    release(&it);
    to->rows = it.to;
    done = done && cut(to, strings);
    if (!done) {
        hcct_rows_free(&to->rows);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        hcct_rows_free(&parts[i].rows);
    return true;
}
