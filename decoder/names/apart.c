/* Differences of names, see apart.h. In sorted order, the names that begin alike are neighbours. So they get
 * a piece where they begin to differ, and then those of them that have the same piece get the next one. */
#include "decoder/names/apart.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PIECES_LENGTH 80
#define PIECE_LENGTH 20 /* from the difference on, to the end of the argument */
#define WORD_LENGTH 12  /* in front of the difference, to the start of the word */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool continues_utf8(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t piece_start(const char *name, size_t least, size_t difference)
{
    size_t start = difference;
    while (start > least && difference - start < WORD_LENGTH && is_word(name[start - 1]))
        start--;
    while (start > least && continues_utf8(name[start]))
        start--;
    return start;
}

static size_t piece_end(const char *name, size_t difference)
{
    if (!name[difference]) /* it is where another name goes on */
        return difference;
    size_t length = 1 + strcspn(name + difference + 1, ",<>()"), end;
    end = difference + (length < PIECE_LENGTH ? length : PIECE_LENGTH);
    while (end > difference + 1 && name[end - 1] == ' ')
        end--;
    while (continues_utf8(name[end]))
        end++;
    return end;
}

static void add_piece(struct hcct_apart *it, size_t difference, const char *ellipsis)
{
    size_t start = piece_start(it->name, it->end, difference);
    bool is_next = start == it->end, is_first = !it->pieces.length;
    it->end = piece_end(it->name, difference);
    if (!is_next)
        hcct_text_print(&it->pieces, "%s%s ", is_first ? "" : " ", ellipsis);
    hcct_text_add(&it->pieces, it->name + start, it->end - start);
}

/* Names that have the same pieces so far. Each piece takes room, so the recursion is not deep. */
static void add_pieces(struct hcct_apart *names, size_t count, const char *ellipsis)
{
    size_t difference = SIZE_MAX;
    for (size_t i = 1; i < count; i++)
        difference = names[i].shared < difference ? names[i].shared : difference;
    if (count < 2 || !names[count - 1].name[difference]) /* they are all the same */
        return;
    for (size_t i = 0; i < count; i++)
        add_piece(&names[i], difference, ellipsis);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && names[next].shared >= names[i].end;)
            next++;
        if (names[i].name[names[i].end] &&
            names[i].pieces.length + PIECE_LENGTH + WORD_LENGTH < PIECES_LENGTH)
            add_pieces(names + i, next - i, ellipsis);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct hcct_apart *)a)->name, ((const struct hcct_apart *)b)->name);
}

void hcct_names_tell_apart(struct hcct_apart *names, size_t count, const char *ellipsis)
{
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; i < count; i++) {
        names[i].shared = 0;
        while (names[i].name[names[i].shared] &&
               names[i].name[names[i].shared] == names[i - 1].name[names[i].shared])
            names[i].shared++;
    }
    add_pieces(names, count, ellipsis);
    for (size_t i = 0; i < count; i++) {
        bool is_whole = !names[i].name[names[i].end];
        hcct_text_print(&names[i].pieces, "%s%s", is_whole ? "" : " ", is_whole ? "" : ellipsis);
    }
}
