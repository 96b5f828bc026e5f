/* The runtime's file descriptors. The program may close any of them, and open a file of its own with the
 * same number.
 *
 * So a number alone proves nothing. A descriptor that the runtime keeps has a high number, and is used only
 * while it refers to the same file (st_dev, st_ino). An identity holds as long as the file exists. So code
 * that keeps an identity also keeps a mapping or a descriptor of the file. */
#ifndef HCCT_RUNTIME_BASE_FILE_H
#define HCCT_RUNTIME_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct hcct_file_identity {
    dev_t device;
    ino_t inode;
    bool known;
};

/* The identity of the file that `file` refers to. */
struct hcct_file_identity hcct_file_identify(int file);
/* Whether `file` is open and refers to that file. */
bool hcct_file_is(int file, const struct hcct_file_identity *identity);
/* Whether the path names that file. A symbolic link to it does not count. */
bool hcct_file_is_at(const char *path, const struct hcct_file_identity *identity);
/* Moves the descriptor to a high number, away from the program's own and from loops that close all. Returns
 * the old number if no high one is free. */
int hcct_file_move_up(int file);
/* The content of a regular file of at most 1 GB, unpacked if it is a packed profile, in reserved memory
 * (hcct_memory_release); or NULL. */
void *hcct_file_read_profile(const char *path, size_t *length);

#endif
