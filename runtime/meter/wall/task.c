/* See task.h. */
#define _GNU_SOURCE
#include "runtime/meter/wall/task.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KEPT_FILES = 960, TEXT_BYTES = 256 };

/* `name` begins with a slash. */
static int open_about(pid_t thread, const char *name)
{
    static const char before[] = "/proc/self/task/";
    char path[sizeof before + 32], digits[16], *at = path + sizeof before - 1;
    size_t count = 0;
    memcpy(path, before, sizeof before);
    for (; thread; thread /= 10)
        digits[count++] = (char)('0' + thread % 10);
    while (count)
        *at++ = digits[--count];
    strcpy(at, name);
    return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* Reads what the kernel says, with a zero behind. Returns the length; 0: nothing. */
static size_t read_about(int file, char text[TEXT_BYTES])
{
    ssize_t length = file >= 0 ? syscall(SYS_pread64, file, text, TEXT_BYTES - 1, 0) : 0;
    length = length > 0 ? length : 0;
    text[length] = 0;
    return (size_t)length;
}

void hcct_task_close(struct hcct_task *task)
{
    if (task->is_open && task->file >= 0)
        syscall(SYS_close, task->file);
    task->is_open = false;
}

/* The file is "running", or the number of the system call, or -1, with parameters, stack pointer and program
 * counter at the end. */
static enum hcct_task_does parse_call(const char *text, size_t length, uintptr_t *sp)
{
    static const char before[] = " 0x";
    unsigned spaces = 0;
    *sp = 0;
    if (text[0] == 'r')
        return HCCT_TASK_IS_RUNNABLE;
    while (length && spaces < 2)
        spaces += text[--length] == ' ';
    if (strncmp(text + length, before, strlen(before)) != 0)
        return HCCT_TASK_UNKNOWN;
    for (const char *at = text + length + strlen(before); *at && *at != ' '; at++)
        *sp = *sp * 16 + (uintptr_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return text[0] == '-' ? HCCT_TASK_WAITS_FOR_PAGE : HCCT_TASK_WAITS_IN_CALL;
}

enum hcct_task_does hcct_task_ask(const struct hcct_task *task, uintptr_t *sp)
{
    char text[TEXT_BYTES];
    size_t length = read_about(task->file, text);
    return length ? parse_call(text, length, sp) : HCCT_TASK_UNKNOWN;
}

static uint64_t parse_number(const char **at)
{
    uint64_t number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        number = 10 * number + (uint64_t)(**at - '0');
    *at += **at == ' ';
    return number;
}

/* The file has the time that the thread has run, and the time that it could have, but had no processor.
 * Returns the latter; 0 if the kernel does not know it. */
static uint64_t ask_queued(const struct hcct_task *task)
{
    char text[TEXT_BYTES];
    const char *at = text;
    int file = open_about(task->thread, "/schedstat");
    size_t length = read_about(file, text);
    if (file >= 0)
        syscall(SYS_close, file);
    return length && parse_number(&at) ? parse_number(&at) : 0;
}

void hcct_task_open(struct hcct_task *task, pid_t thread, bool is_new)
{
    bool is_seen = task->thread == thread;
    if (is_seen && task->is_open)
        return;
    hcct_task_close(task);
    task->thread = thread;
    task->is_open = true;
    task->file = open_about(thread, "/syscall");
    if (!is_seen)
        task->queued = is_new ? 0 : ask_queued(task);
}

uint64_t hcct_task_queued(struct hcct_task *task)
{
    uint64_t before = task->queued, now = ask_queued(task);
    task->queued = now > before ? now : before;
    return task->queued - before;
}

void hcct_task_put_aside(struct hcct_task *task)
{
    if (task->is_open && task->file >= KEPT_FILES)
        hcct_task_close(task);
}
