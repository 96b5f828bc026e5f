/* Compiles an extended regular expression of the user's, in pass and decoder. regcomp takes memory for each
 * repetition, and stack for each parenthesis: what would take too much is refused before. In line, as the
 * runtime has all files of this folder, and must not have regcomp. */
#ifndef HCCT_FORMAT_EXPRESSION_H
#define HCCT_FORMAT_EXPRESSION_H

#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    HCCT_EXPRESSION_BYTES = 16384,
    HCCT_EXPRESSION_PARENTHESES = 1000,
    HCCT_EXPRESSION_REPETITIONS = 1000,
    HCCT_EXPRESSION_REPEATED_BYTES = 1 << 19 /* the two together: some 120 MB of regcomp */
};

/* The numbers of nested repetitions multiply. Here the numbers of all repetitions are multiplied, nested or
 * not. */
static inline bool hcct_expression_is_moderate(const char *text)
{
    unsigned long parentheses = 0, repetitions = 1;
    for (const char *at = text; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
            continue;
        }
        parentheses += *at == '(';
        if (*at != '{')
            continue;
        char *end;
        unsigned long least = strtoul(at + 1, &end, 10), most = *end == ',' ? strtoul(end + 1, NULL, 10) : 0,
                      number = most > least ? most : least;
        if (number > HCCT_EXPRESSION_REPETITIONS / repetitions)
            return false;
        repetitions *= number ? number : 1;
    }
    return parentheses <= HCCT_EXPRESSION_PARENTHESES && strlen(text) <= HCCT_EXPRESSION_BYTES &&
           strlen(text) * repetitions <= HCCT_EXPRESSION_REPEATED_BYTES;
}

/* Compiles `text`; the caller frees *expression by regfree. Returns NULL, or the reason why it was refused, a
 * constant or in `room`. Then there is nothing to free. */
static inline const char *hcct_expression_compile(regex_t *expression, const char *text, char room[128])
{
    if (!hcct_expression_is_moderate(text))
        return "too large";
    int failed = regcomp(expression, text, REG_EXTENDED | REG_NOSUB);
    if (failed)
        regerror(failed, expression, room, 128);
    return failed ? room : NULL;
}

#endif
