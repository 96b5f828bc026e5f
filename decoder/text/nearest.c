/* The nearest word, see nearest.h: the distance of Damerau and Levenshtein (optimal string alignment). */
#include "decoder/text/nearest.h"

#include <string.h>

#define LETTERS 40 /* longer words are near to nothing */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LETTERS + 1]; /* of the last two prefixes of a, and of the current one */
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

void hcct_nearest_try(struct hcct_nearest *search, const char *candidate)
{
    size_t length = strlen(candidate);
    if (!search->length || search->length > LETTERS || length > LETTERS)
        return;
    unsigned far = distance(search->word, search->length, candidate, length);
    if (far > (search->length + 2) / 3 || (search->nearest && far >= search->distance))
        return;
    search->nearest = candidate;
    search->distance = far;
}
