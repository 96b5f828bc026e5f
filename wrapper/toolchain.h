/* Where things are: our own prefix, clang, the linker. */
#ifndef HCCT_WRAPPER_TOOLCHAIN_H
#define HCCT_WRAPPER_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What errors begin with: "hcct-cc". */
extern const char *hcct_wrapper_name;

/* Prints "NAME: error: ..." and ends with status 1. */
__attribute__((format(printf, 1, 2), noreturn)) void hcct_wrapper_fail(const char *format, ...);

/* The prefix P that holds P/bin/hcct-cc, wherever it was moved. */
const char *hcct_wrapper_prefix(void);

/* The path of a program, from malloc: `name` if it has a slash, else the first of that name in PATH that is
 * not this program. NULL if there is none that can be executed. */
char *hcct_program_find(const char *name);

const char *hcct_base_name(const char *path);

/* What a program, by its path, writes to its standard output, cut to `size`. */
void hcct_program_output(char *const arguments[], char *text, size_t size);

struct hcct_clang {
    char *path;
    bool needs_cxx_mode; /* C++ wanted, but there is no clang++ beside the clang: needs --driver-mode=g++ */
};

/* HCCT_CLANG, else the clang that hcct was built for, else `clang`. */
struct hcct_clang hcct_clang_find(bool cxx);

/* Told by the name where possible, as a run of clang costs 20 ms. 0: not known. */
int hcct_clang_major(const char *path);

/* The lld of clang's major: only that reads its bitcode and loads its plugins. NULL if there is none. */
char *hcct_lld_find(const struct hcct_clang *clang);

/* The plugin for that major; fails with a list of those that are installed. */
char *hcct_plugin_find(const struct hcct_clang *clang);

/* The majors that there are plugins for: "16, 19, 22". */
char *hcct_plugin_majors(void);

/* The oldest clang since `major` that has a plugin and an lld, by its path; NULL if there is none. */
char *hcct_clang_since(int major);

/* A hash of a file's content; 0 if it cannot be read. What can be read only once, such as a pipe, is left to the
 * one who needs it: its hash differs each time. */
uint64_t hcct_file_hash(const char *path);

#endif
