/* Short names, see short_name.h.
 *
 * A demangled function is
 *
 *     [return type ' '] enclosing(parameters) qualifiers::name(parameters) qualifiers
 *
 * where any name may have template arguments. One pass over the text copies names, and leaves out what stands
 * in brackets. A blank outside of brackets ends a return type: what was copied before it is dropped. */
#include "decoder/names/short_name.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/text/memory.h"
#include "decoder/text/text.h"

struct shortener {
    const char *at;
    const char *ellipsis;
    enum hcct_names names;
    struct hcct_text out;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Whether a whole word stands here: "operator" but not "operators". */
static bool is_keyword(const char *at, const char *start, const char *word)
{
    return starts(at, word) && !is_word(at[strlen(word)]) && (at == start || !is_word(at[-1]));
}

/* The length of the symbol behind the keyword `operator`; 0 if a word follows (new, delete, a type). */
static size_t operator_symbol(const char *at)
{
    static const char *const symbols[] = { "()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
                                           ">>", "<=", ">=",  "->",  "<",   ">" };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (starts(at, symbols[i]))
            return strlen(symbols[i]);
    return strspn(at, "+-*/%^&|~!=,");
}

/* The end of what the bracket at `at` opens. Brackets of other kinds nest. A `>` that compares stands in
 * parentheses, a `<` that compares behind one, and operators behind their keyword. */
const char *hcct_short_name_skip(const char *at)
{
    const char *start = at;
    size_t angles[64], depth = 0, round = 0; /* angles open at each level of parentheses */
    angles[0] = 0;
    for (; *at; at++) {
        if (*at == 'o' && is_keyword(at, start, "operator")) {
            at += strlen("operator");
            at += operator_symbol(at);
            at += starts(at, " <");
            if (*at == '<' && depth < sizeof angles / sizeof angles[0])
                angles[depth]++;
            else
                at--;
        } else if (*at == '(' || *at == '[' || *at == '{') {
            round++;
            if (++depth < sizeof angles / sizeof angles[0])
                angles[depth] = 0;
        } else if (*at == ')' || *at == ']' || *at == '}') {
            depth -= depth > 0;
            round -= round > 0;
        } else if (*at == '<' && (at == start || at[-1] != ')') && depth < sizeof angles / sizeof angles[0]) {
            angles[depth]++;
        } else if (*at == '>' && at[-1] != '-' && depth < sizeof angles / sizeof angles[0]) {
            angles[depth] -= angles[depth] > 0;
        }
        if (!round && !angles[0])
            return at + 1;
    }
    return at;
}

static void copy(struct shortener *it, size_t length)
{
    hcct_text_add(&it->out, it->at, length);
    it->at += length;
}

static void leave_out(struct shortener *it)
{
    it->at = hcct_short_name_skip(it->at);
    hcct_text_print(&it->out, "<%s>", it->ellipsis);
}

/* "{lambda(int)#1}" becomes "{lambda#1}". */
static void copy_braces(struct shortener *it)
{
    const char *end = hcct_short_name_skip(it->at), *parameters = memchr(it->at, '(', (size_t)(end - it->at));
    const char *number = end;
    while (number > it->at && *number != '#')
        number--;
    if (parameters && number > parameters && starts(it->at, "{lambda")) {
        hcct_text_add_string(&it->out, "{lambda");
        it->at = number;
    }
    copy(it, (size_t)(end - it->at));
}

/* Copies up to `end`, without template arguments. A `<` behind a parenthesis compares. */
static void copy_list(struct shortener *it, const char *end)
{
    while (it->at < end)
        if (*it->at == '<' && it->at[-1] != ')')
            leave_out(it);
        else
            copy(it, 1);
}

/* The template arguments of the name itself, or of a class that it is in. */
static void copy_arguments(struct shortener *it)
{
    const char *end = hcct_short_name_skip(it->at);
    if (it->names != HCCT_NAMES_ARGUMENTS || end[-1] != '>') {
        leave_out(it);
        return;
    }
    copy(it, 1);
    copy_list(it, end - 1);
    while (it->out.bytes[it->out.length - 1] == ' ') /* "> >" */
        it->out.length--;
    copy(it, 1);
}

/* Behind the parameters: where "::" follows them and their qualifiers, they are those of an enclosing
 * function. NULL: they are the last ones. */
static const char *behind_enclosing(const char *at)
{
    static const char *const qualifiers[] = { " const", " volatile", " &&", " &", " noexcept" };
    for (size_t i = 0; i < sizeof qualifiers / sizeof qualifiers[0]; i++)
        if (starts(at, qualifiers[i])) {
            at += strlen(qualifiers[i]);
            i = SIZE_MAX; /* from the first one again */
        }
    return starts(at, "::") ? at : NULL;
}

static void copy_operator(struct shortener *it)
{
    copy(it, strlen("operator"));
    size_t symbol = operator_symbol(it->at);
    copy(it, symbol);
    if (symbol)
        it->at += starts(it->at, " <"); /* a blank stands between the symbol and template arguments */
    /* new, delete[], or the type of a conversion: up to the parameters */
    while (!symbol && *it->at && *it->at != '(')
        if (*it->at == '<')
            leave_out(it);
        else
            copy(it, 1);
}

/* Whether a parenthesis belongs to a type in front of the name: "decltype (x)", "void (*f(int))(char)". */
static bool is_of_type(const struct shortener *it)
{
    const char *before = "decltype";
    size_t length = strlen(before), have = it->out.length;
    while (have && it->out.bytes[have - 1] == ' ')
        have--;
    return have >= length && !memcmp(it->out.bytes + have - length, before, length);
}

static void shorten(struct shortener *it)
{
    const char *start = it->at;
    while (*it->at) {
        if (*it->at == 'o' && is_keyword(it->at, start, "operator")) {
            copy_operator(it);
        } else if (*it->at == '<') {
            copy_arguments(it);
        } else if (starts(it->at, "(anonymous namespace)")) {
            copy(it, strlen("(anonymous namespace)"));
        } else if (*it->at == '{') {
            copy_braces(it);
        } else if (starts(it->at, "[abi:")) {
            it->at = hcct_short_name_skip(it->at);
        } else if (starts(it->at, "decltype (")) {
            copy(it, strlen("decltype"));
            it->at++;
        } else if (*it->at == '(' && is_of_type(it)) {
            it->at = hcct_short_name_skip(it->at);
        } else if (*it->at == '(' && (it->at[1] == '*' || it->at[1] == '&') && !it->out.length) {
            it->at += 2; /* a function that returns a pointer to a function: its name is inside */
        } else if (*it->at == '(') {
            const char *end = hcct_short_name_skip(it->at), *next = behind_enclosing(end);
            if (!next && it->names == HCCT_NAMES_PARAMETERS)
                copy_list(it, end);
            if (!next)
                return;
            it->at = next;
        } else if (*it->at == ' ') {
            it->at++; /* the end of a return type */
            it->out.length = 0;
        } else {
            copy(it, 1);
        }
    }
}

/* What the demangler puts in front of a function's name. */
static const char *const prefixes[] = { "non-virtual thunk to ",      "virtual thunk to ",
                                        "covariant return thunk to ", "TLS init function for ",
                                        "TLS wrapper function for ",  "transaction clone for ",
                                        "non-transaction clone for " };

char *hcct_short_name(const char *demangled, enum hcct_names names, const char *ellipsis)
{
    struct shortener it = { .at = demangled, .ellipsis = ellipsis, .names = names };
    bool is_plain = !strpbrk(demangled, "(<: ");
    if (is_plain)
        return hcct_memory_got(strdup(demangled));
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (starts(demangled, prefixes[i])) {
            it.at += strlen(prefixes[i]);
            break;
        }
    size_t prefix = (size_t)(it.at - demangled);
    shorten(&it);
    char *whole =
        hcct_memory_print("%.*s%s", (int)prefix, demangled, it.out.length ? it.out.bytes : demangled);
    free(it.out.bytes);
    return whole;
}
