/* Symbol names, see symbol.h. The demanglers are the C++ runtime's, and libiberty's for Rust. A name of 200
 * bytes may refer to its own parts so that the demangled one has gigabytes, so a demangler is stopped at a
 * limit, where the library can be stopped (decoder/CMakeLists.txt finds out). */
#include "decoder/names/symbol.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/names/rust_name.h"
#include "decoder/names/short_name.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"

/* Declared here, as the headers are C++'s, or not installed. */
typedef void piece_function(const char *piece, size_t length, void *cookie);
#ifdef HCCT_HAS_DEMANGLE_CALLBACK
extern int __gcclibcxx_demangle_callback(const char *mangled, piece_function *callback, void *cookie);
#else
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);
#endif
#ifdef HCCT_HAS_RUST_DEMANGLER
extern int rust_demangle_callback(const char *mangled, int options, piece_function *callback, void *cookie);
#endif

/* What optimizers append to a name. A number may follow each of them. */
static const struct {
    const char *suffix;
    bool was_local;
} suffixes[] = {
    { ".llvm", true },     { ".__uniq", true },   { ".lto_priv", true }, { ".constprop", false },
    { ".isra", false },    { ".part", false },    { ".cold", false },    { ".localalias", false },
    { ".argprom", false }, { ".argelim", false }, { ".retelim", false }, { ".specialized", false },
    { ".cfi", false },
};

/* ThinLTO with -fsanitize=cfi appends the module's hash to names that were local. */
#define MODULE_HASH_DIGITS 32

static bool ends_in_module_hash(const char *name, size_t length)
{
    if (length <= 1 + MODULE_HASH_DIGITS || name[length - 1 - MODULE_HASH_DIGITS] != '.')
        return false;
    for (size_t i = length - MODULE_HASH_DIGITS; i < length; i++)
        if (!isdigit((unsigned char)name[i]) && !(name[i] >= 'a' && name[i] <= 'f'))
            return false;
    return true;
}

/* The length of `name` without its last suffix; `length` if it has none that is known. */
static size_t without_last_suffix(const char *name, size_t length, bool *was_local)
{
    size_t end = length;
    if (ends_in_module_hash(name, length)) {
        *was_local = true;
        return length - 1 - MODULE_HASH_DIGITS;
    }
    while (end && isdigit((unsigned char)name[end - 1]))
        end--;
    if (end < length && end && name[end - 1] == '.')
        end--;
    else
        end = length;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t bytes = strlen(suffixes[i].suffix);
        if (end > bytes && !memcmp(name + end - bytes, suffixes[i].suffix, bytes)) {
            *was_local |= suffixes[i].was_local;
            return end - bytes;
        }
    }
    return length;
}

static size_t stem(const char *linkage, bool *was_local)
{
    size_t length = strlen(linkage), shorter;
    while ((shorter = without_last_suffix(linkage, length, was_local)) < length)
        length = shorter;
    return length;
}

size_t hcct_symbol_stem(const char *linkage)
{
    bool was_local = false;
    return stem(linkage, &was_local);
}

bool hcct_symbol_was_local(const char *linkage)
{
    bool was_local = false;
    stem(linkage, &was_local);
    return was_local;
}

/* Longer names are shown as they are. */
#define DEMANGLE_LENGTH_LIMIT 16384

/* The limit of a demangled name. */
#define DEMANGLED_BYTES_LEAST 4096
#define DEMANGLED_BYTES_PER_BYTE 32

struct demangled {
    char *text;
    size_t length, room;
    jmp_buf passed;
};

/* The libraries pass the text on in pieces. They hold no memory then, so that longjmp may leave
 * them; but libiberty has some bytes for a word of Rust that is not ASCII. */
static void add_piece(const char *piece, size_t length, void *cookie)
{
    struct demangled *to = cookie;
    if (length > to->room - to->length)
        longjmp(to->passed, 1);
    memcpy(to->text + to->length, piece, length);
    to->length += length;
}

/* Whether that demangler knows the name. */
typedef bool demangler(const char *name, struct demangled *to);

/* NULL if the name cannot be demangled. */
__attribute__((unused)) static char *demangle_by(demangler *demangle, const char *name)
{
    struct demangled to = { .room = DEMANGLED_BYTES_LEAST + DEMANGLED_BYTES_PER_BYTE * strlen(name) };
    to.text = hcct_memory_array(to.room + 1, 1);
    if (setjmp(to.passed) || !demangle(name, &to)) {
        free(to.text);
        return NULL;
    }
    to.text[to.length] = 0;
    return hcct_memory_got(realloc(to.text, to.length + 1));
}

#ifdef HCCT_HAS_DEMANGLE_CALLBACK
static bool demangle_cxx(const char *name, struct demangled *to)
{
    return !__gcclibcxx_demangle_callback(name, add_piece, to);
}

static char *demangle_name(const char *name)
{
    return demangle_by(demangle_cxx, name);
}
#else
static char *demangle_name(const char *name)
{
    int status;
    return __cxa_demangle(name, NULL, NULL, &status);
}
#endif

/* Both ways in which rustc makes names, without their hashes. */
#ifdef HCCT_HAS_RUST_DEMANGLER
static bool demangle_rust(const char *name, struct demangled *to)
{
    return rust_demangle_callback(name, 0, add_piece, to);
}

