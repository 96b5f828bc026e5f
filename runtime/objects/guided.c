/* See guided.h. */
#include "runtime/objects/guided.h"

#include <errno.h>
#include <stdbool.h>

#include "encoding/guide.h"
#include "runtime/base/file.h"
#include "runtime/base/memory.h"
#include "runtime/core/options.h"
#include "runtime/objects/record.h"

static struct hcct_guide guide;
static uint32_t asked_count, found_count;

static bool read_guide(const void *bytes, size_t length)
{
    size_t site_bytes, scratch_bytes;
    if (!hcct_guide_measure(bytes, length, &site_bytes, &scratch_bytes))
        return false;
    void *sites = hcct_memory_map(site_bytes + 8), *scratch = hcct_memory_reserve(scratch_bytes + 8);
    bool done = sites && scratch && hcct_guide_read(&guide, bytes, length, sites, scratch);
    hcct_memory_release(scratch, scratch_bytes + 8);
    if (!done) {
        hcct_memory_unmap(sites, site_bytes + 8);
        guide = (struct hcct_guide){ 0 };
    }
    return done;
}

void hcct_guided_start(void)
{
    size_t length;
    int saved = errno;
    if (!hcct_options.guide[0])
        return;
    void *bytes = hcct_file_read_profile(hcct_options.guide, &length);
    if (!bytes || !read_guide(bytes, length)) {
        HCCT_SAY(1, bytes ? "no sound profile of calls" : "cannot read", ": guide '", hcct_options.guide,
                 "', it is left out");
        hcct_options.guide[0] = 0;
    }
    hcct_memory_release(bytes, length);
    errno = saved;
}

uint8_t hcct_guided_weight(const struct hcct_site *site)
{
    uint8_t weight = hcct_record_weight(site);
    if (!hcct_options.guide[0])
        return weight;
    const struct hcct_guide_site *found = hcct_guide_find(&guide, site->id);
    asked_count++;
    found_count += found != NULL;
    return hcct_guide_weight(found, weight);
}

void hcct_guided_report(void)
{
    char found[16], asked[16];
    if (!hcct_options.guide[0])
        return;
    HCCT_SAY(found_count < asked_count ? 1 : 2, "guide '", hcct_options.guide, "' has ",
             hcct_say_decimal(found_count, found, sizeof found), " of ",
             hcct_say_decimal(asked_count, asked, sizeof asked), " call sites");
}
