// Keeps 1000 bytes, and then ends as its parameter says.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, optnone)) static
static void *volatile kept[20];

FUNCTION void keep(void)
{
    for (int i = 0; i < 10; i++)
        kept[i] = malloc(100);
}

FUNCTION void more(void)
{
    for (int i = 10; i < 20; i++)
        kept[i] = malloc(7);
}

FUNCTION void wait_and_allocate(void)
{
    for (int i = 0; i < 10; i++) {
        usleep(20000);
        free(malloc(1));
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    keep();
    if (strcmp(how, "killed") == 0) {
        wait_and_allocate();
        raise(SIGKILL);
    } else if (strcmp(how, "fork") == 0) {
        if (!fork()) {
            more();
            exit(0);
        }
        wait(NULL);
    } else if (strcmp(how, "exec") == 0) {
        more();
        execl("/proc/self/exe", argv[0], NULL);
        return 1;
    }
}
