/* See spread.h. A context that every profile has so far is in the list `in_all`. When a profile ends, the
 * contexts of that list that it lacks leave it, and their least count is at this profile. So nobody looks at
 * contexts that a profile lacks more than once. */
#include "decoder/combine/spread.h"

#include <stdlib.h>
#include <string.h>

#include "decoder/combine/tally.h"
#include "decoder/profile/sum.h"

#define NAMES_LEAST 4096 /* with fewer names none are dropped */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- names of profiles ----------------------------------------------------------------------------- */

static bool same_name(const void *names, uint32_t index, const void *key)
{
    return !strcmp(((char *const *)names)[index], key);
}

/* The number of a name in `names`, or HCCT_TABLE_NONE when memory is out. */
static uint32_t name_number(struct hcct_spread *spread, const char *name)
{
    uint32_t hash = (uint32_t)hcct_hash_text(0, name, strlen(name));
    uint32_t found = hcct_table_find(&spread->name_table, hash, same_name, spread->names, name);
    if (found != HCCT_TABLE_NONE)
        return found;
    if (!hcct_vector_grow(&spread->names, &spread->name_capacity, spread->name_count, sizeof *spread->names))
        return HCCT_TABLE_NONE;
    char *copy = strdup(name);
    if (!copy || !hcct_table_add(&spread->name_table, hash, spread->name_count)) {
        free(copy);
        return HCCT_TABLE_NONE;
    }
    spread->names[spread->name_count] = copy;
    return spread->name_count++;
}

static void free_names(struct hcct_spread *spread)
{
    for (uint32_t i = 0; i < spread->name_count; i++)
        free(spread->names[i]);
    free(spread->names);
    hcct_table_free(&spread->name_table);
}

static bool rename_source(struct hcct_spread *to, const struct hcct_spread *from, uint32_t *source)
{
    *source = name_number(to, from->names[*source]);
    return *source != HCCT_TABLE_NONE;
}

/* Drops names that no context needs, if they are the most. Otherwise 100,000 profiles would leave as many. */
static bool drop_names(struct hcct_spread *spread)
{
    struct hcct_spread kept = { 0 };
    if (spread->keeps_names || spread->name_count < NAMES_LEAST || spread->name_count / 4 < spread->count)
        return true;
    bool done = name_number(&kept, "") == 0 && rename_source(&kept, spread, &spread->lacking.least_source);
    for (uint32_t i = 0; done && i < spread->count; i++)
        done = rename_source(&kept, spread, &spread->items[i].value.least_source) &&
               rename_source(&kept, spread, &spread->items[i].value.most_source);
    free_names(done ? spread : &kept);
    if (!done)
        return false;
    spread->names = kept.names;
    spread->name_count = kept.name_count;
    spread->name_capacity = kept.name_capacity;
    spread->name_table = kept.name_table;
    return true;
}

/* --- values ---------------------------------------------------------------------------------------- */

/* `to` becomes the value of the profiles of both, those of `to` before. */
static void join(struct hcct_file_spread *to, const struct hcct_file_spread *with)
{
    bool is_blurred = hcct_spread_is_blurred(to) || hcct_spread_is_blurred(with);
    if (!to->absent && (with->absent || with->least_high < to->least_high))
        to->least_source = with->least_source;
    if (!to->present || (with->present && with->most_high > to->most_high))
        to->most_source = with->most_source;
    to->least_low = smaller(to->least_low, with->least_low);
    to->least_high = smaller(to->least_high, with->least_high);
    to->most_low = larger(to->most_low, with->most_low);
    to->most_high = larger(to->most_high, with->most_high);
    to->present += with->present;
    to->absent += with->absent;
    if (is_blurred)
        to->least_source = to->most_source = 0;
}

/* What is added to both upper bounds covers every case. */
/* Some profile may have counted so many more of a context. */
static void blur(struct hcct_file_spread *value, uint64_t count)
{
    value->least_high = hcct_sum(value->least_high, count);
    value->most_high = hcct_sum(value->most_high, count);
    value->least_source = value->most_source = 0;
}

static bool extend(struct hcct_spread *spread, uint32_t count)
{
    for (; spread->count < count; spread->count++) {
        if (!hcct_vector_grow(&spread->items, &spread->capacity, spread->count, sizeof *spread->items))
            return false;
        spread->items[spread->count] = (struct hcct_spread_item){ 0 };
    }
    return true;
}

/* What the current profile says of a context that it lacks. */
static bool lacking_now(struct hcct_spread *spread, struct hcct_file_spread *value)
{
    const struct hcct_spread_source *source = &spread->source;
    if (source->rest) {
        *value = *source->rest;
        if (!source->values)
            value->least_high = value->most_high = source->floor;
        value->least_source = name_number(spread, source->strings + source->rest->least_source);
    } else {
        *value = (struct hcct_file_spread){ .least_high = source->floor,
                                            .most_high = source->floor,
                                            .least_source = name_number(spread, source->name),
                                            .absent = 1 };
    }
    value->most_source = 0;
    return value->least_source != HCCT_TABLE_NONE;
}

