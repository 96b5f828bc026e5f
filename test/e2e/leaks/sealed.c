// Data that the program has made read-only still leads to blocks: pages at the beginning, in the middle and at the end of .data and of .bss, several in a row, all of them; in a library all of its data.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for how in "-O1" "-O1 -no-pie" "-O1 -fuse-ld=lld" "-O1 -static" "-O1 -static-pie"; do %hcct-cc $how -g %s -o x -ldl 2> warnings || exit 1; \
// RUN:   for pages in 0 2 4 01234 5 7 9 56789 0123456789 1346; do %hcct-run --leaks ./x $pages > out; test $? = 23 && FileCheck %s < out || { echo "$how: $pages"; exit 1; }; done; done
// RUN: for how in -fuse-ld=lld %if target-aarch64 %{%} %else %{-fuse-ld=bfd%}; do %clang -O1 -shared -fPIC -DLIBRARY $how %s -o library.so && %hcct-cc -O1 -g $how %s -o x -ldl || exit 1; \
// RUN:   for pages in 0 2 4 01234 5 7 9 56789 0123456789 1346 all; do %hcct-run --leaks ./x $pages ./library.so > out; test $? = 23 && FileCheck %s < out || { echo "$how: $pages of the library"; exit 1; }; done; done
// CHECK: leaked: 100 bytes in 1 block by 1 context; still reachable:
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "Inputs/lose.h"

enum { PAGES = 5, PAGE_BYTES = 4096 };
struct page {
    _Alignas(PAGE_BYTES) void *block;
    char rest[PAGE_BYTES - sizeof(void *)];
};
struct pages {
    struct page *initialised, *zeroed;
};

// Each array is known as a whole, so that the compiler leaves it where it is.
static struct page initialised[PAGES] = { { .rest = "x" } }, zeroed[PAGES];
struct pages pages_of_this = { initialised, zeroed };

#ifndef LIBRARY
static int seal(struct dl_phdr_info *info, size_t size, void *name)
{
    for (int i = 0; strstr(info->dlpi_name, name) && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = (info->dlpi_addr + segment->p_vaddr) & -(uintptr_t)PAGE_BYTES;
        uintptr_t end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_W &&
            mprotect((void *)start, end - start, PROT_READ))
            abort();
    }
    return size == 0;
}

// Blocks are made and known here only, so that no pointers are left on the stack.
__attribute__((noinline)) static void fill(struct pages pages)
{
    for (size_t i = 0; i < PAGES; i++) {
        pages.initialised[i].block = malloc(1000 + i);
        pages.zeroed[i].block = malloc(2000 + i);
    }
}

int main(int count, char **arguments)
{
    void *library = count > 2 ? dlopen(arguments[2], RTLD_NOW) : NULL;
    struct pages *pages = library ? dlsym(library, "pages_of_this") : &pages_of_this;
    if (count < 2 || (count > 2 && !library))
        return 1;
    fill(*pages);
    lose(100);
    wipe();
    if (!strcmp(arguments[1], "all")) {
        dl_iterate_phdr(seal, "library.so");
        _exit(0); // a destructor of the library would write
    }
    for (const char *page = arguments[1]; *page; page++) {
        int number = *page - '0';
        struct page *sealed = number < PAGES ? &pages->initialised[number] : &pages->zeroed[number - PAGES];
        if (mprotect(sealed, PAGE_BYTES, PROT_READ))
            return 1;
    }
    return 0;
}
#endif
