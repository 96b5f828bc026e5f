/* See canonical.h. Prefixes are visited breadth first; the list of those visited is the order. */
#include "format/canonical.h"

#include <string.h>

static int order_of(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

int hcct_canonical_siblings(const struct hcct_file_prefix *a, const struct hcct_file_prefix *b)
{
    return a->kind != b->kind   ? order_of(a->kind, b->kind)
           : a->site != b->site ? order_of(a->site, b->site)
                                : order_of(a->word, b->word);
}

/* Depths need not be looked at: as long as parents ascend, and each comes before its children, they ascend,
 * too. */
bool hcct_canonical_is_before(const struct hcct_file_prefix *prefix, const struct hcct_file_prefix *next)
{
    uint32_t parents[2] = { prefix->parent + 1, next->parent + 1 }; /* NONE becomes 0 */
    return parents[0] != parents[1] ? parents[0] < parents[1] : hcct_canonical_siblings(prefix, next) < 0;
}

/* --- sorting indices of prefixes ------------------------------------------------------------------- */

static int compare(const struct hcct_canonical_list *list, uint32_t a, uint32_t b)
{
    struct hcct_file_prefix first = list->at(list->context, a), second = list->at(list->context, b);
    return hcct_canonical_siblings(&first, &second);
}

static void sift(const struct hcct_canonical_list *list, uint32_t *heap, size_t at, size_t count)
{
    uint32_t moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare(list, heap[child], heap[child + 1]) < 0)
            child++;
        if (compare(list, moved, heap[child]) >= 0)
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Heapsort: it needs no memory, and nobody can make it slow. */
static void sort_siblings(const struct hcct_canonical_list *list, uint32_t *indices, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sift(list, indices, i, count);
    for (size_t end = count; end-- > 1;) {
        uint32_t largest = indices[0];
        indices[0] = indices[end];
        indices[end] = largest;
        sift(list, indices, 0, end);
    }
}

void hcct_canonical_prefixes(const struct hcct_canonical_list *list, uint32_t *order, uint32_t *rank,
                             uint32_t *scratch)
{
    uint32_t count = list->count;
    uint32_t *first = scratch, *children = scratch + count + 2; /* of parent p: from first[p + 1] on */
    uint32_t sum = 0;
    memset(first, 0, ((size_t)count + 2) * sizeof *first);
    for (uint32_t i = 0; i < count; i++)
        first[list->at(list->context, i).parent + 1]++;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t size = first[i];
        first[i] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < count; i++)
        children[first[list->at(list->context, i).parent + 1]++] =
            i; /* first[] is now where the next group begins */
    uint32_t visited = count ? first[0] : 0;
    memcpy(order, children, visited * sizeof *order);
    sort_siblings(list, order, visited);
    for (uint32_t at = 0; at < visited; at++) {
        uint32_t begin = first[order[at]], end = first[order[at] + 1];
        memcpy(order + visited, children + begin, (end - begin) * sizeof *order);
        sort_siblings(list, order + visited, end - begin);
        visited += end - begin;
        rank[order[at]] = at;
    }
}

static struct hcct_file_prefix at(const void *prefixes, uint32_t index)
{
    return ((const struct hcct_file_prefix *)prefixes)[index];
}

struct hcct_canonical_list hcct_canonical_array(const struct hcct_file_prefix *prefixes, uint32_t count)
{
    return (struct hcct_canonical_list){ count, prefixes, at };
}

/* --- sorting rows ----------------------------------------------------------------------------------- */

static bool is_less(const struct hcct_canonical_row *a, const struct hcct_canonical_row *b)
{
    return a->prefix != b->prefix ? a->prefix < b->prefix
           : a->word != b->word   ? a->word < b->word
                                  : a->place < b->place;
}

static void swap(struct hcct_canonical_row *a, struct hcct_canonical_row *b)
{
    struct hcct_canonical_row row = *a;
    *a = *b;
    *b = row;
}

static void insert_all(struct hcct_canonical_row *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct hcct_canonical_row row = rows[i];
        size_t at = i;
        for (; at && is_less(&row, &rows[at - 1]); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static void sink_row(struct hcct_canonical_row *heap, size_t at, size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && is_less(&heap[child], &heap[child + 1]);
        if (!is_less(&heap[at], &heap[child]))
            return;
        swap(&heap[at], &heap[child]);
    }
}

static void heapsort_rows(struct hcct_canonical_row *rows, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sink_row(rows, i, count);
    for (size_t end = count; end-- > 1;) {
        swap(&rows[0], &rows[end]);
        sink_row(rows, 0, end);
    }
}

/* Puts rows that are less than one of them in front of it, the others behind it; returns where it is. */
static size_t part(struct hcct_canonical_row *rows, size_t count)
{
    struct hcct_canonical_row *middle = &rows[count / 2], *last = &rows[count - 1];
    if (is_less(middle, &rows[0]))
        swap(middle, &rows[0]);
    if (is_less(last, middle))
        swap(last, middle);
    if (is_less(middle, &rows[0]))
        swap(middle, &rows[0]);
    swap(middle, &rows[1]); /* the median of three; the first is no larger, the last no smaller */
    struct hcct_canonical_row row = rows[1];
    size_t low = 1, high = count - 1;
    for (;;) {
        while (is_less(&rows[++low], &row))
            ;
        while (is_less(&row, &rows[--high]))
            ;
        if (low >= high)
            break;
        swap(&rows[low], &rows[high]);
    }
    swap(&rows[1], &rows[high]);
    return high;
}

void hcct_canonical_sort(struct hcct_canonical_row *rows, size_t count)
{
    enum { FEW = 16, DEPTH = 64 };
    struct {
        struct hcct_canonical_row *rows;
        size_t count;
        unsigned levels;                     /* after so many parts in parts it is slow: heapsort is not */
    } left[DEPTH], now = { rows, count, 0 }; /* a part that waits is larger than all that come after it */
    unsigned depth = 0;
    for (size_t size = count; size; size /= 2)
        now.levels += 2;
    for (;;) {
        if (now.count <= FEW || !now.levels) {
            (now.count <= FEW ? insert_all : heapsort_rows)(now.rows, now.count);
            if (!depth)
                return;
            now = left[--depth];
            continue;
        }
        size_t at = part(now.rows, now.count), behind = now.count - at - 1;
        left[depth] = now;
        now.levels = --left[depth].levels;
        bool takes_first = at < behind;
        left[depth].rows = takes_first ? now.rows + at + 1 : now.rows;
        left[depth++].count = takes_first ? behind : at;
        now.rows = takes_first ? now.rows : now.rows + at + 1;
        now.count = takes_first ? at : behind;
    }
}
