/* Lines of a log that tell where they came from: each carries its calling context, as one number.
 *
 *     hcct-cc -O2 -g examples/log.c -o log && ./log 2>lines
 *     hcct-decode $(grep -o '0x[0-9a-f]*' lines | sort -u | sed 's/^/--context=/')
 */
#include <hcct/hcct.h>
#include <stdio.h>

/* A macro, so that the context is that of who logs; a function of its own would be part of it. */
#define LOG(...)                                                                                             \
    (hcct_context_pin(), fprintf(stderr, "[0x%016llx] ", (unsigned long long)hcct_context()),                \
     fprintf(stderr, __VA_ARGS__), fputc('\n', stderr))

__attribute__((noinline)) static void open_file(const char *name)
{
    LOG("cannot open %s", name);
}

__attribute__((noinline)) static void read_settings(void)
{
    open_file("settings");
}

__attribute__((noinline)) static void read_cache(void)
{
    open_file("cache");
}

int main(void)
{
    read_settings();
    read_cache();
    return 0;
}
