/* The weights of call sites by the profile of an earlier run, named by HCCT_GUIDE. Read once a process: a
 * ThinLTO link instruments its modules in several threads. */
#include "pass/select/guided.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "encoding/guide.h"
#include "format/input.h"
#include "format/section_reader.h"

#define FILE_BYTES_MAX ((size_t)1 << 30)

static struct hcct_guide guide;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

/* malloc's memory, NULL if the file cannot be read. */
static void *read_file(const char *path, size_t *length)
{
    FILE *file = hcct_input_open_within(path, FILE_BYTES_MAX);
    char *bytes = NULL;
    *length = 0;
    bool done = file;
    uint64_t most;
    for (size_t got = 1; done && got && (most = hcct_section_wanted_bytes(bytes, *length)) > *length;
         *length += got) {
        char *larger = most <= FILE_BYTES_MAX ? realloc(bytes, most) : NULL;
        done = larger;
        bytes = done ? larger : bytes;
        got = done ? fread(bytes + *length, 1, most - *length, file) : 0;
    }
    if (!done || ferror(file)) {
        free(bytes);
        bytes = NULL;
    }
    if (file)
        fclose(file);
    return bytes;
}

/* The same without packing. */
static void *unpacked(void *bytes, size_t *length)
{
    struct hcct_error ignored;
    size_t plain_bytes;
    if (!bytes || !hcct_section_unpacked_bytes(bytes, *length, &plain_bytes, &ignored) || !plain_bytes)
        return bytes;
    void *plain = malloc(plain_bytes);
    if (plain)
        hcct_section_unpack(plain, plain_bytes, bytes);
    free(bytes);
    *length = plain ? plain_bytes : 0;
    return plain;
}

static void load(void)
{
    size_t length, site_bytes, scratch_bytes;
    const char *path = getenv("HCCT_GUIDE");
    if (!path || !*path)
        return;
    void *bytes = unpacked(read_file(path, &length), &length), *sites = NULL, *scratch = NULL;
    bool done = bytes && hcct_guide_measure(bytes, length, &site_bytes, &scratch_bytes);
    if (done) {
        sites = malloc(site_bytes + 1);
        scratch = malloc(scratch_bytes + 1);
        done = sites && scratch && hcct_guide_read(&guide, bytes, length, sites, scratch);
    }
    if (!done) {
        guide = (struct hcct_guide){ 0 };
        free(sites);
        snprintf(problem, sizeof problem, "hcct: %s: guide '%s' (HCCT_GUIDE), it is left out",
                 bytes ? "no sound profile of calls" : "cannot read", path);
    }
    free(scratch);
    free(bytes);
}

const char *hcct_guided_load(void)
{
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

uint8_t hcct_guided_weight(uint64_t site, uint8_t weight)
{
    return guide.site_count ? hcct_guide_weight(hcct_guide_find(&guide, site), weight) : weight;
}
