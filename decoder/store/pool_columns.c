/* See pool_columns.h. */
#include "decoder/store/pool_columns.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/store/sum.h"
#include "format/divide.h"

/* --- columns of the result -------------------------------------------------------------------------- */

static const char *text(const struct hcct_merging *it, uint32_t offset)
{
    return hcct_profile_string(&it->strings->fixed, offset);
}

static bool is_phase(const struct hcct_merging_source *source, const struct hcct_file_column *column)
{
    return column->part && column->name == source->part->rows.columns->name;
}

static bool has_phases(const struct hcct_merging_source *source)
{
    bool any = false;
    for (uint32_t i = 0; i < source->part->rows.column_count; i++)
        any |= is_phase(source, &source->part->rows.columns[i]);
    return any;
}

/* What a source has for a column of the result. A run without phases was in none. */
static uint32_t find_column(const struct hcct_merging *it, const struct hcct_merging_source *source,
                            const struct hcct_file_column *column)
{
    uint32_t own = hcct_rows_find(&source->part->rows, column->name, column->part);
    bool is_none = is_phase(source, column) && !strcmp(text(it, column->part), HCCT_PHASE_NONE_NAME);
    return own == HCCT_FILE_NONE && is_none && !has_phases(source) ? 0 : own;
}

static void add_column(struct hcct_merging *it, const struct hcct_file_column *column)
{
    struct hcct_file_column *to = &it->to.columns[it->to.column_count++];
    *to = (struct hcct_file_column){
        .name = column->name, .part = column->part, .unit = column->unit, .add = column->add
    };
}

static void add_spread_column(struct hcct_merging *it, const char *name, uint32_t unit,
                              enum hcct_file_add add)
{
    const struct hcct_file_column column = { .name = hcct_records_string(it->strings, name),
                                             .unit = unit,
                                             .add = (uint16_t)add };
    add_column(it, &column);
}

/* A column that one of them lacks is known of none, but phases, and what is pinned. */
static bool is_wanted(const struct hcct_merging *it, const struct hcct_file_column *column)
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

static void sort_phases(struct hcct_merging *it)
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

static void choose_columns(struct hcct_merging *it)
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
    if ((it->count == 1 && it->sources[0].part->profiles == 1) || it->sources[0].part->lacks_spread)
        return;
    add_spread_column(it, HCCT_COLUMN_PRESENT, unit, HCCT_ADD_SUM);
    add_spread_column(it, HCCT_COLUMN_LEAST, it->to.columns[0].unit, HCCT_ADD_LEAST);
    add_spread_column(it, HCCT_COLUMN_MOST, it->to.columns[0].unit, HCCT_ADD_MOST);
}

/* --- what a part has -------------------------------------------------------------------------------- */

static bool is_present_column(const struct hcct_merging *it, const struct hcct_file_column *column)
{
    return !strcmp(text(it, column->name), HCCT_COLUMN_PRESENT);
}

/* The least, the most, and the number of profiles that have a context: only a sum has such columns. Of one
 * profile both are its count, and the number is 1. */
static bool is_of_one(const struct hcct_merging *it, const struct hcct_merging_source *source,
                      uint32_t column)
{
    enum hcct_file_add add = it->to.columns[column].add;
    return source->part->profiles == 1 &&
           (add == HCCT_ADD_LEAST || add == HCCT_ADD_MOST || is_present_column(it, &it->to.columns[column]));
}

static const struct hcct_file_column *own_column(const struct hcct_merging_source *source, uint32_t column)
{
    uint32_t own = source->column[column];
    return own == HCCT_FILE_NONE ? NULL : &source->part->rows.columns[own];
}

/* What the source says of a context that it lacks. */
static struct hcct_merging_amount absent(const struct hcct_merging *it,
                                         const struct hcct_merging_source *source, uint32_t column)
{
    const struct hcct_file_column *own = own_column(source, column);
    enum hcct_file_add add = it->to.columns[column].add;
    struct hcct_merging_amount amount = { .high = own ? own->floor : 0, .mark = own ? own->mark : 0 };
    if (is_of_one(it, source, column)) {
        amount.mark = add == HCCT_ADD_LEAST ? source->part->name : 0;
        amount.high = add == HCCT_ADD_SUM ? 0 : amount.high;
    }
    return amount;
}

static void match_columns(struct hcct_merging *it)
{
    for (uint32_t i = 0; i < it->count; i++) {
        struct hcct_merging_source *source = &it->sources[i];
        for (uint32_t k = 0; k < it->to.column_count; k++) {
            source->column[k] = is_of_one(it, source, k) ? 0 : find_column(it, source, &it->to.columns[k]);
            source->is_of_one[k] = is_of_one(it, source, k);
            source->none[k] = absent(it, source, k);
        }
    }
}

/* --- what a part says of a context ------------------------------------------------------------------- */

/* The cells of a column, as the contexts of the result go by. */
struct reading {
    struct hcct_cursor cells;
    uint32_t context, moved_at; /* the source's next ones */
};

