/* Where the call sites of a function stand in the source: what is told of them beside struct hcct_site, and
 * read only where a path is to be shown. The pass writes it, and the runtime reads it, both by this header.
 *
 * Neighbouring sites share most of it, so it is not a structure for each site:
 *
 *   struct hcct_scope[scope_count]   the last one first, up to the first site
 *   struct hcct_site[site_count]     hcct_function.sites
 *   bytes                            scope_count; then, for each site in order:
 *                                      scope << 2 | HAS_DISCRIMINATOR | HAS_STEP
 *                                      with HAS_STEP: zigzag(ordinal - the site's before - 1)
 *                                      with HAS_DISCRIMINATOR: discriminator
 *                                      zigzag(line - the site's before)
 *                                      column
 *
 * Numbers are unsigned LEB128: 7 bits a byte, the low ones first, bit 7 where more follow. In front of the
 * first site, line and ordinal are 0. Differences are mod 2^32; zigzag puts their sign into bit 0. Without a
 * step the ordinal is the next one. */
#ifndef HCCT_LOCATIONS_H
#define HCCT_LOCATIONS_H

#include "hcct/abi.h"

/* What sites of one function have in common. */
struct hcct_scope {
    hcct_rel file;    /* null: that of the innermost inlined frame */
    hcct_rel inlined; /* struct hcct_inlined: the innermost inlined frame that holds the call; null: none */
};

/* The number of a scope that is in no table. The others begin with HCCT_SCOPE_TABLE. */
enum {
    HCCT_SCOPE_NONE = 0, /* no debug info: no file */
    HCCT_SCOPE_OWN = 1,  /* the file of the function, in no inlined frame */
    HCCT_SCOPE_TABLE = 2,
};

struct hcct_location {
    uint32_t ordinal; /* of the call among the function's sites, from 1, in code order */
    uint32_t scope;
    uint32_t line;
    uint32_t column;
    uint32_t discriminator; /* the base one of the debug info: tells calls of one line apart; 0: none */
};

enum { HCCT_LOCATION_HAS_STEP = 1, HCCT_LOCATION_HAS_DISCRIMINATOR = 2, HCCT_LOCATION_SCOPE_SHIFT = 2 };
/* No location takes more: five numbers of at most 34 bits, so of 5 bytes each. */
#define HCCT_LOCATION_BYTES_MAX 26
#define HCCT_LOCATIONS_NUMBER_MAX 10 /* bytes that are read for a number, whatever they are */

static inline uint32_t hcct_locations_zigzag(uint32_t difference)
{
    return difference << 1 ^ (0 - (difference >> 31));
}

static inline uint32_t hcct_locations_unzigzag(uint32_t number)
{
    return number >> 1 ^ (0 - (number & 1));
}

/* --- writing ------------------------------------------------------------------------------------ */