static char *demangle_rust_name(const char *name)
{
    bool may_be = !strncmp(name, "_R", 2) || !strncmp(name, "_ZN", 3);
    return may_be && strlen(name) < DEMANGLE_LENGTH_LIMIT ? demangle_by(demangle_rust, name) : NULL;
}
#else
static char *demangle_rust_name(const char *name)
{
    (void)name;
    return NULL;
}
#endif

/* From malloc; NULL: rustc did not make it. */
static char *demangle_rust_stem(const char *linkage)
{
    char *name = hcct_memory_got(strndup(linkage, hcct_symbol_stem(linkage))),
         *demangled = demangle_rust_name(name);
    free(name);
    return demangled;
}

bool hcct_symbol_is_rust(const char *linkage)
{
    char *demangled = demangle_rust_stem(linkage);
    free(demangled);
    return demangled;
}

bool hcct_symbol_is_of_rust_library(const char *linkage)
{
    char *demangled = demangle_rust_stem(linkage);
    bool is = demangled && hcct_rust_is_library(demangled);
    free(demangled);
    return is;
}

/* --- names that the demangler does not know ------------------------------------------------------- */

/* Constraints, deducing this, modules. Of the Itanium ABI's grammar this reads only how a name begins:
 * _Z Z* [L] N qualifiers [St] (length name tags)*, or _Z Z* [L] St length name. What follows, a template's
 * arguments first of all, is skipped. So the length of the result is in proportion to that of the names. */
struct name {
    const char *at;
    size_t length;
};

/* Reads "3get". False if there is no such name. */
static bool read_name(const char **at, struct name *name)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    unsigned long length = strtoul(*at, &end, 10);
    if (!length || length > strlen(end))
        return false;
    *name = (struct name){ end, length };
    *at = end + length;
    return true;
}

/* Module names (W) in front of a name, and tags (B) behind it. */
static void skip_names(const char **at, char mark)
{
    struct name ignored;
    for (const char *next = *at + 1; **at == mark && read_name(&next, &ignored); next = *at + 1)
        *at = next;
}

static void add_scope(struct hcct_text *text, struct name name)
{
    static const char nameless[] = "_GLOBAL__N_1";
    bool is_nameless = name.length == strlen(nameless) && !strncmp(name.at, nameless, name.length);
    if (is_nameless)
        hcct_text_add_string(text, "(anonymous namespace)");
    else
        hcct_text_add(text, name.at, name.length);
    hcct_text_add_string(text, "::");
}

/* Whether the last name is the function's own, and not its scope's. `next` is what follows it. The name of a
 * constructor is both; C1 or C2 says that it is one, behind the arguments (I...E) of a class template. */
static bool is_own(struct name last, const char *source, const char *next)
{
    size_t length = strcspn(source, "<");
    bool is_constructor = *next == 'C' || (*next == 'I' && (strstr(next, "EC1") || strstr(next, "EC2")));
    return !is_constructor && last.length == length && !strncmp(last.at, source, length);
}

static void add_scopes(struct hcct_text *text, const char *linkage, const char *source)
{
    const char *at = linkage + strlen("_Z");
    struct name last = { NULL, 0 }, name;
    at += strspn(at, "Z"); /* local to a function, whose own scope this is */
    at += *at == 'L';
    bool is_nested = *at == 'N';
    if (is_nested) {
        at++;
        at += *at == 'H'; /* deducing this */
        at += strspn(at, "rVK");
        at += strspn(at, "RO");
    }
    if (!strncmp(at, "St", 2)) {
        at += 2;
        hcct_text_add_string(text, "std::");
    }
    for (;;) {
        skip_names(&at, 'W');
        at += *at == 'L' && isdigit((unsigned char)at[1]);
        if (!read_name(&at, &name))
            break;
        skip_names(&at, 'B');
        if (last.at)
            add_scope(text, last);
        last = name;
        if (!is_nested)
            break;
    }
    if (!last.at || is_own(last, source, at))
        return;
    if (*at == 'I') { /* a class template, and what is in it is not read */
        hcct_text_add(text, last.at, last.length);
        hcct_text_add_string(text, "<...>::");
    } else if (is_nested) {
        add_scope(text, last);
    }
}

/* "ns::Class<...>::method<int>" of _ZN2ns5ClassI... and the source's "method<int>". From malloc. */
static char *qualify(const char *linkage, const char *source)
{
    struct hcct_text text = { 0 };
    if (!strncmp(linkage, "_Z", 2))
        add_scopes(&text, linkage, source);
    hcct_text_add_string(&text, source);
    return text.bytes;
}

/* --- what is shown -------------------------------------------------------------------------------- */

char *hcct_symbol_display(const char *linkage, const char *source, enum hcct_names names,
                          const char *ellipsis)
{
    size_t length = hcct_symbol_stem(linkage);
    if (linkage[0] == '\1') { /* LLVM's mark for "do not mangle further" */
        linkage++;
        length--;
    }
    char *name = hcct_memory_got(strndup(linkage, length));
    if (names == HCCT_NAMES_LINKAGE)
        return name;
    char *full = demangle_rust_name(name);
    bool is_rust = full;
    if (!full && !strncmp(name, "_Z", 2) && length < DEMANGLE_LENGTH_LIMIT)
        full = demangle_name(name);
    if (!full && !*source)
        return name;
    if (!full)
        full = qualify(name, source); /* it has a template's arguments, but no parameters */
    free(name);
    if (names == HCCT_NAMES_FULL)
        return full;
    char *shown = (is_rust ? hcct_rust_short_name : hcct_short_name)(full, names, ellipsis);
    free(full);
    return shown;
}
