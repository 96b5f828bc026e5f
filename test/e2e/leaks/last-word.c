// A pointer to the last word of a block leads to it, as in a list whose links are the last members, wherever malloc is. A pointer that malloc has to the free memory behind a block looks the same, and does not.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && for how in "-O1" "-O1 -static" "-O1 -static-pie"; do %hcct-cc $how -g %s -o x 2> warnings || exit 1; \
// RUN:   for behind in top unsorted %if target-aarch64 %{%} %else %{sorted%}; do %hcct-run --leaks ./x $behind > out; test $? = 23 && FileCheck %s < out || { echo "$how: $behind"; exit 1; }; done; done
// The same with a malloc of the program's own, which has other data than glibc's.
// RUN: %clang -O1 -DALLOCATOR -c %S/../heap/own.c -o own.o && for how in "" -static; do %hcct-cc -O1 -g $how --hcct-allocator=malloc %s own.o -o x 2> warnings && %hcct-run --leaks ./x top > out; test $? = 23 && FileCheck %s < out || exit 1; done
// CHECK: leaked: 1000 bytes in 1 block by 1 context; still reachable:
#include <stdlib.h>
#include <string.h>

struct link {
    struct link *next;
};
struct node {
    long key, value;
    struct link link;
};

static struct link *zeroed, last, *initialised = &last;
static void *volatile keeps, *volatile sorts;

__attribute__((noinline)) static void add(struct link **list)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->link.next = *list;
    *list = &node->link;
}

// What is behind its block: the free memory at the end of the heap, or a free block in one of two lists.
__attribute__((noinline)) static void lose(const char *behind)
{
    void *volatile block, *volatile freed;
    if (!strcmp(behind, "top"))
        keeps = malloc(8);
    block = malloc(1000);
    if (strcmp(behind, "top") != 0) {
        freed = malloc(2000);
        keeps = malloc(8);
        free(freed);
    }
    if (!strcmp(behind, "sorted"))
        sorts = calloc(1, 5000);
    block = freed = NULL;
}

__attribute__((noinline)) static void wipe(void)
{
    volatile char stack[8192];
    for (size_t i = 0; i < sizeof stack; i++)
        stack[i] = 0;
}

int main(int count, char **arguments)
{
    for (int i = 0; i < 3; i++) {
        add(&zeroed);
        add(&initialised);
    }
    lose(count > 1 ? arguments[1] : "");
    wipe();
    return 0;
}
