// A conservative collector scans what the loader mapped writable, a leak checker all that can be read: the runtime adds little to either.
// RUN: %hcct-cc -O1 %s -o %t && for mode in hcct cct; do HCCT_OPTIONS=mode=$mode:output=%t.bin %t && %hcct-decode --format=folded %t.bin | grep -x 'main 1' || exit 1; done
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>

enum { MOST_LOADED = 600 * 1024, MOST_READABLE = 128 << 20 };

#define PLAIN static __attribute__((no_profile_instrument_function))

PLAIN int add(struct dl_phdr_info *info, size_t size, void *sum)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && !*info->dlpi_name; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_W)
            *(size_t *)sum += info->dlpi_phdr[i].p_memsz;
    return 0;
}

PLAIN size_t readable(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096], access;
    size_t from, to, sum = 0;
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%zx-%zx %c", &from, &to, &access) == 3 && access == 'r')
            sum += to - from;
    return sum;
}

int main(void)
{
    size_t loaded = 0, all = readable();
    dl_iterate_phdr(add, &loaded);
    printf("%zu bytes, of %zu\n", loaded, all);
    return loaded > MOST_LOADED || all > MOST_READABLE;
}
