/* Parses and evaluates generated arithmetic by recursive descent: small functions, direct and recursive
 * calls.
 * Usage: parser ROUNDS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct text {
    char *start, *at;
    size_t size;
};

static uint32_t state = 12345;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

/* --- the input --------------------------------------------------------------------------------- */

static void put(struct text *out, char c)
{
    if ((size_t)(out->at - out->start) + 1 < out->size)
        *out->at++ = c;
}

static void generate_sum(struct text *out, int depth);

static void generate_atom(struct text *out, int depth)
{
    if (depth > 0 && draw(3) == 0) {
        put(out, '(');
        generate_sum(out, depth - 1);
        put(out, ')');
        return;
    }
    for (uint32_t digits = 1 + draw(4); digits > 0; digits--)
        put(out, (char)('1' + draw(9)));
}

static void generate_sum(struct text *out, int depth)
{
    generate_atom(out, depth);
    for (uint32_t terms = 1 + draw(4); terms > 0; terms--) {
        put(out, "+-*/"[draw(4)]);
        generate_atom(out, depth);
    }
}

/* --- the parser -------------------------------------------------------------------------------- */

static uint32_t parse_sum(const char **at);

static int peek(const char **at)
{
    while (**at == ' ')
        ++*at;
    return **at;
}

static uint32_t parse_number(const char **at)
{
    uint32_t value = 0;
    while (peek(at) >= '0' && peek(at) <= '9')
        value = value * 10 + (uint32_t)(*(*at)++ - '0');
    return value;
}

static uint32_t parse_atom(const char **at)
{
    if (peek(at) != '(')
        return parse_number(at);
    ++*at;
    uint32_t value = parse_sum(at);
    *at += peek(at) == ')';
    return value;
}

static uint32_t parse_product(const char **at)
{
    uint32_t value = parse_atom(at);
    for (int sign; (sign = peek(at)) == '*' || sign == '/';) {
        ++*at;
        uint32_t other = parse_atom(at);
        value = sign == '*' ? value * other : value / (other | 1);
    }
    return value;
}

static uint32_t parse_sum(const char **at)
{
    uint32_t value = parse_product(at);
    for (int sign; (sign = peek(at)) == '+' || sign == '-';) {
        ++*at;
        uint32_t other = parse_product(at);
        value = sign == '+' ? value + other : value - other;
    }
    return value;
}

int main(int argc, char **argv)
{
    static char memory[1 << 20];
    uint32_t sum = 0;
    struct text out = { memory, memory, sizeof memory };
    for (int lines = 0; lines < 2000; lines++) {
        generate_sum(&out, 6);
        put(&out, ';');
    }
    for (int round = argc > 1 ? atoi(argv[1]) : 1; round > 0; round--)
        for (const char *at = memory; *at; at += *at != 0)
            sum += parse_sum(&at);
    printf("%u\n", sum);
    return 0;
}
