/* See rust_name.h. A demangled name is a path: names, arguments in `<>`, and types in `<>` at its start, or
 * as `<impl Trait for Type>` within. */
#include "decoder/names/rust_name.h"

#include <ctype.h>
#include <string.h>

#include "decoder/names/short_name.h"
#include "decoder/text/text.h"

struct rust_shortener {
    const char *at;
    const char *ellipsis;
    enum hcct_names names;
    struct hcct_text out;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static void copy(struct rust_shortener *it, size_t length)
{
    hcct_text_add(&it->out, it->at, length);
    it->at += length;
}

/* `"::<"` becomes `"<"`. */
static void drop_colons(struct rust_shortener *it)
{
    if (it->out.length > 1 && !memcmp(it->out.bytes + it->out.length - 2, "::", 2))
        it->out.length -= 2;
}

/* The length of the names in front of the last one of a path: 5 of "std::string". */
static size_t path_in_front(const char *at)
{
    size_t front = 0, length = 0;
    for (;;) {
        while (is_word(at[length]))
            length++;
        if (strncmp(at + length, "::", 2) != 0 || !is_word(at[length + 2]))
            return front;
        front = length += 2;
    }
}

static void leave_arguments_out(struct rust_shortener *it)
{
    drop_colons(it);
    hcct_text_print(&it->out, "<%s>", it->ellipsis);
    it->at = hcct_short_name_skip(it->at);
}

/* Types up to `end`: of each path the last name, without arguments. */
static void copy_type(struct rust_shortener *it, const char *end)
{
    while (it->at < end) {
        if (is_word(*it->at) && !is_word(it->at[-1])) {
            it->at += path_in_front(it->at);
            copy(it, 1);
        } else if (*it->at == '<') {
            leave_arguments_out(it);
        } else {
            copy(it, starts(it->at, "->") ? 2 : 1);
        }
    }
}

/* What brackets hold, and they themselves. */
static void copy_types(struct rust_shortener *it, const char *behind)
{
    copy(it, 1);
    copy_type(it, behind - 1);
    copy(it, 1);
}

/* Whether the type that `<` opens is a path, without a trait: those of `<calls::Table>::find`. */
static bool is_path(const char *at, const char *end)
{
    for (at++; at < end - 1; at++) {
        if (*at == '<')
            at = hcct_short_name_skip(at) - 1;
        else if (!is_word(*at) && *at != ':')
            return false;
    }
    return true;
}

static void shorten(struct rust_shortener *it, const char *end)
{
    const char *start = it->at;
    while (it->at < end) {
        const char *close = *it->at == '<' ? hcct_short_name_skip(it->at) : NULL;
        if (close && it->at == start && is_path(start, close)) {
            it->at++;
            shorten(it, close - 1);
            it->at = close;
        } else if (close && (it->at == start || starts(it->at, "<impl "))) {
            copy_types(it, close);
        } else if (close && it->names == HCCT_NAMES_ARGUMENTS) {
            drop_colons(it);
            copy_types(it, close);
        } else if (close) {
            leave_arguments_out(it);
        } else if (starts(it->at, "{{closure}}")) {
            hcct_text_add_string(&it->out, "{closure}");
            it->at += strlen("{{closure}}");
        } else {
            copy(it, 1);
        }
    }
}

char *hcct_rust_short_name(const char *demangled, enum hcct_names names, const char *ellipsis)
{
    struct rust_shortener it = { .at = demangled, .ellipsis = ellipsis, .names = names };
    hcct_text_add_string(&it.out, "");
    shorten(&it, demangled + strlen(demangled));
    return it.out.bytes;
}

bool hcct_rust_is_library(const char *demangled)
{
    static const char *const crates[] = {
        "std", "core", "alloc", "hashbrown", "proc_macro", "test", "__rustc"
    };
    static const char *const words[] = { "mut ", "const ", "dyn " };
    const char *at = demangled + strspn(demangled, "<&*([");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        at += starts(at, words[i]) ? strlen(words[i]) : 0;
    size_t length = 0;
    while (is_word(at[length]))
        length++;
    if (*demangled == '<' && !starts(at + length, "::")) {
        /* The type is no path but the language's own, or a parameter. So the trait tells, if there is one. */
        const char *trait = strstr(at + length, " as ");
        if (!trait || trait > hcct_short_name_skip(demangled))
            return true;
        at = trait + strlen(" as ");
    }
    for (size_t i = 0; i < sizeof crates / sizeof crates[0]; i++)
        if (starts(at, crates[i]) && starts(at + strlen(crates[i]), "::"))
            return true;
    return false;
}
