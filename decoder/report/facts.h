/* What every format for programs and viewers tells of the profile besides its contexts: a list of facts, each
 * a key and a text, for a comment, a title or the metadata of the format. */
#ifndef HCCT_DECODER_REPORT_FACTS_H
#define HCCT_DECODER_REPORT_FACTS_H

#include "decoder/report/report.h"
#include "decoder/text/json_writer.h"

/* --- what the numbers of a whole profile claim ---------------------------------------------------------- */

/* The weakest that holds of all counts; decoder/claim/claim.h has what one count says. Where counts are
 * estimates, a bound of the algorithm that keeps them says nothing of the true ones: what is chance has an
 * interval instead (decoder/store/bursts.h), which includes that bound. */
enum hcct_sure {
    HCCT_SURE_EXACT,   /* each count is the true one, but for what the profile says was lost */
    HCCT_SURE_UPPER,   /* the true one is at most the count, and at least the count less its error */
    HCCT_SURE_CHANCE,  /* estimates, from samples or bursts */
    HCCT_SURE_NOTHING, /* counting stopped at 2^64 - 1 */
};

enum hcct_sure hcct_claim_sure(const struct hcct_summary *summary);
/* "exact", "upper", "chance", "nothing" */
extern const char *const hcct_sure_names[];
/* Whether each thing counted is a sample that stands for a fixed number: ticks of a clock, events. */
bool hcct_claim_is_by_samples(const struct hcct_summary *summary);

enum { HCCT_CLAIM_BYTES = 240 };
/* A sentence's worth, for facts. `may_lack_hot`: a context that no file kept may be hot. */
void hcct_claim_say(const struct hcct_summary *summary, bool may_lack_hot, char text[HCCT_CLAIM_BYTES]);
/* Two or three words, for a title: "epsilon 2e-05". */
void hcct_claim_say_shortly(const struct hcct_summary *summary, char text[HCCT_CLAIM_BYTES]);

/* --- facts ------------------------------------------------------------------------------------------ */

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
