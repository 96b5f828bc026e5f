/* The memory that a search for pointers begins with (scan.h), as /proc/self/maps tells it. */
#ifndef HCCT_RUNTIME_HEAP_ROOTS_H
#define HCCT_RUNTIME_HEAP_ROOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_heap_thread {
    /* where what it uses of its stack begins; 0: not known, as it runs, or the kernel does not tell */
    uintptr_t stack;
    uintptr_t words; /* an address in its thread-local storage */
};

struct hcct_heap_roots {
    const struct hcct_heap_thread *threads;
    size_t thread_count;
    int own_thread;      /* the number of the calling one */
    uintptr_t allocator; /* an address in the allocator's code */
    /* Is called with each root. is_allocators: it is data of the allocator's object. */
    void (*visit)(uintptr_t start, uintptr_t end, bool is_allocators);
    /* Returns a copy of so much memory, which is valid until the next call of this or `visit`. NULL: it
     * cannot be read. */
    const void *(*read)(uintptr_t start, size_t bytes);
    char *buffer; /* scratch memory */
    size_t buffer_bytes;
};

/* False if the kernel does not tell. */
bool hcct_heap_roots_visit(const struct hcct_heap_roots *roots);

/* What a thread that waits in the kernel has in its registers, as far as that tells: the parameters of its
 * system call, and its stack pointer as the last but one. Returns how many numbers there are; 0: none is
 * known. */
enum { HCCT_HEAP_REGISTERS = 8 };
/* Below the stack pointer, what a function that calls nothing may use (x86-64). */
enum { HCCT_HEAP_RED_ZONE_BYTES = 128 };
size_t hcct_heap_roots_registers(int thread, uintptr_t registers[HCCT_HEAP_REGISTERS]);

#endif
