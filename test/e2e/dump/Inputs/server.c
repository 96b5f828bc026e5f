/* Answers each line of its input by the number of lines so far. Keeps 1000 bytes for each, and forgets them: a leak. Waits between lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *kept[100000];

__attribute__((noinline)) static void keep(unsigned request)
{
    kept[request] = malloc(1000);
}

__attribute__((noinline)) static void work(unsigned request)
{
    char *scratch = malloc(5000);
    memset(scratch, (int)request, 5000);
    free(scratch);
    keep(request);
}

int main(void)
{
    static char in[4096], out[4096], line[100];
    setvbuf(stdin, in, _IOLBF, sizeof in);
    setvbuf(stdout, out, _IOLBF, sizeof out);
    for (unsigned request = 0; fgets(line, sizeof line, stdin);) {
        work(request);
        printf("%u\n", ++request);
    }
    return 0;
}
