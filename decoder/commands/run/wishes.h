/* What people ask of hcct-run by one word: --time, --threads and the like. */
#ifndef HCCT_DECODER_COMMANDS_RUN_WISHES_H
#define HCCT_DECODER_COMMANDS_RUN_WISHES_H

#include <stdbool.h>

#include "decoder/text/text.h"

enum { HCCT_WISH_COUNT = 7, HCCT_NEED_COUNT = 7 };

struct hcct_wishes {
    bool asked[HCCT_WISH_COUNT];
    const char *needed_for[HCCT_NEED_COUNT]; /* the argument of an option that needs something; or NULL */
};

/* Takes the option of that name, which is one of them, and appends the keys of HCCT_OPTIONS that it means:
 * ":metric=time". False, with a message: it does not go with an earlier one. */
bool hcct_wishes_take(struct hcct_wishes *wishes, const char *name, struct hcct_text *keys);
/* An option of hcct-decode was given, with an argument or NULL. It may show what only some runs have. */
void hcct_wishes_note(struct hcct_wishes *asked, const char *option, const char *argument);
/* Once all options were given: appends the keys without which they would show nothing. False, with a message:
 * they do not go with what was asked for. `is_sampled`: by --heights. */
bool hcct_wishes_infer(struct hcct_wishes *wishes, bool is_sampled, struct hcct_text *keys);
/* Says what the build of a program, named as for execvp(3), lacks for them. False: what was asked for would
 * not be counted. A program that is a script, or is not found, passes. */
bool hcct_wishes_check(const struct hcct_wishes *wishes, const char *program);

#endif
