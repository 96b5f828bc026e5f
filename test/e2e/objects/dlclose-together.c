// Libraries that call each other are unloaded and loaded again, in each order: all of them or some, with another one in the place of
// one that is needed, with a weak function that several of them have, one of them twice. Each context has the count of its calls.
// RUN: rm -rf %t && split-file %s %t && cd %t && %clang -O1 -shared -fPIC shadow.c -o libshadow.so
// RUN: for flags in -O0 -O2 '-O2 -flto'; do sh build.sh %hcct-cc $flags && %hcct-cc $flags main.c ./libshadow.so -ldl -o x && \
// RUN:   sh compare.sh %hcct-decode || exit 1; done
// The same profile as of the loading of each library once, times the rounds.
// RUN: env CHECKS=ROUNDS sh %inputs/exact.sh %hcct-decode %s %t/x =one +plugin plugin -plugin +plugin plugin -plugin +plugin plugin -plugin
// ROUNDS: main 1
// ROUNDS-NEXT: main;plugin 3
// ROUNDS-NEXT: main;plugin;needed 6
// ROUNDS-NEXT: main;plugin;needed;last 6
// ROUNDS-NEXT: main;plugin;shared 3
// ROUNDS-NEXT: main;plugin;shared;of_plugin 3
// A library that is loaded again has its old numbers, if what it calls is the same: the profile has each function once. Otherwise it has
// others, but no more of them than there are libraries that it may call.
// RUN: %hcct-decode --format=json --all x.cct.bin | grep -c '"function": "plugin"' | grep -x 1
// RUN: HCCT_OPTIONS=mode=cct:output=x.bin ./x =one +plugin plugin -plugin =two +plugin plugin -plugin =one +plugin plugin -plugin =two +plugin plugin -plugin
// RUN: %hcct-decode --format=json --all x.bin | grep -c '"function": "plugin"' | grep -x 2
//--- build.sh
# build.sh COMPILER FLAG...: libone.so and libtwo.so may be what is needed.
set -e
"$@" -shared -fPIC last.c ./libshadow.so -o liblast.so
"$@" -shared -fPIC needed.c ./liblast.so ./libshadow.so -Wl,-soname,./libneeded.so -o libone.so
"$@" -shared -fPIC -DOTHER needed.c ./liblast.so ./libshadow.so -Wl,-soname,./libneeded.so -o libtwo.so
"$@" -shared -fPIC plugin.c ./libone.so ./libshadow.so -o libplugin.so
"$@" -shared -fPIC sibling.c ./liblast.so ./libshadow.so -o libsibling.so
cp libplugin.so libcopy.so
ln -sf libone.so libneeded.so
//--- compare.sh
# compare.sh HCCT-DECODE: of each run the profile is what the shadow stack says.
export LC_ALL=C
compare() {
    ln -sf libone.so libneeded.so
    for mode in cct hcct; do
        HCCT_OPTIONS=mode=$mode:output=x.bin ./x "$@" > shadow.txt || return 1
        "$decode" --format=folded --all x.bin | sort > got.txt
        sort shadow.txt | diff - got.txt > difference.txt || { echo "$mode: $*"; cat difference.txt; return 1; }
    done
}
decode=$1
set -e
compare +plugin plugin -plugin +plugin plugin -plugin
compare +needed needed +plugin plugin -plugin +plugin plugin
compare +plugin plugin +needed needed -plugin -needed +needed needed +plugin plugin
compare +plugin plugin -plugin =two +plugin plugin -plugin =one +plugin plugin -plugin =two +plugin plugin
compare +plugin +sibling sibling plugin -plugin -sibling +sibling +plugin sibling plugin -sibling -plugin +plugin +sibling plugin sibling
compare +plugin +copy copy plugin -plugin -copy +copy +plugin copy plugin -copy -plugin +plugin plugin
for seed in 1 2 3 4; do
    compare $seed
