/* Locations of call sites: the bytes are those that were worked out by hand, and what was written is read
 * again, also at the ends of the ranges of numbers. */
#include "hcct/locations.h"

#include <stdint.h>
#include <string.h>

#include "check.h"
#include "draw.h"

enum { SITES = 1000 };

/* As the pass lays it out: scopes, sites, bytes. */
static struct layout {
    struct hcct_function function;
    struct hcct_scope scopes[2];
    struct hcct_site sites[SITES];
    uint8_t bytes[(SITES + 1) * HCCT_LOCATION_BYTES_MAX];
} written;

static const uint8_t by_hand[] = {
    2,                          /* scopes */
    1 << 2,     20, 3,          /* the function's file, the first call, line +10 is 20 in zigzag, column 3 */
    3 << 2 | 3, 2,  5, 3,    7, /* the second scope, a step of +1, discriminator 5, line -2, column 7 */
    0 | 1,      5,  0, 0x80, 1  /* no debug info, a step of -3, the same line, column 128 */
};

/* The bytes are those of `count` sites. Returns where they begin. */
static uint8_t *begin(uint32_t count)
{
    written.function.sites = (hcct_rel)((char *)written.sites - (char *)&written.function.sites);
    written.function.site_count = count;
    return (uint8_t *)&written.sites[count];
}

static void check_bytes(void)
{
    memcpy(begin(3), by_hand, sizeof by_hand);
    struct hcct_locations from = hcct_locations_of(&written.function);
    CHECK(from.scope_count == 2);
    struct hcct_location first = *hcct_locations_next(&from), second = *hcct_locations_next(&from),
                         third = *hcct_locations_next(&from);
    CHECK(first.ordinal == 1 && first.scope == HCCT_SCOPE_OWN && first.line == 10 && first.column == 3);
    CHECK(second.ordinal == 3 && second.scope == 3 && second.line == 8 && second.column == 7);
    CHECK(!first.discriminator && second.discriminator == 5 && !third.discriminator);
    CHECK(third.ordinal == 1 && third.scope == HCCT_SCOPE_NONE && third.line == 8 && third.column == 128);
    CHECK(hcct_locations_scope(written.sites, 2) == &written.scopes[1]);
    CHECK(hcct_locations_scope(written.sites, 3) == &written.scopes[0]);
    CHECK(hcct_locations_at(&written.function, 1).line == 8);
    uint8_t again[sizeof by_hand];
    const struct hcct_location before = { 0 };
    uint8_t *at = hcct_locations_put(again, 2);
    at = hcct_locations_add(at, &before, &first);
    at = hcct_locations_add(at, &first, &second);
    at = hcct_locations_add(at, &second, &third);
    CHECK(at == again + sizeof again && memcmp(again, by_hand, sizeof by_hand) == 0);
}

/* Any number of bits, so that small and large ones come. */
static uint32_t draw_number(void)
{
    return (uint32_t)draw() >> draw() % 32;
}

static void check_again(void)
{
    static struct hcct_location all[SITES + 1];
    uint8_t *at = hcct_locations_put(begin(SITES), UINT32_MAX);
    for (size_t i = 1; i <= SITES; i++) {
        uint32_t extreme = i % 2 ? UINT32_MAX : 0;
        all[i] = i < 9 ? (struct hcct_location){ extreme, extreme, extreme, extreme, extreme }
                       : (struct hcct_location){ draw_number(), draw_number(), draw_number(), draw_number(),
                                                 draw() % 2 ? draw_number() : 0 };
        const uint8_t *start = at;
        at = hcct_locations_add(at, &all[i - 1], &all[i]);
        CHECK(at - start <= HCCT_LOCATION_BYTES_MAX);
    }
    struct hcct_locations from = hcct_locations_of(&written.function);
    CHECK(from.scope_count == UINT32_MAX);
    for (size_t i = 1; i <= SITES; i++)
        CHECK(memcmp(hcct_locations_next(&from), &all[i], sizeof all[i]) == 0);
    CHECK(from.at == at);
}

/* Where a number has no end, reading has. */
static void check_endless(void)
{
    uint8_t *start = begin(1);
    memset(start, 0xff, 100);
    CHECK(hcct_locations_of(&written.function).at == start + HCCT_LOCATIONS_NUMBER_MAX);
}

int main(void)
{
    check_bytes();
    check_again();
    check_endless();
    CHECK_DONE();
}
