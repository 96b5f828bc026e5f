/* Descriptors of the runtime's in a process that may close any of them, and open a file of its own by the
 * same number.
 *
 * A number says nothing: one that is kept is a high one, and is used only while it is the file that it was
 * (st_dev, st_ino). That holds as long as the file exists: who keeps an identity keeps a mapping or a
 * descriptor of the file, too. */
#ifndef HCCT_RUNTIME_BASE_FILE_H
#define HCCT_RUNTIME_BASE_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

struct hcct_file_identity {
    dev_t device;
    ino_t inode;
    bool known;
};

/* What `file` is. */
struct hcct_file_identity hcct_file_identify(int file);
/* Whether `file` is open, and still that. */
bool hcct_file_is(int file, const struct hcct_file_identity *identity);
/* Whether the path names that itself, not by a link. */
bool hcct_file_is_at(const char *path, const struct hcct_file_identity *identity);
/* The same file by a high number, out of the way of the program's own and of loops that close all; by the old
 * one if there is none. */
int hcct_file_move_up(int file);

#endif
