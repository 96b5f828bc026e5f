// Tail calls, which leave no frame. `two` and `through` may do without. `even` and `odd` may not: they call each other as often as they are
// told, on a stack of fixed size; nor may `again`, which can be called through the pointer that it calls. The program keeps a book of the
// paths that end in `leaf`. The argument chooses what is run; e with a number behind it, how often even and odd are.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT __attribute__((noinline))
typedef int function(const char *path);
static void (*note)(void); // hcct_heights_note, if the sampler is there
static const char *met[64];
static int count[64];
int volatile sink;

OUT int leaf(const char *path)
{
    int i = 0;
    if (note)
        note();
    while (count[i] && strcmp(met[i], path))
        i++;
    met[i] = path;
    count[i]++;
    return sink;
}
OUT int two(const char *path)
{
    sink++;
    return leaf(path);
}
OUT int through(function *pointer, const char *path)
{
    sink++;
    return pointer(path);
}
OUT int odd(long n, const char *path);
OUT int even(long n, const char *path)
{
    sink++;
    return n ? odd(n - 1, path) : leaf(path);
}
OUT int odd(long n, const char *path)
{
    sink += 2;
    return n ? even(n - 1, path) : two(path);
}
static function *volatile next;
OUT int again(const char *path)
{
    function *now = next;
    next = leaf;
    return now(path);
}

int main(int argc, char **argv)
{
    (void)argc;
    note = (void (*)(void))dlsym(RTLD_DEFAULT, "hcct_heights_note");
    for (char *what = argv[1]; *what; what++) {
        next = again;
        if (*what == 'l')
            sink += leaf("main;leaf");
        if (*what == 't')
            sink += two("main;two;leaf");
        if (*what == 'p')
            sink += through(leaf, "main;through;leaf");
        if (*what == 'a')
            sink += again("main;again;again;leaf");
        if (*what == 'e')
            sink += even(strtol(what + 1, &what, 10), "main;even;odd;even;leaf"), what--;
    }
    for (int i = 0; count[i]; i++)
        printf("%s %d\n", met[i], count[i]);
    return 0;
}
