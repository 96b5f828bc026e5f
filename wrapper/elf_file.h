/* A linked ELF file as the loader would lay it out, so that code which reads records in memory reads those of
 * a file. Relocations are applied where their result is known before the program runs.
 *
 * Invariant: what the file says is checked before it is used. A file that is not understood is not opened. */
#ifndef HCCT_WRAPPER_ELF_FILE_H
#define HCCT_WRAPPER_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_elf {
    int descriptor;
    char *file; /* a copy */
    size_t file_bytes;
    char *image;
    uint64_t first, end; /* the addresses of the image, in the file's own terms */
};

/* A pointer that only the start of the program can fill in. */
#define HCCT_ELF_UNKNOWN UINT64_MAX

/* Opens an executable for a machine that hcct knows. False: it is none, or was not understood. `elf` needs
 * hcct_elf_close in any case. */
bool hcct_elf_open(struct hcct_elf *elf, const char *path);
void hcct_elf_close(struct hcct_elf *elf);
const Elf64_Ehdr *hcct_elf_header(const struct hcct_elf *elf);
/* Number `index` of header->e_phnum. */
const Elf64_Phdr *hcct_elf_segment(const struct hcct_elf *elf, size_t index);
/* What lies at [address, address + bytes) in the image, or NULL. */
void *hcct_elf_at(const struct hcct_elf *elf, uint64_t address, uint64_t bytes);
/* Whether [at, at + bytes) is in the image. */
bool hcct_elf_has(const struct hcct_elf *elf, const void *at, uint64_t bytes);
/* How many bytes the image has from `at` on, which is in it. */
size_t hcct_elf_bytes_from(const struct hcct_elf *elf, const void *at);
/* The section with this name and size in the image, or NULL. */
void *hcct_elf_section(const struct hcct_elf *elf, const char *name, uint64_t bytes);
/* Writes [at, at + bytes) of the image to its place in the file. False: it has none, or cannot be written. */
bool hcct_elf_write(const struct hcct_elf *elf, const void *at, uint64_t bytes);

#endif
