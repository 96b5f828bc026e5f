/* See program_build.h. The notes stand in segments of the executable: a few lines of <elf.h> read them, where
 * libelf would be one more library to install. */
#include "decoder/report/program_build.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hcct/abi.h"

/* The first executable file of that name in PATH, as execvp looks for it. */
static bool find(const char *program, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(program, '/'))
        return snprintf(path, PATH_MAX, "%s", program) < PATH_MAX;
    for (const char *at = folders ? folders : "/bin:/usr/bin"; at; at = *at ? at + 1 : NULL) {
        const char *end = strchrnul(at, ':');
        struct stat info;
        int length = snprintf(path, PATH_MAX, "%.*s%s%s", (int)(end - at), at, end > at ? "/" : "", program);
        if (length < PATH_MAX && !access(path, X_OK) && !stat(path, &info) && S_ISREG(info.st_mode))
            return true;
        at = end;
    }
    return false;
}

/* As copy_build_id in runtime/objects/notes.c. */
static void read_build_id(const unsigned char *bytes, size_t length, struct hcct_program_build *build)
{
    for (size_t i = 0; i < length && 2 * i + 2 < sizeof build->build_id; i++)
        snprintf(&build->build_id[2 * i], 3, "%02x", bytes[i]);
}

static void read_notes(const unsigned char *bytes, size_t size, struct hcct_program_build *build)
{
    Elf64_Nhdr header;
    while (size >= sizeof header) {
        memcpy(&header, bytes, sizeof header);
        size_t name = ((size_t)header.n_namesz + 3) & ~(size_t)3,
               rest = ((size_t)header.n_descsz + 3) & ~(size_t)3;
        if (name > size - sizeof header || rest > size - sizeof header - name)
            return;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof "GNU" &&
            !memcmp(bytes + sizeof header, "GNU", sizeof "GNU"))
            read_build_id(bytes + sizeof header + name, header.n_descsz, build);
        struct hcct_note note;
        size_t whole = sizeof header + name + rest;
        if (whole >= sizeof note && header.n_type == HCCT_NOTE_TYPE &&
            header.n_namesz == sizeof HCCT_NOTE_NAME) {
            memcpy(&note, bytes, sizeof note);
            if (!memcmp(note.name, HCCT_NOTE_NAME, sizeof HCCT_NOTE_NAME)) {
                build->settings |= note.settings;
                build->is_instrumented = true;
            }
        }
        bytes += whole;
        size -= whole;
    }
}

static void read_image(const unsigned char *bytes, size_t size, struct hcct_program_build *build)
{
    Elf64_Ehdr header;
    if (size < sizeof header)
        return;
    memcpy(&header, bytes, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64)
        return;
    build->is_known = true;
    for (size_t i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment;
        if (header.e_phoff > size || (size - header.e_phoff) / sizeof segment <= i)
            return;
        memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_NOTE && segment.p_align <= 4 && segment.p_offset <= size &&
            segment.p_filesz <= size - segment.p_offset)
            read_notes(bytes + segment.p_offset, segment.p_filesz, build);
    }
}

struct hcct_program_build hcct_program_build_read(const char *program)
{
    struct hcct_program_build build = { .is_known = false };
    char path[PATH_MAX];
    struct stat info;
    int file = find(program, path) ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (file < 0)
        return build;
    if (!fstat(file, &info) && S_ISREG(info.st_mode) && info.st_size) {
        build.time = info.st_mtim;
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            read_image(bytes, (size_t)info.st_size, &build);
            munmap(bytes, (size_t)info.st_size);
        }
    }
    close(file);
    return build;
}
