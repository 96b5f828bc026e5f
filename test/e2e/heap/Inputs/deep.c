// A program that loads plugins with RTLD_DEEPBIND, and asks each whether its malloc is that of own.c. The calls of the plugins are lazily bound.
#define _GNU_SOURCE
#include <stdlib.h>
#ifdef PLUGIN
extern unsigned own_calls __attribute__((weak));

int has_own(void)
{
    unsigned before = &own_calls ? own_calls : 0;
    void *volatile block = malloc(100);
    int has = &own_calls && own_calls > before;
    free(block);
    return has;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *(*load)(const char *, int) = dlopen;

static void *look_up(void)
{
    return dlsym(RTLD_DEFAULT, "dlopen");
}

/* deep [looked-up] PLUGIN...: loads all before it asks the first. */
int main(int count, char **arguments)
{
    void *plugins[4];
    int loaded = 0;
    for (int i = 1; i < count && loaded < 4; i++)
        if (strcmp(arguments[i], "looked-up") == 0)
            load = (void *(*)(const char *, int))look_up();
        else
            plugins[loaded++] = load(arguments[i], RTLD_LAZY | RTLD_DEEPBIND);
    for (int i = 0; i < loaded; i++) {
        int (*has_own)(void) = plugins[i] ? (int (*)(void))dlsym(plugins[i], "has_own") : NULL;
        puts(!has_own ? "not loaded" : has_own() ? "own" : "the program's");
    }
}
#endif