struct hcct_spread_source hcct_spread_source(const struct hcct_profile *profile)
{
    const struct hcct_file_spread *rest = profile->spread_rest;
    return (struct hcct_spread_source){
        .name = profile->only   ? profile->only
                : profile->name ? profile->name
                                : hcct_profile_string(profile, profile->run->host),
        .floor = profile->run->floor,
        .values = profile->spread,
        .rest = rest,
        .strings = profile->strings,
        .profile = rest ? profile : NULL,
        .profiles = hcct_profile_parts(profile),
    };
}

bool hcct_spread_next(struct hcct_spread *spread, const struct hcct_spread_source *source)
{
    if (!hcct_spread_end(spread) || (!spread->name_count && name_number(spread, "")))
        return false;
    spread->source = *source;
    spread->number++;
    source = &spread->source; /* it stays */
    struct hcct_strip_part part = source->profile ? hcct_strip_sum(source->profile, &source->profiles)
                                                  : hcct_strip_single(&source->floor);
    if (!spread->has_no_strips)
        hcct_strip_next(&spread->strip, &part);
    return true;
}

/* What the current profile, which is not a sum, says of a context that it has. */
static bool set_own(struct hcct_spread *spread, struct hcct_file_spread *value,
                    const struct hcct_spread_item *item)
{
    uint32_t name = name_number(spread, spread->source.name);
    *value = (struct hcct_file_spread){ .least_low = item->count - item->error,
                                        .least_high = item->count,
                                        .most_low = item->count - item->error,
                                        .most_high = item->count,
                                        .least_source = name,
                                        .most_source = name,
                                        .present = 1 };
    return name != HCCT_TABLE_NONE;
}

/* What a sum of so many profiles says of an entry, if it says nothing of the single ones. */
static struct hcct_file_spread unknown_value(const struct hcct_file_entry *entry, uint32_t profiles)
{
    return (struct hcct_file_spread){ .least_high = entry->count,
                                      .most_high = entry->count,
                                      .present = profiles };
}

static bool take_from_sum(struct hcct_spread *spread, struct hcct_file_spread *value,
                          const struct hcct_file_entry *entry, uint32_t index)
{
    const char *strings = spread->source.strings;
    if (!spread->source.values) {
        *value = unknown_value(entry, spread->source.rest->absent);
        return true;
    }
    *value = spread->source.values[index];
    value->least_source = name_number(spread, strings + value->least_source);
    value->most_source = name_number(spread, strings + value->most_source);
    return value->least_source != HCCT_TABLE_NONE && value->most_source != HCCT_TABLE_NONE;
}

/* Adds what the current profile says to what the earlier ones say: of a context that is new, that they lack
 * it. */
static void settle(struct hcct_spread *spread, struct hcct_spread_item *item,
                   const struct hcct_file_spread *value)
{
    if (!item->value.present)
        item->value = spread->lacking;
    if (!item->value.absent && !item->value.present)
        item->value = *value;
    else
        join(&item->value, value);
}

void hcct_spread_widen(struct hcct_spread *spread, uint32_t context, uint64_t count)
{
    blur(&spread->items[context].value, count);
    hcct_strip_forget(&spread->strip, context);
}

bool hcct_spread_add(struct hcct_spread *spread, uint32_t context, const struct hcct_file_entry *entry,
                     uint32_t index)
{
    if (!extend(spread, context + 1))
        return false;
    struct hcct_spread_item *item = &spread->items[context];
    bool again = item->last == spread->number;
    struct hcct_file_spread value;
    if (!again) {
        if (!hcct_vector_grow(&spread->own, &spread->own_capacity, spread->own_count, sizeof *spread->own))
            return false;
        spread->own[spread->own_count++] = context;
    }
    if (!spread->source.rest) {
        item->count = hcct_sum(again ? item->count : 0, entry->count);
        item->error = hcct_sum(again ? item->error : 0, entry->error);
    } else if (again) { /* a second entry: nobody knows which of the sum's profiles had both */
        hcct_spread_widen(spread, context, entry->count);
    } else {
        item->count = item->error = 0;
        if (!take_from_sum(spread, &value, entry, index) ||
            (!spread->has_no_strips && !hcct_strip_add_entry(&spread->strip, context, index)))
            return false;
        settle(spread, item, &value);
    }
    item->last = spread->number;
    return true;
}

/* --- the end of a profile --------------------------------------------------------------------------- */

static bool settle_own(struct hcct_spread *spread)
{
    for (uint32_t i = 0; i < spread->own_count; i++) {
        struct hcct_spread_item *item = &spread->items[spread->own[i]];
        struct hcct_file_spread value;
        if (!set_own(spread, &value, item))
            return false;
        settle(spread, item, &value);
    }
    return true;
}

