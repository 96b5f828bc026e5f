/* Which inputs reach calling contexts that no input before them reached? For a fuzzer, or to choose the tests
 * that are worth to keep. The inputs here are expressions; an input that stays in known contexts is dull.
 *
 *     hcct-cc -O2 -g examples/new_inputs.c -o new_inputs
 *     HCCT_OPTIONS=mode=cct:output=corpus.bin ./new_inputs '1+2' '3*4'
 *     HCCT_OPTIONS=mode=cct:known=corpus.bin  ./new_inputs '5+6' '7*(8+9)'
 *     hcct-decode --new
 */
#include <hcct/hcct.h>
#include <stdio.h>
#include <stdlib.h>

static long sum(const char **text);

static long atom(const char **text)
{
    long value;
    if (**text != '(')
        return strtol(*text, (char **)text, 10);
    ++*text;
    value = sum(text);
    *text += **text == ')';
    return value;
}

static long product(const char **text)
{
    long value = atom(text);
    while (**text == '*') {
        ++*text;
        value *= atom(text);
    }
    return value;
}

static long sum(const char **text)
{
    long value = product(text);
    while (**text == '+') {
        ++*text;
        value += product(text);
    }
    return value;
}

/* Called at the first entry into each new context. */
static void tell(uint64_t context, void *out)
{
    char path[200];
    (void)context;
    hcct_context_describe(path, sizeof path);
    fprintf(out, "    %s\n", path);
}

int main(int argc, char **argv)
{
    hcct_on_new_context(tell, stdout);
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        uint64_t before = hcct_new_context_count();
        long value = sum(&text);
        uint64_t found = hcct_new_context_count() - before;
        printf("%s = %ld: %llu new contexts\n", argv[i], value, (unsigned long long)found);
    }
    return 0;
}
