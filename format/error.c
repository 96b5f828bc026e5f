#include "format/error.h"

#include <stdarg.h>
#include <stdio.h>

bool hcct_error_set(struct hcct_error *error, enum hcct_error_code code, uint64_t offset, const char *format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->code = code;
    error->offset = offset;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}