/* The source's cell of the next context that it has with its chain, or NULL. */
static const struct hcct_file_cell *next_cell(struct reading *reading)
{
    const struct hcct_file_cell *cell = reading->cells.element;
    return cell && cell->context == reading->context++ ? cell : NULL;
}

/* The same of the next one that took another's chain. */
static const struct hcct_file_cell *moved_cell(const struct hcct_merging_source *source,
                                               struct reading *reading, uint32_t column)
{
    const struct hcct_file_column *own = own_column(source, column);
    const struct hcct_merging_moved *moved = &source->moved[reading->moved_at++];
    return hcct_cells_find(source->part->rows.cells + own->first, own->count, moved->context);
}

/* The cell's mark: a name is an offset of the pool's strings, as those of columns are. */
static uint32_t mark_of(struct hcct_merging *it, const struct hcct_merging_source *source, uint32_t column,
                        const struct hcct_file_cell *cell)
{
    const struct hcct_rows_file *file = source->part->rows.file;
    enum hcct_file_add add = own_column(source, column)->add;
    bool is_name = add == HCCT_ADD_LEAST || add == HCCT_ADD_MOST;
    return is_name && file && file->strings ? hcct_records_string(it->strings, file->strings + cell->mark)
                                            : cell->mark;
}

static void add_cell(struct hcct_merging_amount *amount, const struct hcct_file_cell *cell, uint32_t mark)
{
    bool again = amount->is_there;
    amount->low = hcct_sum(again ? amount->low : 0, cell->count - cell->error);
    amount->high = hcct_sum(again ? amount->high : 0, cell->count);
    amount->mark = again ? 0 : mark;
    amount->is_there = true;
}

/* Takes a context that the source has; it may have two cells: one without its chain. */
static void take(struct hcct_merging *it, const struct hcct_merging_source *source, struct reading *reading,
                 uint32_t column, bool has, bool moves, struct hcct_merging_amount *amount)
{
    const struct hcct_file_cell *cell = has ? next_cell(reading) : NULL,
                                *moved = moves ? moved_cell(source, reading, column) : NULL;
    if (cell) {
        add_cell(amount, cell, mark_of(it, source, column, cell));
        hcct_cursor_next(&reading->cells);
    }
    if (moved)
        add_cell(amount, moved, moved->mark);
    if (amount->is_there && source->is_of_one[column]) {
        bool counts = it->to.columns[column].add == HCCT_ADD_SUM;
        amount->low = counts ? 1 : amount->low;
        amount->high = counts ? 1 : amount->high;
        amount->mark = counts ? 0 : source->part->name;
    }
}

/* --- cells ------------------------------------------------------------------------------------------ */

/* Whether a name comes first. The same few are compared again and again. */
static bool is_named_before(struct hcct_merging *it, uint32_t mark, uint32_t other)
{
    struct hcct_merging_names *known =
        &it->names[(mark * 31 + other) % (sizeof it->names / sizeof it->names[0])];
    if (mark == other)
        return false;
    if (known->mark != mark || known->other != other)
        *known = (struct hcct_merging_names){ mark, other, strverscmp(text(it, mark), text(it, other)) < 0 };
    return known->is_before;
}

/* The smallest or the largest of what the sources have: of each its amount. Of equal ones the name that comes
 * first; the largest is that of a source that has the context. */
