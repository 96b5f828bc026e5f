/* Runs JavaScript files in Duktape: `duktape FILE...`; print() writes a line. Exit status 1 if a script threw. */
#include <duktape.h>
#include <stdio.h>
#include <stdlib.h>

static duk_ret_t print(duk_context *context)
{
    puts(duk_safe_to_string(context, 0));
    return 0;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *text = malloc(length + 1);
    text[fread(text, 1, length, file)] = 0;
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    duk_context *context = duk_create_heap_default();
    duk_push_c_function(context, print, 1);
    duk_put_global_string(context, "print");
    int status = 0;
    for (int i = 1; i < argc; i++) {
        char *text = read_file(argv[i]);
        if (duk_peval_string(context, text)) {
            fprintf(stderr, "%s\n", duk_safe_to_string(context, -1));
            status = 1;
        }
        duk_pop(context);
        free(text);
    }
    duk_destroy_heap(context);
    return status;
}
