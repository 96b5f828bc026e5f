/* Compiles .scss files one after the other, in every output style, with functions and an importer of C: `sass FILE...`.
 * CSS and errors go to standard output; exit status 1 if a file failed. */
#include <sass.h>
#include <stdio.h>
#include <string.h>

/* from-c($list...): the number of arguments, or an error when the first is the string "fail" */
static union Sass_Value *from_c(const union Sass_Value *arguments, Sass_Function_Entry entry, struct Sass_Compiler *compiler)
{
    (void)entry, (void)compiler;
    const union Sass_Value *list = sass_list_get_value(arguments, 0);
    if (sass_list_get_length(list) && sass_value_is_string(sass_list_get_value(list, 0)) &&
        !strcmp(sass_string_get_value(sass_list_get_value(list, 0)), "fail"))
        return sass_make_error("from-c was asked to fail");
    return sass_make_number(sass_list_get_length(list), "px");
}

/* @import "c:NAME" is a rule of ours */
static Sass_Import_List import(const char *path, Sass_Importer_Entry entry, struct Sass_Compiler *compiler)
{
    (void)entry, (void)compiler;
    if (strncmp(path, "c:", 2))
        return NULL;
    char text[200];
    snprintf(text, sizeof text, "$imported: '%s'; .imported { name: $imported; }", path + 2);
    Sass_Import_List list = sass_make_import_list(1);
    list[0] = sass_make_import_entry(path, sass_copy_c_string(text), NULL);
    return list;
}

static int compile(const char *path, enum Sass_Output_Style style)
{
    struct Sass_File_Context *file = sass_make_file_context(path);
    struct Sass_Context *context = sass_file_context_get_context(file);
    struct Sass_Options *options = sass_context_get_options(context);
    sass_option_set_output_style(options, style);
    sass_option_set_precision(options, 6);
    sass_option_set_source_comments(options, style == SASS_STYLE_EXPANDED);
    sass_option_set_source_map_file(options, "out.map");
    Sass_Function_List functions = sass_make_function_list(1);
    sass_function_set_list_entry(functions, 0, sass_make_function("from-c($list...)", from_c, NULL));
    sass_option_set_c_functions(options, functions);
    Sass_Importer_List importers = sass_make_importer_list(1);
    sass_importer_set_list_entry(importers, 0, sass_make_importer(import, 0, NULL));
    sass_option_set_c_importers(options, importers);

    int status = sass_compile_file_context(file);
    if (status)
        printf("error %d: %s", status, sass_context_get_error_message(context));
    else
        printf("%s\n%zu bytes of map\n", sass_context_get_output_string(context), strlen(sass_context_get_source_map_string(context)));
    sass_delete_file_context(file);
    return status;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; i++)
        for (enum Sass_Output_Style style = SASS_STYLE_NESTED; style <= SASS_STYLE_COMPRESSED; style++)
            failed |= compile(argv[i], style);
    return failed != 0;
}
