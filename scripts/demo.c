/* Runs JavaScript files in the Duktape engine: the program that scripts/demo profiles. */
#include <stdio.h>
#include <stdlib.h>

#include "duktape.h"

static duk_ret_t print(duk_context *context)
{
    puts(duk_safe_to_string(context, 0));
    return 0;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t capacity = 0;
    if (!file || getdelim(&text, &capacity, '\0', file) < 0) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return text;
}

static int run(duk_context *context, const char *path)
{
    char *text = read_file(path);
    int failed = duk_peval_string(context, text) != 0;
    if (failed)
        fprintf(stderr, "%s: %s\n", path, duk_safe_to_string(context, -1));
    duk_pop(context);
    free(text);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    duk_context *context = duk_create_heap_default();
    duk_push_c_function(context, print, 1);
    duk_put_global_string(context, "print");
    for (int i = 1; i < argc; i++)
        failed |= run(context, argv[i]);
    duk_destroy_heap(context);
    return failed;
}
