/* What a guide makes of a profile: the calls of each site, known from how the profile was built; and of bytes
 * that are no profile: nothing. */
#include "encoding/guide.h"

#include <stdlib.h>
#include <string.h>

#include "test/unit/check.h"
#include "test/unit/profile_builder.h"

struct program {
    unsigned char *bytes;
    size_t length;
    uint64_t down, again, leaf, through, callback, never; /* ids of sites */
};

static uint64_t site_id(const struct builder *b, uint32_t site)
{
    return ((const struct hcct_file_site *)b->sites.elements)[b->site_at[site]].id;
}

/* main calls f, f calls itself and leaf and, through qsort, leaf again. */
static struct program make_program(void)
{
    struct builder b;
    struct program program;
    builder_open(&b, "guide");
    uint32_t main_ = builder_function(&b, "main", "main", "a.c", 1, 0);
    uint32_t f = builder_function(&b, "f", "f", "a.c", 2, 0);
    uint32_t leaf = builder_function(&b, "leaf", "leaf", "a.c", 3, HCCT_FUNCTION_ENTERABLE);
    uint32_t down = builder_site(&b, main_, f, "f", "a.c", 4, 0, BUILDER_NONE);
    uint32_t again = builder_site(&b, f, f, "f", "a.c", 5, 0, BUILDER_NONE);
    uint32_t to_leaf = builder_site(&b, f, leaf, "leaf", "a.c", 6, 0, BUILDER_NONE);
    uint32_t through = builder_site(&b, f, BUILDER_NONE, "", "a.c", 7, 0, BUILDER_NONE);
    uint32_t callback = builder_site(&b, f, BUILDER_NONE, "qsort", "a.c", 8, 0, BUILDER_NONE);
    uint32_t never = builder_site(&b, main_, leaf, "leaf", "a.c", 9, 0, BUILDER_NONE);
    builder_number(&b);
    struct builder_context at = builder_root(&b, main_);
    builder_count(&b, at, 1, 0);
    at = builder_call(&b, at, down, f);
    builder_count(&b, at, 7, 0);
    for (uint64_t depth = 1; depth <= 3; depth++) {
        builder_count(&b, builder_call(&b, at, to_leaf, leaf), 100 * depth, 0);
        builder_count(&b, builder_call(&b, at, callback, leaf), 5, 0);
        builder_count(&b, builder_call(&b, at, through, leaf), UINT64_MAX / 2, 0);
        at = builder_call(&b, at, again, f);
        builder_count(&b, at, 10 * depth, 0);
    }
    builder_count(&b, builder_bracket(&b, HCCT_PREFIX_SIGNAL, 14, leaf), 1000, 0);
    program.bytes = builder_write(&b, &program.length);
    program.down = site_id(&b, down);
    program.again = site_id(&b, again);
    program.leaf = site_id(&b, to_leaf);
    program.through = site_id(&b, through);
    program.callback = site_id(&b, callback);
    program.never = site_id(&b, never);
    builder_close(&b);
    return program;
}

static uint64_t calls(const struct hcct_guide *guide, uint64_t id)
{
    const struct hcct_guide_site *site = hcct_guide_find(guide, id);
    CHECK(site && site->id == id);
    return site ? site->calls : 0;
}

static void check_calls(const struct program *program)
{
    struct hcct_guide guide;
    size_t site_bytes, scratch_bytes;
    CHECK(hcct_guide_measure(program->bytes, program->length, &site_bytes, &scratch_bytes));
    void *sites = malloc(site_bytes), *scratch = malloc(scratch_bytes);
    CHECK(sites && scratch && hcct_guide_read(&guide, program->bytes, program->length, sites, scratch));
    CHECK(guide.site_count == 6);
    CHECK(calls(&guide, program->down) == 7);
    CHECK(calls(&guide, program->again) == 10 + 20 + 30);
    CHECK(calls(&guide, program->leaf) == 100 + 200 + 300);
    CHECK(calls(&guide, program->callback) == 15);
    CHECK(calls(&guide, program->through) == UINT64_MAX); /* not more */
    CHECK(calls(&guide, program->never) == 0);
    CHECK(!hcct_guide_find(&guide, 2) && !hcct_guide_find(&guide, 0) && !hcct_guide_find(&guide, UINT64_MAX));
    free(sites);
    free(scratch);
}

/* Everything is under a checksum. */
static void check_damage(const struct program *program)
{
    size_t site_bytes, scratch_bytes;
    unsigned char *copy = malloc(program->length + 8);
    for (size_t length = 0; length < program->length; length++)
        CHECK(!hcct_guide_measure(program->bytes, length, &site_bytes, &scratch_bytes));
    memcpy(copy, program->bytes, program->length);
    copy[program->length] = 0;
    CHECK(!hcct_guide_measure(copy, program->length + 1, &site_bytes, &scratch_bytes));
    size_t harmless = 0;
    for (size_t at = 0; at < program->length; at++) {
        copy[at] ^= 1u << at % 8;
        harmless += hcct_guide_measure(copy, program->length, &site_bytes, &scratch_bytes);
        copy[at] ^= 1u << at % 8;
    }
    CHECK(harmless < 8 * 8); /* in gaps between the sections */
    free(copy);
}

static void check_weights(void)
{
    struct hcct_guide_site many = { 1, 1000000 }, some = { 3, 300 }, one = { 5, 1 }, none = { 7, 0 };
    struct hcct_guide_site most = { 9, UINT64_MAX };
    CHECK(hcct_guide_weight(&most, 0) < 255); /* HCCT_WEIGHT_PRENUMBERED */
    CHECK(hcct_guide_weight(&most, 0) > hcct_guide_weight(&many, 254));
    CHECK(hcct_guide_weight(&many, 0) - hcct_guide_weight(&some, 254) == 19 - 8); /* of their logarithms */
    CHECK(hcct_guide_weight(&some, 0) - hcct_guide_weight(&one, 254) == 8);
    CHECK(hcct_guide_weight(&one, 0) > hcct_guide_weight(NULL, 254));
    CHECK(hcct_guide_weight(NULL, 254) > hcct_guide_weight(NULL, 100));
    CHECK(hcct_guide_weight(NULL, 0) > hcct_guide_weight(&none, 254));
    CHECK(hcct_guide_weight(&none, 254) > hcct_guide_weight(&none, 100));
}

int main(void)
{
    struct program program = make_program();
    check_calls(&program);
    check_damage(&program);
    check_weights();
    free(program.bytes);
    CHECK_DONE();
}
