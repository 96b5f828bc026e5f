/* Text of unknown origin in the formats: what each of them says about characters that mean something to it, or nothing. */
#include "decoder/escape.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static void check_written(void (*write)(FILE *, const char *), const char *text, const char *expected)
{
    char *found;
    size_t length;
    FILE *out = open_memstream(&found, &length);
    write(out, text);
    fclose(out);
    CHECK(!strcmp(found, expected));
    if (strcmp(found, expected))
        fprintf(stderr, "of \"%s\" expected \"%s\", found \"%s\"\n", text, expected, found);
    free(found);
}

int main(void)
{
    check_written(hcct_json_string, "a\"b\\c\n<\x7f", "\"a\\\"b\\\\c\\u000a<\\u007f\"");
    check_written(hcct_json_string, "\xc3\xa4\xff\xe2\x82",
                  "\"\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    check_written(hcct_json_string_in_html, "</script><!--", "\"\\u003c/script>\\u003c!--\"");
    check_written(hcct_xml_text, "a<b> & \"c\"\x01", "a&lt;b&gt; &amp; &quot;c&quot;\xef\xbf\xbd");
    check_written(hcct_xml_text, "\xef\xbf\xbf\xed\xa0\x80",
                  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    check_written(hcct_csv_field, "plain text; #1", "plain text; #1");
    check_written(hcct_csv_field, "f(int, \"x\")", "\"f(int, \"\"x\"\")\"");
    check_written(hcct_csv_field, "two\nlines", "\"two\nlines\"");
    check_written(hcct_dot_string, "a\"b\\n\n", "\"a\\\"b\\\\n\xef\xbf\xbd\"");
    check_written(hcct_line_text, "a\nb\tc",
                  "a\xef\xbf\xbd"
                  "b\xef\xbf\xbd"
                  "c");
    char *copy = hcct_utf8_copy("\xf0\x9f\x98\x80\xf5"
                                "a");
    CHECK(copy && !strcmp(copy, "\xf0\x9f\x98\x80\xef\xbf\xbd"
                                "a"));
    free(copy);
    CHECK_DONE();
}