static struct hcct_merging_amount extreme(struct hcct_merging *it, const struct hcct_merging_amount *now,
                                          enum hcct_file_add add)
{
    struct hcct_merging_amount sum = now[0];
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
static uint32_t trials_of(const struct hcct_merging *it, const struct hcct_merging_amount *now,
                          uint32_t column, uint64_t count)
{
    double variance = 0, all = 0;
    bool by_share = it->has_estimate && column == 0;
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_file_column *own = own_column(&it->sources[i], column);
        if (!now[i].is_there && !by_share)
            continue;
        double weight = (double)(by_share && own ? own->total : now[i].high);
        bool by_chance = own && own->guarantee == HCCT_GUARANTEE_PROBABILISTIC;
        if ((by_chance || by_share) && !now[i].mark)
            return 0;
        all += by_share ? weight : 0;
        variance += now[i].mark && now[i].mark < UINT32_MAX ? weight * weight / now[i].mark : 0;
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
static bool says_nothing(const struct hcct_file_column *column, const struct hcct_file_cell *cell)
{
    return column->add == HCCT_ADD_SUM
               ? cell->count == cell->error && cell->count <= column->floor
               : cell->count == column->floor && cell->error == column->floor && cell->mark == column->mark;
}

/* What the sources say of a context together. `there`: those that have a cell of it, a bit each. The column's
 * floor is the sum of all sources' (add_up_column); those of `there` are taken from it. If that sum has
 * stopped at the largest number, nothing can be taken from it, and the count stops there, too. */
static struct hcct_file_cell sum_of(struct hcct_merging *it, const struct hcct_merging_amount *now,
                                    uint32_t there, uint32_t column)
{
    const struct hcct_file_column *to = &it->to.columns[column];
    if (to->add == HCCT_ADD_LEAST || to->add == HCCT_ADD_MOST) {
        struct hcct_merging_amount sum = extreme(it, now, to->add);
        return (struct hcct_file_cell){ .count = sum.high, .error = sum.high - sum.low, .mark = sum.mark };
    }
    if (to->add == HCCT_ADD_OR)
        return (struct hcct_file_cell){ .count = 1 };
    uint64_t low = 0, high = 0, floor = to->floor; /* of those that have none */
    for (uint32_t left = there; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        low = hcct_sum(low, now[i].low);
        high = hcct_sum(high, now[i].high);
        floor -= to->floor == UINT64_MAX ? 0 : it->sources[i].none[column].high;
    }
    struct hcct_file_cell cell = { .count = hcct_sum(high, floor) };
    cell.error = cell.count - low;
    cell.mark = has_trials(to) ? trials_of(it, now, column, cell.count) : 0;
    return cell;
}

/* `now` is of each source what it says of a context that it lacks, here and behind. `sources`: those that
 * have the column. */
static bool add_cell_of(struct hcct_merging *it, struct reading *readings, uint32_t sources, uint32_t column,
                        uint32_t context, struct hcct_merging_amount *now)
{
    const struct hcct_file_column *to = &it->to.columns[column];
    struct hcct_merging_owners owners = it->owners[context];
    uint32_t there = 0;
    for (uint32_t left = (owners.have | owners.moved) & sources; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        take(it, &it->sources[i], &readings[i], column, owners.have >> i & 1, owners.moved >> i & 1, &now[i]);
        there |= (uint32_t)now[i].is_there << i;
    }
    if (!there && to->add != HCCT_ADD_LEAST)
        return true;
    struct hcct_file_cell sum = sum_of(it, now, there, column);
    for (uint32_t left = there; left; left &= left - 1)
        now[__builtin_ctz(left)] = it->sources[__builtin_ctz(left)].none[column];
    if (says_nothing(to, &sum))
        return true;
    struct hcct_file_cell *cell = hcct_merging_cell(it);
    if (!cell)
        return false;
    *cell = sum;
    cell->context = context;
    return true;
}

static bool add_column_cells(struct hcct_merging *it, uint32_t column)
{
    struct reading readings[HCCT_POOL_WAYS];
    struct hcct_merging_amount now[HCCT_POOL_WAYS];
    struct hcct_file_column *to = &it->to.columns[column];
    uint32_t sources = 0;
    bool done = true;
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_merging_source *source = &it->sources[i];
        uint32_t own = source->column[column];
        sources |= (uint32_t)(own != HCCT_FILE_NONE) << i;
        now[i] = source->none[column];
        readings[i] = (struct reading){ .cells = { .file = -1 } };
        done &= own == HCCT_FILE_NONE || hcct_rows_cells(&source->part->rows, own, &readings[i].cells);
    }
    to->first = it->to.cell_count;
    for (uint32_t k = 0; done && k < it->to.context_count; k++)
        done = add_cell_of(it, readings, sources, column, k, now);
    to->count = it->to.cell_count - to->first;
    for (uint32_t i = 0; i < it->count; i++) {
        done &= !readings[i].cells.failed;
        hcct_cursor_close(&readings[i].cells);
    }
    return done;
}

bool hcct_merging_add_cells(struct hcct_merging *it)
{
    bool done = true;
    for (uint32_t k = 0; done && k < it->to.column_count; k++)
        done = add_column_cells(it, k);
    return done;
}

/* --- what a column says as a whole ------------------------------------------------------------------ */

static uint64_t mean(const struct hcct_merging *it, uint32_t column)
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

static void add_up_column(struct hcct_merging *it, uint32_t column, const struct hcct_merging_amount *none)
{
    struct hcct_file_column *to = &it->to.columns[column];
    bool any = false;
    for (uint32_t i = 0; i < it->count; i++) {
        const struct hcct_merging_source *source = &it->sources[i];
        const struct hcct_file_column *own = own_column(source, column);
        if (!own)
            continue;
        bool counts_profiles = is_present_column(it, to);
        to->guarantee = own->guarantee > to->guarantee ? own->guarantee : to->guarantee;
        to->period = !any || to->period == own->period ? own->period : 0;
        any = true;
        to->total = hcct_sum(to->total, counts_profiles ? source->part->profiles : own->total);
        to->missing = hcct_sum(to->missing, counts_profiles ? 0 : own->missing);
        to->floor = hcct_sum(to->floor, none[i].high);
    }
    if (to->add == HCCT_ADD_MEAN)
        to->total = mean(it, column);
    if (to->add != HCCT_ADD_LEAST && to->add != HCCT_ADD_MOST)
        return;
    struct hcct_merging_amount sum = extreme(it, none, to->add);
    to->total = to->missing = to->period = 0;
    to->floor = sum.high;
    to->mark = sum.mark;
}

void hcct_merging_choose_columns(struct hcct_merging *it)
{
    struct hcct_merging_amount none[HCCT_POOL_WAYS];
    choose_columns(it);
    match_columns(it);
    for (uint32_t k = 0; k < it->to.column_count; k++) {
        for (uint32_t i = 0; i < it->count; i++)
            none[i] = it->sources[i].none[k];
        add_up_column(it, k, none);
    }
}
