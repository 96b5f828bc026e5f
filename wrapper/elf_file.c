/* See elf_file.h. The image is at the file's own addresses, if these are fixed; otherwise pointers in it are
 * relocated, as the loader does it. */
#include "elf_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((off_t)1 << 33)
#define IMAGE_BYTES_MAX (UINT64_C(1) << 33)

const Elf64_Ehdr *hcct_elf_header(const struct hcct_elf *elf)
{
    return (const Elf64_Ehdr *)elf->file;
}

const Elf64_Phdr *hcct_elf_segment(const struct hcct_elf *elf, size_t index)
{
    return (const Elf64_Phdr *)(elf->file + hcct_elf_header(elf)->e_phoff) + index;
}

static const Elf64_Shdr *section(const struct hcct_elf *elf, size_t index)
{
    return (const Elf64_Shdr *)(elf->file + hcct_elf_header(elf)->e_shoff) + index;
}

static bool is_in_file(const struct hcct_elf *elf, uint64_t offset, uint64_t bytes)
{
    return offset <= elf->file_bytes && bytes <= elf->file_bytes - offset;
}

void *hcct_elf_at(const struct hcct_elf *elf, uint64_t address, uint64_t bytes)
{
    bool inside = address >= elf->first && address <= elf->end && bytes <= elf->end - address;
    return inside ? elf->image + (address - elf->first) : NULL;
}

bool hcct_elf_has(const struct hcct_elf *elf, const void *at, uint64_t bytes)
{
    uintptr_t offset = (uintptr_t)at - (uintptr_t)elf->image;
    return offset <= elf->end - elf->first && bytes <= elf->end - elf->first - offset;
}

size_t hcct_elf_bytes_from(const struct hcct_elf *elf, const void *at)
{
    return (size_t)(elf->image + (elf->end - elf->first) - (const char *)at);
}

/* --- opening ------------------------------------------------------------------------------------ */

static bool read_file(struct hcct_elf *elf, const char *path)
{
    struct stat status;
    elf->descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (elf->descriptor < 0 || fstat(elf->descriptor, &status) || !S_ISREG(status.st_mode) ||
        status.st_size < (off_t)sizeof(Elf64_Ehdr) || status.st_size > FILE_BYTES_MAX)
        return false;
    elf->file_bytes = (size_t)status.st_size;
    elf->file = mmap(NULL, elf->file_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, elf->descriptor, 0);
    return elf->file != MAP_FAILED;
}

static bool is_understood(const struct hcct_elf *elf)
{
    const Elf64_Ehdr *header = hcct_elf_header(elf);
    const bool little = header->e_ident[EI_DATA] == ELFDATA2LSB;
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           little && (header->e_type == ET_EXEC || header->e_type == ET_DYN) &&
           (header->e_machine == EM_X86_64 || header->e_machine == EM_AARCH64) &&
           header->e_phentsize == sizeof(Elf64_Phdr) && header->e_shentsize == sizeof(Elf64_Shdr) &&
           header->e_phoff % 8 == 0 && header->e_shoff % 8 == 0 &&
           is_in_file(elf, header->e_phoff, (uint64_t)header->e_phnum * sizeof(Elf64_Phdr)) &&
           is_in_file(elf, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)) &&
           header->e_shstrndx < header->e_shnum;
}

/* The addresses of all segments, if each lies in the file. */
static bool find_bounds(struct hcct_elf *elf)
{
    elf->first = UINT64_MAX;
    for (size_t i = 0; i < hcct_elf_header(elf)->e_phnum; i++) {
        const Elf64_Phdr *segment = hcct_elf_segment(elf, i);
        uint64_t page = segment->p_vaddr & ~(uint64_t)4095, end;
        if (segment->p_type != PT_LOAD)
            continue;
        if (segment->p_filesz > segment->p_memsz || !is_in_file(elf, segment->p_offset, segment->p_filesz) ||
            __builtin_add_overflow(segment->p_vaddr, segment->p_memsz, &end))
            return false;
        elf->first = page < elf->first ? page : elf->first;
        elf->end = end > elf->end ? end : elf->end;
    }
    return elf->first < elf->end && elf->end - elf->first <= IMAGE_BYTES_MAX;
}