done
//--- shadow.h
void enter(const char *), leave(void), report(void);
#define FUNCTION(name, ...) { enter(#name); __VA_ARGS__; leave(); }
//--- shadow.c
// What is under way, and how often each path was.
#include <stdio.h>
#include <string.h>
static char path[1000];
static struct { char path[200]; int count; } paths[500];
void enter(const char *name)
{
    int i = 0;
    strcat(strcat(path, *path ? ";" : ""), name);
    while (paths[i].count && strcmp(paths[i].path, path))
        i++;
    strcpy(paths[i].path, path);
    paths[i].count++;
}
void leave(void) { *(strrchr(path, ';') ? strrchr(path, ';') : path) = 0; }
void report(void)
{
    for (int i = 0; paths[i].count; i++)
        printf("%s %d\n", paths[i].path, paths[i].count);
}
//--- last.c
#include "shadow.h"
static __attribute__((noinline)) void of_last(void) FUNCTION(of_last)
__attribute__((weak, noinline)) void shared(void) FUNCTION(shared, of_last())
__attribute__((noinline)) void last(void) FUNCTION(last)
//--- needed.c
#include "shadow.h"
void last(void);
#ifdef OTHER
static __attribute__((noinline)) void inner(void) FUNCTION(inner, last())
void needed(void) FUNCTION(needed, inner(); inner())
#else
void needed(void) FUNCTION(needed, last())
#endif
//--- plugin.c
#include "shadow.h"
void needed(void);
static __attribute__((noinline)) void of_plugin(void) FUNCTION(of_plugin)
__attribute__((weak, noinline)) void shared(void) FUNCTION(shared, of_plugin())
void plugin(void) FUNCTION(plugin, needed(); shared(); needed())
//--- sibling.c
#include "shadow.h"
void last(void);
static __attribute__((noinline)) void of_sibling(void) FUNCTION(of_sibling)
__attribute__((weak, noinline)) void shared(void) FUNCTION(shared, of_sibling())
void sibling(void) FUNCTION(sibling, shared(); last(); shared())
//--- main.c
// Steps: +NAME loads libNAME.so, NAME calls its function, -NAME unloads it, =NAME makes libNAME.so the one that is needed. A number
// is the seed of 300 random steps.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "shadow.h"
#define PLAIN static __attribute__((no_profile_instrument_function))
static const char *const names[] = {"plugin", "sibling", "needed", "copy", "last"};
enum { NAMES = sizeof names / sizeof names[0] };
static void *libraries[NAMES];
PLAIN void load(int i)
{
    char file[50];
    snprintf(file, sizeof file, "./lib%s.so", names[i]);
    libraries[i] = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
    if (!libraries[i])
        abort();
}
PLAIN void unload(int i)
{
    if (dlclose(libraries[i]))
        abort();
    libraries[i] = 0;
}
PLAIN void need(const char *name)
{
    char file[50];
    snprintf(file, sizeof file, "lib%s.so", name);
    unlink("libneeded.so");
    if (symlink(file, "libneeded.so"))
        abort();
}
PLAIN int index_of(const char *name)
{
    for (int i = 0; i < NAMES; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    abort();
}
PLAIN void *function_of(int i) { return dlsym(libraries[i], strcmp(names[i], "copy") ? names[i] : "plugin"); }
int main(int count, char **steps)
{
    enter("main");
    unsigned random = count == 2 ? (unsigned)atoi(steps[1]) : 0;
    for (int i = 0; random && i < 300; i++) {
        random = random * 1103515245 + 12345;
        int at = (random >> 16) % NAMES;
        if (i % 10 == 0)
            need(random >> 24 & 1 ? "one" : "two");
        else if (!libraries[at])
            load(at);
        else if ((random >> 24) % 3 == 0)
            unload(at);
        else
            ((void (*)(void))function_of(at))();
    }
    for (int i = 1; !random && i < count; i++)
        if (*steps[i] == '+')
            load(index_of(steps[i] + 1));
        else if (*steps[i] == '-')
            unload(index_of(steps[i] + 1));
        else if (*steps[i] == '=')
            need(steps[i] + 1);
        else
            ((void (*)(void))function_of(index_of(steps[i])))();
    leave();
    report();
    return 0;
}
