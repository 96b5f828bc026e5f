/* What a clang command line will do: the part of clang's driver that the wrapper has to know.
 *
 * Invariants
 *   1. a command line that is not understood loses nothing: every argument but our own is passed on;
 *   2. an option's value is never taken for an input or for an option. */
#ifndef HCCT_WRAPPER_ARGUMENTS_H
#define HCCT_WRAPPER_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

/* A growing argument vector, NULL-terminated for exec. Never freed: the process becomes the compiler. */
struct hcct_arguments {
    char **items;
    size_t count;
    size_t capacity;
};

void hcct_arguments_add(struct hcct_arguments *arguments, const char *item);
__attribute__((format(printf, 2, 3))) void hcct_arguments_format(struct hcct_arguments *arguments,
                                                                 const char *format, ...);

/* Adds `argument`, or where it is @FILE the arguments of that file (GNU quoting; files may name files).
 * A file that can't be read is an argument like any other, as in clang. */
void hcct_arguments_expand(struct hcct_arguments *arguments, const char *argument);

enum hcct_machine {
    HCCT_MACHINE_OTHER, /* not instrumented, has no runtime */
    HCCT_MACHINE_X86_64,
    HCCT_MACHINE_AARCH64,
};

#ifdef __aarch64__
#define HCCT_MACHINE_HOST HCCT_MACHINE_AARCH64
#else
#define HCCT_MACHINE_HOST HCCT_MACHINE_X86_64
#endif

enum hcct_link {
    HCCT_LINK_EXECUTABLE,
    HCCT_LINK_STATIC, /* an executable that loads nothing, position-independent or not */
    HCCT_LINK_SHARED,
};

struct hcct_command {
    bool query;      /* clang answers (--version, -print-*) and does nothing else */
    bool code;       /* an input goes through the optimiser: source or IR */
    bool header;     /* an input that becomes a precompiled header, or is only looked at */
    bool object;     /* an input, -l included, that only the assembler or the linker reads */
    bool no_codegen; /* -E, -M, -fsyntax-only, ... */
    bool no_link;    /* -c, -S */
    /* these options; NULL: not given. Thread-local variables are none of the linker's then: */
    const char *emulated_tls;
    /* ours cannot be reached; DataFlowSanitizer gives all functions other names, ours too */
    const char *dataflow;
    /* one that is not clang's own: GNU as does not read all of what clang writes for the records */
    const char *assembler;
    bool no_libraries;    /* clang adds no C library to the link */
    bool names_libc;      /* -lc: the user does */
    bool bare;            /* -nostdinc: not even the compiler's own headers are found */
    bool relocatable;     /* -r */
    bool lto;             /* -flto in any form */
    bool bitcode;         /* an object that is linked is bitcode, or an archive has some that is ours */
    bool fat_lto;         /* -ffat-lto-objects: bitcode and code in one object */
    bool unoptimized;     /* -O0, said as the last of its kind */
    bool unoptimized_lto; /* the linker is told so: --lto-O0 */
    const char *mpi;      /* the argument that names an MPI library to link; NULL: none does */
    bool archives;        /* -Bstatic was the last of its kind so far */
    bool wrap;            /* --wrap was the last argument for the linker, and the next one is its name */
    bool own_wraps;       /* the user gives --wrap= of one of hcct_allocator_names */
    bool switches;        /* links Boost.Context */
    bool own_rpath;       /* the user gives a path for the loader, -rpath */
    enum hcct_link link;
    const char *triple, *width; /* of --target=; -m64 and the like; NULL: not given */
    enum hcct_machine machine;
    const char *linker; /* of -fuse-ld=, --ld-path=; NULL: clang's default */
    const char *output; /* of -o; NULL: not given */
};

/* The value of -o, if that is the argument, of clang or of a linker; otherwise NULL. *used is 2 if the value is
 * the next argument. */
const char *hcct_output_of(char **argument, size_t *used);

/* The functions whose calls --wrap leads to the runtime, up to NULL. */
extern const char *const hcct_allocator_names[];

/* Adds what one of the linker's own arguments says, as in -Wl,. Must be called for each, in their order. */
void hcct_command_classify_for_linker(struct hcct_command *command, const char *argument);

/* Classifies expanded arguments, without argv[0]. */
void hcct_command_classify(struct hcct_command *command, const struct hcct_arguments *arguments);

/* Runs the linker. */
static inline bool hcct_command_runs_linker(const struct hcct_command *command)
{
    return !command->query && !command->no_codegen && !command->no_link && (command->code || command->object);
}

static inline bool hcct_command_compiles(const struct hcct_command *command)
{
    return !command->query && !command->no_codegen && command->code;
}

/* Reads source that may include <hcct/hcct.h>. */
static inline bool hcct_command_includes(const struct hcct_command *command)
{
    return !command->query && !command->bare && (command->code || command->header);
}

/* Has a C library in the link. */
static inline bool hcct_command_has_libc(const struct hcct_command *command)
{
    return !command->no_libraries || command->names_libc;
}

/* Links something that is loaded: an executable or a shared object. */
static inline bool hcct_command_links(const struct hcct_command *command)
{
    return hcct_command_runs_linker(command) && !command->relocatable;
}

#endif