/* Those that get a strip are the largest, if the current profile has very many. */
static bool add_strips(struct hcct_spread *spread)
{
    uint32_t count = spread->own_count, largest = count < HCCT_STRIP_HELD ? count : HCCT_STRIP_HELD;
    struct hcct_tally_ranked *ranked = malloc(((size_t)count + 1) * sizeof *ranked);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    bool done = ranked && order;
    for (uint32_t i = 0; done && i < count; i++)
        ranked[i] = (struct hcct_tally_ranked){ spread->items[spread->own[i]].count, i, i };
    if (done)
        hcct_tally_select(ranked, count, largest, order);
    for (uint32_t i = 0; done && i < count; i++) {
        uint32_t context = spread->own[order[i]];
        done = hcct_strip_add_count(&spread->strip, context, spread->items[context].count, i < largest);
    }
    free(ranked);
    free(order);
    return done;
}

/* Takes those that the current profile lacks out of the list of those that all have. */
static void settle_lacking(struct hcct_spread *spread, const struct hcct_file_spread *now)
{
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < spread->in_all_count; i++) {
        uint32_t context = spread->in_all[i];
        struct hcct_spread_item *item = &spread->items[context];
        if (item->last != spread->number)
            join(&item->value, now);
        if (!item->value.absent)
            spread->in_all[kept_count++] = context;
    }
    spread->in_all_count = kept_count;
}

static bool find_in_all(struct hcct_spread *spread)
{
    uint32_t *in_all = malloc(((size_t)spread->count + 1) * sizeof *in_all), count = 0;
    for (uint32_t i = 0; in_all && i < spread->count; i++)
        if (spread->items[i].value.present && !spread->items[i].value.absent)
            in_all[count++] = i;
    free(spread->in_all);
    spread->in_all = in_all;
    spread->in_all_count = count;
    return in_all;
}

bool hcct_spread_end(struct hcct_spread *spread)
{
    struct hcct_file_spread now;
    if (!spread->source.name) /* none, or it has ended */
        return true;
    if (!lacking_now(spread, &now) || (!spread->source.rest && !settle_own(spread)))
        return false;
    if (!spread->has_no_strips &&
        ((!spread->source.rest && !add_strips(spread)) || !hcct_strip_end(&spread->strip)))
        return false;
    if (spread->number > 1)
        settle_lacking(spread, &now);
    else if (!find_in_all(spread))
        return false;
    if (spread->lacking.absent)
        join(&spread->lacking, &now);
    else
        spread->lacking = now;
    spread->floor = larger(spread->floor, now.most_high);
    spread->own_count = 0;
    spread->source.name = NULL;
    return drop_names(spread);
}

void hcct_spread_restart(struct hcct_spread *spread)
{
    spread->number = 0;
    spread->floor = 0;
    spread->in_all_count = 0;
    spread->lacking = (struct hcct_file_spread){ 0 };
}

/* A profile may lack a context without ever being asked for it: so the number of those that lack it, and
 * their floors, come in here. */
struct hcct_file_spread hcct_spread_value(const struct hcct_spread *spread, uint32_t context)
{
    if (context >= spread->count || !spread->items[context].value.present)
        return spread->lacking;
    struct hcct_file_spread value = spread->items[context].value;
    value.absent = spread->lacking.absent > value.present ? spread->lacking.absent - value.present : 0;
    if (value.absent)
        value.most_high = larger(value.most_high, spread->floor);
    return value;
}

bool hcct_spread_cut(struct hcct_spread *spread, const uint32_t *order, uint32_t kept_count, uint64_t floor)
{
    struct hcct_spread_item *kept = calloc((size_t)kept_count + 1, sizeof *kept);
    if (!kept)
        return false;
    for (uint32_t i = 0; i < kept_count; i++)
        if (order[i] < spread->count)
            kept[i] = spread->items[order[i]];
    bool has_cut = kept_count < spread->count;
    free(spread->items);
    spread->items = kept;
    spread->count = kept_count;
    spread->capacity = kept_count + 1;
    if (has_cut && spread->lacking.absent) {
        /* one that was left out has `floor` in all profiles together at the most */
        spread->lacking.least_high = larger(spread->lacking.least_high, floor / spread->lacking.absent);
        spread->lacking.most_high = larger(spread->lacking.most_high, floor);
        spread->lacking.least_source = 0;
    }
    return find_in_all(spread) && hcct_strip_cut(&spread->strip, order, kept_count);
}

void hcct_spread_free(struct hcct_spread *spread)
{
    free(spread->items);
    free(spread->own);
    free(spread->in_all);
    free_names(spread);
    hcct_strip_free(&spread->strip);
    *spread = (struct hcct_spread){ 0 };
}
