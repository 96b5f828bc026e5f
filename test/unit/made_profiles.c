#include "made_profiles.h"

#include "profile_builder.h"

unsigned char *profile_of_program(size_t *length, uint64_t scale)
{
    struct builder b;
    builder_open(&b, "/usr/bin/demo");
    uint32_t main_ = builder_function(&b, "main", "main", "/src/demo.c", 40, 0);
    uint32_t sort = builder_function(&b, "_ZN2db4sortEPii", "sort", "/src/db/sort.cc", 10, 0);
    uint32_t compare = builder_function(&b, "compare", "compare", "/src/db/sort.cc", 3, HCCT_FUNCTION_LOCAL);
    uint32_t walk = builder_function(&b, "walk", "walk", "/src/tree.c", 7, 0);
    uint32_t handler = builder_function(&b, "on_alarm", "on_alarm", "/src/demo.c", 5, HCCT_FUNCTION_LOCAL);
    uint32_t run = builder_inlined(&b, "run", "/src/demo.c", 30, "/src/demo.c", 42, BUILDER_NONE);
    uint32_t step = builder_inlined(&b, "step", "/src/demo.c", 20, "/src/demo.c", 33, run);
    uint32_t to_sort = builder_site(&b, main_, sort, "_ZN2db4sortEPii", "/src/demo.c", 44, 5, BUILDER_NONE);
    uint32_t to_walk = builder_site(&b, main_, walk, "walk", "/src/demo.c", 22, 9, step);
    uint32_t pointer = builder_site(&b, main_, BUILDER_NONE, "", "/src/demo.c", 47, 5, BUILDER_NONE);
    uint32_t to_qsort = builder_site(&b, sort, BUILDER_NONE, "qsort", "/src/db/sort.cc", 12, 5, BUILDER_NONE);
    uint32_t again = builder_site(&b, walk, walk, "walk", "/src/tree.c", 9, 5, BUILDER_NONE);
    builder_number(&b);
    struct builder_context at = builder_root(&b, main_), sorting, walking;
    builder_count(&b, at, 1 * scale, 0);
    sorting = builder_call(&b, at, to_sort, sort);
    builder_count(&b, sorting, 10 * scale, 0);
    builder_count(&b, builder_call(&b, sorting, to_qsort, compare), 5000 * scale, 0);
    walking = builder_call(&b, at, to_walk, walk);
    builder_count(&b, walking, 20 * scale, 0);
    for (int i = 0; i < 3; i++) {
        walking = builder_call(&b, walking, again, walk);
        builder_count(&b, walking, 100 * scale, 0);
    }
    builder_count(&b, builder_call(&b, at, pointer, compare), 7 * scale, 0);
    builder_count(&b, builder_bracket(&b, HCCT_PREFIX_SIGNAL, 14, handler), 3 * scale, 0);
    builder_count(&b, builder_bracket(&b, HCCT_PREFIX_UNKNOWN, 0, walk), 2 * scale, 0);
    unsigned char *bytes = builder_write(&b, length);
    builder_close(&b);
    return bytes;
}

unsigned char *profile_of_cycle(size_t *length, uint32_t depth, bool two)
{
    struct builder b;
    builder_open(&b, "deep");
    uint32_t main_ = builder_function(&b, "main", "main", "deep.c", 1, 0);
    uint32_t f = builder_function(&b, "f", "f", "deep.c", 2, 0);
    uint32_t g = two ? builder_function(&b, "g", "g", "deep.c", 3, 0) : f;
    uint32_t first = builder_site(&b, main_, f, "f", "deep.c", 10, 1, BUILDER_NONE);
    uint32_t f_g = builder_site(&b, f, g, "g", "deep.c", 11, 1, BUILDER_NONE);
    uint32_t g_f = two ? builder_site(&b, g, f, "f", "deep.c", 12, 1, BUILDER_NONE) : f_g;
    builder_number(&b);
    struct builder_context at = builder_root(&b, main_);
    builder_count(&b, at, 1, 0);
    for (uint32_t i = 0; i < depth; i++) {
        at = builder_call(&b, at, i == 0 ? first : i % 2 ? f_g : g_f, i % 2 ? g : f);
        builder_count(&b, at, 1, 0);
    }
    unsigned char *bytes = builder_write(&b, length);
    builder_close(&b);
    return bytes;
}

unsigned char *profile_of_bounded(size_t *length, int which, uint64_t floor)
{
    struct builder b;
    builder_open(&b, "twins");
    b.run.mode = HCCT_MODE_HCCT;
    b.run.algorithm = HCCT_ALGORITHM_SPACE_SAVING;
    b.counts.guarantee = HCCT_GUARANTEE_DETERMINISTIC;
    b.counts.floor = floor;
    b.run.epsilon = 0.05;
    uint32_t main_ = builder_function(&b, "main", "main", "/a/main.c", 1, 0);
    uint32_t one = builder_function(&b, "help", "help", "/a/one.c", 2, HCCT_FUNCTION_LOCAL);
    uint32_t two = builder_function(&b, "help.llvm.77", "help", "/a/two.c", 3, 0);
    uint32_t to_one = builder_site(&b, main_, one, "help", "/a/main.c", 4, 0, BUILDER_NONE);
    uint32_t to_two = builder_site(&b, main_, two, "help.llvm.77", "/a/main.c", 4, 0, BUILDER_NONE);
    builder_number(&b);
    struct builder_context root = builder_root(&b, main_);
    if (which != 1)
        builder_count(&b, builder_call(&b, root, to_one, one), 100, 3);
    if (which != 0)
        builder_count(&b, builder_call(&b, root, to_two, two), 50, 1);
    unsigned char *bytes = builder_write(&b, length);
    builder_close(&b);
    return bytes;
}
