/* snprintf and vsnprintf under the names that calls.h gives them: %s, %d, %u, %x and %%. Numbers may be of l,
 * ll or z; %u and %x may have a width, which is filled up with zeros.
 *
 * Why: programs for small machines bring a printf family of their own, which knows less or other conversions,
 * and is instrumented. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text {
    char *bytes;
    size_t size, length; /* the length is that of the whole text, as if there were room */
};

static void put(struct text *text, char c)
{
    if (text->length < text->size)
        text->bytes[text->length] = c;
    text->length++;
}

static void put_number(struct text *text, uint64_t number, unsigned base, int width)
{
    enum { MOST_DIGITS = 32 };
    char digits[MOST_DIGITS];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[number % base];
    while ((number /= base) || (count < width && count < MOST_DIGITS));
    while (count)
        put(text, digits[--count]);
}

static void put_signed(struct text *text, int64_t number)
{
    if (number < 0)
        put(text, '-');
    put_number(text, number < 0 ? -(uint64_t)number : (uint64_t)number, 10, 0);
}

/* One conversion, behind its '%'. Returns its last character. */
static const char *put_value(struct text *text, const char *format, va_list *list)
{
    int width = 0;
    bool is_long = false;
    for (; *format >= '0' && *format <= '9'; format++)
        width = 10 * width + (*format - '0');
    for (; *format == 'l' || *format == 'z'; format++)
        is_long = true;
    switch (*format) {
    case 's':
        for (const char *string = va_arg(*list, const char *); *string; string++)
            put(text, *string);
        return format;
    case 'd':
        put_signed(text, is_long ? va_arg(*list, long) : va_arg(*list, int));
        return format;
    case 'u':
    case 'x':
        put_number(text, is_long ? va_arg(*list, unsigned long) : va_arg(*list, unsigned),
                   *format == 'x' ? 16 : 10, width);
        return format;
    default: /* "%%", or a mistake of ours */
        put(text, '%');
        return *format == '%' ? format : format - 1;
    }
}

int vsnprintf(char *bytes, size_t size, const char *format, va_list list)
{
    struct text text = { bytes, size, 0 };
    va_list rest;
    va_copy(rest, list);
    for (; *format; format++)
        if (*format == '%')
            format = put_value(&text, format + 1, &rest);
        else
            put(&text, *format);
    va_end(rest);
    if (size)
        bytes[text.length < size ? text.length : size - 1] = 0;
    return (int)text.length;
}

int snprintf(char *bytes, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(bytes, size, format, list);
    va_end(list);
    return length;
}