static inline uint8_t *hcct_locations_put(uint8_t *at, uint64_t number)
{
    for (; number > 127; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

/* Writes a location at `at`, which has room for HCCT_LOCATION_BYTES_MAX. `before` is the location of the site
 * in front of it, all zeros if there is none. Returns the end of what was written. */
static inline uint8_t *hcct_locations_add(uint8_t *at, const struct hcct_location *before,
                                          const struct hcct_location *location)
{
    uint32_t step = location->ordinal - before->ordinal - 1;
    at = hcct_locations_put(at, (uint64_t)location->scope << HCCT_LOCATION_SCOPE_SHIFT |
                                    (location->discriminator ? HCCT_LOCATION_HAS_DISCRIMINATOR : 0) |
                                    (step ? HCCT_LOCATION_HAS_STEP : 0));
    if (step)
        at = hcct_locations_put(at, hcct_locations_zigzag(step));
    if (location->discriminator)
        at = hcct_locations_put(at, location->discriminator);
    at = hcct_locations_put(at, hcct_locations_zigzag(location->line - before->line));
    return hcct_locations_put(at, location->column);
}

/* --- reading ------------------------------------------------------------------------------------ */

/* The locations of a function's sites, one after the other. */
struct hcct_locations {
    const uint8_t *at;
    uint32_t scope_count;
    struct hcct_location location; /* of the last site that was read */
};

/* Usually of one byte. */
static inline uint64_t hcct_locations_take(const uint8_t **at)
{
    uint64_t number = *(*at)++;
    for (unsigned shift = 7; shift < 64 && __builtin_expect(number >> shift != 0, 0); shift += 7) {
        uint64_t byte = *(*at)++;
        number ^= byte << shift ^ UINT64_C(1) << shift;
    }
    return number;
}

/* The start: in front of the first site. A function without sites has no locations. */
static inline struct hcct_locations hcct_locations_of(const struct hcct_function *function)
{
    const struct hcct_site *sites = (const struct hcct_site *)hcct_rel_get(&function->sites);
    struct hcct_locations from = { .at = (const uint8_t *)(sites + function->site_count) };
    from.scope_count = function->site_count ? (uint32_t)hcct_locations_take(&from.at) : 0;
    return from;
}

/* The location of the next site; valid until the next call. Not for more than hcct_function.site_count. */
static inline const struct hcct_location *hcct_locations_next(struct hcct_locations *from)
{
    struct hcct_location *to = &from->location;
    const uint8_t *at = from->at;
    uint64_t head = hcct_locations_take(&at);
    to->scope = (uint32_t)(head >> HCCT_LOCATION_SCOPE_SHIFT);
    to->ordinal++;
    if (head & HCCT_LOCATION_HAS_STEP)
        to->ordinal += hcct_locations_unzigzag((uint32_t)hcct_locations_take(&at));
    to->discriminator = head & HCCT_LOCATION_HAS_DISCRIMINATOR ? (uint32_t)hcct_locations_take(&at) : 0;
    to->line += hcct_locations_unzigzag((uint32_t)hcct_locations_take(&at));
    to->column = (uint32_t)hcct_locations_take(&at);
    from->at = at;
    return to;
}

/* That of the site with this index. */
static inline struct hcct_location hcct_locations_at(const struct hcct_function *function, uint32_t index)
{
    struct hcct_locations from = hcct_locations_of(function);
    for (uint32_t i = 0; i <= index; i++)
        hcct_locations_next(&from);
    return from.location;
}

/* The entry of a scope that has one (HCCT_SCOPE_TABLE). */
static inline const struct hcct_scope *hcct_locations_scope(const struct hcct_site *sites, uint32_t scope)
{
    return (const struct hcct_scope *)sites - (scope - HCCT_SCOPE_TABLE + 1);
}

/* The innermost inlined frame around a site of `function`, or NULL. */
static inline const struct hcct_inlined *hcct_locations_inlined(const struct hcct_function *function,
                                                                uint32_t scope)
{
    if (scope < HCCT_SCOPE_TABLE)
        return NULL;
    const struct hcct_site *sites = (const struct hcct_site *)hcct_rel_get(&function->sites);
    return (const struct hcct_inlined *)hcct_rel_get(&hcct_locations_scope(sites, scope)->inlined);
}

/* The inlined function of a frame. */
static inline const struct hcct_subprogram *hcct_locations_subprogram(const struct hcct_inlined *inlined)
{
    return (const struct hcct_subprogram *)((const char *)&inlined->subprogram + inlined->subprogram);
}

/* Its linkage name. */
static inline const char *hcct_locations_name(const struct hcct_inlined *inlined)
{
    const struct hcct_subprogram *subprogram = hcct_locations_subprogram(inlined);
    return (const char *)hcct_rel_get(subprogram->linkage_name ? &subprogram->linkage_name
                                                               : &subprogram->source_name);
}

/* The file where a frame's function is defined; that of `function` itself, if there is no frame. */
static inline const char *hcct_locations_own_file(const struct hcct_function *function,
                                                  const struct hcct_inlined *inlined)
{
    return (const char *)hcct_rel_get(inlined ? &hcct_locations_subprogram(inlined)->file : &function->file);
}

/* The file where a frame of `function` was inlined. */
static inline const char *hcct_locations_call_file(const struct hcct_function *function,
                                                   const struct hcct_inlined *inlined)
{
    if (inlined->call_file)
        return (const char *)hcct_rel_get(&inlined->call_file);
    return hcct_locations_own_file(function, (const struct hcct_inlined *)hcct_rel_get(&inlined->outer));
}

/* The file of a site of `function`, or NULL. */
static inline const char *hcct_locations_file(const struct hcct_function *function, uint32_t scope)
{
    const struct hcct_site *sites = (const struct hcct_site *)hcct_rel_get(&function->sites);
    if (scope >= HCCT_SCOPE_TABLE && hcct_locations_scope(sites, scope)->file)
        return (const char *)hcct_rel_get(&hcct_locations_scope(sites, scope)->file);
    return scope == HCCT_SCOPE_NONE
               ? NULL
               : hcct_locations_own_file(function, hcct_locations_inlined(function, scope));
}

_Static_assert(sizeof(struct hcct_scope) == 8, "the pass emits this layout");

#endif
