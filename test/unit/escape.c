/* Text of unknown origin in the formats: what each of them says about characters that mean something to it,
 * or nothing. */
#include "decoder/text/escape.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static void check_written(enum hcct_text_format format, const char *text, const char *expected)
{
    char *found;
    size_t length;
    FILE *out = open_memstream(&found, &length);
    hcct_escape_print(out, format, text);
    fclose(out);
    CHECK(!strcmp(found, expected));
    if (strcmp(found, expected))
        fprintf(stderr, "of \"%s\" expected \"%s\", found \"%s\"\n", text, expected, found);
    free(found);
}

static void check_added(enum hcct_text_format format, const char *text, const char *expected)
{
    struct hcct_text to = { 0 };
    hcct_escape_add(&to, format, text);
    CHECK(!strcmp(to.bytes, expected));
    free(to.bytes);
}

/* ESC, a line end, C1 in UTF-8, C1 as a byte, an override of bidirectional text, and a character that is no
 * hidden one. */
#define HIDDEN "\x1b\n\xc2\x9b\x9b\xe2\x80\xae\xc3\xa4"

static void check_hidden(void)
{
    check_written(HCCT_TEXT_PLAIN, HIDDEN, "\\x1b\\x0a\\u009b\\x9b\\u202e\xc3\xa4");
    check_written(HCCT_TEXT_CSV, HIDDEN, "\"\\x1b\n\\u009b\\x9b\\u202e\xc3\xa4\"");
    check_written(HCCT_TEXT_XML, HIDDEN, "\\x1b\\x0a\\u009b\\x9b\\u202e\xc3\xa4");
    check_written(HCCT_TEXT_DOT, HIDDEN, "\"\\\\x1b\\\\x0a\\\\u009b\\\\x9b\\\\u202e\xc3\xa4\"");
    check_written(HCCT_TEXT_JSON, HIDDEN, "\"\\u001b\\u000a\\u009b\xef\xbf\xbd\\u202e\xc3\xa4\"");
    check_written(HCCT_TEXT_HTML, HIDDEN, "\"\\\\x1b\\\\x0a\\\\u009b\\\\x9b\\\\u202e\xc3\xa4\"");
    check_added(HCCT_TEXT_FOLDED, HIDDEN, "\\x1b\\n\\u009b\\x9b\\u202e\xc3\xa4");
    CHECK(!hcct_escape_is_clean(HIDDEN, 1) && !hcct_escape_is_clean("a\xff", 2) &&
          hcct_escape_is_clean("a\xc3\xa4", 3));
}

int main(void)
{
    check_hidden();
    check_written(HCCT_TEXT_JSON, "a\"b\\c\n<\x7f", "\"a\\\"b\\\\c\\u000a<\\u007f\"");
    check_written(HCCT_TEXT_JSON, "\xc3\xa4\xff\xe2\x82", "\"\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    check_written(HCCT_TEXT_HTML, "</script><!--", "\"\\u003c/script>\\u003c!--\"");
    check_written(HCCT_TEXT_XML, "a<b> & \"c\"\x01", "a&lt;b&gt; &amp; &quot;c&quot;\\x01");
    check_written(HCCT_TEXT_XML, "\xef\xbf\xbf\xed\xa0\x80", "\\uffff\\xed\\xa0\\x80");
    check_written(HCCT_TEXT_CSV, "plain text; #1", "plain text; #1");
    check_written(HCCT_TEXT_CSV, "f(int, \"x\")", "\"f(int, \"\"x\"\")\"");
    check_written(HCCT_TEXT_CSV, "two\nlines", "\"two\nlines\"");
    check_written(HCCT_TEXT_DOT, "a\"b\\n&lt;", "\"a\\\"b\\\\n&amp;lt;\"");
    check_written(HCCT_TEXT_PLAIN, "a\xf0\x9f\x98\x80\xf5", "a\xf0\x9f\x98\x80\\xf5");
    check_added(HCCT_TEXT_FOLDED, "a;b\\c\r", "a\\;b\\\\c\\r");
    CHECK_DONE();
}
