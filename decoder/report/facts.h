/* What every format for programs and viewers tells of the profile besides its contexts: a list of facts, each
 * a key and a text, for a comment, a title or the metadata of the format. */
#ifndef HCCT_DECODER_REPORT_FACTS_H
#define HCCT_DECODER_REPORT_FACTS_H

#include "decoder/report/report.h"
#include "decoder/text/json_writer.h"

struct hcct_fact {
    const char *key;
    const char *text; /* plain ASCII, but for the program's path, which may hold any bytes */
};

#define HCCT_FACT_COUNT 15

struct hcct_facts {
    struct hcct_fact items[HCCT_FACT_COUNT];
    char texts[HCCT_FACT_COUNT][240];
};

/* Program, build, N, phi, epsilon, algorithm, what was dropped, and so on. The first fact is the program, the
 * last one is what wrote the output. The report outlives the facts. */
void hcct_facts_make(struct hcct_facts *facts, const struct hcct_report *report);
/* As an object, a member for each fact. */
void hcct_facts_write(struct hcct_json *json, const char *key, const struct hcct_facts *facts);

#endif
