/* The JSON writer puts commas, blanks and line breaks where each style wants them, and numbers that are none
 * become null. */
#include "decoder/text/json_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void write_all(struct hcct_json *json)
{
    hcct_json_object(json, NULL, HCCT_JSON_LINES);
    hcct_json_text(json, "name", "a\"b");
    hcct_json_array(json, "empty", HCCT_JSON_LINES);
    hcct_json_end(json);
    hcct_json_array(json, "words", HCCT_JSON_WORDS);
    hcct_json_unsigned(json, NULL, UINT64_MAX);
    hcct_json_index(json, NULL, UINT32_MAX);
    hcct_json_index(json, NULL, UINT32_MAX - 1);
    hcct_json_number(json, NULL, 0.1);
    hcct_json_number(json, NULL, NAN);
    hcct_json_end(json);
    hcct_json_array(json, "dense", HCCT_JSON_DENSE);
    for (int i = 0; i < 4; i++) {
        if (i % 2 == 0)
            hcct_json_break(json);
        hcct_json_bool(json, NULL, i);
    }
    hcct_json_end(json);
    hcct_json_object(json, "inner", HCCT_JSON_WORDS);
    hcct_json_null(json, "none");
    hcct_json_printf(json, "change", "-%d", 7);
    hcct_json_end(json);
    hcct_json_end(json);
}

static void check_written(enum hcct_text_format text, const char *expected)
{
    char *found;
    size_t length;
    struct hcct_json json = { .out = open_memstream(&found, &length), .text = text };
    write_all(&json);
    fclose(json.out);
    CHECK(json.depth == 0);
    CHECK(!strcmp(found, expected));
    if (strcmp(found, expected))
        fprintf(stderr, "expected %s\nfound %s\n", expected, found);
    free(found);
}

int main(void)
{
    check_written(HCCT_TEXT_JSON, "{\n\"name\": \"a\\\"b\",\n\"empty\": [\n],\n"
                                  "\"words\": [18446744073709551615, -1, 4294967294, 0.1, null],\n"
                                  "\"dense\": [\nfalse,true,\ntrue,true],\n"
                                  "\"inner\": {\"none\": null, \"change\": -7}\n}");
    CHECK_DONE();
}
