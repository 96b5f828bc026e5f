/* Runs a fuzz target on the files of the command line: the regression test that needs no libFuzzer. */
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t length);

static int run(const char *name)
{
    FILE *in = fopen(name, "rb");
    long length = -1;
    unsigned char *bytes = NULL;
    if (in && !fseek(in, 0, SEEK_END) && (length = ftell(in)) >= 0) {
        rewind(in);
        bytes = malloc((size_t)length + 1);
    }
    int failed = !bytes || fread(bytes, 1, (size_t)length, in) != (size_t)length;
    if (failed)
        perror(name);
    else
        LLVMFuzzerTestOneInput(bytes, (size_t)length);
    free(bytes);
    if (in)
        fclose(in);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= run(argv[i]);
    printf("%d inputs\n", argc - 1);
    return failed;
}
