// Call paths of the same calls in another order: main;a;a;b;a;leaf and main;a;b;a;a;leaf. An argument says who
// calls whom: "aaba". c and d are called through pointers. The program keeps a book of the paths that end in `leaf`, and of leaf's frame pointers
// there, and on AArch64 where it ran, counted from main (file `pointers`).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define OUT __attribute__((noinline))
typedef int function(const char *rest);
static void (*note)(void); // hcct_heights_note, if the sampler is there
static char path[256] = "main", met[64][256];
static int count[64];
static char *frame[64], *place[64];
int volatile sink;
int main(int argc, char **argv);
OUT int leaf(const char *rest)
{
    int i = 0;
    if (note)
        note();
    while (count[i] && strcmp(met[i], path))
        i++;
    strcpy(met[i], path);
    frame[i] = __builtin_frame_address(0);
#ifdef __aarch64__
    __asm__ volatile("adr %0, ." : "=r"(place[i]));
#endif
    count[i]++;
    return sink + *rest;
}
static function a, b, c, d;
static function *volatile pointers[] = { c, d };

#define STEP(name) \
    static OUT int name(const char *rest) \
    { \
        size_t length = strlen(path); \
        strcat(path, ";" #name); \
        int got = *rest == 'a' ? a(rest + 1) : *rest == 'b' ? b(rest + 1) : *rest ? pointers[*rest - 'c'](rest + 1) : (strcat(path, ";leaf"), leaf(rest)); \
        path[length] = 0; \
        return got + (sink = sink + 1); \
    }
STEP(a)
STEP(b)
STEP(c)
STEP(d)

int main(int argc, char **argv)
{
    note = (void (*)(void))dlsym(RTLD_DEFAULT, "hcct_heights_note");
    FILE *file = fopen("pointers", "w");
    strcat(path, ";leaf");
    int all = leaf("");
    path[4] = 0;
    for (int i = 1; i < argc; i++)
        all += *argv[i] == 'a' ? a(argv[i] + 1) : b(argv[i] + 1);
    for (int i = 0; count[i]; i++) {
        printf("%s %d\n", met[i], count[i]);
        fprintf(file, "%s %p %ld %d\n", met[i], frame[i], (long)(place[i] - (char *)main), count[i]);
    }
    fclose(file);
    printf("%d\n", all);
    return 0;
}
