// The message that dlerror keeps for the program outlasts exceptions, the first one too, and what runs before a thread ends.
// RUN: %hcct-c++ -O1 %s -o %t -lpthread && HCCT_OPTIONS=output=%t.bin timeout 300 %t
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static int told;

static void tell()
{
    const char *message = dlerror();
    told += message && strstr(message, "missing.so") != NULL;
}

static void load()
{
    if (!dlopen("./missing.so", RTLD_NOW))
        throw 1;
}

struct Teller {
    ~Teller() { tell(); }
};

static void *end(void *unused)
{
    Teller teller;
    dlopen("./missing.so", RTLD_NOW);
    pthread_exit(unused);
}

int main()
{
    if (dlerror())
        return 2;
    for (int i = 0; i < 2; i++)
        try {
            load();
        } catch (int) {
            tell();
        }
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, end, NULL) != 0 || pthread_join(thread, NULL) != 0)
            return 3;
    }
    return told != 4;
}
