/* See notes.h. */
#define _GNU_SOURCE
#include "runtime/objects/notes.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static void copy_build_id(struct hcct_object *object, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length && 2 * i + 2 < sizeof object->build_id; i++) {
        object->build_id[2 * i] = digits[bytes[i] >> 4];
        object->build_id[2 * i + 1] = digits[bytes[i] & 15];
    }
}

/* Whether a note with this name and type begins at `at`. Its description has at least that many bytes. */
static bool is_note(const char *at, size_t bytes, const char *name, uint32_t type, size_t description)
{
    const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
    size_t name_bytes = strlen(name) + 1, start = sizeof *note + ((name_bytes + 3) & ~(size_t)3);
    return bytes >= start + description && note->n_namesz == name_bytes && note->n_type == type &&
           note->n_descsz >= description && bytes - start >= note->n_descsz &&
           memcmp(at + sizeof *note, name, name_bytes) == 0;
}

/* Tries every multiple of 4 outside of our notes, as linkers pad differently between notes of different
 * alignment. */
void hcct_notes_read(struct hcct_object *object, const char *at, size_t bytes)
{
    const size_t ours_bytes = sizeof(struct hcct_note) - offsetof(struct hcct_note, start);
    for (; bytes > sizeof(ElfW(Nhdr)); at += 4, bytes -= bytes < 4 ? bytes : 4) {
        if (is_note(at, bytes, "GNU", NT_GNU_BUILD_ID, 1))
            copy_build_id(object, (const unsigned char *)at + 16, ((const ElfW(Nhdr) *)at)->n_descsz);
        const struct hcct_note *note = (const struct hcct_note *)at;
        if (!is_note(at, bytes, HCCT_NOTE_NAME, HCCT_NOTE_TYPE, ours_bytes) || note->abi != HCCT_ABI_VERSION)
            continue;
        object->clocks |= (note->settings & HCCT_SETTING_CLOCK) != 0;
        object->own |= note->own;
        if (!object->start) {
            object->start = hcct_rel_get(&note->start);
            object->stop = hcct_rel_get(&note->stop);
            object->calls = hcct_rel_get(&note->calls);
            object->calls_stop = hcct_rel_get(&note->calls_stop);
        }
        at += sizeof *note - 4;
        bytes -= sizeof *note - 4;
    }
}

struct hcct_object hcct_notes_object(const struct dl_phdr_info *info)
{
    struct hcct_object object = { .image = UINTPTR_MAX, .loaded = true };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        /* ld.lld 16 makes one segment of notes that are not in one place: then ours is not where it says */
        if (segment->p_type == PT_NOTE && segment->p_memsz == segment->p_filesz)
            hcct_notes_read(&object, (const char *)at, segment->p_memsz);
        if (segment->p_type == PT_LOAD) {
            object.image = at < object.image ? at : object.image;
            object.image_end =
                at + segment->p_memsz > object.image_end ? at + segment->p_memsz : object.image_end;
        }
    }
    return object;
}

bool hcct_notes_have_runtime(const char *at, size_t bytes)
{
    for (; bytes > sizeof(ElfW(Nhdr)); at += 4, bytes -= bytes < 4 ? bytes : 4)
        if (is_note(at, bytes, HCCT_NOTE_NAME, HCCT_NOTES_RUNTIME_TYPE, 0))
            return true;
    return false;
}