static bool map_image(struct hcct_elf *elf)
{
    bool fixed = hcct_elf_header(elf)->e_type == ET_EXEC;
    void *wanted = fixed ? (void *)(uintptr_t)elf->first : NULL; /* NOLINT */
    void *image =
        mmap(wanted, elf->end - elf->first, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (fixed ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (image == MAP_FAILED)
        return false;
    elf->image = image;
    if (fixed && image != wanted) /* an old kernel */
        return false;
    for (size_t i = 0; i < hcct_elf_header(elf)->e_phnum; i++) {
        const Elf64_Phdr *segment = hcct_elf_segment(elf, i);
        if (segment->p_type == PT_LOAD)
            memcpy(elf->image + (segment->p_vaddr - elf->first), elf->file + segment->p_offset,
                   segment->p_filesz);
    }
    return true;
}

/* --- relocations -------------------------------------------------------------------------------- */

enum relocated { RELOCATED_RELATIVE, RELOCATED_SYMBOL, RELOCATED_OTHERWISE };

static enum relocated kind_of(uint16_t machine, uint64_t info)
{
    uint32_t type = ELF64_R_TYPE(info);
    if (type == (machine == EM_X86_64 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE))
        return RELOCATED_RELATIVE;
    bool symbol = machine == EM_X86_64 ? type == R_X86_64_64 || type == R_X86_64_GLOB_DAT
                                       : type == R_AARCH64_ABS64 || type == R_AARCH64_GLOB_DAT;
    return symbol ? RELOCATED_SYMBOL : RELOCATED_OTHERWISE;
}

/* Whether the symbol that a relocation of `relocations` names is undefined here, so that it is none of this
 * file's functions, whoever defines it. */
static bool is_undefined(const struct hcct_elf *elf, const Elf64_Shdr *relocations, uint64_t info)
{
    if (relocations->sh_link >= hcct_elf_header(elf)->e_shnum)
        return false;
    const Elf64_Shdr *symbols = section(elf, relocations->sh_link);
    uint64_t at = ELF64_R_SYM(info) * sizeof(Elf64_Sym);
    if (symbols->sh_type != SHT_DYNSYM || symbols->sh_offset % 8 || symbols->sh_size < sizeof(Elf64_Sym) ||
        at > symbols->sh_size - sizeof(Elf64_Sym) || !is_in_file(elf, symbols->sh_offset, symbols->sh_size))
        return false;
    return ((const Elf64_Sym *)(elf->file + symbols->sh_offset + at))->st_shndx == SHN_UNDEF;
}

static void relocate(struct hcct_elf *elf, const Elf64_Shdr *relocations)
{
    uint16_t machine = hcct_elf_header(elf)->e_machine;
    const Elf64_Rela *all = (const Elf64_Rela *)(elf->file + relocations->sh_offset);
    for (size_t i = 0; i < relocations->sh_size / sizeof *all; i++) {
        uint64_t *place = hcct_elf_at(elf, all[i].r_offset, sizeof *place), value = HCCT_ELF_UNKNOWN;
        enum relocated kind = kind_of(machine, all[i].r_info);
        if (kind == RELOCATED_RELATIVE)
            value = (uint64_t)(uintptr_t)elf->image + ((uint64_t)all[i].r_addend - elf->first);
        else if (kind == RELOCATED_SYMBOL && is_undefined(elf, relocations, all[i].r_info))
            value = 0;
        if (place)
            memcpy(place, &value, sizeof value);
    }
}

/* Moves the address that stands at `address`. */
static void relocate_packed_one(struct hcct_elf *elf, uint64_t address)
{
    uint64_t *place = hcct_elf_at(elf, address, sizeof *place);
    if (place)
        *place += (uint64_t)(uintptr_t)elf->image - elf->first;
}

/* DT_RELR: an even entry is an address; an odd one has a bit for each of the 63 words behind the last. */
static void relocate_packed(struct hcct_elf *elf, const Elf64_Shdr *relocations)
{
    const uint64_t *all = (const uint64_t *)(elf->file + relocations->sh_offset);
    uint64_t next = 0;
    for (size_t i = 0; i < relocations->sh_size / sizeof *all; i++) {
        if (!(all[i] & 1)) {
            relocate_packed_one(elf, all[i]);
            next = all[i] + 8;
            continue;
        }
        for (unsigned bit = 1; bit < 64; bit++)
            if (all[i] >> bit & 1)
                relocate_packed_one(elf, next + 8 * (uint64_t)(bit - 1));
        next += 8 * 63;
    }
}

static bool relocate_all(struct hcct_elf *elf)
{
    for (size_t i = 0; i < hcct_elf_header(elf)->e_shnum; i++) {
        const Elf64_Shdr *here = section(elf, i);
        if (!(here->sh_flags & SHF_ALLOC) || here->sh_type == SHT_NOBITS)
            continue;
        bool inside = here->sh_offset % 8 == 0 && is_in_file(elf, here->sh_offset, here->sh_size);
        if (here->sh_type == SHT_REL || (!inside && (here->sh_type == SHT_RELA || here->sh_type == SHT_RELR)))
            return false;
        if (here->sh_type == SHT_RELA)
            relocate(elf, here);
        else if (here->sh_type == SHT_RELR)
            relocate_packed(elf, here);
    }
    return true;
}

bool hcct_elf_open(struct hcct_elf *elf, const char *path)
{
    *elf = (struct hcct_elf){ .descriptor = -1, .file = MAP_FAILED };
    return read_file(elf, path) && is_understood(elf) && find_bounds(elf) && map_image(elf) &&
           relocate_all(elf);
}

void hcct_elf_close(struct hcct_elf *elf)
{
    if (elf->image)
        munmap(elf->image, elf->end - elf->first);
    if (elf->file != MAP_FAILED)
        munmap(elf->file, elf->file_bytes);
    if (elf->descriptor >= 0)
        close(elf->descriptor);
}

/* --- use ---------------------------------------------------------------------------------------- */

void *hcct_elf_section(const struct hcct_elf *elf, const char *name, uint64_t bytes)
{
    const Elf64_Shdr *names = section(elf, hcct_elf_header(elf)->e_shstrndx);
    size_t length = strlen(name) + 1;
    for (size_t i = 0; i < hcct_elf_header(elf)->e_shnum; i++) {
        const Elf64_Shdr *here = section(elf, i);
        uint64_t at = names->sh_offset + here->sh_name;
        if (here->sh_flags & SHF_ALLOC && here->sh_size == bytes && is_in_file(elf, at, length) &&
            memcmp(elf->file + at, name, length) == 0)
            return hcct_elf_at(elf, here->sh_addr, bytes);
    }
    return NULL;
}

bool hcct_elf_write(const struct hcct_elf *elf, const void *at, uint64_t bytes)
{
    if (!hcct_elf_has(elf, at, bytes))
        return false;
    uint64_t address = elf->first + (uint64_t)((const char *)at - elf->image);
    for (size_t i = 0; i < hcct_elf_header(elf)->e_phnum; i++) {
        const Elf64_Phdr *segment = hcct_elf_segment(elf, i);
        uint64_t offset = address - segment->p_vaddr;
        if (segment->p_type != PT_LOAD || address < segment->p_vaddr || offset > segment->p_filesz ||
            bytes > segment->p_filesz - offset)
            continue;
        return pwrite(elf->descriptor, at, bytes, (off_t)(segment->p_offset + offset)) == (ssize_t)bytes;
    }
    return false;
}
