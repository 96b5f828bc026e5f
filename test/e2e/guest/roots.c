// A conservative collector scans what the loader mapped writable: the runtime adds little to it, and all large tables are mapped when they are needed.
// RUN: %hcct-cc -O1 %s -o %t && HCCT_OPTIONS=output=%t.bin %t && %hcct-decode --format=folded %t.bin | grep -x 'main 1'
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>

enum { MOST = 600 * 1024 };

static __attribute__((no_profile_instrument_function)) int add(struct dl_phdr_info *info, size_t size, void *sum)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && !*info->dlpi_name; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_W)
            *(size_t *)sum += info->dlpi_phdr[i].p_memsz;
    return 0;
}

int main(void)
{
    size_t sum = 0;
    dl_iterate_phdr(add, &sum);
    printf("%zu bytes\n", sum);
    return sum > MOST;
}
